#pragma once
/// The filter's step at one joint, shared by forward dynamics and by M⁻¹ times a vector:
/// elimination of the joint's own freedoms from the articulated inertia, and the matching step for
/// forces and accelerations. Letters as in (4.4)–(4.6), (5.16), (5.17):
///   D = H P H*,  G = P H* D⁻¹,  P⁺ = P − G H P,  ε = T − H z,  ν = D⁻¹ ε
/// One-freedom joints keep G and 1/D; the others the Cholesky factor D = C Cᵀ and Y = P H* C⁻ᵀ.

#include "linkwright/dynamics/sweeps/scratch.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// P − y yᵀ
template <class T>
LINKWRIGHT_INLINE void subtract_square(ArticulatedInertia<T>& P, const Force<T>& y) {
  const Vector3<T>&n = y.moment, &f = y.force;
  P.I.xx -= n.x * n.x, P.I.yy -= n.y * n.y, P.I.zz -= n.z * n.z;
  P.I.xy -= n.x * n.y, P.I.xz -= n.x * n.z, P.I.yz -= n.y * n.z;
  P.H.xx -= n.x * f.x, P.H.xy -= n.x * f.y, P.H.xz -= n.x * f.z;
  P.H.yx -= n.y * f.x, P.H.yy -= n.y * f.y, P.H.yz -= n.y * f.z;
  P.H.zx -= n.z * f.x, P.H.zy -= n.z * f.y, P.H.zz -= n.z * f.z;
  P.M.xx -= f.x * f.x, P.M.yy -= f.y * f.y, P.M.zz -= f.z * f.z;
  P.M.xy -= f.x * f.y, P.M.xz -= f.x * f.z, P.M.yz -= f.y * f.z;
}
/// P − g uᵀ for g = u/D, such as G H P: as subtract_square, but without a square root.
template <class T>
LINKWRIGHT_INLINE void subtract_product(ArticulatedInertia<T>& P, const Force<T>& g,
                                        const Force<T>& u) {
  const Vector3<T>&n = g.moment, &f = g.force, &m = u.moment, &e = u.force;
  P.I.xx -= n.x * m.x, P.I.yy -= n.y * m.y, P.I.zz -= n.z * m.z;
  P.I.xy -= n.x * m.y, P.I.xz -= n.x * m.z, P.I.yz -= n.y * m.z;
  P.H.xx -= n.x * e.x, P.H.xy -= n.x * e.y, P.H.xz -= n.x * e.z;
  P.H.yx -= n.y * e.x, P.H.yy -= n.y * e.y, P.H.yz -= n.y * e.z;
  P.H.zx -= n.z * e.x, P.H.zy -= n.z * e.y, P.H.zz -= n.z * e.z;
  P.M.xx -= f.x * e.x, P.M.yy -= f.y * e.y, P.M.zz -= f.z * e.z;
  P.M.xy -= f.x * e.y, P.M.xz -= f.x * e.z, P.M.yz -= f.y * e.z;
}

/// 1/D and G of a one-freedom joint.
template <class J, class T, class B>
LINKWRIGHT_INLINE void find_gain(J joint, const Tree<B>& tree, const Node<B>& n,
                                 const ArticulatedInertia<T>& P, Gain<T>& gain) {
  gain.around = J::slides ? P.M.xx + P.M.yy : P.I.xx + P.I.yy;
  if constexpr (J::reduces) {
    gain.D_inv = T(1) / P.I.zz;
    gain.G = {{gain.D_inv * P.I.xz, gain.D_inv * P.I.yz, T(1)},
              {gain.D_inv * P.H.zx, gain.D_inv * P.H.zy, gain.D_inv * P.H.zz}};
  } else {
    gain.D_inv = T(1) / ((J::slides ? P.M.zz : P.I.zz) + n.rotor);
    gain.G = gain.D_inv * joint.reaction(tree, n, P, 0);
  }
}
/// The Cholesky factor of D and Y of a joint with d freedoms: no pivoting, D is positive definite.
template <class J, class T, class B>
LINKWRIGHT_INLINE void find_wide_gain(J joint, const Tree<B>& tree, const Node<B>& n,
                                      const ArticulatedInertia<T>& P, WideGain<T>& gain) {
  constexpr int d = J::freedoms;
  const Modes<B>& modes = tree.modes[static_cast<std::size_t>(n.wide)];
  T D[d][d];
  for (int i = 0; i < d; ++i) {
    gain.Y[i] = joint.reaction(tree, n, P, i);
    joint.project(tree, n, gain.Y[i], D[i]);
    D[i][i] += modes.rotor[i];
  }
  for (int j = 0; j < d; ++j) {
    T diagonal = D[j][j];
    for (int l = 0; l < j; ++l) diagonal -= gain.C[j][l] * gain.C[j][l];
    gain.pivot[j] = diagonal;
    // The most that D[j][j] could be for an inertia of this size: what is left must not be noise.
    const auto& mode = modes.column[j];
    gain.most[j] = dot(mode.angular, mode.angular) * (P.I.xx + P.I.yy + P.I.zz) +
                   dot(mode.linear, mode.linear) * (P.M.xx + P.M.yy + P.M.zz) + modes.rotor[j];
    gain.C[j][j] = T(1) / square_root(diagonal);
    for (int i = j + 1; i < d; ++i) {
      T entry = D[i][j];
      for (int l = 0; l < j; ++l) entry -= gain.C[i][l] * gain.C[j][l];
      gain.C[i][j] = entry * gain.C[j][j];
    }
    for (int l = 0; l < j; ++l) gain.Y[j] -= gain.C[j][l] * gain.Y[l];
    gain.Y[j] = gain.C[j][j] * gain.Y[j];
  }
}
/// Eliminates the joint's own freedoms as far as the joint itself needs to know.
template <class J, class T, class B>
LINKWRIGHT_INLINE void eliminate(J joint, const Tree<B>& tree, const Node<B>& n,
                                 const ArticulatedInertia<T>& P, Scratch<T>& s, int k) {
  if constexpr (std::is_base_of_v<Wide, J>)
    find_wide_gain(joint, tree, n, P, s.wide[static_cast<std::size_t>(n.wide)]);
  else
    find_gain(joint, tree, n, P, s.gain[k]);
}

