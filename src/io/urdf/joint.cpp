#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "io/normalize.hpp"
#include "io/urdf/element_readers.hpp"
#include "linkwright/io/urdf.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::urdf {
namespace {

JointType read_type(const XmlElement& element) {
  const std::string name = element.required_attribute("type");
  if (name == "floating") return JointType::free;
  for (const JointType type : {JointType::fixed, JointType::revolute, JointType::continuous,
                               JointType::prismatic, JointType::planar})
    if (name == to_string(type)) return type;
  element.fail(fmt::format(
      "type {} is unknown{}; URDF has fixed, revolute, continuous, prismatic, "
      "planar and floating (other joints: use a system file)",
      in_quotes(name),
      did_you_mean(name, {"fixed", "revolute", "continuous", "prismatic", "planar", "floating"})));
}

bool is_single(JointType type) {
  return type == JointType::revolute || type == JointType::continuous ||
         type == JointType::prismatic;
}

/// URDF takes a side that is missing as 0. Where that leaves no range the file means something else.
void read_half_range(const XmlElement& limit, std::optional<double> lower,
                     std::optional<double> upper, const Joint& joint, Limits& limits,
                     Ignored& ignored, Problems& problems) {
  const std::string_view given = lower ? "lower" : "upper", missing = lower ? "upper" : "lower";
  const double side = lower ? *lower : *upper;
  if (lower ? side > 0 : side < 0) {
    (lower ? limits.lower : limits.upper) = side;
    problems.refuse(
        limit.source(),
        fmt::format("joint {}: <limit> has {} = {} and no {}, which URDF takes as 0: there is "
                    "nothing between them; give {}",
                    in_quotes(joint.name), given, side, missing, missing),
        {fmt::format("taken as unlimited on the side of {}", missing)});
    return;
  }
  limits.lower = lower.value_or(0);
  limits.upper = upper.value_or(0);
  ignored.note(limit.source(), fmt::format("<limit> without {}, which URDF takes as 0", missing),
               joint.name);
}

void read_range(const XmlElement& limit, const Joint& joint, Limits& limits, Ignored& ignored,
                Problems& problems) {
  const auto lower = limit.number("lower"), upper = limit.number("upper");
  if (joint.type == JointType::continuous) {
    if (lower || upper)
      ignored.note(limit.source(), "ignored lower and upper of a continuous joint", joint.name);
  } else if (lower && upper) {
    limits.lower = *lower;
    limits.upper = *upper;
  } else if (lower || upper) {
    read_half_range(limit, lower, upper, joint, limits, ignored, problems);
  } else {
    ignored.note(limit.source(), "<limit> without lower and upper, taken as unlimited", joint.name);
  }
}

void read_limit(const XmlElement& element, Joint& joint, Ignored& ignored, Problems& problems) {
  const auto limit = element.child("limit");
  if (!limit) {
    if (joint.type == JointType::revolute || joint.type == JointType::prismatic)
      ignored.note(
          element.source(),
          fmt::format("{} joint without <limit>, taken as unlimited", to_string(joint.type)),
          joint.name);
    return;
  }
  ignored.others(*limit);
  Limits limits;
  limits.velocity = limit->number("velocity").value_or(limits.velocity);
  limits.effort = limit->number("effort").value_or(limits.effort);
  if (is_single(joint.type))
    read_range(*limit, joint, limits, ignored, problems);
  else if (velocity_count(joint) > 0 && (limit->attribute("lower") || limit->attribute("upper")))
    ignored.note(limit->source(),
                 "ignored lower and upper of a joint with several freedoms: URDF gives one pair",
                 joint.name);
  // Programs that have to write a number write a large one.
  if (limits.lower <= -unlimited_in_urdf) limits.lower = -std::numeric_limits<double>::infinity();
  for (double Limits::*side : {&Limits::upper, &Limits::velocity, &Limits::effort})
    if (limits.*side >= unlimited_in_urdf) limits.*side = std::numeric_limits<double>::infinity();
  if (velocity_count(joint) > 0) joint.limits = {limits};
}

/// Files that programs write often give these to joints that cannot use them.
void note_unused(const XmlElement& element, const Joint& joint, Ignored& ignored) {
  for (const char* tag : {"axis", "limit", "dynamics"}) {
    const bool used =
        std::string_view(tag) == "axis" ? has_axis(joint.type) : joint.type != JointType::fixed;
    const auto child = element.child(tag);
    // An axis of zeros says nothing; programs write it for joints that need none.
    const bool empty = child && child->attribute("xyz") && norm(*child->vector3("xyz")) == 0;
    if (child && !used && !empty)
      ignored.note(child->source(),
                   fmt::format("ignored <{}> of a {} joint", tag, to_string(joint.type)),
                   joint.name);
  }
}

void read_dynamics(const XmlElement& element, Joint& joint, Ignored& ignored) {
  const auto dynamics = element.child("dynamics");
  if (!dynamics) return;
  ignored.others(*dynamics);
  const auto damping = dynamics->number("damping"), friction = dynamics->number("friction");
  if (velocity_count(joint) == 0) return;
  if (damping) joint.damping = {*damping};
  if (friction) joint.friction = {{*friction, *friction}};
}

void read_mimic(const XmlElement& element, const Joint& joint, Model& model, Ignored& ignored) {
  const auto mimic = element.child("mimic");
  if (!mimic) return;
  ignored.others(*mimic);
  if (joint.type == JointType::fixed) {
    ignored.note(mimic->source(), "ignored <mimic> of a fixed joint, which does not move",
                 joint.name);
    return;
  }
  Closure gear;
  gear.name = "mimic:" + joint.name;
  gear.kind = Closure::Kind::gear;
  gear.leader = mimic->required_attribute("joint");
  gear.follower = joint.name;
  gear.ratio = mimic->number("multiplier").value_or(1);
  gear.offset = mimic->number("offset").value_or(0);
  gear.source = mimic->source();
  model.closures.push_back(std::move(gear));
}

void read_axis(const XmlElement& element, Joint& joint, Model& model, Ignored& ignored) {
  const auto axis = element.child("axis");
  if (!axis) return;
  ignored.others(*axis);
  joint.axis = axis->vector3("xyz").value_or(Vector3{1, 0, 0});
  if (is_single(joint.type) || joint.type == JointType::planar)
    joint.axis =
        normalize_axis(joint.axis, axis->source(), element.owner(), "its axis", model.warnings);
}

std::string read_end(const XmlElement& element, std::string_view tag, Ignored& ignored) {
  const XmlElement end = element.required_child(tag, fmt::format("<{} link=\"...\"/>", tag));
  ignored.others(end);
  return end.required_attribute("link");
}

}  // namespace

