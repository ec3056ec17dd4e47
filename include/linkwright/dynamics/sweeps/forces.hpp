#pragma once
/// What the model itself pushes with, as efforts at the joints and as forces on the bodies.
///
/// joint_forces  given q, v;                adds springs, dampers, dry friction and loads to `out`
/// body_forces   given pose(k), V(k);       adds springs between bodies and body loads to f_ext(k)
/// Cost          O(number of springs and loads)

#include <limits>

#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/spatial/group.hpp"
#include "linkwright/spatial/pack.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

using spatial::dry_friction;

/// Springs of a joint that carries a pose: potential ½ φᵀ K φ + ½ pᵀ K p in the rotation vector
/// φ = c u and the position p of the child. With u̇ = ½ (w ω + u × ω) and ċ = e u·ω (log_terms) the
/// efforts are −(½ c (w m + m × u) + e (m·u) u), m = K φ, and −Rᵀ K p.
template <class T, class Spring>
LINKWRIGHT_INLINE void add_pose_spring(const Spring& spring, const T* position, T* efforts) {
  const T *q = position + spring.q, half(Constant<T>(0.5));
  T* out = efforts + spring.v;
  const auto& k = spring.stiffness;
  const Quaternion<T> r = normalized(Quaternion<T>{q[0], q[1], q[2], q[3]});
  const spatial::RotationLog<T> log = spatial::log_terms(r);
  const Vector3<T>& u = log.u;
  const Vector3<T> m{k[0] * (log.c * u.x), k[1] * (log.c * u.y), k[2] * (log.c * u.z)};
  const Vector3<T> torque = (half * log.c) * (log.w * m + cross(m, u)) + (log.e * dot(m, u)) * u;
  out[0] -= torque.x, out[1] -= torque.y, out[2] -= torque.z;
  if (!spring.has_position) return;
  const Vector3<T> force =
      transpose_times(to_matrix(r), Vector3<T>{k[3] * q[4], k[4] * q[5], k[5] * q[6]});
  out[3] -= force.x, out[4] -= force.y, out[5] -= force.z;
}

/// out += efforts.
template <class T>
void joint_forces(const Tree<Constant<T>>& tree, const T* q, const T* v, T* out) {
  const auto& forces = tree.joint_forces;
  for (int i = 0; i < tree.nv; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const T dry = dry_friction(v[i], forces.friction_forward[k], forces.friction_backward[k]);
    out[i] += forces.load[k] - (forces.damping[k] * v[i] + dry);
  }
  for (const auto& spring : forces.springs)
    out[spring.v] -= spring.stiffness * (q[spring.q] - spring.rest);
  for (const auto& spring : forces.pose_springs) add_pose_spring(spring, q, out);
}

/// A force F, world axes, at the point `at` of node k, about the node's origin and in its axes.
template <class T, class B>
LINKWRIGHT_INLINE Force<T> at_point(const Scratch<T>& s, int k, const Vector3<B>& at,
                                    const Vector3<T>& F) {
  const Vector3<T> f = transpose_times(s.pose[k].rotation, F);
  return {cross(at, f), f};
}

/// A constant force at a point of a node, in world axes or the node's own, likewise.
template <class T, class Load>
LINKWRIGHT_INLINE Force<T> load_force(const Scratch<T>& s, const Load& load) {
  const Matrix3<T>& R = s.pose[load.node].rotation;
  const Vector3<T> F =
      load.in_world ? transpose_times(R, load.force.force) : T(1) * load.force.force;
  const Vector3<T> N =
      load.in_world ? transpose_times(R, load.force.moment) : T(1) * load.force.moment;
  return {N + cross(load.at, F), F};
}

/// The force on end a of a spring, world axes; end b feels the opposite.
template <class T, class Spring>
LINKWRIGHT_INLINE Vector3<T> spring_pull(const Scratch<T>& s, const Spring& spring) {
  const auto velocity = [&](int k, const auto& at) {
    return s.pose[k].rotation * (s.V[k].linear + cross(s.V[k].angular, at));
  };
  const int a = spring.node_a, b = spring.node_b;
  const Vector3<T> d = s.pose[b] * spring.at_b - s.pose[a] * spring.at_a;
  // The force is tension·d/|d|. Where the ends meet, a spring of rest length 0 pulls with 0 (the
  // least number keeps the quotients finite); any other has no direction, and 0·∞ = NaN says so.
  const T square = dot(d, d) + std::numeric_limits<Constant<T>>::min();
  const T rate = dot(d, velocity(b, spring.at_b) - velocity(a, spring.at_a));
  T pull = spring.stiffness + (spring.damping * rate) / square;
  if (spring.rest_length != 0) pull -= (spring.stiffness * spring.rest_length) / norm(d);
  return pull * d;
}

template <class T>
void body_forces(const Tree<Constant<T>>& tree, Scratch<T>& s) {
  for (const auto& spring : tree.body_forces.line_springs) {
    const Vector3<T> F = spring_pull(s, spring);
    if (spring.node_a != 0) s.f_ext[spring.node_a] += at_point(s, spring.node_a, spring.at_a, F);
    if (spring.node_b != 0) s.f_ext[spring.node_b] += at_point(s, spring.node_b, spring.at_b, -F);
  }
  for (const auto& load : tree.body_forces.loads)
    if (load.node != 0) s.f_ext[load.node] += load_force(s, load);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
