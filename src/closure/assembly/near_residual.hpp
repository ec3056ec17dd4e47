#pragma once
/// How far a pair is open where it is nearly closed: the residual of closure/residual.hpp to first order,
/// without its iteration.
///
/// With R, p the pose of b in a and s = Rᵀ u the axis as b sees it, what is left of a displacement after
/// the pair's own freedoms are taken out is, in b's axes,
///   turned:  s × u where the pair turns about u, else the axis of R times its sine
///   moved:   Rᵀ p, less what the pair slides
/// which vanishes where the pair is closed and, nearby, nowhere else.

#include "linkwright/closure/residual.hpp"

namespace linkwright::closure {

/// The axis of a small turn, times its sine.
inline Vector3 small_turn(const Matrix3& R) {
  return 0.5 * Vector3{R.zy - R.yz, R.xz - R.zx, R.yx - R.xy};
}

/// position_rows numbers for b's closure frame at X in a's. Not for gears.
inline void near_residual(const ClosurePlace& c, const Pose& X, double* out) {
  Motion left{};
  const Vector3& u = c.axis;
  const auto seen_from_b = [&X](const Vector3& x) { return transpose_times(X.rotation, x); };
  const auto across = [&u](const Vector3& x) { return x - dot(u, x) * u; };
  switch (c.kind == PairKind::lower_pair ? c.joint : JointType::custom) {
    case JointType::fixed:
      left = {small_turn(X.rotation), seen_from_b(X.translation)};
      break;
    case JointType::revolute:
    case JointType::continuous:
      left = {cross(seen_from_b(u), u), seen_from_b(X.translation)};
      break;
    case JointType::spherical:
      left = {{}, seen_from_b(X.translation)};
      break;
    case JointType::prismatic:
      left = {small_turn(X.rotation), seen_from_b(across(X.translation))};
      break;
    case JointType::cylindrical:
      left = {cross(seen_from_b(u), u), seen_from_b(across(X.translation))};
      break;
    default: {
      const Opening open = opening(c, X);
      for (int i = 0; i < c.position_rows; ++i) out[i] = open.residual[i];
      return;
    }
  }
  for (int i = 0; i < c.position_rows; ++i) out[i] = dot(c.W[i], left);
}

}  // namespace linkwright::closure
