#pragma once
/// Spatial vectors, [angular; linear] as in the papers: motions (velocities, accelerations) and
/// forces. They live at a point and in the axes of one frame; `Pose` carries them to another.

#include "linkwright/spatial/vector3.hpp"

namespace linkwright::spatial {

/// Angular and linear velocity (or acceleration) of a frame: V = [ω; v].
template <class T>
struct Motion {
  Vector3<T> angular, linear;
};
/// Moment about the frame's origin and force: f = [N; F].
template <class T>
struct Force {
  Vector3<T> moment, force;
};

template <class A, class B>
LINKWRIGHT_INLINE auto operator+(const Motion<A>& a, const Motion<B>& b)
    -> Motion<decltype(a.angular.x + b.angular.x)> {
  return {a.angular + b.angular, a.linear + b.linear};
}
template <class A, class B>
LINKWRIGHT_INLINE auto operator-(const Motion<A>& a, const Motion<B>& b)
    -> Motion<decltype(a.angular.x - b.angular.x)> {
  return {a.angular - b.angular, a.linear - b.linear};
}
template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const A& s, const Motion<B>& a) -> Motion<Product<A, B>> {
  return {s * a.angular, s * a.linear};
}
template <class A, class B>
LINKWRIGHT_INLINE Motion<A>& operator+=(Motion<A>& a, const Motion<B>& b) {
  a.angular += b.angular;
  a.linear += b.linear;
  return a;
}
template <class T>
LINKWRIGHT_INLINE Motion<T> operator-(const Motion<T>& a) {
  return {-a.angular, -a.linear};
}
template <class A, class B>
LINKWRIGHT_INLINE auto operator+(const Force<A>& a, const Force<B>& b)
    -> Force<decltype(a.force.x + b.force.x)> {
  return {a.moment + b.moment, a.force + b.force};
}
template <class A, class B>
LINKWRIGHT_INLINE auto operator-(const Force<A>& a, const Force<B>& b)
    -> Force<decltype(a.force.x - b.force.x)> {
  return {a.moment - b.moment, a.force - b.force};
}
template <class T>
LINKWRIGHT_INLINE Force<T> operator-(const Force<T>& a) {
  return {-a.moment, -a.force};
}
template <class A, class B>
LINKWRIGHT_INLINE auto operator*(const A& s, const Force<B>& a) -> Force<Product<A, B>> {
  return {s * a.moment, s * a.force};
}
template <class A, class B>
LINKWRIGHT_INLINE Force<A>& operator+=(Force<A>& a, const Force<B>& b) {
  a.moment += b.moment;
  a.force += b.force;
  return a;
}
template <class A, class B>
LINKWRIGHT_INLINE Force<A>& operator-=(Force<A>& a, const Force<B>& b) {
  a.moment -= b.moment;
  a.force -= b.force;
  return a;
}
/// Power: fᵀ V.
template <class A, class B>
LINKWRIGHT_INLINE Product<A, B> dot(const Force<A>& f, const Motion<B>& v) {
  return dot(f.moment, v.angular) + dot(f.force, v.linear);
}

/// The Lie bracket [x, y] of two twists in one frame: how much their order counts.
template <class A, class B>
LINKWRIGHT_INLINE auto bracket(const Motion<A>& x, const Motion<B>& y) -> Motion<Product<A, B>> {
  return {cross(x.angular, y.angular), cross(x.angular, y.linear) + cross(x.linear, y.angular)};
}

/// The rigid shift φ of the papers, in fixed axes: ℓ points from the frame we go to, to the frame
/// we come from. Forces move towards the base with φ, motions towards the tip with φᵀ
/// (eq. 2.16–2.18).
template <class Offset, class T>
LINKWRIGHT_INLINE Force<T> shift(const Offset& l, const Force<T>& f) {
  return {f.moment + cross(l, f.force), f.force};
}
template <class Offset, class T>
LINKWRIGHT_INLINE Motion<T> shift(const Offset& l, const Motion<T>& v) {
  return {v.angular, v.linear + cross(v.angular, l)};
}

}  // namespace linkwright::spatial
