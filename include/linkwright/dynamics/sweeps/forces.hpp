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

template <class B>
LINKWRIGHT_INLINE const typename JointForces<B>::Coupling* coupling_of(
    const JointForces<B>& forces, const typename JointForces<B>::PoseSpring& spring) {
  return spring.coupling < 0 ? nullptr : forces.couplings.data() + spring.coupling;
}

/// Three rows of K [φ; p], from `first` on.
template <class T, class B>
LINKWRIGHT_INLINE Vector3<T> rows_times(const B (&K)[6][6], int first, const Vector3<T>& phi,
                                        const T* p) {
  const auto row = [&](int i) LINKWRIGHT_INLINE_LAMBDA {
    const B* k = K[first + i];
    return (k[0] * phi.x + k[1] * phi.y + k[2] * phi.z) + (k[3] * p[0] + k[4] * p[1] + k[5] * p[2]);
  };
  return {row(0), row(1), row(2)};
}

/// Springs of a joint that carries a pose, `q` its own entries: potential ½ [φ; p]ᵀ K [φ; p] in the
/// rotation vector φ = c u and the position p of the child. With [m; n] = K [φ; p], u̇ = ½ (w ω + u × ω)
/// and ċ = e u·ω (log_terms) the efforts are −(½ c (w m + m × u) + e (m·u) u) and −Rᵀ n.
template <class T>
LINKWRIGHT_INLINE void add_pose_spring(const typename JointForces<Constant<T>>::PoseSpring& spring,
                                       const typename JointForces<Constant<T>>::Coupling* coupling,
                                       const T* q, T* out) {
  const T half(Constant<T>(0.5));
  const auto& k = spring.stiffness;
  const Quaternion<T> r = normalized(Quaternion<T>{q[0], q[1], q[2], q[3]});
  const spatial::RotationLog<T> log = spatial::log_terms(r);
  const Vector3<T>& u = log.u;
  const Vector3<T> phi = log.c * u;
  Vector3<T> m{k[0] * phi.x, k[1] * phi.y, k[2] * phi.z};
  if (coupling != nullptr) m += rows_times(coupling->stiffness, 0, phi, q + 4);
  const Vector3<T> torque = (half * log.c) * (log.w * m + cross(m, u)) + (log.e * dot(m, u)) * u;
  out[0] -= torque.x, out[1] -= torque.y, out[2] -= torque.z;
  if (!spring.has_position) return;
  Vector3<T> n{k[3] * q[4], k[4] * q[5], k[5] * q[6]};
  if (coupling != nullptr) n += rows_times(coupling->stiffness, 3, phi, q + 4);
  const Vector3<T> force = transpose_times(to_matrix(r), n);
  out[3] -= force.x, out[4] -= force.y, out[5] -= force.z;
}

/// What of −D v stands off the diagonal; `v` the joint's own entries.
template <class T>
LINKWRIGHT_INLINE void add_cross_damping(
    const typename JointForces<Constant<T>>::Coupling& coupling, const T* v, T* out) {
  const Vector3<T> w{v[0], v[1], v[2]};
  const Vector3<T> m = rows_times(coupling.damping, 0, w, v + 3),
                   n = rows_times(coupling.damping, 3, w, v + 3);
  out[0] -= m.x, out[1] -= m.y, out[2] -= m.z;
  out[3] -= n.x, out[4] -= n.y, out[5] -= n.z;
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
  for (const auto& spring : forces.pose_springs) {
    const auto* coupling = coupling_of(forces, spring);
    add_pose_spring(spring, coupling, q + spring.q, out + spring.v);
    if (coupling != nullptr) add_cross_damping(*coupling, v + spring.v, out + spring.v);
  }
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
