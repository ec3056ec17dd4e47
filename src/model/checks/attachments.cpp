#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "linkwright/model/names.hpp"
#include "linkwright/model/pose_group.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {
namespace {

void check_line_spring(std::size_t i, const Model& model, const Names& names) {
  const LineSpring& spring = model.line_springs[i];
  const std::string thing = line_spring_text(model, i);
  require_body(spring.source, thing, "first", spring.body_a, model, names);
  require_body(spring.source, thing, "second", spring.body_b, model, names);
  require_finite(spring.source, thing, "at_a", spring.at_a);
  require_finite(spring.source, thing, "at_b", spring.at_b);
  require_finite(spring.source, thing, "its stiffness", spring.stiffness);
  require_not_negative(spring.source, thing, "its damping", spring.damping);
  require_not_negative(spring.source, thing, "its rest_length", spring.rest_length);
}

void check_joint_spring(const JointSpring& spring, const Model& model, const Names& names) {
  const std::string thing = "spring on joint " + in_quotes(spring.joint);
  const Joint joint = require_moving_pair(spring.source, thing, spring.joint, model, names);
  require_freedom(spring.source, thing, joint, spring.freedom);
  require_finite(spring.source, thing, "its stiffness", spring.stiffness);
  require_not_negative(spring.source, thing, "its damping", spring.damping);
  require_finite(spring.source, thing, "its rest position", spring.rest);
}

void check_load(const JointLoad& load, const Model& model, const Names& names) {
  const std::string thing = "load on joint " + in_quotes(load.joint);
  const Joint joint = require_moving_pair(load.source, thing, load.joint, model, names);
  require_freedom(load.source, thing, joint, load.freedom);
  require_finite(load.source, thing, "its effort", load.effort);
}

void check_load(const BodyLoad& load, const Model& model, const Names& names) {
  const std::string thing = "load on link " + in_quotes(load.body);
  require_body(load.source, thing, "loaded", load.body, model, names);
  require_finite(load.source, thing, "its force", load.force.force);
  require_finite(load.source, thing, "its moment", load.force.moment);
  require_finite(load.source, thing, "at", load.at);
}

void check_quaternion(const InitialState::Entry& entry, const Joint& joint,
                      std::string_view thing) {
  const bool has_quaternion = joint.type == JointType::spherical || joint.type == JointType::free ||
                              (joint.type == JointType::custom && !modes_commute(joint));
  if (!has_quaternion) return;
  if (entry.values[0] == 0 && entry.values[1] == 0 && entry.values[2] == 0 && entry.values[3] == 0)
    throw Error(entry.source, fmt::format("{}: the quaternion [w, x, y, z] is zero; expected a "
                                          "unit quaternion such as [1, 0, 0, 0]",
                                          thing));
  const PoseGroup group = pose_group(joint);
  if (group.kind == PoseGroup::Kind::all) return;
  const auto& x = entry.values;
  const PoseMisfit off =
      misfit(group, normalized(Quaternion{x[0], x[1], x[2], x[3]}), {x[4], x[5], x[6]});
  if (!off.passes())
    throw Error(entry.source,
                fmt::format("{} is a pose {:.3g} rad and {:.3g} m away from those that "
                            "the joint's modes can reach: {}",
                            thing, off.angle, off.distance, describe(group)));
}

void check_entry(const InitialState::Entry& entry, std::string_view letter, const Model& model,
                 const Names& names) {
  const std::string thing = fmt::format("initial {} of joint {}", letter, in_quotes(entry.joint));
  const Joint& joint = require_joint(entry.source, thing, entry.joint, model, names);
  const bool positions = letter == "q";
  const auto expected =
      static_cast<std::size_t>(positions ? position_count(joint) : velocity_count(joint));
  if (entry.values.size() != expected)
    throw Error(entry.source, fmt::format("{} has {} numbers; expected {} for a {} joint", thing,
                                          entry.values.size(), expected, to_string(joint.type)));
  for (const double value : entry.values) require_finite(entry.source, thing, "an entry", value);
  if (positions) check_quaternion(entry, joint, thing);
}

void check_entries(const std::vector<InitialState::Entry>& entries, std::string_view letter,
                   const Model& model, const Names& names, Problems& problems) {
  std::unordered_set<std::string_view> seen;
  for (const InitialState::Entry& entry : entries) {
    if (!seen.insert(entry.joint).second)
      problems.refuse(entry.source, fmt::format("initial {} of joint {} is given twice; remove one",
                                                letter, in_quotes(entry.joint)));
    problems.attempt([&] { check_entry(entry, letter, model, names); });
  }
}

/// What a hand may hold is any link; what a mistyped name may have meant is an object first.
void require_object(const Grasp& grasp, const std::string& thing, const Model& model,
                    const Names& names) {
  if (grasp.object.empty() || grasp.object == world_name || names.bodies.contains(grasp.object) ||
      model.objects.empty() || names.problems->is_unread(grasp.object))
    return require_body(grasp.source, thing, "object", grasp.object, model, names);
  throw Error(grasp.source,
              fmt::format("{}: the object {} does not exist{}; objects are {}", thing,
                          in_quotes(grasp.object), did_you_mean(grasp.object, model.objects),
                          list_in_quotes(model.objects)));
}

/// An edge lies in the surface that it touches.
void check_edge(const Grasp& grasp, const std::string& thing) {
  const double along = dot(grasp.axis, grasp.normal) / (norm(grasp.axis) * norm(grasp.normal));
  if (std::abs(along) <= 1e-6) return;
  throw Error(
      grasp.source,
      fmt::format("{}: the axis [{}, {}, {}] of its edge and its normal [{}, {}, {}] make no right "
                  "angle; expected an axis in the surface, across the normal",
                  thing, grasp.axis.x, grasp.axis.y, grasp.axis.z, grasp.normal.x, grasp.normal.y,
                  grasp.normal.z));
}

void check_grasp(const Grasp& grasp, const Model& model, const Names& names,
                 std::vector<Warning>& warnings) {
  const std::string thing = "grasp " + in_quotes(grasp.name);
  if (grasp.name.empty()) throw Error(grasp.source, "a grasp has no name; give it one");
  if (!names.frames.contains(grasp.arm))
    require_body(grasp.source, thing, "arm", grasp.arm, model, names);
  require_object(grasp, thing, model, names);
  require_finite(grasp.source, thing, "at", grasp.at);
  if (grasp.contact == Grasp::Contact::line)
    check_axis(grasp.source, thing, "its axis", grasp.axis, warnings);
  check_axis(grasp.source, thing, "its normal", grasp.normal, warnings);
  if (grasp.contact == Grasp::Contact::line && grasp.friction) check_edge(grasp, thing);
  if (grasp.friction) require_not_negative(grasp.source, thing, "its friction", *grasp.friction);
  if (grasp.torsion) require_not_negative(grasp.source, thing, "its torsion", *grasp.torsion);
  if (grasp.contact == Grasp::Contact::soft_finger && grasp.friction && !grasp.torsion)
    warnings.push_back({grasp.source,
                        thing +
                            " is a soft finger with friction and without torsion: no moment about "
                            "its normal twists it. Give its torsion in metres, the largest moment "
                            "per newton of normal force, or make it a contact: point",
                        "soft finger without torsion"});
  if (grasp.torsion && *grasp.torsion == 0)
    throw Error(grasp.source,
                thing +
                    " has torsion 0: it would resist no turning about its normal. Give a length "
                    "above 0, or make it a contact: point, which turns freely");
  if (grasp.torsion && grasp.friction && *grasp.friction == 0)
    throw Error(grasp.source, thing +
                                  " has torsion and friction 0, which hold nothing together; give "
                                  "its friction, or remove torsion");
  if (grasp.torsion && !grasp.friction)
    throw Error(grasp.source, thing +
                                  " has torsion but no friction, and without friction it holds "
                                  "without limit; give its friction, or remove torsion");
}

}  // namespace

