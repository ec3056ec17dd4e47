/// What the certificate of mobility says of motions that closures forbid by a hair.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "closure/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// A parallelogram that stands one radian from flat at q = 0, the coupler's first hinge askew by an angle.
Model askew(double angle) {
  Model model = four_bar(0.3, 0.5, 0.3, 0.5);
  model.joints[0].pose.rotation = spatial::from_rpy({0, 0, 1.0});
  model.joints[1].pose.rotation = spatial::from_rpy({0, 0, -1.0});
  model.joints[2].pose.rotation = spatial::from_rpy({0, 0, 1.0});
  model.joints[1].axis = {0, std::sin(angle), std::cos(angle)};
  return model;
}

Mobility mobility_at(const System& system, const VectorXd& q) {
  ClosedWorkspace work(system);
  return compute_mobility(work, q);
}

TEST(Mobility, a_hinge_a_little_askew_is_told_with_what_it_locks) {
  const double angle = 3e-5;
  const System system = compile(askew(angle));
  const Mobility found = mobility_at(system, VectorXd::Zero(3));
  EXPECT_EQ(found.mobility, 0);
  ASSERT_EQ(found.narrowly_forbidden.size(), 1U);
  const Mobility::Narrow& narrow = found.narrowly_forbidden.front();
  // All three turn at one rate, and the hinge misses by the angle times that.
  EXPECT_GT(narrow.singular_value, 0.1 * angle);
  EXPECT_LT(narrow.singular_value, angle);
  EXPECT_EQ(narrow.joints, (std::vector<std::string>{"j1", "j2", "j3"}));
  EXPECT_EQ(narrow.closures, std::vector<std::string>{"loop"});
  EXPECT_TRUE(narrow.nearby_too);
  const std::string said = describe(system, found);
  EXPECT_NE(said.find("forbidden by a hair"), std::string::npos) << said;
  EXPECT_NE(said.find("few digits"), std::string::npos) << said;
}

/// Half the angle, half the singular value: it measures how askew the hinge is.
TEST(Mobility, what_locks_by_a_hair_grows_with_the_angle) {
  const auto kept = [](double angle) {
    return mobility_at(compile(askew(angle)), VectorXd::Zero(3)).smallest_kept;
  };
  EXPECT_NEAR(kept(1e-4) / kept(5e-5), 2, 1e-3);
  const Mobility straight = mobility_at(compile(askew(0)), VectorXd::Zero(3));
  EXPECT_EQ(straight.mobility, 1);
  EXPECT_TRUE(straight.narrowly_forbidden.empty());
  EXPECT_TRUE(mobility_at(compile(askew(0.1)), VectorXd::Zero(3)).narrowly_forbidden.empty());
}

TEST(Mobility, near_a_singular_position_it_is_the_position) {
  const System system = compile(askew(0));
  const double from_flat = 1e-4;
  VectorXd q(3);
  q << from_flat - 1, 1 - from_flat, from_flat - 1;
  const Mobility found = mobility_at(system, q);
  EXPECT_EQ(found.mobility, 1);
  ASSERT_EQ(found.narrowly_forbidden.size(), 1U);
  EXPECT_FALSE(found.narrowly_forbidden.front().nearby_too);
  EXPECT_NE(describe(system, found).find("a singular position is near"), std::string::npos);
}

/// Too little to count: the motion is free, velocities along it keep the mechanism closed, and it is told by name.
TEST(Mobility, rows_that_are_nearly_redundant_are_told_and_do_not_count) {
  const System system = compile(two_hinges_and_slide(3e-6));
  const Mobility found = mobility_at(system, VectorXd::Zero(2));
  EXPECT_EQ(found.mobility, 1);
  EXPECT_TRUE(found.narrowly_forbidden.empty());
  ASSERT_EQ(found.narrowly_allowed.size(), 1U);
  const Mobility::Narrow& narrow = found.narrowly_allowed.front();
  EXPECT_EQ(narrow.singular_value, found.largest_dropped);
  EXPECT_EQ(narrow.closures, std::vector<std::string>{"slide"});
  EXPECT_EQ(narrow.joints, (std::vector<std::string>{"j1", "j2"}));
  EXPECT_NE(describe(system, found).find("nearly redundant"), std::string::npos);

  ClosedWorkspace work(system);
  State state(system);
  state.v << 1, 1;
  Eigen::MatrixXd J(work.rows(), 2);
  compute_closure_jacobian(work, state.q, J);
  EXPECT_GT((J * state.v).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_NO_THROW(require_closed(work, state, 1e-8));
  state.v << 1, 1 + 1e-6;
  EXPECT_THROW(require_closed(work, state, 1e-8), Error);
}

TEST(Mobility, rows_that_count_by_a_hair_forbid_velocities) {
  const System system = compile(two_hinges_and_slide(1e-4));
  EXPECT_EQ(mobility_at(system, VectorXd::Zero(2)).mobility, 0);
  ClosedWorkspace work(system);
  State state(system);
  state.v << 1, 1;
  EXPECT_THROW(require_closed(work, state, 1e-8), Error);
}

}  // namespace
}  // namespace linkwright::testing
