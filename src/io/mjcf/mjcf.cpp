#include "linkwright/io/mjcf.hpp"

#include <fmt/format.h>

#include "io/mjcf/build.hpp"
#include "io/mjcf/document/replicate.hpp"
#include "io/mjcf/scene.hpp"
#include "io/strictness.hpp"
#include "io/text_file.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace mjcf {
namespace {

void require_mujoco(const XmlElement& root) {
  if (root.tag() == "mujoco") return;
  throw Error(
      root.source(),
      fmt::format("the root element is <{}>{}; expected <mujoco>", root.tag(),
                  root.tag() == "mujocoinclude" ? ", a part that other files include" : ""));
}

/// The file says how each body hangs from the world.
void refuse_base(const XmlElement& root, Base base) {
  if (base == Base::fixed) return;
  throw Error(
      root.source(),
      fmt::format("an MJCF file says itself how its bodies hang from the world, so its base "
                  "cannot be {}; give the body a <freejoint/> or joints",
                  base == Base::free ? "free" : "planar"));
}

/// Names that the file gives, so that those made up differ from them.
void collect_names(Scene& scene, const XmlElement& element) {
  for (const XmlElement& child : scene.document.children(element)) {
    const std::string name(child.attribute("name").value_or(""));
    const std::string_view tag = child.tag();
    if (!name.empty() && tag == "body") scene.body_names.insert(name);
    if (!name.empty() && (tag == "joint" || tag == "freejoint")) scene.joint_names.insert(name);
    collect_names(scene, child);
  }
}

std::vector<XmlElement> sections(const Scene& scene, const XmlElement& root, std::string_view tag) {
  std::vector<XmlElement> found;
  for (const XmlElement& child : scene.document.children(root))
    if (child.tag() == tag) found.push_back(child);
  return found;
}

/// Soft bodies move; leaving them out is another mechanism.
void refuse_deformable(Scene& scene, const XmlElement& root) {
  for (const XmlElement& section : sections(scene, root, "deformable"))
    refuse_force(
        scene, section.source(),
        "<deformable>: soft bodies are not computed; expected rigid ones (links that bend: "
        "flexible_links of a system file)",
        "left out");
}

void read_sections(Scene& scene, const XmlElement& root) {
  for (const XmlElement& section : sections(scene, root, "worldbody"))
    collect_names(scene, section);
  for (const XmlElement& section : sections(scene, root, "worldbody")) read_bodies(scene, section);
  apply_total_mass(scene);
  for (const Joint& joint : scene.model.joints) scene.closure_names.insert(joint.name);
  for (const XmlElement& section : sections(scene, root, "tendon")) read_tendons(scene, section);
  for (const XmlElement& section : sections(scene, root, "equality"))
    read_equalities(scene, section);
  read_actuators(scene, sections(scene, root, "actuator"));
  apply_spring_dampers(scene);
  std::vector<XmlElement> keys;
  for (const XmlElement& section : sections(scene, root, "keyframe"))
    for (const XmlElement& key : scene.document.children(section))
      if (key.tag() == "key") keys.push_back(key);
  read_start(scene, keys);
  refuse_deformable(scene, root);
}

void require_bodies(const Scene& scene, const XmlElement& root) {
  if (scene.model.bodies.empty() && !scene.problems.has_mistakes())
    scene.problems.refuse(
        root.source(),
        fmt::format("model {} has no <body>; expected at least one", in_quotes(scene.model.name)));
}

}  // namespace

Model build(std::string_view text, const std::string& name, const std::filesystem::path& folder,
            Base base, Problems& problems) {
  Document document(text, name, folder, problems);
  const XmlElement root = document.root().owned_by("model");
  require_mujoco(root);
  refuse_base(root, base);
  Told told;
  Model model;
  model.name = std::string(root.attribute("model").value_or("MuJoCo Model"));
  model.sources = document.take_sources();
  for (const Source& where : document.malformed_comments())
    told.note(where, "comment with -- inside, which XML forbids: strict parsers refuse the file");
  told.other_attributes(root, "mujoco");
  told.other_children(root, "mujoco", document);
  const Settings settings = read_settings(root, document, told, problems);
  model.gravity = settings.gravity;
  replicate(document, settings, told, problems);
  Classes classes;
  classes.read(root, document, told, problems);
  const Assets assets = read_assets(root, document, settings, classes, told, problems);
  Scene scene{document, settings, classes, assets, told, problems, model};
  read_sections(scene, root);
  const auto noted = told.warnings();
  model.warnings.insert(model.warnings.end(), noted.begin(), noted.end());
  require_bodies(scene, root);
  return model;
}

}  // namespace mjcf

Model parse_mjcf(std::string_view text, const std::string& name_for_messages,
                 const std::filesystem::path& folder, const ReadOptions& options) {
  Problems problems(to_strictness(options));
  Model model = mjcf::build(text, name_for_messages, folder, options.base, problems);
  finish_reading(model, problems);
  return model;
}

Model read_mjcf(const std::filesystem::path& path, const ReadOptions& options) {
  return parse_mjcf(read_text_file(path), path.string(), path.parent_path(), options);
}

}  // namespace linkwright
