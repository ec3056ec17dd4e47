#pragma once
/// Inverse dynamics: the recursive Newton–Euler equations (2.24)–(2.30), links' own axes.
///
/// Given    place(k), v, v̇, external forces f_ext(k) on the bodies
/// Computes ω(k), α(k) outward; f(k), T(k) inward
///   ω(k) = Rᵀ ω(p) + H* v                                                  (2.25)
///   α(k) = Rᵀ [ω̇(p); v̇(p) + A(p) ℓ] + H* v̇ + coriolis,  A = ω̃ ω̃ + ω̇~       (2.26), (2.19)
///   f(k) = M α + b − f_ext + Σ φ f(child)                                  (2.29), (2.23)
///   T(k) = H f(k) (+ rotor inertia)                                        (2.30)
/// The tensor A serves three times: for the children's accelerations, for F = m v̇ + A h and for
/// N = h × v̇ + vee(A J − (A J)ᵀ), J = ∫ r rᵀ dm, which contains I ω̇ + ω × I ω.
/// Gravity: the world accelerates by −g (3.21), so α(k) is the acceleration felt, not the true one.
/// Cost     O(N); counted in docs/performance.md

#include "linkwright/dynamics/sweeps/scratch.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// ω̃ ω̃ + ω̇~
template <class T>
LINKWRIGHT_INLINE Matrix3<T> acceleration_tensor(const Vector3<T>& w, const Vector3<T>& dw) {
  const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const T xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {-(yy + zz), xy - dw.z, xz + dw.y, xy + dw.z, -(xx + zz),
          yz - dw.x,  xz - dw.y, yz + dw.x, -(xx + yy)};
}

/// Inertial force M α + b of a body whose origin accelerates by `acceleration` and turns with A.
template <class T, class B>
LINKWRIGHT_INLINE Force<T> inertial_force(const Node<B>& n, const Vector3<T>& acceleration,
                                          const Matrix3<T>& A) {
  const Vector3<B>& h = n.M.first_moment;
  const Symmetric3<B>& J = n.J;
  const Vector3<T> euler{
      (A.zx * J.xy + A.zy * J.yy + A.zz * J.yz) - (A.yx * J.xz + A.yy * J.yz + A.yz * J.zz),
      (A.xx * J.xz + A.xy * J.yz + A.xz * J.zz) - (A.zx * J.xx + A.zy * J.xy + A.zz * J.xz),
      (A.yx * J.xx + A.yy * J.xy + A.yz * J.xz) - (A.xx * J.xy + A.xy * J.yy + A.xz * J.yz)};
  return {euler + cross(h, acceleration), n.M.mass * acceleration + A * h};
}

template <class T, class B>
LINKWRIGHT_INLINE Moving<T> moving_world(const Tree<B>& tree) {
  return {{}, {{}, {T(-tree.gravity.x), T(-tree.gravity.y), T(-tree.gravity.z)}}};
}

/// Over some of the runs: those they hang on come first, and stand in Scratch::moving and Scratch::A.
/// f_ext: null when no external force acts.
template <class T, class B>
LINKWRIGHT_INLINE void motion_sweep(const Tree<B>& tree, const std::vector<Run>& runs,
                                    Scratch<T>& s, const T* v, const T* a, const Force<T>* f_ext) {
  const auto* nodes = tree.nodes.data();
  outward(
      runs, [&](int p) LINKWRIGHT_INLINE_LAMBDA { return s.moving[p]; },
      [&](auto joint, int k, const Moving<T>& from) LINKWRIGHT_INLINE_LAMBDA {
        const auto& n = nodes[k];
        const Place<T>& x = s.place[k];
        const Motion<T> rate = joint.rate(tree, n, v + n.v);
        const Vector3<T> wp = joint.to_child(n, x, from.omega);
        const Vector3<T> w = wp + rate.angular;
        Motion<T> alpha = joint.coriolis(wp, w, rate);
        alpha.angular += joint.to_child(n, x, from.alpha.angular);
        alpha.linear +=
            joint.to_child(n, x, from.alpha.linear + s.A[n.parent] * joint.offset(n, x));
        joint.accelerate(tree, n, a + n.v, alpha);
        const Matrix3<T> A = acceleration_tensor(w, alpha.angular);
        Force<T> f = inertial_force(n, alpha.linear, A);
        if (f_ext != nullptr) f -= f_ext[k];
        s.A[k] = A;
        s.f[k] = f;
        return Moving<T>{w, alpha};
      },
      [&](int k, const Moving<T>& end) LINKWRIGHT_INLINE_LAMBDA { s.moving[k] = end; });
}

/// What hangs on the runs comes first, and stands in Scratch::f.
template <class T, class B>
LINKWRIGHT_INLINE void force_sweep(const Tree<B>& tree, const std::vector<Run>& runs, Scratch<T>& s,
                                   const T* a, T* tau) {
  const auto* nodes = tree.nodes.data();
  inward(
      runs, [](int) { return Force<T>{}; },
      [&](auto joint, int k, const Force<T>& from) LINKWRIGHT_INLINE_LAMBDA {
        const auto& n = nodes[k];
        const Place<T>& x = s.place[k];
        const Force<T> f = s.f[k] + from;
        // tau may be the storage of a: each entry of a is read before its successor is written.
        using J = decltype(joint);
        T effort[J::most_freedoms];
        joint.project(tree, n, f, effort);
        joint.add_rotor(tree, n, a + n.v, effort);
        for (int i = 0; i < J::freedoms(n); ++i) tau[n.v + i] = effort[i];
        if (n.parent == 0) return Force<T>{};
        return shift(joint.offset(n, x),
                     Force<T>{joint.to_parent(n, x, f.moment), joint.to_parent(n, x, f.force)});
      },
      [&](const Run& run, const Force<T>& end)
          LINKWRIGHT_INLINE_LAMBDA { s.f[run.parent] += end; });
}

template <class T>
void inverse_dynamics(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* v, const T* a,
                      const Force<T>* f_ext, T* tau) {
  s.moving[0] = moving_world<T>(tree);
  s.A[0] = {};
  motion_sweep(tree, tree.runs, s, v, a, f_ext);
  force_sweep(tree, tree.runs, s, a, tau);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
