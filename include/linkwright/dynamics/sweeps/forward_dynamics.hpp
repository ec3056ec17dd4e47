#pragma once
/// Forward dynamics in O(N): the paper's algorithm FD4, a Kalman filter towards the base and a
/// smoother towards the tip, with the bias accelerations taken along.
///
/// Given    q, v, T, external forces on the bodies
/// First             place(k), f_ext(k), forces at the joints: acting_forces.hpp
/// Sweep 1, outward  ω(k), a(k) = Rᵀ [0; ω(p) × (ω(p) × ℓ)] + coriolis              (2.19)
///                   b(k) = [ω × I ω; ω × (ω × h)]                                  (2.23)
/// Sweep 2, inward   P(k) = M + Σ φ P⁺ φᵀ                                           (4.5)
///                   z(k) = b − f_ext + Σ φ (z + P⁺ a + G ε)                        (5.16)
/// Sweep 3, outward  α′ = φᵀ α(p) + a,  v̇ = ν − Gᵀ α′,  α = α′ + H* v̇               (5.17)
/// The world accelerates by −g (3.21).
/// Cost     O(N); counted in docs/performance.md

#include "linkwright/dynamics/sweeps/acting_forces.hpp"
#include "linkwright/dynamics/sweeps/articulated.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// Over some of the runs: those they hang on come first, and stand in Scratch::omega.
template <class T, class B>
LINKWRIGHT_INLINE void bias_sweep(const Tree<B>& tree, const std::vector<Run>& runs, Scratch<T>& s,
                                  const T* v, const Force<T>* f_ext) {
  const auto* nodes = tree.nodes.data();
  s.stamp.drop(Held::inertias);
  s.omega[0] = {};
  outward(
      runs, [&](int p) LINKWRIGHT_INLINE_LAMBDA { return s.omega[p]; },
      [&](auto joint, int k, const Vector3<T>& wb) LINKWRIGHT_INLINE_LAMBDA {
        const auto& n = nodes[k];
        const Place<T>& x = s.place[k];
        const Motion<T> rate = joint.rate(tree, n, v + n.v);
        const Vector3<T> wp = joint.to_child(n, x, wb);
        const Vector3<T> w = wp + rate.angular;
        Motion<T> a = joint.coriolis(wp, w, rate);
        if (n.parent != 0)
          a.linear += joint.to_child(n, x, cross(wb, cross(wb, joint.offset(n, x))));
        Force<T> b{cross(w, n.M.rotational * w), cross(w, cross(w, n.M.first_moment))};
        if (f_ext != nullptr) b -= f_ext[k];
        s.a[k] = a;
        s.z[k] = b;
        return w;
      },
      [&](int k, const Vector3<T>& end) LINKWRIGHT_INLINE_LAMBDA { s.omega[k] = end; });
}

/// The same on its own: a(k) in Scratch::a, b(k) − f_ext(k) in Scratch::z.
template <class T>
void biases(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* v, const Force<T>* f_ext) {
  bias_sweep(tree, tree.runs, s, v, f_ext);
}

/// What a joint passes on to its parent: P⁺ and z, as the parent feels them.
template <class T>
struct Filtered {
  ArticulatedInertia<T> P;
  Force<T> z;
};

/// What hangs on the runs comes first, and stands in Scratch::P and Scratch::z.
template <class T, class B>
LINKWRIGHT_INLINE void filter_sweep(const Tree<B>& tree, const std::vector<Run>& runs,
                                    Scratch<T>& s, const T* tau) {
  const auto* nodes = tree.nodes.data();
  inward(
      runs,
      [&](int k) LINKWRIGHT_INLINE_LAMBDA {
        if (is_tip(nodes[k])) return Filtered<T>{};
        return Filtered<T>{s.P[k], {}};
      },
      [&](auto joint, int k, const Filtered<T>& from) LINKWRIGHT_INLINE_LAMBDA {
        const auto& n = nodes[k];
        const Place<T>& x = s.place[k];
        const ArticulatedInertia<T> P = n.M + from.P;
        eliminate(joint, tree, n, P, s, k);
        Force<T> z = filter(joint, tree, n, tau + n.v, s.z[k] + from.z, s, k);
        if (n.parent == 0) return Filtered<T>{};
        const auto rest = remainder(joint, tree, n, P, s, k);
        z += rest * s.a[k];
        const auto offset = joint.offset(n, x);
        const Force<T> turned{joint.to_parent(n, x, z.moment), joint.to_parent(n, x, z.force)};
        return Filtered<T>{shift(offset, joint.congruence(n, x, rest)), shift(offset, turned)};
      },
      [&](const Run& run, const Filtered<T>& end) LINKWRIGHT_INLINE_LAMBDA {
        const int p = run.parent;
        if (p == 0) return;
        if (run.joins)
          s.P[p] += end.P;
        else
          s.P[p] = end.P;
        s.z[p] += end.z;
      });
}

/// As bias_sweep, with Scratch::alpha.
template <class T, class B>
LINKWRIGHT_INLINE void smoother_sweep(const Tree<B>& tree, const std::vector<Run>& runs,
                                      Scratch<T>& s, T* a) {
  const auto* nodes = tree.nodes.data();
  s.stamp.drop(Held::accelerations);
  outward(
      runs, [&](int p) LINKWRIGHT_INLINE_LAMBDA { return s.alpha[p]; },
      [&](auto joint, int k, const Motion<T>& from) LINKWRIGHT_INLINE_LAMBDA {
        const auto& n = nodes[k];
        const Place<T>& x = s.place[k];
        const Motion<T> alpha_p = shift(joint.offset(n, x), from);
        Motion<T> alpha = s.a[k];
        alpha.angular += joint.to_child(n, x, alpha_p.angular);
        alpha.linear += joint.to_child(n, x, alpha_p.linear);
        smooth(joint, tree, n, alpha, a + n.v, s, k);
        return alpha;
      },
      [&](int k, const Motion<T>& end) LINKWRIGHT_INLINE_LAMBDA { s.alpha[k] = end; });
}

/// Everything up to the innovations, for one state or a pack of them. What stands in the way of an
/// answer shows here. `room` as in add_joint_forces.
template <class T, class Loads>
void forward_dynamics_filter(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* q, const T* v,
                             const T* tau, T* room, const Loads& loads) {
  const Force<T>* f_ext = place_and_gather(tree, s, q, v, loads);
  const T* effort = add_joint_forces(tree, q, v, tau, room);
  bias_sweep(tree, tree.runs, s, v, f_ext);
  filter_sweep(tree, tree.runs, s, effort);
}
template <class T>
void forward_dynamics_smoother(const Tree<Constant<T>>& tree, Scratch<T>& s, T* a) {
  s.alpha[0] = moving_world<T>(tree).alpha;
  smoother_sweep(tree, tree.runs, s, a);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
