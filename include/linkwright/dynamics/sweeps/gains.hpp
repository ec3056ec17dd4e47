#pragma once
/// What the filter finds at a joint and the smoother needs again. Letters as in (4.4)–(4.6), (5.16),
/// (5.17):
///   D = H P H*,  G = P H* D⁻¹,  P⁺ = P − G H P,  ε = T − H z,  ν = D⁻¹ ε
/// Gain keeps G and 1/D of a joint with one freedom; MultiGain the factors D = L Δ Lᵀ, L with a unit
/// diagonal and Δ diagonal, and Y = P H* L⁻ᵀ of a joint with d, so that P H* D⁻¹ H P = Y Δ⁻¹ Yᵀ. No
/// square root stands between one freedom and the next. Both answer the same questions:
///   find             D and G from P
///   remainder        P⁺
///   filter           z + G ε, and keeps ν
///   smooth           v̇ = ν − Gᵀ α
///   apply_G, apply_Gt, apply_D_inverse, apply_root_of_D   as operators on d numbers
///   log_determinant                                       of D

#include <cmath>

#include "linkwright/dynamics/sweeps/joints.hpp"

namespace linkwright::sweeps {

/// P − g uᵀ for g = u/D, such as G H P.
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

/// Of a joint with one freedom.
template <class T>
struct Gain {
  Force<T> G{};  // P H* / D
  T D_inv{};     // 1 / D, D = H P H* + rotor
  T around{};    // size of the inertia that D was a part of
  T nu{};        // ν = ε / D, innovation ε = T − H z

  template <class J, class B>
  LINKWRIGHT_INLINE void find(J joint, const Tree<B>& tree, const Node<B>& n,
                              const ArticulatedInertia<T>& P) {
    around = J::slides ? P.M.xx + P.M.yy : P.I.xx + P.I.yy;
    if constexpr (J::reduces) {
      D_inv = T(1) / P.I.zz;
      G = {{D_inv * P.I.xz, D_inv * P.I.yz, T(1)},
           {D_inv * P.H.zx, D_inv * P.H.zy, D_inv * P.H.zz}};
    } else {
      D_inv = T(1) / ((J::slides ? P.M.zz : P.I.zz) + n.rotor);
      G = D_inv * joint.reaction(tree, n, P, 0);
    }
  }
  /// In whichever storage suits the joint.
  template <class J, class B>
  LINKWRIGHT_INLINE auto remainder(J joint, const Tree<B>& tree, const Node<B>& n,
                                   const ArticulatedInertia<T>& P) const {
    if constexpr (J::reduces) {
      return without_z(P, G);
    } else {
      ArticulatedInertia<T> rest = P;
      subtract_product(rest, G, joint.reaction(tree, n, P, 0));
      return rest;
    }
  }
  template <class J, class B>
  LINKWRIGHT_INLINE Force<T> filter(J joint, const Tree<B>& tree, const Node<B>& n, const T* tau,
                                    const Force<T>& z) {
    T Hz[1];
    joint.project(tree, n, z, Hz);
    const T eps = tau[0] - Hz[0];
    nu = D_inv * eps;
    // Where G's own component is 1, z's becomes the effort itself.
    if constexpr (J::reduces)
      return {{z.moment.x + eps * G.moment.x, z.moment.y + eps * G.moment.y, tau[0]},
              z.force + eps * G.force};
    else
      return z + eps * G;
  }
  template <class J, class B>
  LINKWRIGHT_INLINE void smooth(J, const Node<B>&, const Motion<T>& alpha, T* a) const {
    if constexpr (J::reduces)
      a[0] = (nu - alpha.angular.z) - (G.moment.x * alpha.angular.x + G.moment.y * alpha.angular.y +
                                       dot(G.force, alpha.linear));
    else
      a[0] = nu - dot(G, alpha);
  }

  LINKWRIGHT_INLINE Force<T> apply_G(const T* tau, int) const { return tau[0] * G; }
  LINKWRIGHT_INLINE void apply_Gt(const Motion<T>& m, T* a, int) const { a[0] = dot(G, m); }
  LINKWRIGHT_INLINE void apply_D_inverse(T* tau, int) const { tau[0] = D_inv * tau[0]; }
  /// x = D^½ w
  void apply_root_of_D(const T* w, T* x, int) const { x[0] = w[0] / square_root(D_inv); }
  [[nodiscard]] T log_determinant(int) const { return -std::log(D_inv); }
};

/// Of a joint with d freedoms.
template <class T>
struct MultiGain {
  Force<T> Y[6]{};
  T L[6][6]{};  // below the diagonal of ones
  T inverse_Delta[6]{};
  T e[6]{};      // L⁻¹ ε
  T pivot[6]{};  // Δ: what was left of each diagonal entry of D to divide by,
  T most[6]{};   // and the most it could have been

