#include <fmt/format.h>

#include "io/writers/sections.hpp"
#include "io/writers/yaml_text.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/model/validation.hpp"

namespace linkwright {
namespace {

std::string write_head(const Model& model) {
  std::string text = "linkwright: 1\n";
  if (!model.name.empty()) text += fmt::format("name: {}\n", writers::yaml_text(model.name));
  const Vector3& g = model.gravity;
  const auto number = [](double x) { return writers::yaml_number(x, "gravity"); };
  return text +
         fmt::format("gravity: {}\n", writers::yaml_list({number(g.x), number(g.y), number(g.z)}));
}

}  // namespace

std::string write_system_file(const Model& model, const std::filesystem::path& folder) {
  (void)validate(model);
  using namespace writers;
  std::string text = write_head(model);
  for (const auto& write : {write_bodies, write_joints, write_frames, write_name_lists,
                            write_flexible_bases, write_closures, write_grasps, write_springs,
                            write_loads, write_actuators, write_network, write_state})
    text += write(model);
  return text + write_shapes(model, folder);
}

}  // namespace linkwright
