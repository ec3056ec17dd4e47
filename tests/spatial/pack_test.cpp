// Functions for several instruction sets in one file: a pack must not pass in a call between them.
#undef LINKWRIGHT_NO_FORCED_INLINING

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

/// Angles of every kind: wide, ordinary, tiny, and next to a multiple of π/2.
template <class B, int N>
void draw(std::mt19937_64& random, double reach, B (&x)[N]) {
  std::uniform_real_distribution<double> wide(-reach, reach), narrow(-4, 4), tiny(-1e-3, 1e-3);
  const int most = static_cast<int>(reach / 1.5707963267948966);
  std::uniform_int_distribution<int> quarter(-most, most);
  for (int j = 0; j < N; ++j) {
    const double kinds[] = {wide(random), narrow(random), tiny(random),
                            quarter(random) * 1.5707963267948966 + 1e-6 * tiny(random)};
    x[j] = static_cast<B>(kinds[j % 4]);
  }
}

/// The function under test, as each set of instructions compiles it.
template <class B, int N>
void baseline(const B* x, B* s, B* c) {
  const auto both = sin_cos(Pack<B, N>::load(x));
  both.s.store(s);
  both.c.store(c);
}
#if defined(__x86_64__)
template <class B, int N>
[[gnu::target("avx2,fma")]] void avx2(const B* x, B* s, B* c) {
  const auto both = sin_cos(Pack<B, N>::load(x));
  both.s.store(s);
  both.c.store(c);
}
template <class B, int N>
[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] void avx512(const B* x, B* s, B* c) {
  const auto both = sin_cos(Pack<B, N>::load(x));
  both.s.store(s);
  both.c.store(c);
}
#endif

template <class B, int N>
double worst_error(void (*function)(const B*, B*, B*), double reach) {
  std::mt19937_64 random(1);
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    B x[N], s[N], c[N];
    draw(random, reach, x);
    function(x, s, c);
    for (int j = 0; j < N; ++j) {
      worst = std::max(worst, ulps<B>(s[j], std::sin(static_cast<long double>(x[j]))));
      worst = std::max(worst, ulps<B>(c[j], std::cos(static_cast<long double>(x[j]))));
    }
  }
  return worst;
}

void expect_two_ulp(const char* name, void (*wide)(const double*, double*, double*),
                    void (*narrow)(const float*, float*, float*)) {
  const double ordinary = worst_error<double, 8>(wide, 1e3),
               far = worst_error<double, 8>(wide, 4.9e5);
  const double single = worst_error<float, 16>(narrow, 990);
  std::cout << name << ": worst error in ulp: double " << ordinary << " (|x| < 1e3), " << far
            << " (|x| < 5e5), float " << single << " (|x| < 1e3)\n";
  EXPECT_LE(ordinary, 2) << name;
  EXPECT_LE(far, 2) << name;
  EXPECT_LE(single, 2) << name;
}

TEST(Pack, sine_and_cosine_are_within_two_ulp) {
  expect_two_ulp("baseline", baseline<double, 8>, baseline<float, 16>);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    expect_two_ulp("avx2", avx2<double, 8>, avx2<float, 16>);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    expect_two_ulp("avx512", avx512<double, 8>, avx512<float, 16>);
#endif
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
