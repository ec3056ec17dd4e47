#pragma once
/// How far a pair is open where it is nearly closed: the residual of closure/residual.hpp to first order,
/// without its iteration.
///
///     if (has_near_form(place)) left = near_displacement(place, X);      // of one state or of many
///
/// With R, p the pose of b in a and s = Rᵀ u the axis as b sees it, what is left of a displacement after
/// the pair's own freedoms are taken out is, in b's axes,
///   turned:  s × u where the pair turns about u, else the axis of R times its sine
///   moved:   Rᵀ p, less what the pair slides
/// which vanishes where the pair is closed and, less than a quarter turn from there, nowhere else.

#include "linkwright/closure/meeting.hpp"
#include "linkwright/closure/residual.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

/// What of a displacement a pair's freedoms cannot remove.
enum class Left { all, all_but_a_turn, all_but_turns, all_but_a_slide, all_but_both, other };
inline Left left_by(const ClosurePlace& c) {
  switch (c.kind == PairKind::lower_pair ? c.joint : JointType::custom) {
    case JointType::fixed:
      return Left::all;
    case JointType::revolute:
    case JointType::continuous:
      return Left::all_but_a_turn;
    case JointType::spherical:
      return Left::all_but_turns;
    case JointType::prismatic:
      return Left::all_but_a_slide;
    case JointType::cylindrical:
      return Left::all_but_both;
    default:
      return Left::other;
  }
}
inline bool has_near_form(const ClosurePlace& c) { return left_by(c) != Left::other; }

/// For b's closure frame at X in a's. `facing`: the cosine of the turn that is left, or of more than it; the form
/// holds where that is positive.
template <class T>
LINKWRIGHT_INLINE spatial::Motion<T> near_displacement(const ClosurePlace& c,
                                                       const spatial::Pose<T>& X, T& facing) {
  const Left left = left_by(c);
  const auto& R = X.rotation;
  spatial::Motion<T> out{};
  facing = T(1);
  if (left == Left::all_but_a_turn || left == Left::all_but_both) {
    const spatial::Vector3<T> seen = transpose_times(R, c.axis);
    out.angular = cross(seen, c.axis);
    facing = dot(seen, c.axis);
  } else if (left != Left::all_but_turns) {
    out.angular = T(0.5) * spatial::Vector3<T>{R.zy - R.yz, R.xz - R.zx, R.yx - R.xy};
    facing = T(0.5) * (R.xx + R.yy + R.zz - T(1));
  }
  const bool slides = left == Left::all_but_a_slide || left == Left::all_but_both;
  const spatial::Vector3<T>& p = X.translation;
  out.linear = transpose_times(R, slides ? p - dot(c.axis, p) * c.axis : p);
  return out;
}

/// To first order a gap is right to the square of this part of it.
inline constexpr double near_gap = 1e-6;

/// How far the pair is open, in metres and radians; `facing` as above.
template <class T>
LINKWRIGHT_INLINE void near_opening(const ClosurePlace& c, const spatial::Pose<T>& X, T& distance,
                                    T& angle, T& facing) {
  const spatial::Motion<T> displaced = near_displacement(c, X, facing);
  spatial::Motion<T> left{};
  for (int i = 0; i < c.position_rows; ++i) {
    const auto& W = c.W[i];
    const auto& way = c.complement[i];
    const T open = dot(displaced.angular, W.moment) + dot(displaced.linear, W.force);
    left.angular += open * way.angular;
    left.linear += open * way.linear;
  }
  distance = norm(left.linear), angle = norm(left.angular);
}

/// position_rows numbers for b's closure frame at X in a's. Not for gears.
inline void near_residual(const ClosurePlace& c, const Pose& X, double* out) {
  if (has_near_form(c)) {
    double facing;
    const Motion left = near_displacement(c, X, facing);
    for (int i = 0; i < c.position_rows; ++i) out[i] = dot(c.W[i], left);
    return;
  }
  const Opening open = opening(c, X);
  for (int i = 0; i < c.position_rows; ++i) out[i] = open.residual[i];
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
