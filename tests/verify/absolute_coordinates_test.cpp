// Absolute coordinates against closed forms, and against the trunk, with which they share nothing but the
// Model: every joint type, every base, everything that a model declares.
#include <gtest/gtest.h>

#include <tuple>

#include <cmath>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/verify/absolute_coordinates.hpp"
#include "linkwright/verify/verification.hpp"
#include "support/declared_forces.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;
using verify::AbsoluteCoordinates;
using verify::ForceOnFrame;

/// Poses by the library's kinematics, accelerations and tip by all formulations of `verify`.
void expect_agreement(const Model& model, const std::string& tip, int seed) {
  const System system = compile(model);
  if (system.nv() == 0) return;
  verify::Verification verification(system, system.frame(tip), {.count = 3, .seed = seed});
  ASSERT_EQ(verification.formulations().back().name, "absolute coordinates");
  verification.compare_all();
  const auto& found = verification.comparison().disagreement;
  EXPECT_FALSE(found) << to_text(*found);

  AbsoluteCoordinates mechanism(model);
  const auto problem = verify::make_random_problem(system, system.frame(tip), seed, 1);
  VectorXd a(system.nv());
  mechanism.compute_forward_dynamics(problem.state.q, problem.state.v, problem.tau, {}, a);
  Workspace work(system);
  compute_forward_kinematics(work, problem.state, a);
  const Pose mine = mechanism.frame_pose(tip), theirs = frame_pose(work, system.frame(tip));
  const double rounding = 1e-15 * system.node_count() * (1 + norm(theirs.translation)) * 16;
  EXPECT_LE(norm(mine.translation - theirs.translation), rounding);
  for (const Vector3& e : {Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}})
    EXPECT_LE(norm(mine.rotation * e - theirs.rotation * e), rounding);
}

class AbsoluteCoordinatesOfJoint : public ::testing::TestWithParam<JointType> {};

/// The joint at the root, in the middle and at the leaf.
TEST_P(AbsoluteCoordinatesOfJoint, agree_with_the_trunk) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    Model model = random.tree(1, Base::fixed, {GetParam()});
    for (int k = 1; k < 4; ++k) {
      const std::string name = "body" + std::to_string(k);
      model.bodies.push_back(random.body(name));
      model.joints.push_back(random.joint("joint" + std::to_string(k),
                                          k == 2 ? JointType::revolute : GetParam(),
                                          "body" + std::to_string(k - 1), name));
    }
    model.frames = {{"tip", "body3", random.pose(0.4), {}}};
    expect_agreement(model, "tip", static_cast<int>(seed));
  }
}
INSTANTIATE_TEST_SUITE_P(every, AbsoluteCoordinatesOfJoint, ::testing::ValuesIn(all_joint_types()),
                         [](const auto& joint) { return std::string(to_string(joint.param)); });

/// Planar joints along the coordinate axes choose their own x and y.
TEST(AbsoluteCoordinates, agree_on_planar_joints_along_every_axis) {
  for (const Vector3 axis :
       {Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}, Vector3{-1, 0, 0}, Vector3{0, -1, 0},
        Vector3{0, 0, -1}, Vector3{1, 1, 0}, Vector3{0, 3, 3}}) {
    RandomModel random(5);
    Model model = random.tree(3, Base::planar, {JointType::planar});
    for (Joint& joint : model.joints) joint.axis = axis;
    expect_agreement(model, "tip", 2);
  }
}

/// Commuting modes are exponentials; the others are integrated on the group.
TEST(AbsoluteCoordinates, agree_on_custom_joints_of_every_kind) {
  const std::vector<std::vector<std::array<double, 6>>> commuting = {
      {{0, 0, 1, 0, 0, 0.2}},
      {{0.3, -0.5, 2, 0.4, 0, 0}},
      {{0, 0, 2, 0.4, 0, 0}, {0, 0, 0, 0, 0, 1}},
      {{0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0.3, 0, 1}}};
  for (const auto& modes : commuting) {
    RandomModel random(3);
    Model model = random.tree(3, Base::fixed, {JointType::custom});
    for (Joint& joint : model.joints) joint.modes = modes;
    ASSERT_TRUE(modes_commute(model.joints.front()));
    expect_agreement(model, "tip", 11);
  }
  for (int d = 2; d <= 6; ++d) {
    RandomModel random(static_cast<unsigned>(d));
    Model model = random.tree(3, Base::free, {JointType::custom});
    for (Joint& joint : model.joints)
      if (joint.type == JointType::custom) joint.modes = random.modes(d);
    ASSERT_FALSE(modes_commute(model.joints.back()));
    expect_agreement(model, "tip", 11);
  }
}

TEST(AbsoluteCoordinates, agree_with_the_trunk_on_every_base_under_all_that_a_model_declares) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    expect_agreement(with_all_forces(random, static_cast<Base>(seed % 3)), "tip",
                     static_cast<int>(seed));
  }
}

/// A motor with gear n is a rotor of n² J and a damper of n² d at the joint.
TEST(AbsoluteCoordinates, feel_motors_through_their_gears) {
  RandomModel random(8);
  Model plain = random.tree(4, Base::fixed, {JointType::revolute});
  for (Joint& joint : plain.joints) joint.rotor_inertia.clear(), joint.damping.clear();
  Model driven = plain;
  driven.actuators.push_back({.joint = "joint2",
                              .motor = Actuator::Motor{.rotor_inertia = 1e-3, .damping = 2e-4},
                              .gear = -100});
  plain.joints[2].rotor_inertia = {10};
  plain.joints[2].damping = {2};
  const VectorXd q = random.numbers(4), v = random.numbers(4), tau = random.numbers(4);
  VectorXd a(4), expected(4);
  AbsoluteCoordinates(driven).compute_forward_dynamics(q, v, tau, {}, a);
  AbsoluteCoordinates(plain).compute_forward_dynamics(q, v, tau, {}, expected);
  EXPECT_LE((a - expected).norm(), 1e-14 * expected.norm());
}

