#pragma once
/// First-order dual numbers: x + d ε with ε² = 0. A sweep that runs on them gives, beside every
/// result, its derivative along the direction that the inputs carry in `d`, to rounding.
///
///     using linkwright::spatial::Dual;
///     linkwright::Scratch<Dual> scratch(system.tree());
///     std::vector<Dual> q = ...;  q[3].d = 1;                    // along the fourth coordinate
///     linkwright::sweeps::place_joints(system.tree(), scratch, q.data());
///
/// A quaternion's direction is a rate: for an angular velocity ω in the child's axes ½ r ω. Dry
/// friction is taken as constant, which it is wherever it has a derivative.

#include <cmath>
#include <type_traits>

#include "linkwright/spatial/scalar.hpp"

namespace linkwright::spatial {

/// T is a number, a pack of them, or dual itself.
template <class T>
struct DualOf {
  T x{}, d{};

  DualOf() = default;
  LINKWRIGHT_INLINE DualOf(const T& value)  // NOLINT(google-explicit-constructor): constants mix in
      : x(value), d(Constant<T>(0)) {}
  LINKWRIGHT_INLINE DualOf(Constant<T> value)  // NOLINT(google-explicit-constructor)
      requires(!std::is_same_v<T, Constant<T>>)
      : x(value), d(Constant<T>(0)) {}
  LINKWRIGHT_INLINE DualOf(const T& value, const T& derivative) : x(value), d(derivative) {}

  LINKWRIGHT_INLINE friend DualOf operator+(const DualOf& a, const DualOf& b) {
    return {a.x + b.x, a.d + b.d};
  }
  LINKWRIGHT_INLINE friend DualOf operator-(const DualOf& a, const DualOf& b) {
    return {a.x - b.x, a.d - b.d};
  }
  LINKWRIGHT_INLINE friend DualOf operator-(const DualOf& a) { return {-a.x, -a.d}; }
  LINKWRIGHT_INLINE friend DualOf operator*(const DualOf& a, const DualOf& b) {
    return {a.x * b.x, a.x * b.d + a.d * b.x};
  }
  LINKWRIGHT_INLINE friend DualOf operator/(const DualOf& a, const DualOf& b) {
    const T quotient = a.x / b.x;
    return {quotient, (a.d - quotient * b.d) / b.x};
  }
  LINKWRIGHT_INLINE friend DualOf& operator+=(DualOf& a, const DualOf& b) { return a = a + b; }
  LINKWRIGHT_INLINE friend DualOf& operator-=(DualOf& a, const DualOf& b) { return a = a - b; }
};
using Dual = DualOf<double>;

template <class T>
struct ConstantOf<DualOf<T>> {
  using type = Constant<T>;
};

template <class T>
LINKWRIGHT_INLINE SinCos<DualOf<T>> sin_cos(const DualOf<T>& a) {
  const auto [s, c] = sin_cos(a.x);
  return {{s, c * a.d}, {c, -(s * a.d)}};
}
template <class T>
LINKWRIGHT_INLINE DualOf<T> square_root(const DualOf<T>& a) {
  const T r = square_root(a.x);
  return {r, Constant<T>(0.5) * a.d / r};
}
template <class T>
LINKWRIGHT_INLINE DualOf<T> sign_of(const DualOf<T>& a) {
  return {sign_of(a.x)};
}
template <class T>
LINKWRIGHT_INLINE DualOf<T> dry_friction(const DualOf<T>& v, Constant<T> forward,
                                         Constant<T> backward) {
  return {dry_friction(v.x, forward, backward)};
}
template <class T>
LINKWRIGHT_INLINE auto above(const DualOf<T>& a, const DualOf<T>& b) {
  return above(a.x, b.x);
}
inline bool operator>(const Dual& a, const Dual& b) { return a.x > b.x; }

}  // namespace linkwright::spatial