void check_frames(const Model& model, const Names& names, Problems& problems) {
  for (const Frame& frame : model.frames)
    problems.attempt([&] {
      const std::string thing = "frame " + in_quotes(frame.name);
      require_body(frame.source, thing, "carrying", frame.body, model, names);
      require_finite(frame.source, thing, "its pose", frame.pose);
    });
}

void check_grasps(const Model& model, const Names& names, Problems& problems) {
  std::unordered_set<std::string_view> seen;
  for (const Grasp& grasp : model.grasps)
    problems.attempt([&] {
      check_grasp(grasp, model, names, problems.warnings());
      if (!seen.insert(grasp.name).second)
        throw Error(grasp.source,
                    fmt::format("grasp {} is declared twice; rename one", in_quotes(grasp.name)));
    });
}

void check_springs_and_loads(const Model& model, const Names& names, Problems& problems) {
  warn_of_idle(model, names, problems);
  for (std::size_t i = 0; i < model.line_springs.size(); ++i)
    problems.attempt([&] { check_line_spring(i, model, names); });
  for (const JointSpring& spring : model.joint_springs)
    problems.attempt([&] { check_joint_spring(spring, model, names); });
  for (const JointLoad& load : model.joint_loads)
    problems.attempt([&] { check_load(load, model, names); });
  for (const BodyLoad& load : model.body_loads)
    problems.attempt([&] { check_load(load, model, names); });
  for (const FlexibleBase& base : model.flexible_bases)
    problems.attempt([&] { check_flexible_base(base, model, names); });
}

void check_initial_state(const Model& model, const Names& names, Problems& problems) {
  check_entries(model.initial.q, "q", model, names, problems);
  check_entries(model.initial.v, "v", model, names, problems);
  const Source& where = model.initial.hold_source;
  problems.attempt(
      [&] { check_joint_list(where, model.initial.hold, "state hold", model, names); });
  if (!model.initial.hold.empty() && is_open(model))
    problems.warn(
        where,
        fmt::format("state: hold of {} has no effect: the model has no loops to assemble, every "
                    "joint starts where the state puts it",
                    list_in_quotes(model.initial.hold)),
        "key without effect");
}

}  // namespace linkwright::checks
