/// How far pairs are open, where the answer is plain.

#include <gtest/gtest.h>

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
