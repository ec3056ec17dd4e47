#pragma once
/// A scalar that is not computed, only counted: run a sweep on it to learn what the sweep costs.
///
///     counted() = {};
///     sweeps::place_joints(tree, scratch, q);          // on Counting numbers
///     long multiplications = counted().multiplications;
///
/// Zeros that the sweeps write where a joint has no component are free, as they are for the
/// compiler; the constants of a model are not, whatever their value.

#include "linkwright/spatial/scalar.hpp"

namespace linkwright::spatial {

struct Operations {
  long additions = 0, multiplications = 0, divisions = 0, sines = 0;

  /// Everything as floating-point operations, given what a sine with its cosine takes (pack.hpp).
  [[nodiscard]] double flops(int per_sine) const {
    return static_cast<double>(additions + multiplications + divisions + per_sine * sines);
  }
};

/// What Counting numbers of this thread have cost since it was last set to zero.
Operations& counted();

struct Counting {
  double x = 0;  // only whether it is zero matters
  Counting() = default;
  Counting(double value) : x(value) {}  // NOLINT(google-explicit-constructor)
  static Counting number() { return {1.0}; }
};

// Not inline: a sweep on Counting has thousands of them, and speed is not what it is for.
Counting operator+(Counting a, Counting b);
Counting operator*(Counting a, Counting b);
inline Counting operator-(Counting a, Counting b) { return a + b; }
inline Counting operator-(Counting a) { return a; }
inline Counting operator/(Counting, Counting) {
  ++counted().divisions;
  return Counting::number();
}
inline Counting operator*(Counting a, double) { return a * Counting::number(); }
inline Counting operator*(double, Counting b) { return Counting::number() * b; }
inline Counting operator+(Counting a, double) { return a + Counting::number(); }
inline Counting operator-(Counting a, double) { return a + Counting::number(); }
inline Counting& operator+=(Counting& a, Counting b) { return a = a + b; }
inline Counting& operator+=(Counting& a, double b) { return a = a + b; }
inline Counting& operator-=(Counting& a, Counting b) { return a = a - b; }
inline SinCos<Counting> sin_cos(Counting) {
  ++counted().sines;
  return {Counting::number(), Counting::number()};
}
inline Counting square_root(Counting) {
  ++counted().divisions;
  return Counting::number();
}

template <>
struct ConstantOf<Counting> {
  using type = double;
};

}  // namespace linkwright::spatial
