#pragma once
/// Rigid-body inertia in ten numbers, about the origin and in the axes of the body's frame.

#include "linkwright/spatial/pose.hpp"

namespace linkwright::spatial {

/// M(k) of eq. (2.15): mass, first moment m·p, rotational inertia I about the frame's origin.
template <class T>
struct Inertia {
  T mass{};
  Vector3<T> first_moment{};
  Symmetric3<T> rotational{};
};

/// −ã² scaled: the inertia s (a·a 1 − a aᵀ) of a mass s at a.
template <class T>
LINKWRIGHT_INLINE Symmetric3<T> point_inertia(const T& s, const Vector3<T>& a) {
  const T xx = s * a.x * a.x, yy = s * a.y * a.y, zz = s * a.z * a.z;
  return {yy + zz, xx + zz, xx + yy, -s * a.x * a.y, -s * a.x * a.z, -s * a.y * a.z};
}
/// From what a person measures: mass, centre of mass, inertia about the centre of mass.
template <class T>
LINKWRIGHT_INLINE Inertia<T> inertia_from_com(const T& mass, const Vector3<T>& com,
                                              const Symmetric3<T>& about_com) {
  return {mass, mass * com, about_com + point_inertia(mass, com)};
}
/// Spatial momentum (or inertial force) M V.
template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const Inertia<A>& M, const Motion<B>& v) -> Force<Product<A, B>> {
  return {M.rotational * v.angular + cross(M.first_moment, v.linear),
          M.mass * v.linear - cross(M.first_moment, v.angular)};
}
template <class A, class B>
LINKWRIGHT_INLINE Inertia<A>& operator+=(Inertia<A>& a, const Inertia<B>& b) {
  a.mass += b.mass;
  a.first_moment += b.first_moment;
  a.rotational += b.rotational;
  return a;
}
template <class B, class T>
LINKWRIGHT_INLINE Inertia<T> operator+(const Inertia<B>& a, const Inertia<T>& b) {
  const auto& h = a.first_moment;
  const auto& g = b.first_moment;
  const auto& I = a.rotational;
  const auto& J = b.rotational;
  return {b.mass + a.mass,
          {g.x + h.x, g.y + h.y, g.z + h.z},
          {J.xx + I.xx, J.yy + I.yy, J.zz + I.zz, J.xy + I.xy, J.xz + I.xz, J.yz + I.yz}};
}
/// M times a unit motion about or along axis i (0, 1, 2 for x, y, z).
template <class T>
LINKWRIGHT_INLINE Force<T> angular_column(const Inertia<T>& M, int i) {
  const Vector3<T>& h = M.first_moment;
  const Symmetric3<T>& I = M.rotational;
  if (i == 0) return {{I.xx, I.xy, I.xz}, {T(0), -h.z, h.y}};
  if (i == 1) return {{I.xy, I.yy, I.yz}, {h.z, T(0), -h.x}};
  return {{I.xz, I.yz, I.zz}, {-h.y, h.x, T(0)}};
}
template <class T>
LINKWRIGHT_INLINE Force<T> linear_column(const Inertia<T>& M, int i) {
  const Vector3<T>& h = M.first_moment;
  if (i == 0) return {{T(0), h.z, -h.y}, {M.mass, T(0), T(0)}};
  if (i == 1) return {{-h.z, T(0), h.x}, {T(0), M.mass, T(0)}};
  return {{h.y, -h.x, T(0)}, {T(0), T(0), M.mass}};
}
/// The same mass described about a frame that lies at −l: every point p becomes p + l.
template <class A, class B>
LINKWRIGHT_INLINE auto shift(const Vector3<A>& l, const Inertia<B>& M) -> Inertia<Product<A, B>> {
  using T = Product<A, B>;
  const Vector3<T> h = M.first_moment + M.mass * l;
  const Vector3<T>& g = M.first_moment;
  const T x = l.x * (h.x + g.x), y = l.y * (h.y + g.y), z = l.z * (h.z + g.z);
  return {T(M.mass),
          h,
          {M.rotational.xx + y + z, M.rotational.yy + x + z, M.rotational.zz + x + y,
           M.rotational.xy - l.x * h.y - g.x * l.y, M.rotational.xz - l.x * h.z - g.x * l.z,
           M.rotational.yz - l.y * h.z - g.y * l.z}};
}
template <class A, class B>
LINKWRIGHT_INLINE auto shift(const VectorXZ<A>& l, const Inertia<B>& M) -> Inertia<Product<A, B>> {
  using T = Product<A, B>;
  const Vector3<T>& g = M.first_moment;
  const Vector3<T> h{g.x + M.mass * l.x, g.y, g.z + M.mass * l.z};
  const T x = l.x * (h.x + g.x), z = l.z * (h.z + g.z);
  return {T(M.mass),
          h,
          {M.rotational.xx + z, M.rotational.yy + x + z, M.rotational.zz + x,
           M.rotational.xy - l.x * h.y, M.rotational.xz - l.x * h.z - g.x * l.z,
           M.rotational.yz - g.y * l.z}};
}
/// R M Rᵀ block by block, for any of the rotation types.
template <class Rotation, class B>
LINKWRIGHT_INLINE auto congruence(const Rotation& R, const Inertia<B>& M)
    -> Inertia<decltype((R * M.first_moment).x)> {
  return {M.mass, R * M.first_moment, congruence(R, M.rotational)};
}
/// Inertia given in a child frame, described in the parent frame.
template <class A, class B>
LINKWRIGHT_INLINE auto to_parent(const Pose<A>& X, const Inertia<B>& M) -> Inertia<Product<A, B>> {
  using T = Product<A, B>;
  return shift(X.translation, Inertia<T>{T(M.mass), X.rotation * M.first_moment,
                                         congruence(X.rotation, M.rotational)});
}

}  // namespace linkwright::spatial
