#pragma once
/// First derivatives of what pushes besides the bodies' inertia, added to those of inverse dynamics
/// (prepare_derivatives comes first).
///
/// Joints   damping on the diagonal of dT/dv, a coupled base's beside it; springs on the diagonal of
///          dT/dq, springs on poses by dual numbers. Dry friction is constant, at rest as well as in motion: where it jumps it has no
///          derivative, and 0 stands for it
/// Loads    in the world's axes at a point x of a body, J = u + w × x the motion of the point per
///          unit of a freedom [w; u]: T_j = −J_j·F − w_j·N, and for k inboard of j or of its joint
///          dJ_j/dq_k = w_k × J_j, for k outboard w_j × J_k
/// Springs  between bodies with ends d apart: T_j = D_j·F, D = ∂d/∂q, F = pull(d, ḋ) d
/// Cost     O(depth²) per load and spring

#include <algorithm>

#include "linkwright/dynamics/sweeps/derivatives/pairs.hpp"
#include "linkwright/spatial/dual.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

using spatial::DualOf;

/// q along the velocity e_i of a joint that carries a pose, whose modes are the unit motions.
template <class T>
LINKWRIGHT_INLINE void move_pose_along(const T* q, bool has_position, int i, DualOf<T>* out) {
  const T half(Constant<T>(0.5)), zero(Constant<T>(0));
  const auto unit = [&](int first) LINKWRIGHT_INLINE_LAMBDA {
    const auto one = [&](int axis) { return T(Constant<T>(i == first + axis ? 1 : 0)); };
    return Vector3<T>{one(0), one(1), one(2)};
  };
  const Vector3<T> w = half * unit(0);
  const Quaternion<T> r{q[0], q[1], q[2], q[3]};
  const Quaternion<T> rate = r * Quaternion<T>{zero, w.x, w.y, w.z};
  out[0] = {r.w, rate.w}, out[1] = {r.x, rate.x}, out[2] = {r.y, rate.y}, out[3] = {r.z, rate.z};
  if (!has_position) return;
  const Vector3<T> p = to_matrix(r) * unit(3);
  out[4] = {q[4], p.x}, out[5] = {q[5], p.y}, out[6] = {q[6], p.z};
}

/// Whether forces have derivatives that change from place to place, or beside the diagonals.
template <class B, class Loads>
LINKWRIGHT_INLINE bool forces_curve(const Tree<B>& tree, const Loads& loads) {
  bool any = !tree.joint_forces.pose_springs.empty() || !tree.body_forces.line_springs.empty();
  loads.each([&](const auto& load) LINKWRIGHT_INLINE_LAMBDA { any = any || load.in_world; });
  for (const auto& load : tree.body_forces.loads) any = any || load.in_world;
  return any;
}

template <class T>
void add_joint_force_derivatives(const Tree<Constant<T>>& tree, const T* q, const Square<T>& by_q,
                                 const Square<T>& by_v) {
  const auto& forces = tree.joint_forces;
  if (!forces.any) return;
  for (int i = 0; i < tree.nv; ++i)
    by_v.data[i + i * by_v.stride] += forces.damping[static_cast<std::size_t>(i)];
  for (const auto& spring : forces.springs)
    by_q.data[spring.v + spring.v * by_q.stride] += spring.stiffness;
  for (const auto& spring : forces.pose_springs) {
    const auto* coupling = coupling_of(forces, spring);
    const int freedoms = spring.has_position ? 6 : 3;
    for (int i = 0; i < freedoms; ++i) {
      DualOf<T> pose[7], efforts[6];
      move_pose_along(q + spring.q, spring.has_position, i, pose);
      add_pose_spring(spring, coupling, pose, efforts);
      T* column = by_q.data + spring.v + (spring.v + i) * by_q.stride;
      for (int r = 0; r < freedoms; ++r) column[r] -= efforts[r].d;
      if (coupling == nullptr) continue;
      T* by_rate = by_v.data + spring.v + (spring.v + i) * by_v.stride;
      for (int r = 0; r < freedoms; ++r) by_rate[r] += coupling->damping[r][i];
    }
  }
}

