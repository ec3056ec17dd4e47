#pragma once
/// The Lie algebra that some motions of one frame span. What joints with such motions bring about,
/// in whatever order and however far, never leaves its group; and its elements stay those of the algebra
/// when the frame is carried along.

#include <cmath>
#include <vector>

#include "linkwright/model/model.hpp"

namespace linkwright {

/// Turns and slides weigh alike: lengths are to be divided by the size of what moves.
class MotionAlgebra {
 public:
  /// What is less of a unit motion, or of the bracket of two, is rounding, or the digits of a file.
  static constexpr double rounding = 1e-8;

  void add(const Motion& x) {
    const double size = std::sqrt(inner(x, x));
    if (size > 0) add_unit((1 / size) * x);
  }
  /// Whatever the basis gains is bracketed in turn, until nothing new comes.
  void close() {
    for (std::size_t i = 1; i < basis.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Motion x = bracket(basis[i], basis[j]);
        if (inner(x, x) > rounding * rounding) add_unit(x);
      }
  }
  std::vector<Motion> basis;  // orthonormal

 private:
  static double inner(const Motion& a, const Motion& b) {
    return dot(a.angular, b.angular) + dot(a.linear, b.linear);
  }
  void add_unit(Motion x) {
    // Twice: the first pass leaves rounding along the basis, relative to what it removed.
    for (int pass = 0; pass < 2; ++pass)
      for (const Motion& e : basis) x += -inner(x, e) * e;
    const double rest = std::sqrt(inner(x, x));
    if (rest > rounding) basis.push_back((1 / rest) * x);
  }
};

}  // namespace linkwright
