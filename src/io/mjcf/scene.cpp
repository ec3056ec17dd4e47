#include "io/mjcf/scene.hpp"

#include <fmt/format.h>

#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {

std::string Scene::take_name(std::unordered_set<std::string>& taken, const std::string& wanted) {
  std::string name = wanted;
  for (int i = 1; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", wanted, i);
  return name;
}

void Scene::refuse_reference(const XmlElement& element, std::string_view attribute,
                             std::string_view what, const std::string& name,
                             const std::vector<std::string>& known) {
  element.fail(fmt::format("attribute {}: the {} {} does not exist{}", attribute, what,
                           in_quotes(name), did_you_mean(name, known)));
}

Pose motion_of(const Joint& joint, double position) {
  if (joint.type == JointType::prismatic) return {Matrix3::identity(), position * joint.axis};
  return {turn_about(joint.axis, position), {}};
}

void refuse_force(Scene& scene, const Source& where, const std::string& message,
                  const std::string& meaning) {
  scene.problems.refuse(where, message, {meaning});
}

double read_linear(Scene& scene, const Attributes& attributes, std::string_view name) {
  const auto coefficients = attributes.numbers(name, 1, 3);
  if (!coefficients) return 0;
  for (std::size_t i = 1; i < coefficients->size(); ++i)
    if ((*coefficients)[i] != 0) {
      refuse_force(scene, attributes.holder(name)->source(),
                   fmt::format("{}: {} has terms of a higher order; expected one number",
                               attributes.own().owner(), name),
                   "taken as linear");
      break;
    }
  return coefficients->front();
}

}  // namespace linkwright::mjcf
