#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {
namespace {

void check_axes(const Joint& joint, std::string_view thing, std::vector<Warning>& warnings) {
  if (has_axis(joint.type)) check_axis(joint.source, thing, "its axis", joint.axis, warnings);
  if (joint.type != JointType::universal) return;
  check_axis(joint.source, thing, "its axis2", joint.axis2, warnings);
  const double product = spatial::norm(joint.axis) * spatial::norm(joint.axis2);
  if (spatial::norm(cross(joint.axis, joint.axis2)) < 1e-9 * product)
    throw Error(joint.source, fmt::format("{}: axis and axis2 are parallel; expected two different "
                                          "directions",
                                          thing));
}

/// A place in a joint's list, for repairs: they run on the model, not on the joint that was judged.
struct Entry {
  std::size_t joint, index;
};

/// A magnitude that a repair takes as `meaning` when it is negative.
template <class Set>
void check_magnitude(const Joint& joint, std::string_view what, double value,
                     std::string_view meaning, const Set& set, Problems& problems) {
  if (value < 0)
    problems.refuse(joint.source,
                    fmt::format("joint {}: {} is {}; expected zero or more", in_quotes(joint.name),
                                what, value),
                    {std::string(meaning), set});
}

void check_limits(const Joint& joint, const Entry at, Problems& problems) {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  const Limits& limits = joint.limits[at.index];
  const auto entry = [at](Model& model) -> Limits& {
    return model.joints[at.joint].limits[at.index];
  };
  check_magnitude(
      joint, "its velocity limit", limits.velocity, "taken as no limit",
      [=](Model& model) { entry(model).velocity = unlimited; }, problems);
  check_magnitude(
      joint, "its effort limit", limits.effort, "taken as no limit",
      [=](Model& model) { entry(model).effort = unlimited; }, problems);
  const std::string thing = "joint " + in_quotes(joint.name);
  if (std::isnan(limits.lower) || std::isnan(limits.upper) || std::isnan(limits.velocity) ||
      std::isnan(limits.effort))
    problems.refuse(joint.source,
                    fmt::format("{}: a limit is not a number (lower {}, upper {}, velocity {}, "
                                "effort {})",
                                thing, limits.lower, limits.upper, limits.velocity, limits.effort));
  if (limits.lower > limits.upper)
    problems.refuse(joint.source,
                    fmt::format("{}: its lower limit {} exceeds its upper limit {}; swap them",
                                thing, limits.lower, limits.upper),
                    {"taken in the other order",
                     [=](Model& model) { std::swap(entry(model).lower, entry(model).upper); }});
}

void check_resistance(const Joint& joint, std::size_t j, Problems& problems) {
  const std::string_view taken = "taken as 0";
  for (std::size_t i = 0; i < joint.damping.size(); ++i)
    check_magnitude(
        joint, "its damping", joint.damping[i], taken,
        [=](Model& model) { model.joints[j].damping[i] = 0; }, problems);
  for (std::size_t i = 0; i < joint.friction.size(); ++i) {
    if (joint.friction[i].forward == joint.friction[i].backward) {
      check_magnitude(
          joint, "its friction (a magnitude)", joint.friction[i].forward, taken,
          [=](Model& model) { model.joints[j].friction[i] = {}; }, problems);
      continue;
    }
    check_magnitude(
        joint, "its forward friction (a magnitude)", joint.friction[i].forward, taken,
        [=](Model& model) { model.joints[j].friction[i].forward = 0; }, problems);
    check_magnitude(
        joint, "its backward friction (a magnitude)", joint.friction[i].backward, taken,
        [=](Model& model) { model.joints[j].friction[i].backward = 0; }, problems);
  }
  for (std::size_t i = 0; i < joint.rotor_inertia.size(); ++i)
    check_magnitude(
        joint, "its rotor inertia", joint.rotor_inertia[i], taken,
        [=](Model& model) { model.joints[j].rotor_inertia[i] = 0; }, problems);
}

void check_finite_resistance(const Joint& joint, std::string_view thing) {
  for (const double d : joint.damping) require_finite(joint.source, thing, "its damping", d);
  for (const Friction& f : joint.friction) {
    require_finite(joint.source, thing, "its forward friction (a magnitude)", f.forward);
    require_finite(joint.source, thing, "its backward friction (a magnitude)", f.backward);
  }
  for (const double r : joint.rotor_inertia)
    require_finite(joint.source, thing, "its rotor inertia", r);
}

void check_contacts(const Joint& joint, std::string_view thing) {
  for (const Friction& f : joint.friction) check_breakaway(joint.source, thing, f);
  for (const Limits& limits : joint.limits) check_stop(joint.source, thing, limits);
}

/// A pose has no coordinates that could be limited.
void warn_of_limits_without_effect(const Joint& joint, std::string_view thing, Problems& problems) {
  const bool pose = joint.type == JointType::free || joint.type == JointType::spherical;
  const bool limited = std::any_of(joint.limits.begin(), joint.limits.end(), [](const Limits& l) {
    return std::isfinite(l.lower) || std::isfinite(l.upper);
  });
  if (pose && limited)
    problems.warn(
        joint.source,
        fmt::format("{}: its lower and upper limits have no effect, since its position is a "
                    "quaternion; remove them",
                    thing),
        "limits of a pose");
}

void check_joint(const Joint& joint, std::size_t j, Problems& problems) {
  const std::string thing = "joint " + in_quotes(joint.name);
  problems.attempt([&] {
    require_finite(joint.source, thing, "its pose", joint.pose);
    require_finite(joint.source, thing, "its place on the child", joint.at_child);
  });
  problems.attempt([&] { check_axes(joint, thing, problems.warnings()); });
  problems.attempt([&] {
    if (joint.type == JointType::helical)
      require_finite(joint.source, thing, "its pitch", joint.pitch);
    if (joint.type == JointType::custom) check_modes(joint.source, thing, joint.modes);
  });
  problems.attempt([&] { check_entry_counts(joint, thing); });
  problems.attempt([&] { check_finite_resistance(joint, thing); });
  problems.attempt([&] { check_contacts(joint, thing); });
  warn_of_limits_without_effect(joint, thing, problems);
  check_resistance(joint, j, problems);
  for (std::size_t i = 0; i < joint.limits.size(); ++i) check_limits(joint, {j, i}, problems);
}

}  // namespace

void check_joints(const Model& model, Problems& problems) {
  for (std::size_t j = 0; j < model.joints.size(); ++j) check_joint(model.joints[j], j, problems);
}

}  // namespace linkwright::checks
