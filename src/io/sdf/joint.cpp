#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/sdf/element_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::sdf {
namespace {

const std::vector<std::string>& type_names() {
  static const std::vector<std::string> names{"revolute", "continuous", "prismatic",
                                              "screw",    "revolute2",  "universal",
                                              "ball",     "fixed",      "gearbox"};
  return names;
}

JointType read_type(const XmlElement& joint) {
  const std::string name = joint.required_attribute("type");
  if (name == "revolute") return JointType::revolute;
  if (name == "continuous") return JointType::continuous;
  if (name == "prismatic") return JointType::prismatic;
  if (name == "screw") return JointType::helical;
  if (name == "revolute2" || name == "universal") return JointType::universal;
  if (name == "ball") return JointType::spherical;
  if (name == "fixed" || name == "gearbox") return JointType::fixed;
  joint.fail(
      fmt::format("type {} is unknown{}; expected revolute, continuous, prismatic, screw, "
                  "revolute2, universal, ball, fixed or gearbox",
                  in_quotes(name), did_you_mean(name, type_names())));
}

/// Metres per radian. A newer thread's pitch is metres per turn, right-handed where positive; the older one is
/// radians per metre, left-handed where positive.
double read_pitch(const XmlElement& joint) {
  const auto metres = joint.child("screw_thread_pitch"), radians = joint.child("thread_pitch");
  if (metres) return number_of(*metres) / (2 * M_PI);
  if (!radians) return -1;  // SDF's default of thread_pitch is 1
  const double pitch = number_of(*radians);
  if (pitch == 0) radians->fail("is 0; expected radians per metre, left-handed where positive");
  return -1 / pitch;
}

/// Identity where it is so within rounding: a joint that sits in its child's frame.
Pose cleaned(const Pose& pose) {
  const Matrix3 &R = pose.rotation, I = Matrix3::identity();
  const Vector3 x = R.column_x() - I.column_x(), y = R.column_y() - I.column_y(),
                z = R.column_z() - I.column_z();
  const bool turned = norm(x) + norm(y) + norm(z) > 1e-14;
  return {turned ? R : I, norm(pose.translation) > 1e-14 ? pose.translation : Vector3{}};
}

/// Where a body's frame is in the scope.
Pose pose_of_body(const std::string& body, const std::string& name, const Item& item,
                  const XmlElement& joint) {
  if (body == world_name) return inverse(item.scope->in_world);
  const std::string& prefix = item.scope->prefix();
  const std::string local = body.starts_with(prefix) ? body.substr(prefix.size()) : name;
  return item.scope->pose_of(local, joint.source(), joint.owner());
}

void place_joint(const Item& item, Joint& joint, Pose& in_scope) {
  const XmlElement& element = item.element;
  const std::string parent = text_of(element.required_child("parent", "<parent>LINK</parent>"));
  const std::string child = text_of(element.required_child("child", "<child>LINK</child>"));
  const auto body_of = [&](const std::string& name) {
    return item.scope->body_of(name, element.source(), element.owner());
  };
  joint.parent = body_of(parent), joint.child = body_of(child);
  if (joint.parent == joint.child)
    throw Error(element.source(),
                fmt::format("{}: its parent and its child are the same link, {}; expected two",
                            element.owner(), in_quotes(joint.parent)));
  const GivenPose given = find_pose(element);
  in_scope = child == world_name && given.relative_to.empty()
                 ? inverse(item.scope->in_world) * given.pose
                 : item.scope->pose_of(given, child, element.owner());
  joint.pose = cleaned(inverse(pose_of_body(joint.parent, parent, item, element)) * in_scope);
  joint.at_child = cleaned(inverse(pose_of_body(joint.child, child, item, element)) * in_scope);
}

void add_mimic(const Axis& axis, const Item& item, const Joint& joint, JointReading& reading) {
  if (!axis.mimic) return;
  const XmlElement& mimic = *axis.mimic;
  reading.told.others(mimic);
  if (velocity_count(joint) != 1 || mimic.attribute("axis").value_or("axis") != "axis")
    mimic.fail("is of joints with one <axis> only; a gear couples joints of one freedom");
  Closure gear;
  gear.name = "mimic:" + joint.name;
  gear.kind = Closure::Kind::gear;
  gear.leader = item.scope->prefix() + mimic.required_attribute("joint");
  gear.follower = joint.name;
  gear.ratio = find_number(mimic, "multiplier").value_or(1);
  gear.offset = find_number(mimic, "offset").value_or(0) -
                gear.ratio * find_number(mimic, "reference").value_or(0);
  gear.source = mimic.source();
  reading.model.closures.push_back(std::move(gear));
}

/// One value per axis, or none where no axis says anything.
template <class T, class Get>
std::vector<T> each(const std::vector<Axis>& axes, const Get& get, bool is_any) {
  std::vector<T> values;
  if (is_any)
    for (const Axis& axis : axes) values.push_back(get(axis));
  return values;
}

bool is_limited(const Limits& limits) {
  return std::isfinite(limits.lower) || std::isfinite(limits.upper) ||
         std::isfinite(limits.velocity) || std::isfinite(limits.effort);
}

void add_freedoms(const std::vector<Axis>& axes, Joint& joint, JointReading& reading) {
  const auto any = [&](const auto& is) { return std::any_of(axes.begin(), axes.end(), is); };
  joint.damping = each<double>(
      axes, [](const Axis& a) { return a.damping; },
      any([](const Axis& a) { return a.damping != 0; }));
  joint.passive = each<bool>(
      axes, [](const Axis& a) { return !a.has_motor; },
      any([](const Axis& a) { return !a.has_motor; }));
  joint.friction = each<Friction>(
      axes,
      [](const Axis& a) {
        return Friction{a.friction, a.friction};
      },
      any([](const Axis& a) { return a.friction != 0; }));
  joint.limits = each<Limits>(
      axes, [](const Axis& a) { return a.limits; },
      any([](const Axis& a) { return is_limited(a.limits); }));
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].stiffness != 0) {
      JointSpring spring{.joint = joint.name, .freedom = static_cast<int>(i)};
      spring.stiffness = axes[i].stiffness, spring.rest = axes[i].reference;
      spring.source = joint.source;
      reading.model.joint_springs.push_back(std::move(spring));
    }
}

