// Joints that hardly anything resists: known D, every joint type, and the border to refusal.
#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/weak_joints.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// A body on a hinge about z whose inertia about it is `part` of that about x and y together.
Model thin(double part) {
  Model model;
  Body needle{.name = "needle", .mass = 1};
  needle.inertia = {0.5, 0.5, part, 0, 0, 0};
  model.bodies.push_back(needle);
  model.joints.push_back({.name = "spin",
                          .type = JointType::revolute,
                          .parent = "world",
                          .child = "needle",
                          .axis = {0, 0, 1}});
  return model;
}

TEST(WeakJoints, are_told_with_what_is_left_of_their_inertia) {
  for (const double part : {1e-13, 1e-10, 1e-9}) {
    const System system = compile(thin(part));
    Workspace work(system);
    const std::vector<WeakJoint> weak = compute_weak_joints(work, State(system).q);
    ASSERT_EQ(weak.size(), 1U) << part;
    EXPECT_EQ(system.describe_node(weak[0].node), "joint 'spin' (link 'needle')");
    EXPECT_NEAR(weak[0].resistance / part, 1, 1e-3);
    VectorXd a(1);
    EXPECT_NO_THROW(compute_forward_dynamics(work, State(system), VectorXd::Zero(1), {}, a));
  }
  for (const double part : {1e-7, 1e-3, 0.5}) {
    const System system = compile(thin(part));
    Workspace work(system);
    EXPECT_TRUE(compute_weak_joints(work, State(system).q).empty()) << part;
  }
}

TEST(WeakJoints, include_the_one_that_is_refused_and_none_inboard_of_it) {
  Model model = thin(1e-10);
  model.bodies.push_back({.name = "feather"});
  for (const JointType type :
       {JointType::revolute, JointType::prismatic, JointType::spherical, JointType::helical}) {
    model.joints.resize(1);
    model.joints.push_back(
        {.name = "loose", .type = type, .parent = "needle", .child = "feather", .pitch = 0.1});
    const System system = compile(model);
    Workspace work(system);
    const State state(system);
    const std::vector<WeakJoint> weak = compute_weak_joints(work, state.q);
    ASSERT_EQ(weak.size(), 1U) << to_string(type);
    EXPECT_EQ(system.describe_node(weak[0].node), "joint 'loose' (link 'feather')");
    EXPECT_LE(weak[0].resistance, no_resistance);
    VectorXd a(system.nv());
    EXPECT_THROW(compute_forward_dynamics(work, state, VectorXd::Zero(system.nv()), {}, a), Error);
  }
}

TEST(WeakJoints, do_not_occur_in_sound_mechanisms) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    RandomModel random(seed);
    const System system =
        compile(random.tree(random.integer(2, 24), static_cast<Base>(seed % 3), all_joint_types()));
    Workspace work(system);
    EXPECT_TRUE(compute_weak_joints(work, random.state(system).q).empty()) << seed;
  }
}

/// On a joint with several freedoms the weakest of them counts, wherever it stands among the modes.
TEST(WeakJoints, are_found_among_several_freedoms) {
  for (int i = 0; i < 3; ++i) {
    Model model = thin(0.5);
    Symmetric3& I = model.bodies[0].inertia;
    I = {0.5, 0.5, 0.5, 0, 0, 0};
    (i == 0 ? I.xx : i == 1 ? I.yy : I.zz) = 1e-11;
    model.joints[0].type = JointType::spherical;
    const System system = compile(model);
    Workspace work(system);
    const std::vector<WeakJoint> weak = compute_weak_joints(work, State(system).q);
    ASSERT_EQ(weak.size(), 1U) << i;
    EXPECT_NEAR(weak[0].resistance, 1e-11, 1e-13);
  }
}

}  // namespace
}  // namespace linkwright::testing
