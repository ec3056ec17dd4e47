#pragma once
/// The filter's step at one joint, shared by forward dynamics and by M⁻¹ times a vector:
/// elimination of the joint's own freedoms from the articulated inertia, and the matching step for
/// forces and accelerations. Letters as in (4.4)–(4.6), (5.16), (5.17):
///   D = H P H*,  G = P H* D⁻¹,  P⁺ = P − G H P,  ε = T − H z,  ν = D⁻¹ ε
/// One-freedom joints keep U = P H* and 1/D; the others the Cholesky factor D = C Cᵀ and Y = P H*
/// C⁻ᵀ.

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
/// P − g uᵀ for g = u/D: as subtract_square, but without a square root.
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

/// Eliminates a revolute joint without rotor: the z row and column of the angular part vanish.
template <class T>
LINKWRIGHT_INLINE ReducedInertia<T> eliminate_z(const ArticulatedInertia<T>& P, Gain<T>& gain) {
  gain.U = {{P.I.xz, P.I.yz, P.I.zz}, {P.H.zx, P.H.zy, P.H.zz}};
  gain.D_inv = T(1) / P.I.zz;
  gain.around = P.I.xx + P.I.yy;
  const T gx = gain.D_inv * P.I.xz, gy = gain.D_inv * P.I.yz;
  const Vector3<T> h{P.H.zx, P.H.zy, P.H.zz}, g = gain.D_inv * h;
  return {P.I.xx - gx * P.I.xz,
          P.I.xy - gx * P.I.yz,
          P.I.yy - gy * P.I.yz,
          {P.H.xx - gx * h.x, P.H.xy - gx * h.y, P.H.xz - gx * h.z},
          {P.H.yx - gy * h.x, P.H.yy - gy * h.y, P.H.yz - gy * h.z},
          {P.M.xx - g.x * h.x, P.M.yy - g.y * h.y, P.M.zz - g.z * h.z, P.M.xy - g.x * h.y,
           P.M.xz - g.x * h.z, P.M.yz - g.y * h.z}};
}

/// Eliminates d freedoms by Cholesky: no pivoting, D is positive definite.
template <class J, class T, class B>
LINKWRIGHT_INLINE ArticulatedInertia<T> eliminate_wide(const Tree<B>& tree, const Node<B>& n,
                                                       ArticulatedInertia<T> P, WideGain<T>& gain) {
  constexpr int d = J::freedoms;
  const Modes<B>& modes = tree.modes[static_cast<std::size_t>(n.wide)];
  const Symmetric3<T> I = P.I, M = P.M;
  T D[6][6];
  for (int i = 0; i < d; ++i) {
    gain.Y[i] = P * modes.column[i];
    T row[6];
    J::project(tree, n, gain.Y[i], row);
    for (int j = 0; j < d; ++j) D[i][j] = row[j];
    D[i][i] += modes.rotor[i];
  }
  for (int j = 0; j < d; ++j) {
    T diagonal = D[j][j];
    for (int l = 0; l < j; ++l) diagonal -= gain.C[j][l] * gain.C[j][l];
    // The most that D[j][j] could be for an inertia of this size: what is left must not be noise.
    const auto& mode = modes.column[j];
    const T most = dot(mode.angular, mode.angular) * (I.xx + I.yy + I.zz) +
                   dot(mode.linear, mode.linear) * (M.xx + M.yy + M.zz) + modes.rotor[j];
    gain.pivot[j] = diagonal / most;
    gain.C[j][j] = T(1) / square_root(diagonal);
    for (int i = j + 1; i < d; ++i) {
      T entry = D[i][j];
      for (int l = 0; l < j; ++l) entry -= gain.C[i][l] * gain.C[j][l];
      gain.C[i][j] = entry * gain.C[j][j];
    }
    for (int l = 0; l < j; ++l) gain.Y[j] -= gain.C[j][l] * gain.Y[l];
    gain.Y[j] = gain.C[j][j] * gain.Y[j];
    subtract_square(P, gain.Y[j]);
  }
  return P;
}

/// Stores the joint's gain and returns P⁺, in whichever storage suits the joint.
template <class J, class T, class B>
LINKWRIGHT_INLINE auto eliminate(J, const Tree<B>& tree, const Node<B>& n,
                                 const ArticulatedInertia<T>& P, Scratch<T>& s, int k) {
  if constexpr (J::freedoms > 1 || std::is_base_of_v<Wide, J>) {
    return eliminate_wide<J>(tree, n, P, s.wide[static_cast<std::size_t>(n.wide)]);
  } else if constexpr (J::reduces) {
    return eliminate_z(P, s.gain[k]);
  } else {
    Gain<T>& gain = s.gain[k];
    if constexpr (J::slides)
      gain.U = {{P.H.xz, P.H.yz, P.H.zz}, {P.M.xz, P.M.yz, P.M.zz}};
    else
      gain.U = {{P.I.xz, P.I.yz, P.I.zz}, {P.H.zx, P.H.zy, P.H.zz}};
    gain.around = J::slides ? P.M.xx + P.M.yy : P.I.xx + P.I.yy;
    gain.D_inv = T(1) / ((J::slides ? P.M.zz : P.I.zz) + n.rotor);
    ArticulatedInertia<T> rest = P;
    subtract_product(rest, gain.D_inv * gain.U, gain.U);
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
    gain.eps = tau[0] - Hz[0];
    z += (gain.D_inv * gain.eps) * gain.U;
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
    a[0] = gain.D_inv * (gain.eps - dot(gain.U, alpha));
  }
  joint.accelerate(tree, n, a, alpha);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
