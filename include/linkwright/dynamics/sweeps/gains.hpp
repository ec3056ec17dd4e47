#pragma once
/// What the filter finds at a joint and the smoother needs again. Letters as in (4.4)–(4.6), (5.16),
/// (5.17):
///   D = H P H*,  G = P H* D⁻¹,  P⁺ = P − G H P,  ε = T − H z,  ν = D⁻¹ ε
/// Gain keeps G and 1/D of a joint with one freedom; MultiGain the Cholesky factor D = C Cᵀ and
/// Y = P H* C⁻ᵀ of a joint with d, so that P H* D⁻¹ H P = Y Yᵀ. Both answer the same questions:
///   find             D and G from P
///   remainder        P⁺
///   filter           z + G ε, and keeps ν
///   smooth           v̇ = ν − Gᵀ α
///   apply_G, apply_Gt, apply_D_inverse, apply_root_of_D   as operators on d numbers
///   log_determinant                                       of D

#include <cmath>

#include "linkwright/dynamics/sweeps/joints.hpp"

namespace linkwright::sweeps {

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
  T C[6][6]{};   // lower triangle; the diagonal holds reciprocals
  T e[6]{};      // C⁻¹ ε
  T pivot[6]{};  // what was left of each diagonal entry of D to divide by,
  T most[6]{};   // and the most it could have been

  /// No pivoting, D is positive definite.
  template <class J, class B>
  LINKWRIGHT_INLINE void find(J joint, const Tree<B>& tree, const Node<B>& n,
                              const ArticulatedInertia<T>& P) {
    const int d = J::freedoms(n);
    const Modes<B>& modes = J::modes(tree, n);
    T D[J::most_freedoms][J::most_freedoms];
    for (int i = 0; i < d; ++i) {
      Y[i] = joint.reaction(tree, n, P, i);
      joint.project(tree, n, Y[i], D[i]);
      D[i][i] += modes.rotor[i];
    }
    for (int j = 0; j < d; ++j) {
      T diagonal = D[j][j];
      for (int l = 0; l < j; ++l) diagonal -= C[j][l] * C[j][l];
      pivot[j] = diagonal;
      // The most that D[j][j] could be for an inertia of this size: what is left must not be noise.
      const auto& mode = modes.column[j];
      most[j] = dot(mode.angular, mode.angular) * (P.I.xx + P.I.yy + P.I.zz) +
                dot(mode.linear, mode.linear) * (P.M.xx + P.M.yy + P.M.zz) + modes.rotor[j];
      C[j][j] = T(1) / square_root(diagonal);
      for (int i = j + 1; i < d; ++i) {
        T entry = D[i][j];
        for (int l = 0; l < j; ++l) entry -= C[i][l] * C[j][l];
        C[i][j] = entry * C[j][j];
      }
      for (int l = 0; l < j; ++l) Y[j] -= C[j][l] * Y[l];
      Y[j] = C[j][j] * Y[j];
    }
  }
  template <class J, class B>
  LINKWRIGHT_INLINE ArticulatedInertia<T> remainder(J, const Tree<B>&, const Node<B>& n,
                                                    const ArticulatedInertia<T>& P) const {
    ArticulatedInertia<T> rest = P;
    for (int i = 0; i < J::freedoms(n); ++i) subtract_square(rest, Y[i]);
    return rest;
  }
  template <class J, class B>
  LINKWRIGHT_INLINE Force<T> filter(J joint, const Tree<B>& tree, const Node<B>& n, const T* tau,
                                    Force<T> z) {
    T Hz[J::most_freedoms];
    joint.project(tree, n, z, Hz);
    for (int i = 0; i < J::freedoms(n); ++i) {
      T eps = tau[i] - Hz[i];
      for (int j = 0; j < i; ++j) eps -= C[i][j] * e[j];
      e[i] = eps * C[i][i];
      z += e[i] * Y[i];
    }
    return z;
  }
  template <class J, class B>
  LINKWRIGHT_INLINE void smooth(J, const Node<B>& n, const Motion<T>& alpha, T* a) const {
    const int d = J::freedoms(n);
    for (int i = d - 1; i >= 0; --i) {
      T y = e[i] - dot(Y[i], alpha);
      for (int j = i + 1; j < d; ++j) y -= C[j][i] * a[j];
      a[i] = y * C[i][i];
    }
  }

  LINKWRIGHT_INLINE Force<T> apply_G(const T* tau, int d) const {
    T x[6];
    Force<T> f{};
    for (int i = 0; i < d; ++i) {
      x[i] = tau[i];
      for (int j = 0; j < i; ++j) x[i] -= C[i][j] * x[j];
      x[i] = x[i] * C[i][i];
      f += x[i] * Y[i];
    }
    return f;
  }
  LINKWRIGHT_INLINE void apply_Gt(const Motion<T>& m, T* a, int d) const {
    for (int i = 0; i < d; ++i) a[i] = dot(Y[i], m);
    divide_by_Ct(a, d);
  }
  LINKWRIGHT_INLINE void apply_D_inverse(T* tau, int d) const {
    divide_by_C(tau, d);
    divide_by_Ct(tau, d);
  }
  /// x = C w
  void apply_root_of_D(const T* w, T* x, int d) const {
    for (int i = 0; i < d; ++i) {
      x[i] = w[i] / C[i][i];  // the diagonal holds reciprocals
      for (int j = 0; j < i; ++j) x[i] += C[i][j] * w[j];
    }
  }
  [[nodiscard]] T log_determinant(int d) const {
    T sum = 0;
    for (int i = 0; i < d; ++i) sum -= 2 * std::log(C[i][i]);
    return sum;
  }

 private:
  /// x = C⁻¹ x
  LINKWRIGHT_INLINE void divide_by_C(T* x, int d) const {
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < i; ++j) x[i] -= C[i][j] * x[j];
      x[i] = x[i] * C[i][i];
    }
  }
  /// x = C⁻ᵀ x
  LINKWRIGHT_INLINE void divide_by_Ct(T* x, int d) const {
    for (int i = d - 1; i >= 0; --i) {
      for (int j = i + 1; j < d; ++j) x[i] -= C[j][i] * x[j];
      x[i] = x[i] * C[i][i];
    }
  }
};

}  // namespace linkwright::sweeps
