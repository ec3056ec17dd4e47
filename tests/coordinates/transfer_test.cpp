/// Transfer of generalized coordinates: laws, and the operational space of the operators.

#include "linkwright/coordinates/transfer.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/operators/operational_space.hpp"

namespace linkwright::testing {
namespace {

using namespace coordinates;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double epsilon = 2.22e-16;

class Arm : public ::testing::Test {
 protected:
  Arm()
      : system(compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm6.urdf"))),
        work(system),
        state(system),
        tip(system.frame("tool")) {
    state.q << 0.3, -0.5, 0.9, 0.4, 0.8, -0.2;
    state.v << 1, -0.6, 0.7, 0.2, -1.1, 0.5;
  }
  System system;
  Workspace work;
  State state;
  FrameId tip;
};

TEST_F(Arm, there_and_back_is_where_it_was) {
  const Influence hand = compute_frame_influence(work, state.q, tip, Axes::world);
  const Transfer there(hand), back(there.initial());
  const double bound = 64 * epsilon * there.condition() * there.condition();
  EXPECT_LT((back.initial().G.view() - hand.G.view()).norm(), bound * hand.G.view().norm());
  EXPECT_LT((back.initial().H.flat() - hand.H.flat()).norm(), bound * hand.H.flat().norm());
  const DynamicModel joints = compute_joint_model(work, state, {});
  const DynamicModel again = back.apply(there.apply(joints));
  EXPECT_LT((again.inertia.view() - joints.inertia.view()).norm(),
            bound * joints.inertia.view().norm());
  EXPECT_LT((again.power.flat() - joints.power.flat()).norm(), bound * joints.power.flat().norm());
  EXPECT_NEAR(there.condition(), back.condition(), bound * there.condition());
}

TEST_F(Arm, the_hand_does_the_work_of_the_joints) {
  const Transfer to_hand(compute_frame_influence(work, state.q, tip, Axes::world));
  const DynamicModel hand = to_hand.apply(compute_joint_model(work, state, {}));
  const VectorXd a = VectorXd::LinSpaced(6, -2, 3);
  VectorXd tau(6);
  compute_inverse_dynamics(work, state, a, {}, tau);
  compute_forward_kinematics(work, state, a);
  const VectorXd rate = to_eigen(frame_velocity(work, tip, Axes::world)),
                 acceleration = to_eigen(frame_acceleration(work, tip, Axes::world));
  const MatrixXd G = compute_frame_influence(work, state.q, tip, Axes::world).G.view();
  const VectorXd force = loads(hand, rate, acceleration);
  const double bound = 64 * epsilon * to_hand.condition() * (1 + tau.norm());
  EXPECT_LT((G.transpose() * force - tau).norm(), bound);
  const Influence& joints = to_hand.initial();
  EXPECT_LT((joints.G.view() * rate - state.v).norm(), bound);
  EXPECT_LT((joints.G.view() * acceleration + quadratic_form(joints.H, rate) - a).norm(), bound);
}

TEST_F(Arm, its_effective_inertia_is_that_of_the_operational_space) {
  operators::Operators at(system);
  at.set_tips(std::vector<std::string>{"tool"});
  operators::OperationalSpace space(at);
  at.update(state.q);
  space.update();
  const MatrixXd expected = space.inertia();
  const Transfer to_hand(compute_frame_influence(work, state.q, tip, Axes::own));
  const MatrixXd found = to_hand.apply(compute_joint_model(work, state, {})).inertia.view();
  EXPECT_LT((found - expected).norm(),
            64 * epsilon * to_hand.condition() * to_hand.condition() * expected.norm());
}

TEST_F(Arm, a_parameter_is_carried_along) {
  const Influence hand = compute_frame_influence(work, state.q, tip, Axes::world);
  const Influence elbow =
      compute_frame_influence(work, state.q, system.frame("forearm"), Axes::world);
  const Transfer to_hand(hand);
  const Influence by_hand = to_hand.apply(elbow);
  compute_forward_kinematics(work, state, VectorXd::Ones(6));
  const VectorXd rate = to_eigen(frame_velocity(work, tip, Axes::world)),
                 acceleration = to_eigen(frame_acceleration(work, tip, Axes::world)),
                 expected =
                     to_eigen(frame_acceleration(work, system.frame("forearm"), Axes::world));
  EXPECT_LT((by_hand.G.view() * acceleration + quadratic_form(by_hand.H, rate) - expected).norm(),
            64 * epsilon * to_hand.condition() * (1 + expected.norm()));
}

TEST_F(Arm, near_a_singularity_it_refuses_and_names_the_joint) {
  state.q << 0.3, -0.5, 0.9, 0.4, 1e-9,
      -0.2;  // the axes of the first and the last wrist joint meet
  try {
    const Transfer to_hand(compute_frame_influence(work, state.q, tip, Axes::world));
    FAIL() << "no error; condition " << to_hand.condition();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::failed_computation);
    const std::string text = error.what();
    EXPECT_NE(text.find("'tool:wx'"), std::string::npos) << text;
    EXPECT_TRUE(text.find("'wrist_roll'") != std::string::npos ||
                text.find("'flange'") != std::string::npos)
        << text;
  }
  state.q[4] = 1e-4;
  EXPECT_GT(Transfer(compute_frame_influence(work, state.q, tip, Axes::world)).condition(), 1e3);
}

TEST_F(Arm, too_few_coordinates_are_refused) {
  const Influence hand = compute_frame_influence(work, state.q, tip, Axes::world);
  EXPECT_THROW(Transfer(select(hand, {"tool:vx"})), Error);
}

}  // namespace
}  // namespace linkwright::testing
