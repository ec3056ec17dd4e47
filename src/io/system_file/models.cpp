#include <fmt/format.h>

#include <iterator>
#include <unordered_set>

#include "io/closures_file.hpp"
#include "io/mjcf/build.hpp"
#include "io/sdf/element_readers.hpp"
#include "io/system_file/section_readers.hpp"
#include "io/text_file.hpp"
#include "io/urdf/element_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::system_file {
namespace {

void add_prefix(const std::string& prefix, std::string& name) {
  if (!name.empty() && name != world_name) name = prefix + "/" + name;
}

void add_prefix(const std::string& prefix, Model& part) {
  for (Body& body : part.bodies) add_prefix(prefix, body.name);
  for (Joint& joint : part.joints) {
    add_prefix(prefix, joint.name);
    add_prefix(prefix, joint.parent);
    add_prefix(prefix, joint.child);
  }
  for (Closure& closure : part.closures) {
    add_prefix(prefix, closure.name);
    add_prefix(prefix, closure.leader);
    add_prefix(prefix, closure.follower);
    for (GearTerm& term : closure.terms) add_prefix(prefix, term.joint);
    add_prefix(prefix, closure.body_a);
    add_prefix(prefix, closure.body_b);
  }
  for (Frame& frame : part.frames) {
    add_prefix(prefix, frame.name);
    add_prefix(prefix, frame.body);
  }
  for (JointSpring& spring : part.joint_springs) add_prefix(prefix, spring.joint);
  for (BodyLoad& load : part.body_loads) add_prefix(prefix, load.body);
  for (Actuator& actuator : part.actuators) {
    add_prefix(prefix, actuator.name);
    add_prefix(prefix, actuator.joint);
    for (GearTerm& term : actuator.transmission) add_prefix(prefix, term.joint);
  }
  for (auto* entries : {&part.initial.q, &part.initial.v})
    for (InitialState::Entry& entry : *entries) add_prefix(prefix, entry.joint);
  for (Visual& visual : part.visuals) add_prefix(prefix, visual.body);
  for (Visual& collision : part.collisions) add_prefix(prefix, collision.body);
}

void place_on_world(const Pose& pose, Model& part) {
  for (Joint& joint : part.joints)
    if (joint.parent == world_name) joint.pose = pose * joint.pose;
  for (Frame& frame : part.frames)
    if (frame.body == world_name) frame.pose = pose * frame.pose;
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Two models without a prefix both get a joint "base"; the file names neither, so one may yield.
void rename_implied_joints(const Model& model, Model& part) {
  std::unordered_set<std::string> taken;
  for (const Joint& joint : model.joints) taken.insert(joint.name);
  for (const Joint& joint : part.joints)
    if (!joint.implied) taken.insert(joint.name);
  for (Joint& joint : part.joints) {
    if (!joint.implied) continue;
    const std::string name = joint.name;
    for (int i = 1; taken.contains(joint.name); ++i) joint.name = fmt::format("{}_{}", name, i);
  }
}

/// Two arms may come from the same file.
void keep_source(const std::string& name, Model& part, Model& model) {
  for (const SourceText& known : model.sources)
    if (known.name == name) return;
  if (part.sources.empty()) return;
  part.sources.front().name = name;
  append(model.sources, part.sources);
}

Model build_part(const std::filesystem::path& path, Base base, const ReadOptions& outer,
                 Problems& problems) {
  const std::string text = read_text_file(path);
  ReadOptions options = outer;
  options.base = base;
  if (root_tag(text) == "mujoco")
    return mjcf::build(text, path.string(), path.parent_path(), base, problems);
  if (root_tag(text) == "sdf")
    return sdf::build(text, path.string(), path.parent_path(), options, problems);
  return urdf::build(text, path.string(), base, problems);
}

/// The system has one gravity; links that a part exempts from its own, wholly (SDF) or in part (MJCF), are
/// carried against this one by the same share.
void take_gravity(const Model& model, const Yaml& file, Model& part) {
  const Vector3 &ours = model.gravity, &theirs = part.gravity;
  if (norm(ours - theirs) == 0) return;
  const double square = dot(theirs, theirs);
  if (square == 0 && !part.body_loads.empty())
    file.fail(
        fmt::format("{} holds links against a gravity that it has not; give it the gravity of "
                    "this file",
                    in_quotes(file.text())));
  for (BodyLoad& load : part.body_loads)
    load.force.force = (dot(load.force.force, theirs) / square) * ours;
  if (norm(theirs - Model{}.gravity) > 0)
    part.warnings.push_back(
        {file.source(),
         fmt::format("the gravity of {}, [{}, {}, {}], is not used; the system file's is",
                     in_quotes(file.text()), theirs.x, theirs.y, theirs.z),
         "gravity"});
}

void read_model(const Yaml& item, const std::filesystem::path& folder, const ReadOptions& options,
                Model& model, Problems& problems) {
  item.allow_keys(Section::model);
  const Yaml file = item.at("file");
  const std::filesystem::path path = folder / file.text();
  if (const auto extension = path.extension(); extension == ".yaml" || extension == ".yml")
    file.fail(fmt::format("{} is a system file; only URDF, SDF and MJCF files can be included",
                          in_quotes(file.text())));
  std::error_code trouble;
  if (!std::filesystem::exists(path, trouble))
    file.fail(fmt::format("there is no file {}; paths are relative to the system file",
                          in_quotes(path.string())));
  const BaseChoice choice = read_base(item);
  Model part = build_part(path, choice.base, options, problems);
  take_gravity(model, file, part);
  if (const auto closures = item.find("closures_file"))
    add_closures_of(folder / closures->text(), part, problems);
  if (const auto name = item.find("name")) add_prefix(name->text(), part);
  rename_implied_joints(model, part);
  place_on_world(read_pose(item, "pose"), part);
  if (choice.flexible && !part.joints.empty() && part.joints.front().implied &&
      part.joints.front().type == JointType::free) {
    model.flexible_bases.push_back(*choice.flexible);
    model.flexible_bases.back().joint = part.joints.front().name;
  }
  append(model.bodies, part.bodies);
  append(model.joints, part.joints);
  append(model.closures, part.closures);
  append(model.frames, part.frames);
  append(model.joint_springs, part.joint_springs);
  append(model.body_loads, part.body_loads);
  append(model.actuators, part.actuators);
  append(model.initial.q, part.initial.q);
  append(model.initial.v, part.initial.v);
  append(model.visuals, part.visuals);
  append(model.collisions, part.collisions);
  append_new(model.warnings, part.warnings);  // two arms may come from the same file
  keep_source(file.text(), part, model);
}

}  // namespace

void read_models(const Yaml& file, const std::filesystem::path& folder, const ReadOptions& options,
                 Model& model, Problems& problems) {
  read_each(file, "models", problems, [&](const Yaml& item) {
    // Of a model that cannot be read no name is known.
    if (!problems.attempt([&] { read_model(item, folder, options, model, problems); }))
      problems.set_unread("");
  });
}

}  // namespace linkwright::system_file