void read_joint(const XmlElement& unnamed, Model& model, Ignored& ignored, Problems& problems) {
  Joint joint;
  joint.source = unnamed.source();
  if (!problems.attempt([&] { joint.name = unnamed.required_attribute("name"); })) {
    problems.set_unread("");
    return;
  }
  const XmlElement element = unnamed.owned_by("joint " + in_quotes(joint.name));
  const auto step = [&](const auto& read) { return problems.attempt(read); };
  ignored.other_attributes(element);
  const bool has_type = step([&] { joint.type = read_type(element); });
  const bool has_parent = step([&] { joint.parent = read_end(element, "parent", ignored); });
  const bool has_child = step([&] { joint.child = read_end(element, "child", ignored); });
  step([&] { joint.pose = read_origin(element, ignored); });
  step([&] { read_axis(element, joint, model, ignored); });
  step([&] { read_limit(element, joint, ignored, problems); });
  step([&] { read_dynamics(element, joint, ignored); });
  step([&] { note_unused(element, joint, ignored); });
  step([&] { read_mimic(element, joint, model, ignored); });
  step([&] { ignored.other_children(element); });
  if (has_type && has_parent && has_child)
    model.joints.push_back(std::move(joint));
  else
    problems.set_unread(joint.name);
}

}  // namespace linkwright::urdf
