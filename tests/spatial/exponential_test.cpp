// The exponential of a displacement, on both sides of the angle where series take over.
#include <gtest/gtest.h>

#include <cmath>

#include "linkwright/spatial/dual.hpp"
#include "linkwright/spatial/pack.hpp"
#include "linkwright/spatial/spatial.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace spatial;

double size(const spatial::Vector3<double>& v) { return norm(v); }

TEST(Exponential, half_a_displacement_twice_is_the_whole) {
  RandomModel random(4);
  for (double angle = 1e-9; angle < 3; angle *= 1.17) {
    const auto r = angle * random.direction();
    const auto t = random.vector(1);
    const auto whole = exp_rotation(r), half = exp_rotation(0.5 * r);
    const auto twice = half * half;
    EXPECT_NEAR(whole.w, twice.w, 4e-16) << angle;
    EXPECT_NEAR(whole.x, twice.x, 4e-16) << angle;
    EXPECT_NEAR(whole.y, twice.y, 4e-16) << angle;
    EXPECT_NEAR(whole.z, twice.z, 4e-16) << angle;
    const auto way = exp_coupling(r, t);
    const auto first = exp_coupling(0.5 * r, 0.5 * t);
    EXPECT_LT(size(way - (first + to_matrix(half) * first)), 2e-15) << angle;
    // Along the axis nothing turns.
    EXPECT_LT(size(exp_coupling(r, r) - r), 4e-16 * angle) << angle;
    EXPECT_LT(size(solve_exp_coupling(r, way) - t), 4e-15) << angle;
    EXPECT_LT(size(log_rotation(whole) - r), 4e-16 * (1 + angle)) << angle;
  }
}

/// log(q exp(ω t)) by dual numbers: φ̇ = ω + ½ φ × ω + k φ × (φ × ω), to rounding from rest to half a
/// turn; and the terms that springs use give the same.
TEST(Logarithm, has_a_derivative_everywhere_up_to_half_a_turn) {
  RandomModel random(7);
  const double pi = 3.14159265358979323846;
  for (const double angle : {0.0, 1e-300, 1e-160, 1e-12, 1e-8, 1e-5, 1e-3, 0.02, 0.3, 1.0, 2.0, 3.0,
                             pi - 1e-3, pi - 1e-9, pi - 1e-15}) {
    for (const double sign : {1.0, -1.0}) {
      SCOPED_TRACE(angle);
      const auto r = angle * random.direction(), w = random.vector(1);
      const auto q = exp_rotation(r);
      const auto rate = q * spatial::Quaternion<double>{0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z};
      const spatial::Quaternion<Dual> moving{{sign * q.w, sign * rate.w},
                                             {sign * q.x, sign * rate.x},
                                             {sign * q.y, sign * rate.y},
                                             {sign * q.z, sign * rate.z}};
      const auto phi = log_rotation(moving);
      EXPECT_LE(size(spatial::Vector3<double>{phi.x.x, phi.y.x, phi.z.x} - r), 4e-15);
      const double a2 = angle * angle;
      const double k = angle < 1e-2 ? 1.0 / 12 + a2 / 720 + a2 * a2 / 30240
                                    : (1 - 0.5 * angle / std::tan(0.5 * angle)) / a2;
      const auto turned = cross(r, w);
      const auto expected = w + 0.5 * turned + k * cross(r, turned);
      EXPECT_LE(size(spatial::Vector3<double>{phi.x.d, phi.y.d, phi.z.d} - expected), 2e-14);
      const auto log = log_terms(q);
      const auto by_terms =
          (0.5 * log.c) * (log.w * w + cross(log.u, w)) + (log.e * dot(log.u, w)) * log.u;
      EXPECT_LE(size(by_terms - expected), 2e-14);
    }
  }
}

TEST(Logarithm, of_packs_is_that_of_their_lanes) {
  using P = Pack<double, 4>;
  RandomModel random(8);
  for (int i = 0; i < 100; ++i) {
    double w[4], x[4], y[4], z[4];
    for (int l = 0; l < 4; ++l) {
      const auto q = exp_rotation(random.vector(3));
      const double sign = random.between(-1, 1) < 0 ? -1 : 1;
      w[l] = sign * q.w, x[l] = sign * q.x, y[l] = sign * q.y, z[l] = sign * q.z;
    }
    const auto r =
        log_rotation(spatial::Quaternion<P>{P::load(w), P::load(x), P::load(y), P::load(z)});
    for (int l = 0; l < 4; ++l) {
      const auto one = log_rotation(spatial::Quaternion<double>{w[l], x[l], y[l], z[l]});
      EXPECT_LE(size(spatial::Vector3<double>{r.x.x[l], r.y.x[l], r.z.x[l]} - one), 1e-15);
    }
  }
}

}  // namespace
}  // namespace linkwright::testing