/// The freedoms between a node and one inboard of it: step(f) from the tip inward.
template <class T, class Step>
LINKWRIGHT_INLINE void each_inboard(const Tree<Constant<T>>& tree, const DerivativeScratch<T>& d,
                                    int node, int until, Step&& step) {
  if (node == until) return;
  const auto& n = tree.nodes[static_cast<std::size_t>(node)];
  const int stop = until == 0 ? -1
                              : tree.nodes[static_cast<std::size_t>(until)].freedom +
                                    tree.nodes[static_cast<std::size_t>(until)].d - 1;
  for (int f = n.freedom + n.d - 1; f != stop; f = d.inboard[static_cast<std::size_t>(f)]) step(f);
}
/// Motion of the point x per unit of a freedom.
template <class T>
LINKWRIGHT_INLINE Vector3<T> point_motion(const Motion<T>& S, const Vector3<T>& x) {
  return S.linear + cross(S.angular, x);
}
/// The derivative of that of freedom j along freedom k of the same branch.
template <class T>
LINKWRIGHT_INLINE Vector3<T> point_motion_along(bool k_inboard, const Motion<T>& Sj,
                                                const Motion<T>& Sk, const Vector3<T>& x) {
  return k_inboard ? cross(Sk.angular, point_motion(Sj, x))
                   : cross(Sj.angular, point_motion(Sk, x));
}
/// Whether freedom k belongs to the joint of j, or to one inboard of it.
template <class T>
LINKWRIGHT_INLINE bool moves(const DerivativeScratch<T>& d, int k, int j) {
  return d.node[static_cast<std::size_t>(k)] <= d.node[static_cast<std::size_t>(j)];
}

template <class T, class Load>
void add_load_derivatives(const Tree<Constant<T>>& tree, const Scratch<T>& s,
                          const DerivativeScratch<T>& d, const Load& load, const Square<T>& by_q) {
  if (load.node == 0 || !load.in_world) return;
  const int* v = tree.velocity_of.data();
  const Vector3<T> x = s.pose[static_cast<std::size_t>(load.node)] * load.at;
  each_inboard(tree, d, load.node, 0, [&](int k) {
    const Motion<T> Sk = read_S<T>(d.column, k);
    each_inboard(tree, d, load.node, 0, [&](int j) {
      const Motion<T> Sj = read_S<T>(d.column, j);
      const bool inboard = moves(d, k, j);
      T change = dot(point_motion_along(inboard, Sj, Sk, x), load.force.force);
      if (inboard) change += dot(cross(Sk.angular, Sj.angular), load.force.moment);
      by_q.data[v[j] + v[k] * by_q.stride] -= change;
    });
  });
}

/// One end of a spring between bodies: where it is from its root's origin, how fast it moves, and on
/// which side of d.
template <class T>
struct SpringEnd {
  int node;
  Vector3<T> x, rate;
  Constant<T> sign;
};
template <class T, class At>
LINKWRIGHT_INLINE SpringEnd<T> spring_end(const Scratch<T>& s, const DerivativeScratch<T>& d,
                                          int node, const At& at, Constant<T> sign) {
  const auto k = static_cast<std::size_t>(node);
  const Vector3<T> x = s.pose[k] * at;
  return {node, x, point_motion(d.V[k], x), sign};
}

/// F = pull d on the first end, and its changes.
template <class T, class Spring>
struct SpringPull {
  const Spring& spring;
  Vector3<T> d, d_rate;
  T square{}, rate{}, length{}, pull{};

  SpringPull(const Spring& of, const Vector3<T>& apart, const Vector3<T>& apart_rate)
      : spring(of), d(apart), d_rate(apart_rate) {
    // As in spring_pull (sweeps/forces.hpp).
    square = dot(d, d) + std::numeric_limits<Constant<T>>::min();
    length = square_root(square);
    rate = dot(d, d_rate);
    pull = spring.stiffness + (spring.damping * rate) / square;
    if (spring.rest_length != 0) pull -= (spring.stiffness * spring.rest_length) / length;
  }
  /// Of F, for changes of d and ḋ.
  [[nodiscard]] Vector3<T> change(const Vector3<T>& dd, const Vector3<T>& dd_rate) const {
    const T along = dot(d, dd);
    T more(Constant<T>(0));
    if (spring.damping != 0)
      more += spring.damping *
              ((dot(dd, d_rate) + dot(d, dd_rate) - (rate + rate) * along / square) / square);
    if (spring.rest_length != 0)
      more += (spring.stiffness * spring.rest_length) * (along / (square * length));
    return pull * dd + more * d;
  }
};

