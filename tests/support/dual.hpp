#pragma once
/// First-order dual numbers: x + d·ε, ε² = 0. Run through a sweep they give derivatives to
/// rounding.

#include <cmath>

#include "linkwright/spatial/scalar.hpp"

namespace linkwright::testing {

struct Dual {
  double x = 0, d = 0;
  Dual() = default;
  Dual(double value) : x(value) {}  // NOLINT(google-explicit-constructor): constants mix in freely
  Dual(double value, double derivative) : x(value), d(derivative) {}
};
inline Dual operator+(Dual a, Dual b) { return {a.x + b.x, a.d + b.d}; }
inline Dual operator-(Dual a, Dual b) { return {a.x - b.x, a.d - b.d}; }
inline Dual operator-(Dual a) { return {-a.x, -a.d}; }
inline Dual operator*(Dual a, Dual b) { return {a.x * b.x, a.x * b.d + a.d * b.x}; }
inline Dual operator/(Dual a, Dual b) { return {a.x / b.x, (a.d - a.x / b.x * b.d) / b.x}; }
inline Dual& operator+=(Dual& a, Dual b) { return a = a + b; }
inline Dual& operator-=(Dual& a, Dual b) { return a = a - b; }

inline spatial::SinCos<Dual> sin_cos(Dual a) {
  const double s = std::sin(a.x), c = std::cos(a.x);
  return {{s, c * a.d}, {c, -s * a.d}};
}
inline Dual square_root(Dual a) {
  const double r = std::sqrt(a.x);
  return {r, 0.5 * a.d / r};
}

}  // namespace linkwright::testing

template <>
struct linkwright::spatial::ConstantOf<linkwright::testing::Dual> {
  using type = double;
};
