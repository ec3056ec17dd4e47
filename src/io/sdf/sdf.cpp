#include "linkwright/io/sdf.hpp"

#include <fmt/format.h>

#include "io/closures_file.hpp"
#include "io/sdf/element_readers.hpp"
#include "io/strictness.hpp"
#include "io/text_file.hpp"
#include "linkwright/io/resource.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace sdf {
namespace {

/// What a world without a <gravity> has.
constexpr Vector3 usual_gravity{0, 0, -9.8};

void read_gravity(const XmlElement& world, Model& model, Told& told) {
  const auto gravity = find_vector(world, "gravity");
  model.gravity = gravity.value_or(usual_gravity);
  if (!gravity)
    told.note(world.source(), "<world> without <gravity>, which SDF takes as 0 0 -9.8",
              std::string(world.attribute("name").value_or(std::string_view{})));
}

Poses poses_of_links(const Gathered& gathered, Problems& problems) {
  Poses poses;
  for (const Item& link : gathered.links) {
    Pose& pose = poses[link.full_name()];
    problems.attempt([&] {
      pose = link.scope->in_world *
             link.scope->pose_of(link.name, link.element.source(), link.element.owner());
    });
  }
  return poses;
}

void read_frame(const Item& item, const Poses& poses, Model& model, Told& told) {
  told.others(item.element);
  told.others_below(item.element, "pose");
  Frame frame;
  frame.name = item.full_name();
  frame.source = item.element.source();
  frame.body = item.scope->body_of(item.name, frame.source, item.element.owner());
  const Pose here =
      item.scope->in_world * item.scope->pose_of(item.name, frame.source, item.element.owner());
  const auto body = poses.find(frame.body);
  frame.pose = body == poses.end() ? here : inverse(body->second) * here;
  model.frames.push_back(std::move(frame));
}

}  // namespace

Model build(std::string_view text, const std::string& name_for_messages,
            const std::filesystem::path& folder, const ReadOptions& options, Problems& problems) {
  Told told;
  Gathered gathered = gather(text, name_for_messages, folder, options, told, problems);
  Model model;
  model.name = gathered.name;
  model.sources = std::move(gathered.sources);
  if (gathered.world) problems.attempt([&] { read_gravity(*gathered.world, model, told); });
  for (const Item& link : gathered.links) read_link(link, model, told, problems);
  const Poses poses = poses_of_links(gathered, problems);
  JointReading reading{model, told, problems};
  for (const Item& joint : gathered.joints) read_joint(joint, reading);
  for (const Item& frame : gathered.frames)
    problems.attempt([&] { read_frame(frame, poses, model, told); });
  add_gearboxes(reading.gearboxes, poses, model, problems);
  if (model.bodies.empty() && !problems.has_mistakes())
    problems.refuse(gathered.documents.front()->root().source(),
                    "there is no <link>; expected at least one");
  if (!model.bodies.empty() && !problems.has_mistakes())
    problems.attempt([&] { attach_roots(gathered, poses, options.base, model, told); });
  const auto noted = told.warnings();
  model.warnings.insert(model.warnings.end(), noted.begin(), noted.end());
  return model;
}

}  // namespace sdf

Model parse_sdf(std::string_view text, const std::string& name_for_messages,
                const std::filesystem::path& folder, const ReadOptions& options) {
  Problems problems(to_strictness(options));
  Model model = sdf::build(text, name_for_messages, folder, options, problems);
  if (!options.closures.empty()) add_closures_of(options.closures, model, problems);
  resolve_packages(options.packages, model);
  finish_reading(model, problems);
  return model;
}

Model read_sdf(const std::filesystem::path& path, const ReadOptions& options) {
  return parse_sdf(read_text_file(path), path.string(), path.parent_path(), options);
}

}  // namespace linkwright