/// A point mass on a massless rod: l² m q̈ = τ − m g l sin q, pushed at the mass.
TEST(AbsoluteCoordinates, a_pendulum_moves_by_its_closed_form) {
  Model model;
  model.bodies = {{.name = "rod", .mass = 2, .com = {0, 0, -0.5}}};
  model.joints = {{.name = "hinge",
                   .type = JointType::revolute,
                   .parent = "world",
                   .child = "rod",
                   .axis = {0, 1, 0}}};
  model.frames = {{.name = "mass", .body = "rod", .pose = {Matrix3::identity(), {0, 0, -0.5}}}};
  AbsoluteCoordinates pendulum(model);
  const double angle = 0.7, rate = 1.3, tau = 0.4, push = 3;
  VectorXd a(1);
  pendulum.compute_forward_dynamics(VectorXd{{angle}}, VectorXd{{rate}}, VectorXd{{tau}},
                                    {{"mass", {{}, {push, 0, 0}}}}, a);
  const double expected = (tau - push * 0.5 - 2 * 9.81 * 0.5 * std::sin(angle)) / (2 * 0.25);
  EXPECT_NEAR(a[0], expected, 1e-14);
  const Motion tip = pendulum.frame_acceleration("mass");
  EXPECT_NEAR(tip.angular.y, expected, 1e-14);
  EXPECT_NEAR(tip.linear.x, -0.5 * expected, 1e-14);
  EXPECT_NEAR(tip.linear.z, 0.5 * rate * rate, 1e-14);
}

/// Euler's equations of a free body, forces in world axes and its own.
TEST(AbsoluteCoordinates, a_free_body_obeys_newton_and_euler) {
  Model model;
  model.gravity = {};
  model.bodies = {{.name = "stone", .mass = 2, .inertia = {1, 2, 3, 0, 0, 0}}};
  model.joints = {{.name = "air", .type = JointType::free, .parent = "world", .child = "stone"}};
  AbsoluteCoordinates stone(model);
  const double half = std::sqrt(0.5);
  const VectorXd q{{half, 0, 0, half, 1, 2, 3}}, v{{1, 2, 3, 0.5, -0.5, 0.25}};
  VectorXd a(6);
  // Turned by 90° about z: the world's x is the body's −y.
  const std::vector<ForceOnFrame> forces{{"stone", {{0, 0, 1}, {4, 0, 0}}, true},
                                         {"stone", {{}, {0, 0, 2}}}};
  stone.compute_forward_dynamics(q, v, VectorXd::Zero(6), forces, a);
  // I ω̇ = N − ω × I ω; v̇ = F / m − ω × v in the child's axes.
  const VectorXd expected{{-6.0 / 1, 6.0 / 2, (1 - 2.0) / 3, -(2 * 0.25 - 3 * -0.5),
                           -2 - (3 * 0.5 - 1 * 0.25), 1 - (1 * -0.5 - 2 * 0.5)}};
  EXPECT_LE((a - expected).norm(), 1e-14) << a.transpose() << "\n" << expected.transpose();
}

TEST(AbsoluteCoordinates, refuse_what_they_cannot_answer_and_name_it) {
  Model model;
  model.bodies = {{.name = "heavy", .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}}, {.name = "light"}};
  model.joints = {{.name = "a", .type = JointType::revolute, .parent = "world", .child = "heavy"},
                  {.name = "b", .type = JointType::revolute, .parent = "heavy", .child = "light"}};
  AbsoluteCoordinates mechanism(model);
  VectorXd a(2);
  const VectorXd zero = VectorXd::Zero(2);
  EXPECT_TRUE(contains(
      error_of([&] { mechanism.compute_forward_dynamics(zero, zero, zero, {}, a); }), "joint 'b'"));
  EXPECT_TRUE(
      contains(error_of([&] { mechanism.compute_forward_dynamics(a.head(1), zero, zero, {}, a); }),
               "expected 2"));
  EXPECT_TRUE(contains(error_of([&] {
                         mechanism.compute_forward_dynamics(zero, zero, zero, {{"nobody", {}}}, a);
                       }),
                       "'nobody'"));
  EXPECT_TRUE(contains(error_of([&] { std::ignore = mechanism.frame_pose("light"); }),
                       "call compute_forward_dynamics first"));
  // A skew axis and any position: what is left of the pivot is rounding, not zero.
  model.joints[1].axis = {0.36, 0.48, 0.8};
  model.joints[1].pose.translation = {0.3, -0.7, 0.11};
  AbsoluteCoordinates skew(model);
  const VectorXd q = VectorXd::Constant(2, 0.7), v = VectorXd::Constant(2, 1.3);
  EXPECT_TRUE(
      contains(error_of([&] { skew.compute_forward_dynamics(q, v, zero, {}, a); }), "joint 'b'"));
  EXPECT_TRUE(contains(error_of([&] { std::ignore = skew.frame_acceleration("light"); }),
                       "call compute_forward_dynamics first"));
  model.bodies.resize(AbsoluteCoordinates::most_bodies + 1);
  EXPECT_TRUE(contains(error_of([&] { AbsoluteCoordinates{model}; }), "at most 200"));
}

}  // namespace
}  // namespace linkwright::testing
