#include "linkwright/io/urdf.hpp"

#include <fmt/format.h>

#include "io/text_file.hpp"
#include "io/urdf/parts.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace urdf {
namespace {

void require_robot(const XmlElement& root) {
  if (root.tag() == "robot") return;
  std::string_view format;
  if (root.tag() == "mujoco") format = " (this is an MJCF file, which is not read yet)";
  if (root.tag() == "sdf") format = " (this is an SDF file, which is not read yet)";
  throw Error(root.source(),
              fmt::format("the root element is <{}>{}; expected <robot>", root.tag(), format));
}

}  // namespace

Model build(std::string_view text, const std::string& name_for_messages, Base base) {
  const XmlDocument document(text, name_for_messages);
  require_robot(document.root());
  Model model;
  model.sources.push_back(to_source(text, name_for_messages));
  model.name = std::string(document.root().attribute("name").value_or(std::string_view{}));
  const XmlElement robot = document.root().owned_by("robot " + in_quotes(model.name));
  Ignored ignored;
  ignored.other_attributes(robot, {"name", "version"});
  if (const auto version = robot.attribute("version"); version && !version->starts_with("1"))
    ignored.note(robot.source(), "unknown version of URDF, read as version 1",
                 std::string(*version));
  const Materials materials = read_materials(robot, ignored);
  for (const XmlElement& child : robot.children()) {
    if (child.tag() == "link")
      read_link(child, materials, model, ignored);
    else if (child.tag() == "joint")
      read_joint(child, model, ignored);
    else if (child.tag() != "material")
      ignored.tag(child);
  }
  if (model.bodies.empty())
    throw Error(robot.source(),
                fmt::format("{} has no <link>; expected at least one", robot.owner()));
  const auto noted = ignored.warnings();
  model.warnings.insert(model.warnings.end(), noted.begin(), noted.end());
  attach_root(model, base, robot.source());
  if (model.bodies.empty())
    throw Error(robot.source(), fmt::format("{} has no link besides 'world'; expected at least one",
                                            robot.owner()));
  return model;
}

}  // namespace urdf

Model parse_urdf(std::string_view text, const std::string& name_for_messages, Base base) {
  return urdf::build(text, name_for_messages, base);
}

Model read_urdf(const std::filesystem::path& path, Base base) {
  return parse_urdf(read_text_file(path), path.string(), base);
}

}  // namespace linkwright
