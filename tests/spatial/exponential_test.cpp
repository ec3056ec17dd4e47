// The exponential of a displacement, on both sides of the angle where series take over.
#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace linkwright::testing
