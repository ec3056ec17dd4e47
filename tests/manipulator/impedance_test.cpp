// What a held object feels like: against the response of the closed dynamics, and against another formula.
#include <gtest/gtest.h>

#include <numbers>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/manipulator/grasp_impedance.hpp"
#include "manipulator/grasps.hpp"
#include "support/declared_forces.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using manipulator::compute_object_impedance;

struct Hand {
  System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/three_fingers_and_ball.yaml"));
  ClosedWorkspace work{system};
  State state = initial_state(system);
  Hand() { EXPECT_TRUE(assemble(work, {.hold = {"ball"}}, state.q).assembled); }
};

TEST(object_impedance, inertia_is_what_a_push_meets) {
  Hand hand;
  const auto felt = compute_object_impedance(hand.work, hand.state.q, "ball");
  EXPECT_EQ(felt.rank, 6);
  EXPECT_TRUE(felt.immovable.empty());
  const int nv = hand.system.nv();
  const FrameId ball = hand.system.frame("ball");
  MatrixXd J(6, nv), response(6, 6);
  VectorXd still(nv), pushed(nv);
  const VectorXd tau = VectorXd::Zero(nv);
  compute_forward_dynamics(hand.work, hand.state, tau, {}, still);
  compute_jacobian(hand.work.tree(), hand.state.q, ball, Axes::own, J);
  for (int i = 0; i < 6; ++i) {
    double w[6]{};
    w[i] = 1;
    const ExternalForce push{ball, {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}, Axes::own};
    compute_forward_dynamics(hand.work, hand.state, tau, {&push, 1}, pushed);
    response.col(i) = J * (pushed - still);
  }
  EXPECT_LT((felt.inertia.view() * response - MatrixXd::Identity(6, 6)).norm(), 1e-8);
  EXPECT_GT(felt.inertia(5, 5), 0.2);  // the ball alone, and the fingers with it
}

TEST(object_impedance, stiffness_is_that_of_the_servos_through_the_grasp) {
  Hand hand;
  const int nv = hand.system.nv();
  manipulator::ServoGains gains;
  gains.stiffness.assign(static_cast<std::size_t>(nv), 0.0);
  for (int i = 0; i < 9; ++i) gains.stiffness[static_cast<std::size_t>(i)] = 1 + 0.1 * i;
  gains.damping = gains.stiffness;
  const auto felt = compute_object_impedance(hand.work, hand.state.q, "ball", gains);
  // K_o = G (J_h K⁻¹ J_hᵀ)⁻¹ Gᵀ: contacts in series with joints.
  const auto map = manipulator::compute_grasp_map(hand.work, hand.state.q, "ball");
  const MatrixXd G = map.G.view(), Jh = map.hand_jacobian.view();
  VectorXd k(9);
  for (int i = 0; i < 9; ++i)
    k[i] = gains.stiffness[static_cast<std::size_t>(map.hand_entries[static_cast<std::size_t>(i)])];
  const MatrixXd compliance = Jh * k.cwiseInverse().asDiagonal() * Jh.transpose();
  const MatrixXd expected = G * compliance.ldlt().solve(MatrixXd(G.transpose()));
  EXPECT_LT((felt.stiffness.view() - expected).norm(), 1e-9 * expected.norm());
  EXPECT_LT((felt.damping.view() - expected).norm(), 1e-9 * expected.norm());
}

TEST(object_impedance, an_object_that_cannot_move_has_none) {
  const System welded = compile(
      held(JointType::free, {{{1, 0, 0}, {-1, 0, 0}, Grasp::Contact::rigid, std::nullopt, {}}}));
  ClosedWorkspace work(welded);
  const auto felt = compute_object_impedance(work, State(welded).q, "thing");
  EXPECT_EQ(felt.rank, 0);
  EXPECT_EQ(felt.immovable.size(), 6U);
  EXPECT_EQ(felt.inertia.view().norm(), 0);
  // On a ball-shaped contact with the world it turns about that point only.
  const System hung = compile(
      held(JointType::free, {{{0, 0, 1}, {0, 0, -1}, Grasp::Contact::point, std::nullopt, {}}}));
  ClosedWorkspace hung_work(hung);
  const auto turns = compute_object_impedance(hung_work, State(hung).q, "thing");
  EXPECT_EQ(turns.rank, 3);
  // Half the energy of a turn about y through the contact: I + m l².
  VectorXd x = VectorXd::Zero(6);
  x[1] = 1, x[3] = -1;
  EXPECT_NEAR(x.dot(turns.inertia.view() * x), 0.4 + 2.0, 1e-10);
}

