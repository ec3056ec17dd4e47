#include <fmt/format.h>

#include <cmath>

#include "linkwright/model/names.hpp"
#include "model/checks.hpp"

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

void check_length(const Joint& joint, std::string_view thing, std::string_view what,
                  std::size_t got) {
  const auto freedoms = static_cast<std::size_t>(velocity_count(joint));
  if (got <= 1 || got == freedoms) return;
  throw Error(joint.source, fmt::format("{}: {} has {} entries; expected 1 or {}, one per freedom "
                                        "of a {} joint",
                                        thing, what, got, freedoms, to_string(joint.type)));
}

void check_limits(const Joint& joint, std::string_view thing) {
  for (const Limits& limits : joint.limits) {
    if (std::isnan(limits.lower) || std::isnan(limits.upper) || std::isnan(limits.velocity) ||
        std::isnan(limits.effort))
      throw Error(joint.source,
                  fmt::format("{}: a limit is not a number (lower {}, upper {}, "
                              "velocity {}, effort {})",
                              thing, limits.lower, limits.upper, limits.velocity, limits.effort));
    if (limits.lower > limits.upper)
      throw Error(joint.source, fmt::format("{}: its lower limit {} exceeds its upper limit {}; "
                                            "swap them",
                                            thing, limits.lower, limits.upper));
  }
}

void check_joint(const Joint& joint, std::vector<Warning>& warnings) {
  const std::string thing = "joint " + in_quotes(joint.name);
  require_finite(joint.source, thing, "its pose", joint.pose);
  check_axes(joint, thing, warnings);
  if (joint.type == JointType::helical)
    require_finite(joint.source, thing, "its pitch", joint.pitch);
  if (joint.type == JointType::custom) check_modes(joint.source, thing, joint.modes);
  check_length(joint, thing, "passive", joint.passive.size());
  check_length(joint, thing, "damping", joint.damping.size());
  check_length(joint, thing, "friction", joint.friction.size());
  check_length(joint, thing, "rotor_inertia", joint.rotor_inertia.size());
  check_length(joint, thing, "limits", joint.limits.size());
  for (const double d : joint.damping) require_not_negative(joint.source, thing, "its damping", d);
  for (const Friction& f : joint.friction) {
    require_not_negative(joint.source, thing, "its forward friction (a magnitude)", f.forward);
    require_not_negative(joint.source, thing, "its backward friction (a magnitude)", f.backward);
  }
  for (const double r : joint.rotor_inertia)
    require_not_negative(joint.source, thing, "its rotor inertia", r);
  check_limits(joint, thing);
}

}  // namespace

void check_joints(const Model& model, std::vector<Warning>& warnings) {
  for (const Joint& joint : model.joints) check_joint(joint, warnings);
}

}  // namespace linkwright::checks
