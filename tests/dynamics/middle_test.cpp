// compute_middle: a position that violates no limit, for every joint type.
#include <gtest/gtest.h>

#include <cmath>

#include "linkwright/dynamics/state.hpp"
#include "support/random_model.hpp"

namespace linkwright {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A single joint with the same limits for all its freedoms.
System one_joint(testing::RandomModel& random, JointType type, const Limits& limits) {
  Model model;
  model.bodies.push_back(random.body("body"));
  Joint joint = random.joint("joint", type, "world", "body");
  if (type == JointType::custom) joint.modes = {{0, 0, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 1}};
  if (type != JointType::spherical && type != JointType::free) joint.limits = {limits};
  model.joints.push_back(joint);
  return compile(model);
}

TEST(Middle, lies_inside_all_limits_and_amid_two) {
  testing::RandomModel random(5);
  for (const JointType type :
       {JointType::revolute, JointType::prismatic, JointType::helical, JointType::cylindrical,
        JointType::universal, JointType::planar, JointType::custom}) {
    for (int i = 0; i < 20; ++i) {
      const double a = random.between(-3, 3), b = a + random.between(0.01, 3);
      for (const Limits& limits : {Limits{a, b}, Limits{a, infinity}, Limits{-infinity, b},
                                   Limits{0, infinity}, Limits{-infinity, 0}, Limits{}}) {
        const System system = one_joint(random, type, limits);
        Eigen::VectorXd q(system.nq());
        compute_middle(system, q);
        for (const double x : q) {
          EXPECT_GT(x, limits.lower);
          EXPECT_LT(x, limits.upper);
          if (std::isfinite(limits.lower) && std::isfinite(limits.upper)) {
            EXPECT_NEAR(x - limits.lower, limits.upper - x,
                        1e-15 * (1 + std::abs(a) + std::abs(b)));
          } else if (limits.lower < 0 && limits.upper > 0) {
            EXPECT_EQ(x, 0);
          }
        }
      }
    }
  }
}

TEST(Middle, is_neutral_where_there_are_quaternions) {
  testing::RandomModel random(6);
  for (const JointType type : {JointType::spherical, JointType::free}) {
    const System system = one_joint(random, type, Limits{});
    const State neutral(system);
    Eigen::VectorXd q(system.nq());
    compute_middle(system, q);
    EXPECT_EQ(q, neutral.q);
  }
}

/// Without limits: half a turn either way where a freedom turns, a metre where it slides.
TEST(Random, coordinates_of_custom_joints_reach_as_far_as_their_modes_mean) {
  testing::RandomModel random(8);
  Model model;
  model.bodies.push_back(random.body("body"));
  Joint joint = random.joint("joint", JointType::custom, "world", "body");
  joint.modes = {{0, 0, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 1}};
  model.joints.push_back(joint);
  const System system = compile(model);
  ASSERT_EQ(system.nq(), 2);
  Eigen::VectorXd q(2), most = Eigen::VectorXd::Zero(2);
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    compute_random(system, seed, q);
    most = most.cwiseMax(q.cwiseAbs());
  }
  EXPECT_GT(most[0], 3);
  EXPECT_LE(most[0], M_PI);
  EXPECT_GT(most[1], 0.95);
  EXPECT_LE(most[1], 1);
}

}  // namespace
}  // namespace linkwright
