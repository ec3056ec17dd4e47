/// What the certificate of mobility says of motions that closures forbid by a hair.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "closure/mechanisms.hpp"
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

}  // namespace
}  // namespace linkwright::testing