/// Fingers that stand still leave nothing of the motion: what is left of it is rounding, not a rank.
TEST(object_impedance, rounding_is_no_motion) {
  for (const double angle : {0.0, 0.3, 1.1})
    for (const JointType type : {JointType::planar, JointType::free}) {
      const System system =
          compile(held(type, {on_circle(angle), on_circle(angle + 2), on_circle(angle + 4)}));
      ClosedWorkspace work(system);
      const auto felt = compute_object_impedance(work, State(system).q, "thing");
      EXPECT_EQ(felt.rank, 0);
      EXPECT_EQ(felt.immovable.size(), 6U);
      EXPECT_EQ(felt.inertia.view().norm(), 0);
    }
  const System pinched =
      compile(held(JointType::planar, {on_circle(0), on_circle(std::numbers::pi)}));
  ClosedWorkspace work(pinched);
  EXPECT_EQ(compute_object_impedance(work, State(pinched).q, "thing").rank, 0);
}

/// The object on a sprung hinge that closes a loop, and a limp hand that turns with it.
TEST(object_impedance, springs_of_closing_joints_count) {
  Model model = parse_system_file(R"(linkwright: 1
bodies: [{name: hand, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}]
joints: [{name: turn, type: revolute, parent: world, child: hand, axis: [1, 0, 0]}]
objects: [{name: bar, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}]
closures: [{name: axle, between: [world, bar], joint: revolute, axis: [1, 0, 0]}]
grasps: [{name: g, arm: hand, object: bar}]
)",
                                  "hinge.yaml");
  model.joint_springs.push_back({.joint = "axle", .stiffness = 3, .damping = 0.5});
  model.joint_springs.push_back({.joint = "turn", .stiffness = 2, .damping = 0.25});
  const System system = compile(model);
  ClosedWorkspace work(system);
  const auto felt = compute_object_impedance(work, initial_state(system).q, "bar");
  EXPECT_EQ(felt.rank, 1);
  EXPECT_NEAR(felt.stiffness(0, 0), 5, 1e-10);
  EXPECT_NEAR(felt.damping(0, 0), 0.75, 1e-10);
  EXPECT_NEAR(felt.stiffness.view().norm(), 5, 1e-10);
}

/// Carried by a slab on a flexible base and clamped to it, an object feels the base's matrices.
TEST(object_impedance, a_flexible_base_under_the_hand_counts) {
  RandomModel random(5);
  Model model;
  model.bodies = {random.body("slab"), random.body("box")};
  model.joints = {{.name = "base", .type = JointType::free, .parent = "world", .child = "slab"},
                  {.name = "box", .type = JointType::free, .parent = "world", .child = "box"}};
  model.joints[1].passive = {true};
  model.objects = {"box"};
  model.grasps = {{.name = "clamp", .arm = "slab", .object = "box"}};
  const PoseMatrix K = coupled_matrix(random, 300), D = coupled_matrix(random, 4);
  model.flexible_bases = {{.joint = "base", .stiffness = K, .damping = D}};
  const System system = compile(model);
  ClosedWorkspace work(system);
  const auto felt = compute_object_impedance(work, State(system).q, "box");
  for (int i = 0; i < 36; ++i) {
    EXPECT_NEAR(felt.stiffness(i / 6, i % 6), K(i / 6, i % 6), 1e-12 * 300) << i;
    EXPECT_NEAR(felt.damping(i / 6, i % 6), D(i / 6, i % 6), 1e-12 * 4) << i;
  }
}

TEST(object_impedance, refuses_gains_without_meaning) {
  Hand hand;
  const auto said = [&](const manipulator::ServoGains& gains) {
    return error_of([&] { compute_object_impedance(hand.work, hand.state.q, "ball", gains); });
  };
  EXPECT_TRUE(contains(said({.stiffness = {1, 2}}), "2 stiffness for 15"));
  std::vector<double> bad(15, 1.0);
  bad[1] = -1;
  EXPECT_TRUE(contains(said({.damping = bad}), "'thumb_bend'"));
  EXPECT_TRUE(contains(error_of([&] { compute_object_impedance(hand.work, hand.state.q, "pall"); }),
                       "did you mean 'ball'"));
}

}  // namespace
}  // namespace linkwright::testing
