#include "linkwright/io/urdf.hpp"

#include <fmt/format.h>

#include "io/closures_file.hpp"
#include "io/strictness.hpp"
#include "io/text_file.hpp"
#include "io/urdf/element_readers.hpp"
#include "linkwright/io/resource.hpp"
#include "linkwright/model/names.hpp"
#include "model/problems.hpp"

namespace linkwright {
namespace urdf {
namespace {

void require_robot(const XmlElement& root) {
  if (root.tag() == "robot") return;
  std::string_view format, others;
  if (root.tag() == "mujoco")
    format = " (this is an MJCF file, which read_model and read_mjcf read)";
  else if (root.tag() == "sdf")
    format = " (this is an SDF file, which read_model and read_sdf read)";
  else
    others = "; read_model reads <sdf> and <mujoco> too";
  throw Error(root.source(), fmt::format("the root element is <{}>{}; expected <robot>{}",
                                         root.tag(), format, others));
}

void require_links(const Model& model, const XmlElement& robot, std::string_view what,
                   Problems& problems) {
  if (model.bodies.empty() && !problems.has_mistakes())
    problems.refuse(robot.source(),
                    fmt::format("{} has {}; expected at least one", robot.owner(), what));
}

}  // namespace

Model build(std::string_view text, const std::string& name_for_messages, Base base,
            Problems& problems) {
  const XmlDocument document(text, name_for_messages);
  require_robot(document.root());
  Model model;
  model.sources.push_back(to_source(text, name_for_messages));
  model.name = std::string(document.root().attribute("name").value_or(std::string_view{}));
  const XmlElement robot = document.root().owned_by("robot " + in_quotes(model.name));
  Ignored ignored;
  for (const int line : document.malformed_comments())
    ignored.note({name_for_messages, line},
                 "comment with -- inside, which XML forbids: strict parsers refuse the file");
  ignored.other_attributes(robot);
  if (const auto version = robot.attribute("version"); version && !version->starts_with("1"))
    ignored.note(robot.source(), "unknown version of URDF, read as version 1",
                 std::string(*version));
  const Materials materials = read_materials(robot, ignored, problems);
  for (const XmlElement& child : robot.children()) {
    if (child.tag() == "link")
      read_link(child, materials, model, ignored, problems);
    else if (child.tag() == "joint")
      read_joint(child, model, ignored, problems);
    else if (child.tag() != "material")
      problems.attempt([&] { ignored.tag(child); });
  }
  const auto noted = ignored.warnings();
  model.warnings.insert(model.warnings.end(), noted.begin(), noted.end());
  require_links(model, robot, "no <link>", problems);
  if (!model.bodies.empty()) {
    problems.attempt([&] { attach_root(model, base, robot.source()); });
    require_links(model, robot, "no link besides 'world'", problems);
  }
  return model;
}

}  // namespace urdf

Model parse_urdf(std::string_view text, const std::string& name_for_messages,
                 const ReadOptions& options) {
  Problems problems(to_strictness(options));
  Model model = urdf::build(text, name_for_messages, options.base, problems);
  if (!options.closures.empty()) add_closures_of(options.closures, model, problems);
  resolve_packages(options.packages, model);
  finish_reading(model, problems);
  return model;
}

Model read_urdf(const std::filesystem::path& path, const ReadOptions& options) {
  return parse_urdf(read_text_file(path), path.string(), options);
}

}  // namespace linkwright