  /// No pivoting, D is positive definite.
  template <class J, class B>
  LINKWRIGHT_INLINE void find(J joint, const Tree<B>& tree, const Node<B>& n,
                              const ArticulatedInertia<T>& P) {
    const int d = J::freedoms(n);
    const Modes<B>& modes = J::modes(tree, n);
    T D[J::most_freedoms][J::most_freedoms];  // below the diagonal soon L Δ
    for (int i = 0; i < d; ++i) {
      Y[i] = joint.reaction(tree, n, P, i);
      joint.project(tree, n, Y[i], D[i]);
      D[i][i] += modes.rotor[i];
    }
    for (int j = 0; j < d; ++j) {
      T diagonal = D[j][j];
      for (int l = 0; l < j; ++l) diagonal -= D[j][l] * L[j][l];
      pivot[j] = diagonal;
      // The most that D[j][j] could be for an inertia of this size: what is left must not be noise.
      const auto& mode = modes.column[j];
      most[j] = dot(mode.angular, mode.angular) * (P.I.xx + P.I.yy + P.I.zz) +
                dot(mode.linear, mode.linear) * (P.M.xx + P.M.yy + P.M.zz) + modes.rotor[j];
      inverse_Delta[j] = T(1) / diagonal;
      for (int i = j + 1; i < d; ++i) {
        for (int l = 0; l < j; ++l) D[i][j] -= D[i][l] * L[j][l];
        L[i][j] = D[i][j] * inverse_Delta[j];
      }
      for (int l = 0; l < j; ++l) Y[j] -= L[j][l] * Y[l];
    }
  }
  template <class J, class B>
  LINKWRIGHT_INLINE ArticulatedInertia<T> remainder(J, const Tree<B>&, const Node<B>& n,
                                                    const ArticulatedInertia<T>& P) const {
    ArticulatedInertia<T> rest = P;
    for (int i = 0; i < J::freedoms(n); ++i) subtract_product(rest, inverse_Delta[i] * Y[i], Y[i]);
    return rest;
  }
  template <class J, class B>
  LINKWRIGHT_INLINE Force<T> filter(J joint, const Tree<B>& tree, const Node<B>& n, const T* tau,
                                    Force<T> z) {
    T Hz[J::most_freedoms];
    joint.project(tree, n, z, Hz);
    for (int i = 0; i < J::freedoms(n); ++i) {
      e[i] = tau[i] - Hz[i];
      for (int j = 0; j < i; ++j) e[i] -= L[i][j] * e[j];
      z += (inverse_Delta[i] * e[i]) * Y[i];
    }
    return z;
  }
  template <class J, class B>
  LINKWRIGHT_INLINE void smooth(J, const Node<B>& n, const Motion<T>& alpha, T* a) const {
    const int d = J::freedoms(n);
    for (int i = d - 1; i >= 0; --i) {
      a[i] = inverse_Delta[i] * (e[i] - dot(Y[i], alpha));
      for (int j = i + 1; j < d; ++j) a[i] -= L[j][i] * a[j];
    }
  }

  LINKWRIGHT_INLINE Force<T> apply_G(const T* tau, int d) const {
    T x[6];
    Force<T> f{};
    for (int i = 0; i < d; ++i) {
      x[i] = tau[i];
      for (int j = 0; j < i; ++j) x[i] -= L[i][j] * x[j];
      f += (inverse_Delta[i] * x[i]) * Y[i];
    }
    return f;
  }
  LINKWRIGHT_INLINE void apply_Gt(const Motion<T>& m, T* a, int d) const {
    for (int i = 0; i < d; ++i) a[i] = inverse_Delta[i] * dot(Y[i], m);
    divide_by_Lt(a, d);
  }
  LINKWRIGHT_INLINE void apply_D_inverse(T* tau, int d) const {
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < i; ++j) tau[i] -= L[i][j] * tau[j];
    for (int i = 0; i < d; ++i) tau[i] = inverse_Delta[i] * tau[i];
    divide_by_Lt(tau, d);
  }
  /// x = L Δ^½ w
  void apply_root_of_D(const T* w, T* x, int d) const {
    for (int i = 0; i < d; ++i) {
      x[i] = square_root(pivot[i]) * w[i];
      for (int j = 0; j < i; ++j) x[i] += L[i][j] * (square_root(pivot[j]) * w[j]);
    }
  }
  [[nodiscard]] T log_determinant(int d) const {
    T sum = 0;
    for (int i = 0; i < d; ++i) sum += std::log(pivot[i]);
    return sum;
  }

 private:
  /// x = L⁻ᵀ x
  LINKWRIGHT_INLINE void divide_by_Lt(T* x, int d) const {
    for (int i = d - 1; i >= 0; --i)
      for (int j = i + 1; j < d; ++j) x[i] -= L[j][i] * x[j];
  }
};

}  // namespace linkwright::sweeps
