#pragma once
/// Articulated inertia P: what a body feels like when its outboard joints are free to give way.
/// A symmetric 6×6 matrix in 21 numbers, P = [I H; Hᵀ M], mapping a motion to a force.

#include "linkwright/spatial/inertia.hpp"

namespace linkwright::spatial {

template <class T>
struct ArticulatedInertia {
  Symmetric3<T> I{};
  Matrix3<T> H{};
  Symmetric3<T> M{};
};

template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const ArticulatedInertia<A>& P, const Motion<B>& v)
    -> Force<Product<A, B>> {
  return {P.I * v.angular + P.H * v.linear, transpose_times(P.H, v.angular) + P.M * v.linear};
}
template <class T>
LINKWRIGHT_INLINE ArticulatedInertia<T>& operator+=(ArticulatedInertia<T>& a,
                                                    const ArticulatedInertia<T>& b) {
  a.I += b.I;
  a.H += b.H;
  a.M += b.M;
  return a;
}
/// P times a unit motion about or along axis i (0, 1, 2 for x, y, z).
template <class T>
LINKWRIGHT_INLINE Force<T> angular_column(const ArticulatedInertia<T>& P, int i) {
  if (i == 0) return {{P.I.xx, P.I.xy, P.I.xz}, {P.H.xx, P.H.xy, P.H.xz}};
  if (i == 1) return {{P.I.xy, P.I.yy, P.I.yz}, {P.H.yx, P.H.yy, P.H.yz}};
  return {{P.I.xz, P.I.yz, P.I.zz}, {P.H.zx, P.H.zy, P.H.zz}};
}
template <class T>
LINKWRIGHT_INLINE Force<T> linear_column(const ArticulatedInertia<T>& P, int i) {
  if (i == 0) return {{P.H.xx, P.H.yx, P.H.zx}, {P.M.xx, P.M.xy, P.M.xz}};
  if (i == 1) return {{P.H.xy, P.H.yy, P.H.zy}, {P.M.xy, P.M.yy, P.M.yz}};
  return {{P.H.xz, P.H.yz, P.H.zz}, {P.M.xz, P.M.yz, P.M.zz}};
}
/// A body together with what hangs on it: fifteen of P's numbers change.
template <class B, class T>
LINKWRIGHT_INLINE ArticulatedInertia<T> operator+(const Inertia<B>& m,
                                                  const ArticulatedInertia<T>& P) {
  const Vector3<B>& h = m.first_moment;
  const Symmetric3<B>& I = m.rotational;
  return {
      {P.I.xx + I.xx, P.I.yy + I.yy, P.I.zz + I.zz, P.I.xy + I.xy, P.I.xz + I.xz, P.I.yz + I.yz},
      {P.H.xx, P.H.xy - h.z, P.H.xz + h.y, P.H.yx + h.z, P.H.yy, P.H.yz - h.x, P.H.zx - h.y,
       P.H.zy + h.x, P.H.zz},
      {P.M.xx + m.mass, P.M.yy + m.mass, P.M.zz + m.mass, P.M.xy, P.M.xz, P.M.yz}};
}
/// φ P φᵀ: the same inertia felt at a point that lies at −l (eq. 4.5).
template <class A, class T>
LINKWRIGHT_INLINE ArticulatedInertia<T> shift(const Vector3<A>& l, const ArticulatedInertia<T>& P) {
  // K = l̃ M, so H' = H + K and I' = I + l̃ Hᵀ + (l̃ Hᵀ)ᵀ + K l̃ᵀ = I + sym(l̃ (H + H')ᵀ).
  const Vector3<T> kx = cross(l, Vector3<T>{P.M.xx, P.M.xy, P.M.xz});
  const Vector3<T> ky = cross(l, Vector3<T>{P.M.xy, P.M.yy, P.M.yz});
  const Vector3<T> kz = cross(l, Vector3<T>{P.M.xz, P.M.yz, P.M.zz});
  const Matrix3<T> H{P.H.xx + kx.x, P.H.xy + ky.x, P.H.xz + kz.x, P.H.yx + kx.y, P.H.yy + ky.y,
                     P.H.yz + kz.y, P.H.zx + kx.z, P.H.zy + ky.z, P.H.zz + kz.z};
  // Rows of H and H' enter the moments of I: row_i(I) gains l × row_i(H') and its mirror with H.
  const Matrix3<T>& G = P.H;
  return {{P.I.xx + l.y * (G.xz + H.xz) - l.z * (G.xy + H.xy),
           P.I.yy + l.z * (G.yx + H.yx) - l.x * (G.yz + H.yz),
           P.I.zz + l.x * (G.zy + H.zy) - l.y * (G.zx + H.zx),
           P.I.xy + l.z * H.xx - l.x * H.xz + l.y * G.yz - l.z * G.yy,
           P.I.xz + l.x * H.xy - l.y * H.xx + l.y * G.zz - l.z * G.zy,
           P.I.yz + l.x * H.yy - l.y * H.yx + l.z * G.zx - l.x * G.zz},
          H,
          P.M};
}
template <class A, class T>
LINKWRIGHT_INLINE ArticulatedInertia<T> shift(const VectorXZ<A>& l,
                                              const ArticulatedInertia<T>& P) {
  const Matrix3<T> H{P.H.xx - l.z * P.M.xy,
                     P.H.xy - l.z * P.M.yy,
                     P.H.xz - l.z * P.M.yz,
                     P.H.yx + l.z * P.M.xx - l.x * P.M.xz,
                     P.H.yy + l.z * P.M.xy - l.x * P.M.yz,
                     P.H.yz + l.z * P.M.xz - l.x * P.M.zz,
                     P.H.zx + l.x * P.M.xy,
                     P.H.zy + l.x * P.M.yy,
                     P.H.zz + l.x * P.M.yz};
  const Matrix3<T>& G = P.H;
  return {{P.I.xx - l.z * (G.xy + H.xy), P.I.yy + l.z * (G.yx + H.yx) - l.x * (G.yz + H.yz),
           P.I.zz + l.x * (G.zy + H.zy), P.I.xy + l.z * (H.xx - G.yy) - l.x * H.xz,
           P.I.xz + l.x * H.xy - l.z * G.zy, P.I.yz + l.x * (H.yy - G.zz) + l.z * G.zx},
          H,
          P.M};
}
/// R P Rᵀ block by block, for any of the rotation types.
template <class Rotation, class T>
LINKWRIGHT_INLINE ArticulatedInertia<T> congruence(const Rotation& R,
                                                   const ArticulatedInertia<T>& P) {
  return {congruence(R, P.I), congruence(R, P.H), congruence(R, P.M)};
}

