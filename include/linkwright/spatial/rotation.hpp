#pragma once
/// Rotations as the sweeps use them: a turn about one coordinate axis, which mixes two components
/// and leaves the third alone, and the unit quaternion of the free and the spherical joint.

#include "linkwright/spatial/vector3.hpp"

namespace linkwright::spatial {

/// Rotation about the local z axis. As a matrix: [c −s 0; s c 0; 0 0 1].
template <class T>
struct RotationZ {
  T c, s;
};
/// Rotation about the local x axis. As a matrix: [1 0 0; 0 c −s; 0 s c].
template <class T>
struct RotationX {
  T c, s;
};

/// A turn about z behind a turn about x: it leads z into any direction, and what a third turn about the
/// new z would add belongs to a joint's own angle. As a matrix: [c −s·cx s·sx; s c·cx −c·sx; 0 sx cx].
template <class T>
struct Tilt {
  RotationZ<T> z;
  RotationX<T> x;
};

template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const RotationZ<A>& r, const Vector3<B>& v)
    -> Vector3<Product<A, B>> {
  return {r.c * v.x - r.s * v.y, r.s * v.x + r.c * v.y, v.z};
}
template <class A, class B>
LINKWRIGHT_INLINE auto transpose_times(const RotationZ<A>& r, const Vector3<B>& v)
    -> Vector3<Product<A, B>> {
  return {r.c * v.x + r.s * v.y, r.c * v.y - r.s * v.x, v.z};
}
template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const RotationX<A>& r, const Vector3<B>& v)
    -> Vector3<Product<A, B>> {
  return {v.x, r.c * v.y - r.s * v.z, r.s * v.y + r.c * v.z};
}
template <class A, class B>
LINKWRIGHT_INLINE auto transpose_times(const RotationX<A>& r, const Vector3<B>& v)
    -> Vector3<Product<A, B>> {
  return {v.x, r.c * v.y + r.s * v.z, r.c * v.z - r.s * v.y};
}

template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const Tilt<A>& r, const Vector3<B>& v) -> Vector3<Product<A, B>> {
  return r.z * (r.x * v);
}
template <class A, class B>
LINKWRIGHT_INLINE auto transpose_times(const Tilt<A>& r, const Vector3<B>& v)
    -> Vector3<Product<A, B>> {
  return transpose_times(r.x, transpose_times(r.z, v));
}

/// R S Rᵀ for a turn about z: the 2×2 block turns as a tensor, the z column as a vector.
template <class A, class B>
LINKWRIGHT_INLINE auto congruence(const RotationZ<A>& r, const Symmetric3<B>& S)
    -> Symmetric3<Product<A, B>> {
  const auto cs = r.c * r.s, ss = r.s * r.s;
  const auto d = S.xx - S.yy;
  const auto e = ss * d + (cs + cs) * S.xy;  // what xx loses and yy gains
  return {S.xx - e,
          S.yy + e,
          S.zz,
          cs * d + S.xy - (ss + ss) * S.xy,
          r.c * S.xz - r.s * S.yz,
          r.s * S.xz + r.c * S.yz};
}
/// R S Rᵀ for a turn about x.
template <class A, class B>
LINKWRIGHT_INLINE auto congruence(const RotationX<A>& r, const Symmetric3<B>& S)
    -> Symmetric3<Product<A, B>> {
  const auto cs = r.c * r.s, ss = r.s * r.s;
  const auto d = S.yy - S.zz;
  const auto e = ss * d + (cs + cs) * S.yz;
  return {S.xx,
          S.yy - e,
          S.zz + e,
          r.c * S.xy - r.s * S.xz,
          r.s * S.xy + r.c * S.xz,
          cs * d + S.yz - (ss + ss) * S.yz};
}
/// R S Rᵀ for a turn about z and a full matrix S.
template <class A, class B>
LINKWRIGHT_INLINE auto congruence(const RotationZ<A>& r, const Matrix3<B>& S)
    -> Matrix3<Product<A, B>> {
  const auto cs = r.c * r.s, ss = r.s * r.s;
  const auto d = S.xx - S.yy, m = S.xy + S.yx;
  const auto e = ss * d + cs * m, g = cs * d - ss * m;
  return {S.xx - e,
          S.xy + g,
          r.c * S.xz - r.s * S.yz,
          S.yx + g,
          S.yy + e,
          r.s * S.xz + r.c * S.yz,
          r.c * S.zx - r.s * S.zy,
          r.s * S.zx + r.c * S.zy,
          S.zz};
}
/// R S Rᵀ for a turn about x and a full matrix S.
template <class A, class B>
LINKWRIGHT_INLINE auto congruence(const RotationX<A>& r, const Matrix3<B>& S)
    -> Matrix3<Product<A, B>> {
  const auto cs = r.c * r.s, ss = r.s * r.s;
  const auto d = S.yy - S.zz, m = S.yz + S.zy;
  const auto e = ss * d + cs * m, g = cs * d - ss * m;
  return {S.xx,
          r.c * S.xy - r.s * S.xz,
          r.s * S.xy + r.c * S.xz,
          r.c * S.yx - r.s * S.zx,
          S.yy - e,
          S.yz + g,
          r.s * S.yx + r.c * S.zx,
          S.zy + g,
          S.zz + e};
}

/// R S Rᵀ for both turns, one after the other: half the products of a full matrix.
template <class A, class B>
LINKWRIGHT_INLINE auto congruence(const Tilt<A>& r, const Symmetric3<B>& S)
    -> Symmetric3<Product<A, B>> {
  return congruence(r.z, congruence(r.x, S));
}
template <class A, class B>
LINKWRIGHT_INLINE auto congruence(const Tilt<A>& r, const Matrix3<B>& S) -> Matrix3<Product<A, B>> {
  return congruence(r.z, congruence(r.x, S));
}

/// Orientation as [w x y z]; the papers' Euler parameters.
template <class T>
struct Quaternion {
  T w{1}, x{}, y{}, z{};
};

/// The rotation matrix of a quaternion of any non-zero length, so that a state that was written
/// with few digits still gives a rotation.
template <class T>
LINKWRIGHT_INLINE Matrix3<T> to_matrix(const Quaternion<T>& q) {
  const T n = T(2) / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const T x = n * q.x, y = n * q.y, z = n * q.z;
  const T wx = q.w * x, wy = q.w * y, wz = q.w * z;
  const T xx = q.x * x, xy = q.x * y, xz = q.x * z, yy = q.y * y, yz = q.y * z, zz = q.z * z;
  return {T(1) - (yy + zz), xy - wz, xz + wy, xy + wz,         T(1) - (xx + zz),
          yz - wx,          xz - wy, yz + wx, T(1) - (xx + yy)};
}
template <class T>
LINKWRIGHT_INLINE Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
LINKWRIGHT_INLINE Quaternion<T> conjugate(const Quaternion<T>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class T>
LINKWRIGHT_INLINE Quaternion<T> normalized(const Quaternion<T>& q) {
  const T s = T(1) / square_root(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

}  // namespace linkwright::spatial
