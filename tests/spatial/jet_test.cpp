// Series in time keep the laws of the functions that they stand for.
#include <gtest/gtest.h>

#include <cmath>

#include "linkwright/spatial/jet.hpp"

namespace linkwright::testing {
namespace {

using Series = spatial::Jet<5>;

void expect_equal(const Series& a, const Series& b) {
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(a.c[k], b.c[k], 1e-14 * (1 + std::abs(b.c[k]))) << k;
}

TEST(Jet, keeps_the_laws_of_numbers) {
  const Series a{0.7, -0.3, 1.2, 0.4, -2.0}, b{-1.3, 0.8, 0.1, -0.6, 0.9};
  expect_equal(a / b * b, a);
  expect_equal(square_root(a) * square_root(a), a);
  const auto [s, c] = sin_cos(a);
  expect_equal(s * s + c * c, 1.0);
  const auto twice = sin_cos(a + a);
  expect_equal(twice.s, 2 * s * c);
  expect_equal((a + b) * (a - b), a * a - b * b);
}

TEST(Jet, holds_the_derivatives_of_functions_of_time) {
  // 1/(2 + t) has the derivatives n! (−1)ⁿ / 2ⁿ⁺¹, sin(3 t) the powers of three.
  const Series inverse = Series(1) / Series(2, 1), wave = sin_cos(Series(0, 3)).s;
  double factorial = 1;
  for (int n = 0; n < 5; factorial *= ++n)
    EXPECT_NEAR(inverse.derivative(n), factorial * std::pow(-1, n) / std::pow(2, n + 1), 1e-13);
  for (int n = 0; n < 5; ++n)
    EXPECT_NEAR(wave.derivative(n), n % 2 == 0 ? 0 : (n == 1 ? 1 : -1) * std::pow(3, n), 1e-12);
}

/// A joint at rest rubs against where it goes next.
TEST(Jet, rubs_against_the_first_motion) {
  EXPECT_EQ(dry_friction(Series{0, 0, -1}, 3, 2).c[0], -2);
  EXPECT_EQ(dry_friction(Series{1e-18, 0, 1}, 3, 2).c[0], 3);
  EXPECT_EQ(dry_friction(Series{-1, 5}, 3, 2).c[0], -2);
  EXPECT_EQ(dry_friction(Series{}, 3, 2).c[0], 0);
}

}  // namespace
}  // namespace linkwright::testing
