#pragma once
/// Where the two frames of a closure meet: pose, velocity and acceleration of b seen from a, and the
/// rows that hold them together.
///
///     Meeting<double> m = meet(place, pose_a, pose_b, V_a, V_b);   // of the nodes
///     double opens = dot(row_of(place, m, 0).W, m.V);              // 0 while it stays closed
///
/// With R, p the pose of b in a, ω_a the angular velocity of a and w = Rᵀ ω_a, p′ = Rᵀ p, in b's axes:
///   V = V_b − X⁻¹ V_a = [ω; v]
///   V̇ = α_b − X⁻¹ α_a + [ω × w; −w × (w × p′) − 2 w × v − ω × v]
/// for true accelerations α of the closure frames. A row W (a force on b) demands W · V = 0, and so
///   W · V̇ + Ẇ · V = 0.
/// Cost     O(1) per closure. No row degenerates, whatever the pose.

#include <cmath>

#include "linkwright/spatial/group.hpp"
#include "linkwright/spatial/pack.hpp"
#include "linkwright/system/closure_place.hpp"

#ifndef LINKWRIGHT_ISA
#define LINKWRIGHT_ISA baseline
#endif

namespace linkwright::closure::inline LINKWRIGHT_ISA {

using spatial::Constant;

/// Of b, seen from a.
template <class T>
struct Meeting {
  spatial::Pose<T> X{};
  spatial::Motion<T> V{};
  /// V̇ while the bodies' own frames accelerate not at all.
  spatial::Motion<T> bias{};
};

/// ω × (ω × ℓ) of a closure frame on its node, in the closure frame's axes.
template <class T>
LINKWRIGHT_INLINE spatial::Vector3<T> centripetal(const Pose& at, const spatial::Vector3<T>& w) {
  return transpose_times(at.rotation, cross(w, cross(w, at.translation)));
}

/// Of b in a, for the poses of their nodes in the world.
template <class T>
LINKWRIGHT_INLINE spatial::Pose<T> relative_pose(const ClosurePlace& c,
                                                 const spatial::Pose<T>& node_a,
                                                 const spatial::Pose<T>& node_b) {
  return inverse(node_a * c.at_a) * (node_b * c.at_b);
}

/// Poses of the nodes in the world, their velocities in their own axes.
template <class T>
LINKWRIGHT_INLINE Meeting<T> meet(const ClosurePlace& c, const spatial::Pose<T>& node_a,
                                  const spatial::Pose<T>& node_b, const spatial::Motion<T>& V_a,
                                  const spatial::Motion<T>& V_b) {
  Meeting<T> m;
  m.X = relative_pose(c, node_a, node_b);
  const auto& R = m.X.rotation;
  const spatial::Motion<T> tip_a = to_child(c.at_a, V_a);
  m.V = to_child(c.at_b, V_b) - to_child(m.X, tip_a);
  const spatial::Vector3<T>&omega = m.V.angular, &v = m.V.linear;
  const spatial::Vector3<T> w = transpose_times(R, tip_a.angular);
  const spatial::Vector3<T> away = transpose_times(R, m.X.translation);
  m.bias.angular = cross(omega, w);
  m.bias.linear = centripetal(c.at_b, V_b.angular) -
                  transpose_times(R, centripetal(c.at_a, V_a.angular)) - cross(w, cross(w, away)) -
                  cross(w + w, v) - cross(omega, v);
  return m;
}

/// A row and its rate.
template <class T>
struct Row {
  spatial::Force<T> W{}, rate{};
};

/// A force that is constant in a's axes, in those of b.
template <class T>
LINKWRIGHT_INLINE Row<T> fixed_in_a(const Meeting<T>& m, const spatial::Force<T>& f) {
  Row<T> row;
  row.W = {transpose_times(m.X.rotation, f.moment), transpose_times(m.X.rotation, f.force)};
  row.rate = {-cross(m.V.angular, row.W.moment), -cross(m.V.angular, row.W.force)};
  return row;
}

template <class T>
LINKWRIGHT_INLINE Row<T> universal_row(const ClosurePlace& c, const Meeting<T>& m, int i) {
  Row<T> row;
  if (i == 0) {
    const spatial::Vector3<T> y = transpose_times(m.X.rotation, c.axis);
    const double scale = 1 / norm(cross(c.axis, c.axis2));
    row.W.moment = scale * cross(y, c.axis2);
    row.rate.moment = scale * cross(-cross(m.V.angular, y), c.axis2);
  } else {
    row.W.force = {T(i == 1), T(i == 2), T(i == 3)};
  }
  return row;
}

/// A unit vector along v; where v vanishes (points that coincide, a disc that lies flat) any will do.
template <class T>
LINKWRIGHT_INLINE spatial::Vector3<T> direction_of(const spatial::Vector3<T>& v, T& one_over) {
  const T size = norm(v);
  if (!(size > T(0))) {
    one_over = T(0);
    return {T(0), T(0), T(1)};
  }
  one_over = T(1) / size;
  return one_over * v;
}
/// Of many states at once.
template <class B, int N>
LINKWRIGHT_INLINE spatial::Vector3<spatial::Pack<B, N>> direction_of(
    const spatial::Vector3<spatial::Pack<B, N>>& v, spatial::Pack<B, N>& one_over) {
  using P = spatial::Pack<B, N>;
  const P size = norm(v), zero(B(0)), one(B(1));
  const typename P::Bits some = above(size, zero);
  one_over = select(some, one / size, zero);
  return {one_over * v.x, one_over * v.y, select(some, one_over * v.z, one)};
}

template <class T>
LINKWRIGHT_INLINE Row<T> distance_row(const Meeting<T>& m) {
  const spatial::Vector3<T> away = transpose_times(m.X.rotation, m.X.translation);
  T one_over;
  Row<T> row;
  row.W.force = direction_of(away, one_over);
  // ṗ = v − ω × p′ in b's axes; the direction loses what it has along itself.
  const spatial::Vector3<T> rate = m.V.linear - cross(m.V.angular, away);
  row.rate.force = one_over * (rate - dot(row.W.force, rate) * row.W.force);
  return row;
}

/// From the centre to the point that touches, in b's axes, and its rate. For a disc it is the point
/// farthest down: against the normal's part across the axle.
template <class T>
LINKWRIGHT_INLINE void touch(const ClosurePlace& c, const Meeting<T>& m, spatial::Vector3<T>& arm,
                             spatial::Vector3<T>& rate) {
  const spatial::Vector3<T> n = transpose_times(m.X.rotation, c.axis);
  const spatial::Vector3<T> n_rate = -cross(m.V.angular, n);
  if (!c.disc) {
    arm = (-c.length) * n, rate = (-c.length) * n_rate;
    return;
  }
  const spatial::Vector3<T> flat = n - dot(n, c.axis2) * c.axis2;
  const spatial::Vector3<T> flat_rate = n_rate - dot(n_rate, c.axis2) * c.axis2;
  T one_over;
  const spatial::Vector3<T> e = direction_of(flat, one_over);
  arm = (-c.length) * e;
  rate = (-c.length) * (one_over * (flat_rate - dot(e, flat_rate) * e));
}

/// Row 0 keeps the height, rows 1 and 2 let the touching point not slip.
template <class T>
LINKWRIGHT_INLINE Row<T> rolling_row(const ClosurePlace& c, const Meeting<T>& m, int i) {
  const Vector3& n = c.axis;
  const Vector3 away = std::abs(n.x) < 0.6 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
  const Vector3 across = cross(n, away);
  const Vector3 s = (1 / norm(across)) * across;
  const Vector3 direction = i == 0 ? n : i == 1 ? s : cross(n, s);
  Row<T> row = fixed_in_a<T>(m, {{}, {T(direction.x), T(direction.y), T(direction.z)}});
  spatial::Vector3<T> arm, arm_rate;
  touch(c, m, arm, arm_rate);
  row.W.moment = cross(arm, row.W.force);
  row.rate.moment = cross(arm_rate, row.W.force) + cross(arm, row.rate.force);
  return row;
}

/// Row i of a closure between two frames.
template <class T>
LINKWRIGHT_INLINE Row<T> row_of(const ClosurePlace& c, const Meeting<T>& m, int i) {
  const Force& constant = c.W[i];
  const spatial::Force<T> W{{T(constant.moment.x), T(constant.moment.y), T(constant.moment.z)},
                            {T(constant.force.x), T(constant.force.y), T(constant.force.z)}};
  switch (c.kind) {
    case PairKind::point:
      return fixed_in_a(m, W);
    case PairKind::universal:
      return universal_row(c, m, i);
    case PairKind::distance:
      return distance_row(m);
    case PairKind::rolling:
      return rolling_row(c, m, i);
    case PairKind::lower_pair:
    case PairKind::gear:
    case PairKind::shaft:
      break;
  }
  return {W, {}};
}

/// What reads the rate of freedom i of a closing joint off the relative velocity: rate = W · V while it
/// is closed, and a force W on b is a unit of effort.
template <class T>
LINKWRIGHT_INLINE Row<T> closing_row(const ClosurePlace& c, const Meeting<T>& m, int i) {
  if (c.kind == PairKind::universal) {
    // ω = y q̇₀ + axis2 q̇₁, y = Rᵀ axis, and the two keep their angle.
    const double cosine = dot(c.axis, c.axis2), scale = 1 / (1 - cosine * cosine);
    const spatial::Vector3<T> y = transpose_times(m.X.rotation, c.axis);
    const spatial::Vector3<T> z{T(c.axis2.x), T(c.axis2.y), T(c.axis2.z)};
    const spatial::Vector3<T> rate = -cross(m.V.angular, y);
    Row<T> row;
    row.W.moment = T(scale) * (i == 0 ? y - T(cosine) * z : z - T(cosine) * y);
    row.rate.moment = T(i == 0 ? scale : -scale * cosine) * rate;
    return row;
  }
  if (c.joint == JointType::planar && i < 2) {
    const Vector3& s = c.mode[i].linear;
    return fixed_in_a<T>(m, {{}, {T(s.x), T(s.y), T(s.z)}});
  }
  const Force& dual = c.dual[i];
  return {{{T(dual.moment.x), T(dual.moment.y), T(dual.moment.z)},
           {T(dual.force.x), T(dual.force.y), T(dual.force.z)}},
          {}};
}

/// W · V̇ + Ẇ · V while the bodies' own frames accelerate not at all.
template <class T>
LINKWRIGHT_INLINE T row_bias(const Row<T>& row, const Meeting<T>& m) {
  return dot(row.W, m.bias) + dot(row.rate, m.V);
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
