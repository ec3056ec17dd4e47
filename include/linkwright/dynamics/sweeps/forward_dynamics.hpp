#pragma once
/// Forward dynamics in O(N): the paper's algorithm FD4, a Kalman filter towards the base and a
/// smoother towards the tip, with the bias accelerations taken along.
///
/// Given    place(k), v, T, external forces f_ext(k) on the bodies
/// Sweep 1, outward  ω(k), a(k) = Rᵀ [0; ω(p) × (ω(p) × ℓ)] + coriolis              (2.19)
///                   b(k) = [ω × I ω; ω × (ω × h)]                                  (2.23)
/// Sweep 2, inward   P(k) = M + Σ φ P⁺ φᵀ                                           (4.5)
///                   z(k) = b − f_ext + Σ φ (z + P⁺ a + G ε)                        (5.16)
/// Sweep 3, outward  α′ = φᵀ α(p) + a,  v̇ = ν − Gᵀ α′,  α = α′ + H* v̇               (5.17)
/// The world accelerates by −g (3.21).
/// Cost     O(N); counted in docs/performance.md

#include "linkwright/dynamics/sweeps/articulated.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

template <class T>
LINKWRIGHT_INLINE void bias_sweep(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* v,
                                  const Force<T>* f_ext) {
  const auto* nodes = tree.nodes.data();
  outward(tree, [&](auto joint, int k) {
    const auto& n = nodes[k];
    const Place<T>& x = s.place[k];
    const Motion<T> rate = joint.rate(tree, n, v + n.v);
    const Vector3<T> wp = joint.to_child(n, x, s.omega[n.parent]);
    const Vector3<T> w = wp + rate.angular;
    Motion<T> a = joint.coriolis(wp, w, rate);
    if (n.parent != 0) {
      const Vector3<T>& wb = s.omega[n.parent];
      a.linear += joint.to_child(n, x, cross(wb, cross(wb, joint.offset(n, x))));
    }
    Force<T> b{cross(w, n.M.rotational * w), cross(w, cross(w, n.M.first_moment))};
    if (f_ext != nullptr) b -= f_ext[k];
    s.omega[k] = w;
    s.a[k] = a;
    s.z[k] = b;
    s.P[k] = to_articulated<T>(n.M);
  });
}

template <class T>
LINKWRIGHT_INLINE void filter_sweep(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* tau) {
  const auto* nodes = tree.nodes.data();
  inward(tree, [&](auto joint, int k) {
    const auto& n = nodes[k];
    const Place<T>& x = s.place[k];
    const auto rest = eliminate(joint, tree, n, s.P[k], s, k);
    Force<T> z = filter(joint, tree, n, tau + n.v, s.z[k], s, k);
    if (n.parent != 0) {
      z += rest * s.a[k];
      const auto offset = joint.offset(n, x);
      const Force<T> turned{joint.to_parent(n, x, z.moment), joint.to_parent(n, x, z.force)};
      s.z[n.parent] += shift(offset, turned);
      s.P[n.parent] += shift(offset, joint.congruence(n, x, rest));
    }
  });
}

template <class T>
void forward_dynamics_smoother(const Tree<Constant<T>>& tree, Scratch<T>& s, T* a) {
  const auto* nodes = tree.nodes.data();
  outward(tree, [&](auto joint, int k) {
    const auto& n = nodes[k];
    const Place<T>& x = s.place[k];
    const Motion<T> alpha_p = shift(joint.offset(n, x), s.alpha[n.parent]);
    Motion<T> alpha = s.a[k];
    alpha.angular += joint.to_child(n, x, alpha_p.angular);
    alpha.linear += joint.to_child(n, x, alpha_p.linear);
    smooth(joint, tree, n, alpha, a + n.v, s, k);
    s.alpha[k] = alpha;
  });
}

/// Sweeps 1 and 2: everything up to the innovations. What stands in the way of an answer shows
/// here.
template <class T>
void forward_dynamics_filter(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* v, const T* tau,
                             const Force<T>* f_ext) {
  start_world(tree, s);
  bias_sweep(tree, s, v, f_ext);
  filter_sweep(tree, s, tau);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