template <class T, class Spring>
void add_spring_derivatives(const Tree<Constant<T>>& tree, const Scratch<T>& s,
                            const DerivativeScratch<T>& d, const Spring& spring,
                            const Square<T>& by_q, const Square<T>& by_v) {
  using B = Constant<T>;
  const int* v = tree.velocity_of.data();
  const SpringEnd<T> ends[2] = {spring_end(s, d, spring.node_a, spring.at_a, B(-1)),
                                spring_end(s, d, spring.node_b, spring.at_b, B(1))};
  // Joints inboard of both ends move the spring as a whole.
  int common = spring.node_a, other = spring.node_b;
  while (common != other) {
    if (common < other) std::swap(common, other);
    common = tree.nodes[static_cast<std::size_t>(common)].parent;
  }
  const auto in_world = [&](const SpringEnd<T>& e) {
    return e.x + d.root_offset[static_cast<std::size_t>(d.root[static_cast<std::size_t>(e.node)])];
  };
  const SpringPull<T, Spring> pull(spring, in_world(ends[1]) - in_world(ends[0]),
                                   ends[1].rate - ends[0].rate);
  const Vector3<T> F = pull.pull * pull.d;
  for (const SpringEnd<T>& of_k : ends)
    each_inboard(tree, d, of_k.node, common, [&](int k) {
      const Motion<T> Sk = read_S<T>(d.column, k);
      const int parent =
          tree.nodes[static_cast<std::size_t>(d.node[static_cast<std::size_t>(k)])].parent;
      const Motion<T>& Vp = d.V[static_cast<std::size_t>(parent)];
      const Vector3<T> J = point_motion(Sk, of_k.x);
      const Vector3<T> J_rate =
          cross(Sk.angular, of_k.rate - point_motion(Vp, of_k.x)) + cross(Vp.angular, J);
      const Vector3<T> Dk = of_k.sign * J;
      const Vector3<T> F_q = pull.change(Dk, of_k.sign * J_rate),
                       F_v = pull.change(Vector3<T>{}, Dk);
      for (const SpringEnd<T>& of_j : ends)
        each_inboard(tree, d, of_j.node, common, [&](int j) {
          const Motion<T> Sj = read_S<T>(d.column, j);
          const Vector3<T> Dj = of_j.sign * point_motion(Sj, of_j.x);
          T change = dot(Dj, F_q);
          if (&of_j == &of_k)
            change += of_j.sign * dot(point_motion_along(moves(d, k, j), Sj, Sk, of_j.x), F);
          by_q.data[v[j] + v[k] * by_q.stride] += change;
          by_v.data[v[j] + v[k] * by_v.stride] += dot(Dj, F_v);
        });
    });
}

template <class T, class Loads>
void add_force_derivatives(const Tree<Constant<T>>& tree, const Scratch<T>& s,
                           DerivativeScratch<T>& d, const T* q, const Loads& loads,
                           const Square<T>& by_q, const Square<T>& by_v) {
  add_joint_force_derivatives(tree, q, by_q, by_v);
  loads.each([&](const auto& load)
                 LINKWRIGHT_INLINE_LAMBDA { add_load_derivatives(tree, s, d, load, by_q); });
  for (const auto& load : tree.body_forces.loads) add_load_derivatives(tree, s, d, load, by_q);
  if (tree.body_forces.line_springs.empty()) return;
  outward(tree, [&](auto joint, int k) {
    const auto& n = tree.nodes[static_cast<std::size_t>(k)];
    if (n.parent == 0)
      d.root_offset[static_cast<std::size_t>(k)] = Vector3<T>{} + joint.offset(n, s.place[k]);
  });
  for (const auto& spring : tree.body_forces.line_springs)
    add_spring_derivatives(tree, s, d, spring, by_q, by_v);
}

/// All of dT/dq and dT/dv.
template <class T>
void inverse_dynamics_derivatives(const Tree<Constant<T>>& tree, Scratch<T>& s,
                                  DerivativeScratch<T>& d, const T* q, const T* v, const T* a,
                                  const ExternalLoads<Constant<T>>& loads, const Square<T>& by_q,
                                  const Square<T>& by_v) {
  derivatives_and_mass(tree, s, d, v, a, loads, by_q, by_v, NoMass{});
  add_force_derivatives(tree, s, d, q, loads, by_q, by_v);
}
/// And of dT/dv̇ = 𝓜.
template <class T>
void inverse_dynamics_derivatives_and_mass(const Tree<Constant<T>>& tree, Scratch<T>& s,
                                           DerivativeScratch<T>& d, const T* q, const T* v,
                                           const T* a, const ExternalLoads<Constant<T>>& loads,
                                           const Square<T>& by_q, const Square<T>& by_v,
                                           const Square<T>& mass) {
  derivatives_and_mass(tree, s, d, v, a, loads, by_q, by_v, SquareMass<T>{mass});
  add_force_derivatives(tree, s, d, q, loads, by_q, by_v);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