/// P⁺ of a revolute joint without rotor: the z row and column of the angular part vanish.
template <class T>
LINKWRIGHT_INLINE ReducedInertia<T> without_z(const ArticulatedInertia<T>& P, const Force<T>& G) {
  const T &gx = G.moment.x, &gy = G.moment.y;
  const Vector3<T> h{P.H.zx, P.H.zy, P.H.zz}, &g = G.force;
  return {P.I.xx - gx * P.I.xz,
          P.I.xy - gx * P.I.yz,
          P.I.yy - gy * P.I.yz,
          {P.H.xx - gx * h.x, P.H.xy - gx * h.y, P.H.xz - gx * h.z},
          {P.H.yx - gy * h.x, P.H.yy - gy * h.y, P.H.yz - gy * h.z},
          {P.M.xx - g.x * h.x, P.M.yy - g.y * h.y, P.M.zz - g.z * h.z, P.M.xy - g.x * h.y,
           P.M.xz - g.x * h.z, P.M.yz - g.y * h.z}};
}
/// P⁺, what the parent feels of P through the joint, in whichever storage suits the joint.
template <class J, class T, class B>
LINKWRIGHT_INLINE auto remainder(J joint, const Tree<B>& tree, const Node<B>& n,
                                 const ArticulatedInertia<T>& P, const Scratch<T>& s, int k) {
  if constexpr (J::reduces) {
    return without_z(P, s.gain[k].G);
  } else {
    ArticulatedInertia<T> rest = P;
    if constexpr (std::is_base_of_v<Wide, J>) {
      const WideGain<T>& gain = s.wide[static_cast<std::size_t>(n.wide)];
      for (int i = 0; i < J::freedoms; ++i) subtract_square(rest, gain.Y[i]);
    } else {
      subtract_product(rest, s.gain[k].G, joint.reaction(tree, n, P, 0));
    }
    return rest;
  }
}

/// ε = T − H z, and z + G ε: what the joint passes on towards the base.
template <class J, class T, class B>
LINKWRIGHT_INLINE Force<T> filter(J joint, const Tree<B>& tree, const Node<B>& n, const T* tau,
                                  Force<T> z, Scratch<T>& s, int k) {
  constexpr int d = J::freedoms;
  T Hz[d];
  joint.project(tree, n, z, Hz);
  if constexpr (std::is_base_of_v<Wide, J>) {
    WideGain<T>& gain = s.wide[static_cast<std::size_t>(n.wide)];
    for (int i = 0; i < d; ++i) {
      T e = tau[i] - Hz[i];
      for (int j = 0; j < i; ++j) e -= gain.C[i][j] * gain.e[j];
      gain.e[i] = e * gain.C[i][i];
      z += gain.e[i] * gain.Y[i];
    }
  } else {
    Gain<T>& gain = s.gain[k];
    const T eps = tau[0] - Hz[0];
    gain.nu = gain.D_inv * eps;
    // Where G's own component is 1, z's becomes the effort itself.
    if constexpr (J::reduces)
      z = {{z.moment.x + eps * gain.G.moment.x, z.moment.y + eps * gain.G.moment.y, tau[0]},
           z.force + eps * gain.G.force};
    else
      z += eps * gain.G;
  }
  return z;
}

/// v̇ = ν − Gᵀ α′, and α = α′ + H* v̇, for α′ = φᵀ α(parent) + a.
template <class J, class T, class B>
LINKWRIGHT_INLINE void smooth(J joint, const Tree<B>& tree, const Node<B>& n, Motion<T>& alpha,
                              T* a, const Scratch<T>& s, int k) {
  constexpr int d = J::freedoms;
  if constexpr (std::is_base_of_v<Wide, J>) {
    const WideGain<T>& gain = s.wide[static_cast<std::size_t>(n.wide)];
    for (int i = d - 1; i >= 0; --i) {
      T y = gain.e[i] - dot(gain.Y[i], alpha);
      for (int j = i + 1; j < d; ++j) y -= gain.C[j][i] * a[j];
      a[i] = y * gain.C[i][i];
    }
  } else {
    const Gain<T>& gain = s.gain[k];
    if constexpr (J::reduces)
      a[0] = (gain.nu - alpha.angular.z) -
             (gain.G.moment.x * alpha.angular.x + gain.G.moment.y * alpha.angular.y +
              dot(gain.G.force, alpha.linear));
    else
      a[0] = gain.nu - dot(gain.G, alpha);
  }
  joint.accelerate(tree, n, a, alpha);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
