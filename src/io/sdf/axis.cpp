#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "io/normalize.hpp"
#include "io/sdf/element_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::sdf {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// SDF's own "no limit" is 1e16.
constexpr double unlimited = 1e16;
/// Before this version an axis was always given in the frame of the model.
constexpr double axes_in_joint_frames = 1.05;

/// What the numbers of <xyz> are relative to.
Matrix3 axes_of(const XmlElement& element, const XmlElement* xyz, const Item& item,
                const Pose& joint_in_scope) {
  const Matrix3 to_joint = transpose(joint_in_scope.rotation);
  const std::string given(xyz == nullptr
                              ? std::string_view{}
                              : xyz->attribute("expressed_in").value_or(std::string_view{}));
  const bool in_model =
      item.version < axes_in_joint_frames || find_truth(element, "use_parent_model_frame", false);
  const std::string frame = !given.empty() ? given : in_model ? item.self : std::string{};
  if (frame.empty() || frame == item.name) return Matrix3::identity();
  return to_joint *
         item.scope->pose_of(frame, element.source(), element.owner() + ": <xyz>").rotation;
}

void read_stops(const XmlElement& limit, Axis& axis, const Item& item, Told& told) {
  const auto stiffness = find_number(limit, "stiffness"),
             damping = find_number(limit, "dissipation");
  if (!stiffness && !damping) return;
  const bool stops = std::isfinite(axis.limits.lower) || std::isfinite(axis.limits.upper);
  if (!stops || !stiffness || *stiffness <= 0 || damping.value_or(0) < 0) {
    told.note(limit.source(),
              "ignored <stiffness> and <dissipation> of limits: they need a limit, and a stiffness "
              "above zero",
              item.full_name());
    return;
  }
  axis.limits.stiffness = *stiffness;
  axis.limits.damping = damping.value_or(1);  // SDF's default
}

void read_limit(const XmlElement& element, Axis& axis, const Item& item, Told& told) {
  const auto limit = element.child("limit");
  if (!limit) return;
  told.others(*limit);
  const double lower = find_number(*limit, "lower").value_or(-infinity),
               upper = find_number(*limit, "upper").value_or(infinity);
  if (lower > -unlimited) axis.limits.lower = lower;
  if (upper < unlimited) axis.limits.upper = upper;
  // Negative numbers, the default −1 among them, mean none.
  const double effort = find_number(*limit, "effort").value_or(-1),
               velocity = find_number(*limit, "velocity").value_or(-1);
  if (effort == 0)
    axis.has_motor = false;
  else if (effort > 0 && effort < unlimited)
    axis.limits.effort = effort;
  if (velocity >= 0 && velocity < unlimited) axis.limits.velocity = velocity;
  read_stops(*limit, axis, item, told);
}

void read_dynamics(const XmlElement& element, Axis& axis, Told& told) {
  const auto dynamics = element.child("dynamics");
  if (!dynamics) return;
  told.others(*dynamics);
  axis.damping = find_number(*dynamics, "damping").value_or(0);
  axis.friction = find_number(*dynamics, "friction").value_or(0);
  axis.reference = find_number(*dynamics, "spring_reference").value_or(0);
  axis.stiffness = find_number(*dynamics, "spring_stiffness").value_or(0);
}

}  // namespace

Axis read_axis(const XmlElement& element, const Item& item, const Pose& joint_in_scope,
               JointReading& reading) {
  reading.told.others(element);
  reading.told.others_below(element, "xyz");
  Axis axis;
  const auto xyz = element.child("xyz");
  const Vector3 given = xyz ? vector_of(*xyz) : Vector3{0, 0, 1};
  axis.direction =
      axes_of(element, xyz ? &*xyz : nullptr, item, joint_in_scope) *
      normalize_axis(given, element.source(), element.owner(), "its axis", reading.model.warnings);
  read_limit(element, axis, item, reading.told);
  read_dynamics(element, axis, reading.told);
  axis.mimic = element.child("mimic");
  return axis;
}

}  // namespace linkwright::sdf
