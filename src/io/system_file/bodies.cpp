#include <fmt/format.h>

#include <algorithm>

#include "io/system_file/section_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::system_file {
namespace {

Body read_body(const Yaml& item) {
  Body body;
  body.name = item.at("name").text();
  body.source = item.source();
  read_inertial(item, body);
  return body;
}

JointType read_type(const Yaml& value) {
  const std::string name = value.text();
  if (const auto type = to_joint_type(name)) return *type;
  value.fail(fmt::format(
      "{} is unknown{}; expected fixed, revolute, continuous, prismatic, helical, cylindrical, "
      "universal, planar, spherical, free or custom",
      in_quotes(name),
      did_you_mean(name, {"fixed", "revolute", "continuous", "prismatic", "helical", "cylindrical",
                          "universal", "planar", "spherical", "free", "custom"})));
}

void refuse_key(const Yaml& item, std::string_view key, std::string_view type, bool allowed) {
  if (allowed) return;
  if (const auto value = item.find(key))
    value->fail(fmt::format("only a {} joint has it; remove it or change the type", type));
}

/// A joint that has no axis, or does not move at all, has no use for what describes its motion.
void refuse_unused(const Yaml& item, const Joint& joint) {
  const std::string type(to_string(joint.type));
  const auto refuse = [&](std::string_view key, std::string_view why) {
    if (const auto value = item.find(key))
      value->fail(fmt::format("a {} joint {}; remove it or change the type", type, why));
  };
  if (!has_axis(joint.type)) refuse("axis", "has no axis");
  if (joint.type != JointType::fixed) return;
  for (const std::string_view key : {"passive", "damping", "friction", "rotor_inertia", "limits"})
    refuse(key, "does not move");
}

void read_motion(const Yaml& item, Joint& joint, std::string_view thing, Model& model) {
  const bool universal = joint.type == JointType::universal;
  refuse_unused(item, joint);
  refuse_key(item, "axis2", "universal", universal);
  refuse_key(item, "pitch", "helical", joint.type == JointType::helical);
  refuse_key(item, "modes", "custom", joint.type == JointType::custom);
  joint.axis =
      read_axis(item, "axis", universal ? Vector3{1, 0, 0} : Vector3{0, 0, 1}, thing, model);
  joint.axis2 = read_axis(item, "axis2", {0, 1, 0}, thing, model);
  if (joint.type == JointType::helical) joint.pitch = item.at("pitch").number();
  if (joint.type == JointType::custom) joint.modes = read_modes(item.at("modes"));
}

Joint read_joint(const Yaml& item, Model& model) {
  item.allow_keys(Section::joint);
  Joint joint;
  joint.name = item.at("name").text();
  joint.source = item.source();
  const std::string thing = "joint " + in_quotes(joint.name);
  joint.type = read_type(item.at("type"));
  joint.parent = item.at("parent").text();
  joint.child = item.at("child").text();
  joint.pose = read_pose(item, "pose");
  joint.at_child = read_pose(item, "at_child");
  read_motion(item, joint, thing, model);
  read_freedoms(item, joint);
  if (const auto implied = item.find("implied")) joint.implied = implied->truth();
  return joint;
}

}  // namespace

void read_bodies(const Yaml& file, Model& model, Problems& problems) {
  read_each_named(file, "bodies", problems, [&](const Yaml& entry) {
    const Yaml item = entry.called_by_name("link");
    item.allow_keys(Section::body);
    model.bodies.push_back(read_body(item));
  });
}

void read_joints(const Yaml& file, Model& model, Problems& problems) {
  read_each_named(file, "joints", problems, [&](const Yaml& entry) {
    model.joints.push_back(read_joint(entry.called_by_name("joint"), model));
  });
}

namespace {

/// An entry that is a name declares a link under `bodies` an object; its joint stands under `joints`.
void declare_object(const Yaml& name, Model& model, const Problems& problems) {
  std::vector<std::string> names;
  for (const Body& body : model.bodies) names.push_back(body.name);
  if (std::find(names.begin(), names.end(), name.text()) == names.end()) {
    if (problems.is_unread(name.text())) throw Consequence{};
    name.fail(fmt::format("there is no link {}{}; write the object in full, or name a link",
                          in_quotes(name.text()), did_you_mean(name.text(), names)));
  }
  model.objects.push_back(name.text());
}

}  // namespace

void read_objects(const Yaml& file, Model& model, Problems& problems) {
  read_each_named(file, "objects", problems, [&](const Yaml& entry) {
    if (entry.is_scalar()) return declare_object(entry, model, problems);
    const Yaml item = entry.called_by_name("object");
    item.allow_keys(Section::object);
    const Body body = read_body(item);
    Joint joint;
    joint.name = body.name;
    joint.type = JointType::free;
    joint.parent = world_name;
    joint.child = body.name;
    joint.pose = read_pose(item, "pose");
    joint.passive = {true};  // nobody but the hands moves it
    joint.source = body.source;
    model.objects.push_back(body.name);
    model.joints.push_back(std::move(joint));
    model.bodies.push_back(body);
  });
}

void read_frames(const Yaml& file, Model& model, Problems& problems) {
  Places places(model);
  read_each_named(file, "frames", problems, [&](const Yaml& entry) {
    const Yaml item = entry.called_by_name("frame");
    item.allow_keys(Section::frame);
    Frame frame;
    frame.name = item.at("name").text();
    frame.source = item.source();
    const Places::Place place = places.find(item.at("body").text());
    frame.body = place.body;
    frame.pose = place.pose * read_pose(item, "pose");
    places.add(frame);
    model.frames.push_back(std::move(frame));
  });
}

Places::Places(const Model& model) {
  for (const Frame& frame : model.frames) add(frame);
}

void Places::add(const Frame& frame) { frames_.emplace(frame.name, Place{frame.body, frame.pose}); }

Places::Place Places::find(const std::string& name) const {
  const auto found = frames_.find(name);
  return found == frames_.end() ? Place{name, {}} : found->second;
}

void resolve_ends(const Places& places, Model& model) {
  for (Joint& joint : model.joints) {
    const Places::Place parent = places.find(joint.parent), child = places.find(joint.child);
    if (parent.body != joint.parent) joint.pose = parent.pose * joint.pose;
    if (child.body != joint.child) joint.at_child = child.pose * joint.at_child;
    joint.parent = parent.body;
    joint.child = child.body;
  }
}

}  // namespace linkwright::system_file
