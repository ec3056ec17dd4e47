#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "linkwright/spatial/pack.hpp"

namespace linkwright::spatial {
namespace {

/// Distance in units in the last place of the exact value.
template <class B>
double ulps(B got, long double exact) {
  const B nearest = static_cast<B>(exact);
  const B unit =
      std::nextafter(std::abs(nearest), std::numeric_limits<B>::infinity()) - std::abs(nearest);
  return static_cast<double>(std::abs(static_cast<long double>(got) - exact) /
                             static_cast<long double>(unit));
}

template <class B, int N>
double worst_error(double reach) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> wide(-reach, reach), narrow(-4, 4), tiny(-1e-3, 1e-3);
  std::uniform_int_distribution<int> quarter(-1000, 1000);
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    B x[N];
    for (int j = 0; j < N; ++j) {
      const double kinds[] = {wide(random), narrow(random), tiny(random),
                              quarter(random) * 1.5707963267948966 + 1e-6 * tiny(random)};
      x[j] = static_cast<B>(kinds[j % 4]);
    }
    const auto [s, c] = sin_cos(Pack<B, N>::load(x));
    for (int j = 0; j < N; ++j) {
      worst = std::max(worst, ulps<B>(s.x[j], std::sin(static_cast<long double>(x[j]))));
      worst = std::max(worst, ulps<B>(c.x[j], std::cos(static_cast<long double>(x[j]))));
    }
  }
  return worst;
}

TEST(Pack, sine_and_cosine_are_within_two_ulp) {
  const double narrow = worst_error<double, 8>(1e3), wide = worst_error<double, 8>(4.9e5);
  const double single = worst_error<float, 16>(4e3);
  std::cout << "worst error in ulp: double " << narrow << " (|x| < 1e3), " << wide
            << " (|x| < 5e5), float " << single << " (|x| < 4e3)\n";
  EXPECT_LE(narrow, 2);
  EXPECT_LE(wide, 2);
  EXPECT_LE(single, 2);
}

TEST(Pack, huge_arguments_and_special_values_follow_the_standard_library) {
  const double x[8] = {1e6, -1e22, 0.0, -0.0, 3e5, NAN, INFINITY, 1e308};
  const auto [s, c] = sin_cos(Pack<double, 8>::load(x));
  for (int i = 0; i < 8; ++i) {
    if (std::isfinite(x[i])) {
      EXPECT_NEAR(s.x[i], std::sin(x[i]), 1e-15) << x[i];
      EXPECT_NEAR(c.x[i], std::cos(x[i]), 1e-15) << x[i];
    } else {
      EXPECT_TRUE(std::isnan(s.x[i]) && std::isnan(c.x[i])) << x[i];
    }
  }
}

}  // namespace
}  // namespace linkwright::spatial
