#include <gtest/gtest.h>

#include <random>

#include "linkwright/model/model.hpp"

namespace linkwright {
namespace {

constexpr JointType every_type[] = {
    JointType::fixed,     JointType::revolute,    JointType::continuous, JointType::prismatic,
    JointType::helical,   JointType::cylindrical, JointType::universal,  JointType::planar,
    JointType::spherical, JointType::free,        JointType::custom};

Joint custom(std::vector<std::array<double, 6>> modes) {
  Joint joint;
  joint.type = JointType::custom;
  joint.modes = std::move(modes);
  return joint;
}

TEST(JointType, NamesAreReadBackAsTheSameType) {
  for (const JointType type : every_type) {
    ASSERT_TRUE(to_joint_type(to_string(type)).has_value()) << to_string(type);
    EXPECT_EQ(*to_joint_type(to_string(type)), type);
  }
  EXPECT_FALSE(to_joint_type("hinge").has_value());
  EXPECT_FALSE(to_joint_type("").has_value());
}

TEST(JointType, OnlyOrientationsOfThreeFreedomsNeedMorePositionsThanVelocities) {
  for (const JointType type : every_type) {
    Joint joint;
    joint.type = type;
    const int extra = type == JointType::spherical || type == JointType::free ? 1 : 0;
    EXPECT_EQ(position_count(joint), velocity_count(joint) + extra) << to_string(type);
  }
}

TEST(CustomJoint, WithoutModesItIsFixed) {
  EXPECT_EQ(velocity_count(custom({})), 0);
  EXPECT_EQ(position_count(custom({})), 0);
}

TEST(CustomJoint, OneModeAlwaysCommutes) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20; ++i) {
    std::array<double, 6> mode{};
    for (double& x : mode) x = normal(random);
    EXPECT_TRUE(modes_commute(custom({mode})));
    EXPECT_EQ(position_count(custom({mode})), 1);
    // A multiple of a mode commutes with it too, rounding aside.
    std::array<double, 6> multiple = mode;
    for (double& x : multiple) x *= 1e3 / 7;
    EXPECT_TRUE(modes_commute(custom({mode, multiple})));
  }
}

TEST(CustomJoint, PositionsArePlainNumbersExactlyWhenTheModesCommute) {
  const std::array<double, 6> turn_x{1, 0, 0, 0, 0, 0}, turn_z{0, 0, 1, 0, 0, 0};
  const std::array<double, 6> slide_x{0, 0, 0, 1, 0, 0}, slide_y{0, 0, 0, 0, 1, 0},
      slide_z{0, 0, 0, 0, 0, 1};
  EXPECT_EQ(position_count(custom({slide_x, slide_y, slide_z})), 3);
  EXPECT_EQ(position_count(custom({turn_z, slide_z})), 2);
  EXPECT_EQ(position_count(custom({turn_z, slide_x})), 7);
  EXPECT_EQ(position_count(custom({turn_x, turn_z})), 7);
  EXPECT_EQ(velocity_count(custom({turn_x, turn_z})), 2);
}

}  // namespace
}  // namespace linkwright
