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

#include "linkwright/spatial/scalar.hpp"

namespace linkwright::spatial {

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

inline SinCos<Dual> sin_cos(Dual a) {
  const double s = std::sin(a.x), c = std::cos(a.x);
  return {{s, c * a.d}, {c, -s * a.d}};
}
inline Dual square_root(Dual a) {
  const double r = std::sqrt(a.x);
  return {r, 0.5 * a.d / r};
}
inline Dual sign_of(Dual a) { return {sign_of(a.x)}; }
inline Dual dry_friction(Dual v, double forward, double backward) {
  return {dry_friction(v.x, forward, backward)};
}
inline bool above(Dual a, Dual b) { return above(a.x, b.x); }
inline bool operator>(Dual a, Dual b) { return a.x > b.x; }

template <>
struct ConstantOf<Dual> {
  using type = double;
};

}  // namespace linkwright::spatial
