#include "manipulator/flexible_objects.hpp"

#include <algorithm>

#include "linkwright/model/flexible_links.hpp"

namespace linkwright::manipulator {
namespace {

std::string before_colon(const std::string& name) { return name.substr(0, name.rfind(':')); }

bool is_flexible(const Model& model, const std::string& body) {
  return std::ranges::any_of(model.joints, [&](const Joint& joint) {
    return is_elastic(joint) && joint.name == body + ":bend1";
  });
}

}  // namespace

std::string whole_object(const Model& model, const std::string& body) {
  const std::string link = before_colon(body);
  return link != body && is_flexible(model, link) ? link : body;
}

std::vector<int> pieces_of(const System& system, const std::string& object) {
  std::vector<int> pieces;
  const std::vector<Body>& bodies = system.model().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].name == object || (bodies[i].name.starts_with(object + ":") &&
                                     whole_object(system.model(), bodies[i].name) == object))
      pieces.push_back(static_cast<int>(i));
  return pieces;
}

std::vector<int> shape_entries(const System& system, const std::string& object) {
  std::vector<int> entries;
  for (const Joint& joint : system.model().joints) {
    if (!is_elastic(joint) || before_colon(joint.name) != object) continue;
    const JointPlace& place = system.joint(joint.name);
    for (int i = 0; i < place.nv; ++i) entries.push_back(place.v + i);
  }
  return entries;
}

}  // namespace linkwright::manipulator
