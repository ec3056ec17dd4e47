#pragma once
/// A rigid displacement: where a child frame sits in its parent's frame.

#include "linkwright/spatial/motion.hpp"
#include "linkwright/spatial/rotation.hpp"

namespace linkwright::spatial {

/// Child frame in parent frame: x_parent = rotation · x_child + translation.
template <class T>
struct Pose {
  Matrix3<T> rotation = Matrix3<T>::identity();
  Vector3<T> translation{};
};

/// Composition: pose of C in A from B in A and C in B.
template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const Pose<A>& a, const Pose<B>& b) -> Pose<Product<A, B>> {
  return {a.rotation * b.rotation, a.rotation * b.translation + a.translation};
}
template <class T>
LINKWRIGHT_INLINE Pose<T> inverse(const Pose<T>& a) {
  return {transpose(a.rotation), -transpose_times(a.rotation, a.translation)};
}
/// A point given in the child frame, seen from the parent.
template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const Pose<A>& a, const Vector3<B>& point)
    -> Vector3<Product<A, B>> {
  return a.rotation * point + a.translation;
}
/// Motion of the child-frame point and axes, given the parent's: Rᵀ φᵀ.
template <class A, class B>
LINKWRIGHT_INLINE auto to_child(const Pose<A>& a, const Motion<B>& v) -> Motion<Product<A, B>> {
  return {transpose_times(a.rotation, v.angular),
          transpose_times(a.rotation, v.linear + cross(v.angular, a.translation))};
}
/// The same rigid body's motion, read at the parent frame instead of the child frame.
template <class A, class B>
LINKWRIGHT_INLINE auto to_parent(const Pose<A>& a, const Motion<B>& v) -> Motion<Product<A, B>> {
  const auto w = a.rotation * v.angular;
  return {w, a.rotation * v.linear - cross(w, a.translation)};
}
/// A force given at the child frame, moved to the parent frame: φ R.
template <class A, class B>
LINKWRIGHT_INLINE auto to_parent(const Pose<A>& a, const Force<B>& f) -> Force<Product<A, B>> {
  return shift(a.translation, Force<Product<A, B>>{a.rotation * f.moment, a.rotation * f.force});
}
/// A force given at the parent frame, read at the child frame.
template <class A, class B>
LINKWRIGHT_INLINE auto to_child(const Pose<A>& a, const Force<B>& f) -> Force<Product<A, B>> {
  return {transpose_times(a.rotation, f.moment - cross(a.translation, f.force)),
          transpose_times(a.rotation, f.force)};
}

}  // namespace linkwright::spatial