/// P with the joint's own axis, local z, eliminated: the z row and column of the angular part have
/// vanished, so I keeps a 2×2 block and H two rows. 15 numbers instead of 21.
template <class T>
struct ReducedInertia {
  T I_xx{}, I_xy{}, I_yy{};
  Vector3<T> H_x{}, H_y{};  // rows
  Symmetric3<T> M{};
};

template <class T>
LINKWRIGHT_INLINE Force<T> operator*(const ReducedInertia<T>& P, const Motion<T>& v) {
  const T x = v.angular.x, y = v.angular.y;
  return {{P.I_xx * x + P.I_xy * y + dot(P.H_x, v.linear),
           P.I_xy * x + P.I_yy * y + dot(P.H_y, v.linear), T(0)},
          x * P.H_x + (y * P.H_y + P.M * v.linear)};
}
/// A turn about the eliminated axis keeps the reduced form.
template <class T>
LINKWRIGHT_INLINE ReducedInertia<T> congruence(const RotationZ<T>& r, const ReducedInertia<T>& P) {
  const T cs = r.c * r.s, ss = r.s * r.s;
  const T d = P.I_xx - P.I_yy;
  const T e = ss * d + (cs + cs) * P.I_xy;
  const T dh = P.H_x.x - P.H_y.y, mh = P.H_x.y + P.H_y.x;
  const T eh = ss * dh + cs * mh, gh = cs * dh - ss * mh;
  return {P.I_xx - e,
          cs * d + P.I_xy - (ss + ss) * P.I_xy,
          P.I_yy + e,
          {P.H_x.x - eh, P.H_x.y + gh, r.c * P.H_x.z - r.s * P.H_y.z},
          {P.H_y.x + gh, P.H_y.y + eh, r.s * P.H_x.z + r.c * P.H_y.z},
          congruence(r, P.M)};
}
template <class A, class T>
LINKWRIGHT_INLINE ArticulatedInertia<T> congruence(const RotationX<A>& r,
                                                   const ReducedInertia<T>& P) {
  const A cs = r.c * r.s, ss = r.s * r.s, cc = r.c * r.c;
  const T sy = r.s * P.H_y.x;
  return {{P.I_xx, cc * P.I_yy, ss * P.I_yy, r.c * P.I_xy, r.s * P.I_xy, cs * P.I_yy},
          {P.H_x.x, r.c * P.H_x.y - r.s * P.H_x.z, r.s * P.H_x.y + r.c * P.H_x.z, r.c * P.H_y.x,
           cc * P.H_y.y - cs * P.H_y.z, cs * P.H_y.y + cc * P.H_y.z, sy,
           cs * P.H_y.y - ss * P.H_y.z, ss * P.H_y.y + cs * P.H_y.z},
          congruence(r, P.M)};
}
template <class A, class T>
LINKWRIGHT_INLINE ArticulatedInertia<T> congruence(const Tilt<A>& r, const ReducedInertia<T>& P) {
  return congruence(r.z, congruence(r.x, P));
}

}  // namespace linkwright::spatial
