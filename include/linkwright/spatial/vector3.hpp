#pragma once
/// Three numbers and the two 3×3 matrices that rigid-body dynamics needs: a full one (rotations,
/// couplings) and a symmetric one stored in six numbers (rotational inertias).

#include "linkwright/spatial/scalar.hpp"

namespace linkwright::spatial {

template <class T>
struct Vector3 {
  T x{}, y{}, z{};
};

template <class A, class B>
LINKWRIGHT_INLINE auto operator+(const Vector3<A>& a, const Vector3<B>& b)
    -> Vector3<decltype(a.x + b.x)> {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
LINKWRIGHT_INLINE auto operator-(const Vector3<A>& a, const Vector3<B>& b)
    -> Vector3<decltype(a.x - b.x)> {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
LINKWRIGHT_INLINE Vector3<T> operator-(const Vector3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const A& s, const Vector3<B>& a) -> Vector3<Product<A, B>> {
  return {s * a.x, s * a.y, s * a.z};
}
template <class A, class B>
LINKWRIGHT_INLINE Vector3<A>& operator+=(Vector3<A>& a, const Vector3<B>& b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
  return a;
}
template <class A, class B>
LINKWRIGHT_INLINE Vector3<A>& operator-=(Vector3<A>& a, const Vector3<B>& b) {
  a.x -= b.x;
  a.y -= b.y;
  a.z -= b.z;
  return a;
}
template <class A, class B>
LINKWRIGHT_INLINE Product<A, B> dot(const Vector3<A>& a, const Vector3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
LINKWRIGHT_INLINE auto cross(const Vector3<A>& a, const Vector3<B>& b) -> Vector3<Product<A, B>> {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
LINKWRIGHT_INLINE T norm(const Vector3<T>& a) {
  return square_root(dot(a, a));
}

/// A vector known to have no y component: the offset of a Denavit–Hartenberg joint.
template <class T>
struct VectorXZ {
  T x{}, z{};
};
template <class A, class B>
LINKWRIGHT_INLINE auto cross(const VectorXZ<A>& a, const Vector3<B>& b) -> Vector3<Product<A, B>> {
  return {-(a.z * b.y), a.z * b.x - a.x * b.z, a.x * b.y};
}
template <class A, class B>
LINKWRIGHT_INLINE auto cross(const Vector3<A>& a, const VectorXZ<B>& b) -> Vector3<Product<A, B>> {
  return {a.y * b.z, a.z * b.x - a.x * b.z, -(a.y * b.x)};
}
template <class A, class B>
LINKWRIGHT_INLINE auto operator+(const Vector3<A>& a, const VectorXZ<B>& b)
    -> Vector3<decltype(a.x + b.x)> {
  return {a.x + b.x, a.y, a.z + b.z};
}

/// A full 3×3 matrix, row by row.
template <class T>
struct Matrix3 {
  T xx{}, xy{}, xz{};
  T yx{}, yy{}, yz{};
  T zx{}, zy{}, zz{};

  static constexpr Matrix3 identity() {
    return {T(1), T(0), T(0), T(0), T(1), T(0), T(0), T(0), T(1)};
  }
  LINKWRIGHT_INLINE Vector3<T> column_x() const { return {xx, yx, zx}; }
  LINKWRIGHT_INLINE Vector3<T> column_y() const { return {xy, yy, zy}; }
  LINKWRIGHT_INLINE Vector3<T> column_z() const { return {xz, yz, zz}; }
};

template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const Matrix3<A>& m, const Vector3<B>& v)
    -> Vector3<Product<A, B>> {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.yx * v.x + m.yy * v.y + m.yz * v.z,
          m.zx * v.x + m.zy * v.y + m.zz * v.z};
}
template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const Matrix3<A>& m, const VectorXZ<B>& v)
    -> Vector3<Product<A, B>> {
  return {m.xx * v.x + m.xz * v.z, m.yx * v.x + m.yz * v.z, m.zx * v.x + m.zz * v.z};
}
/// mᵀ v without forming the transpose.
template <class A, class B>
LINKWRIGHT_INLINE auto transpose_times(const Matrix3<A>& m, const Vector3<B>& v)
    -> Vector3<Product<A, B>> {
  return {m.xx * v.x + m.yx * v.y + m.zx * v.z, m.xy * v.x + m.yy * v.y + m.zy * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const Matrix3<A>& a, const Matrix3<B>& b)
    -> Matrix3<Product<A, B>> {
  const auto x = a * b.column_x(), y = a * b.column_y(), z = a * b.column_z();
  return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}
template <class T>
LINKWRIGHT_INLINE Matrix3<T> transpose(const Matrix3<T>& m) {
  return {m.xx, m.yx, m.zx, m.xy, m.yy, m.zy, m.xz, m.yz, m.zz};
}
template <class A, class B>
LINKWRIGHT_INLINE Matrix3<A>& operator+=(Matrix3<A>& a, const Matrix3<B>& b) {
  a.xx += b.xx, a.xy += b.xy, a.xz += b.xz;
  a.yx += b.yx, a.yy += b.yy, a.yz += b.yz;
  a.zx += b.zx, a.zy += b.zy, a.zz += b.zz;
  return a;
}
/// The matrix of a× : skew(a) b = a × b.
template <class T>
LINKWRIGHT_INLINE Matrix3<T> skew(const Vector3<T>& a) {
  return {T(0), -a.z, a.y, a.z, T(0), -a.x, -a.y, a.x, T(0)};
}

/// A symmetric 3×3 matrix in six numbers.
template <class T>
struct Symmetric3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
};

template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const Symmetric3<A>& m, const Vector3<B>& v)
    -> Vector3<Product<A, B>> {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
template <class A, class B>
LINKWRIGHT_INLINE auto operator+(const Symmetric3<A>& a, const Symmetric3<B>& b)
    -> Symmetric3<decltype(a.xx + b.xx)> {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class A, class B>
LINKWRIGHT_INLINE Symmetric3<A>& operator+=(Symmetric3<A>& a, const Symmetric3<B>& b) {
  a.xx += b.xx, a.yy += b.yy, a.zz += b.zz;
  a.xy += b.xy, a.xz += b.xz, a.yz += b.yz;
  return a;
}
template <class T>
LINKWRIGHT_INLINE Matrix3<T> to_full(const Symmetric3<T>& s) {
  return {s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz};
}
/// R S Rᵀ for any matrix R.
template <class A, class B>
LINKWRIGHT_INLINE auto congruence(const Matrix3<A>& R, const Symmetric3<B>& S)
    -> Symmetric3<Product<A, B>> {
  using T = Product<A, B>;
  const Vector3<T> x = S * Vector3<A>{R.xx, R.xy, R.xz};
  const Vector3<T> y = S * Vector3<A>{R.yx, R.yy, R.yz};
  const Vector3<T> z = S * Vector3<A>{R.zx, R.zy, R.zz};
  return {R.xx * x.x + R.xy * x.y + R.xz * x.z, R.yx * y.x + R.yy * y.y + R.yz * y.z,
          R.zx * z.x + R.zy * z.y + R.zz * z.z, R.yx * x.x + R.yy * x.y + R.yz * x.z,
          R.zx * x.x + R.zy * x.y + R.zz * x.z, R.zx * y.x + R.zy * y.y + R.zz * y.z};
}
/// R S Rᵀ for a full matrix S.
template <class A, class B>
LINKWRIGHT_INLINE auto congruence(const Matrix3<A>& R, const Matrix3<B>& S)
    -> Matrix3<Product<A, B>> {
  return (R * S) * transpose(R);
}

}  // namespace linkwright::spatial
