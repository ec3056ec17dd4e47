/// How far pairs are open, where the answer is plain.

#include <gtest/gtest.h>

#include <random>

#include "closure/mechanisms.hpp"
#include "linkwright/closure/residual.hpp"
#include "linkwright/spatial/group.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::testing {
namespace {

ClosurePlace pair_of(JointType type, double pitch = 0) {
  Model model = four_bar(0.3, 0.9, 0.7, 0.8, type);
  model.closures[0].pitch = pitch;
  return compile(model).closures().front();
}
Pose turned(double angle, Vector3 way) {
  return {to_matrix(spatial::exp_rotation({0, 0, angle})), way};
}

TEST(Residual, a_screw_counts_its_turns) {
  const ClosurePlace screw = pair_of(JointType::helical, 0.02);
  for (const double angle : {0.3, -2.0, 6.5, 20.0, -31.0}) {
    const closure::Opening open = closure::opening(screw, turned(angle, {0, 0, 0.02 * angle}));
    EXPECT_LT(open.distance, 1e-14) << angle;
    EXPECT_LT(open.angle, 1e-14) << angle;
    EXPECT_NEAR(open.q[0], angle, 1e-12) << angle;
  }
  // The nearest turn of the screw takes its share of the gap.
  EXPECT_NEAR(closure::opening(screw, turned(0.3, {0, 0, 0.006 + 0.01})).distance, 0.01, 1e-5);
}

/// A pair of one mode that turns and slides about an axis away from its frame, taken far apart.
TEST(Residual, far_from_closed_a_gap_is_no_larger_than_what_was_moved) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto vector = [&] { return Vector3{any(random), any(random), any(random)}; };
  for (int trial = 0; trial < 200; ++trial) {
    Model model = four_bar(0.3, 0.9, 0.7, 0.8, JointType::custom);
    const Vector3 w = vector(), v = 2.0 * vector();
    model.closures[0].modes = {{w.x, w.y, w.z, v.x, v.y, v.z}};
    const ClosurePlace pair = compile(model).closures().front();
    const Pose X{to_matrix(spatial::exp_rotation(2.0 * vector())), 3.0 * vector()};
    const closure::Opening open = closure::opening(pair, X);
    EXPECT_LT(open.angle, 10) << trial;
    EXPECT_LT(open.distance, 30) << trial;
    // What the pair itself can do is closed, however far.
    const Motion move = any(random) * pair.mode[0];
    const Pose own{to_matrix(spatial::exp_rotation(move.angular)),
                   spatial::exp_coupling(move.angular, move.linear)};
    const closure::Opening closed = closure::opening(pair, own);
    EXPECT_LT(closed.angle + closed.distance, 1e-13) << trial;
  }
}

/// An axis that points the other way is half a turn open, not closed.
TEST(Residual, a_flipped_hinge_is_open) {
  const ClosurePlace hinge = pair_of(JointType::revolute);
  const Pose flipped{to_matrix(spatial::exp_rotation({3.0, 0, 0})), {}};
  EXPECT_NEAR(closure::opening(hinge, flipped).angle, 3.0, 1e-12);
  EXPECT_LT(closure::opening(hinge, turned(2.5, {})).angle, 1e-14);
  EXPECT_NEAR(closure::opening(hinge, turned(2.5, {})).q[0], 2.5, 1e-14);
}

}  // namespace
}  // namespace linkwright::testing
