// What may not allocate, does not.
#include <gtest/gtest.h>

#include "linkwright/coordinates/frame_motion.hpp"
#include "linkwright/coordinates/regressor.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/count_allocations.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace coordinates;

struct Moving {
  RandomModel random{5};
  System system =
      compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/humanoid.urdf", {.base = Base::free}));
  State state = random.state(system);
  Eigen::VectorXd a = random.numbers(system.nv()), jerk = random.numbers(system.nv());
};

TEST(Allocation, products_of_third_order_allocate_nothing) {
  const Moving moving;
  const FrameId last{static_cast<int>(moving.system.frames().size()) - 1};
  const long before = allocations;
  const FrameMotion made =
      compute_frame_motion(moving.system, moving.state, moving.a, moving.jerk, last, Axes::world);
  EXPECT_EQ(allocations, before);
  EXPECT_GT(norm(made.jerk.linear), 0);
}

TEST(Allocation, regressors_allocate_nothing) {
  const Moving moving;
  Workspace work(moving.system);
  const Regressor regressor(moving.system, {JointParameter::damping, JointParameter::friction});
  Eigen::MatrixXd Y(moving.system.nv(), regressor.size());
  const long before = allocations;
  regressor.compute(work, moving.state, moving.a, Y);
  EXPECT_EQ(allocations, before);
  EXPECT_GT(Y.norm(), 0);
}

}  // namespace
}  // namespace linkwright::testing