/// A ball has no axis; damping and friction that one gives count for all three directions.
void add_ball(const std::vector<Axis>& axes, const Item& item, Joint& joint,
              JointReading& reading) {
  if (axes.empty()) return;
  const Axis& axis = axes.front();
  if (axis.damping != 0) joint.damping = {axis.damping};
  if (axis.friction != 0) joint.friction = {{axis.friction, axis.friction}};
  if (!axis.has_motor) joint.passive = {true};
  const bool more = std::isfinite(axis.limits.lower) || std::isfinite(axis.limits.upper) ||
                    axis.stiffness != 0 || axis.mimic || axes.size() > 1;
  if (more)
    reading.told.note(item.element.source(), "ignored limits, spring or <mimic> of a ball joint",
                      joint.name);
}

void read_gearbox(const Item& item, const Joint& joint, const std::vector<Axis>& axes,
                  const Pose& in_scope, JointReading& reading) {
  const XmlElement& element = item.element;
  Gearbox gearbox{.name = joint.name, .parent = joint.parent, .child = joint.child};
  gearbox.source = joint.source;
  gearbox.reference = item.scope->body_of(
      text_of(element.required_child("gearbox_reference_body",
                                     "<gearbox_reference_body>LINK</gearbox_reference_body>")),
      element.source(), element.owner());
  gearbox.ratio = find_number(element, "gearbox_ratio").value_or(1);
  const Matrix3 to_world = item.scope->in_world.rotation * in_scope.rotation;
  if (axes.empty()) element.fail("has no <axis>; expected <axis> and <axis2>");
  gearbox.axis = to_world * axes.front().direction;
  gearbox.axis2 = to_world * axes.back().direction;
  reading.gearboxes.push_back(std::move(gearbox));
}

std::vector<Axis> read_axes(const Item& item, const Joint& joint, const Pose& in_scope,
                            JointReading& reading) {
  std::vector<Axis> axes;
  const bool gearbox = item.element.attribute("type") == "gearbox";
  const bool two = joint.type == JointType::universal || gearbox;
  for (const char* tag : {"axis", "axis2"}) {
    const auto element = item.element.child(tag);
    const bool used =
        tag == std::string_view("axis") ? gearbox || joint.type != JointType::fixed : two;
    if (element && used)
      axes.push_back(read_axis(*element, item, in_scope, reading));
    else if (element)
      reading.told.note(
          element->source(),
          fmt::format("ignored <{}> of a {} joint", tag, *item.element.attribute("type")),
          joint.name);
    else if (used && joint.type != JointType::spherical && !gearbox)
      item.element.fail(
          fmt::format("has no <{}>; expected <{}><xyz>X Y Z</xyz></{}>", tag, tag, tag));
  }
  return axes;
}

void note_unused(const Item& item, const Joint& joint, Told& told) {
  const auto type = item.element.attribute("type");
  const auto unused = [&](std::string_view tag, bool used) {
    const auto element = item.element.child(tag);
    if (element && !used)
      told.note(element->source(), fmt::format("ignored <{}> of a {} joint", tag, *type),
                joint.name);
  };
  unused("thread_pitch", joint.type == JointType::helical);
  unused("screw_thread_pitch", joint.type == JointType::helical);
  unused("gearbox_ratio", type == "gearbox");
  unused("gearbox_reference_body", type == "gearbox");
}

}  // namespace

void read_joint(const Item& item, JointReading& reading) {
  const XmlElement& element = item.element;
  Joint joint;
  joint.name = item.full_name();
  joint.source = element.source();
  reading.told.others(element);
  reading.told.others_below(element, "pose");
  const bool complete = reading.problems.attempt([&] {
    joint.type = read_type(element);
    Pose in_scope;
    place_joint(item, joint, in_scope);
    const std::vector<Axis> axes = read_axes(item, joint, in_scope, reading);
    note_unused(item, joint, reading.told);
    if (element.attribute("type") == "gearbox")
      return read_gearbox(item, joint, axes, in_scope, reading);
    if (!axes.empty()) joint.axis = axes.front().direction;
    if (axes.size() > 1) joint.axis2 = axes.back().direction;
    if (joint.type == JointType::helical) joint.pitch = read_pitch(element);
    if (joint.type == JointType::spherical)
      add_ball(axes, item, joint, reading);
    else
      add_freedoms(axes, joint, reading);
    for (const Axis& axis : axes)
      if (joint.type != JointType::spherical) add_mimic(axis, item, joint, reading);
    reading.model.joints.push_back(std::move(joint));
  });
  if (!complete) reading.problems.set_unread(item.full_name());
}

}  // namespace linkwright::sdf
