/// Freeman's appendix D: mechanisms whose count of freedoms surprises. A spatial slider-crank whose
/// connecting rod can spin, and Bricard's linkage, one of whose equations is redundant.

#include <gtest/gtest.h>

#include "closure/mechanisms.hpp"
#include "coordinates/compare.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {
namespace {

/// Seven hinges, θ1 … θ7: the crank, a ball of three hinges, the rod, a ball of three hinges, the piston,
/// which slides along z. θ4 and θ5 turn about the rod's axis (its x).
Model slider_crank() {
  Model out;
  out.gravity = {0, 0, -9.81};
  out.bodies = {rod("crank", 0.2, 1.5),
                {.name = "b2"},
                {.name = "b3"},
                rod("rod", 0.6, 0.8),
                {.name = "b5"},
                {.name = "b6"},
                {.name = "piston", .mass = 2, .inertia = {0.01, 0.01, 0.01, 0, 0, 0}}};
  out.joints = {hinge("theta1", "world", "crank", {0.1, -0.05, 0}, {0, 1, 0}),
                hinge("theta2", "crank", "b2", {0.2, 0, 0}, {0, 0, 1}),
                hinge("theta3", "b2", "b3", {}, {0, 1, 0}),
                hinge("theta4", "b3", "rod", {}, {1, 0, 0}),
                hinge("theta5", "rod", "b5", {0.6, 0, 0}, {1, 0, 0}),
                hinge("theta6", "b5", "b6", {}, {0, 1, 0}),
                hinge("theta7", "b6", "piston", {}, {0, 0, 1})};
  Closure guide{.name = "guide", .body_a = "world", .body_b = "piston"};
  guide.joint = JointType::prismatic;
  out.closures = {guide};
  return out;
}

class SliderCrank : public ::testing::Test {
 protected:
  SliderCrank() : system(compile(slider_crank())), work(system), state(system) {
    state.q << -0.5, 0.2, -0.8, 0.3, 0.4, 0.6, -0.2;
    if (!assemble(work, {.hold = {"theta1", "theta5"}}, state.q).assembled)
      throw Error("the slider-crank can be assembled here");
    state.v << 1, 2, -1, 0.5, 0.7, -0.3, 0.4;
    project_velocity(work, state.q, {"theta1", "theta5"}, state.v);
  }
  System system;
  ClosedWorkspace work;
  State state;
};

TEST_F(SliderCrank, the_four_steps_of_figure_d1_equal_the_closure_room) {
  // 1. the open chain; 2. transfer to θ5 and the piston's six; 3. hold five of them; 4. to θ1 and θ5.
  const DynamicModel open = compute_joint_model(work, state, {});
  const Influence piston =
      compute_frame_influence(work, state.q, system.frame("piston"), Axes::world);
  const Transfer second(stack(joint_influence(system, {"theta5"}), piston));
  const std::vector<std::string> held{"piston:vx", "piston:vy", "piston:wx", "piston:wy",
                                      "piston:wz"};
  const Constrained third =
      constrain(second.apply(open), second.apply(select(piston, held)), {"theta5", "piston:vz"});
  const Influence phi_by_y = compose(second.initial(), third.initial);
  const Transfer fourth(compose(joint_influence(system, {"theta1", "theta5"}), phi_by_y));
  const Influence joints = fourth.apply(phi_by_y);
  const DynamicModel by_steps = fourth.apply(third.model);
  const double condition = second.condition() * third.condition * fourth.condition();

  const std::vector<int> inputs{system.joint("theta1").v, system.joint("theta5").v};
  const Mechanism at_once =
      compute_double_transfer(work, state, {}, joint_influence(system, {"theta1", "theta5"}));
  expect_same(work, state, VectorXd::Unit(7, 0), at_once, inputs, "double transfer");
  const double bound = slack * epsilon * condition;
  EXPECT_LT((by_steps.inertia.view() - at_once.model.inertia.view()).norm(), bound);
  EXPECT_LT((by_steps.power.flat() - at_once.model.power.flat()).norm(),
            bound * (1 + at_once.joints.H.flat().norm()));
  EXPECT_LT((joints.G.view() - at_once.joints.G.view()).norm(),
            bound * at_once.joints.G.view().norm());
}

TEST_F(SliderCrank, the_spin_of_the_rod_moves_nothing_else) {
  const Mechanism found =
      compute_double_transfer(work, state, {}, joint_influence(system, {"theta1", "theta5"}));
  const Influence output =
      compose(select(compute_frame_influence(work, state.q, system.frame("piston"), Axes::world),
                     {"piston:vz"}),
              found.joints);
  const double bound = slack * epsilon * found.condition * (1 + found.joints.H.flat().norm());
  EXPECT_GT(std::abs(output.G(0, 0)), 0.01);
  EXPECT_NEAR(output.G(0, 1), 0, bound);
  EXPECT_NEAR(output.H.plane(0)(0, 1) + output.H.plane(0)(1, 0), 0, bound);
  EXPECT_NEAR(output.H.plane(0)(1, 1), 0, bound);
  // The rod's own inertia about its axis (a thousandth of 0.8 · 0.6² / 12) is all that the spin meets.
  EXPECT_NEAR(found.model.inertia(1, 1), 1e-3 * 0.8 * 0.36 / 12, bound);

  const Mobility mobility = compute_mobility(work, state.q);
  EXPECT_EQ(mobility.mobility, 2);
  ASSERT_EQ(mobility.idle.size(), 1U);
  EXPECT_EQ(mobility.idle[0].freedoms, 1);
}

TEST_F(SliderCrank, without_the_spin_the_coordinates_do_not_suffice) {
  EXPECT_THROW((void)compute_double_transfer(work, state, {}, joint_influence(system, {"theta1"})),
               Error);
  try {
    (void)constrain(compute_joint_model(work, state, {}), compute_closure_influence(work, state.q),
                    {"theta1"});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("2 freedoms"), std::string::npos) << error.what();
  }
}

/// The bundled linkage with its sixth hinge in the chain: the ring is closed by a weld, six equations.
class Bricard : public ::testing::Test {
 protected:
  Bricard() : system(compile(six_hinges())), work(system), state(system) {
    state.q.setZero();
    state.q[5] = 0.4;
    if (!assemble(work, {.hold = {"hinge6"}}, state.q).assembled)
      throw Error("Bricard's linkage can be assembled here");
  }
  static Model six_hinges() {
    Model out = read_model(LINKWRIGHT_SOURCE_DIR "/models/bricard.yaml");
    const Closure ring = out.closures[0];
    out.closures.clear();
    out.coordinates.clear();
    out.bodies.push_back({.name = "ground"});
    Joint sixth = hinge("hinge6", "rod5", "ground", ring.at_a.translation, ring.axis);
    sixth.limits.clear();
    out.joints.push_back(sixth);
    Closure weld{.name = "weld", .body_a = "ground", .body_b = "world"};
    weld.at_b = ring.at_b;
    out.closures = {weld};
    return out;
  }
  System system;
  ClosedWorkspace work;
  State state;
};

TEST_F(Bricard, its_jacobian_has_rank_five_and_equation_d2_holds) {
  const Influence e = compute_closure_influence(work, state.q);
  const MatrixXd J = e.G.view();
  const VectorXd values = Eigen::JacobiSVD<MatrixXd>(J).singularValues();
  EXPECT_GT(values[4], 1e-2 * values[0]);
  EXPECT_LT(values[5], 1e-12 * values[0]);
  const Constrained found = constrain(compute_joint_model(work, state, {}), e, {"hinge6"});
  // (D-2) with every choice of five rows that is one.
  int tried = 0;
  for (Index left_out = 0; left_out < 6; ++left_out) {
    MatrixXd five(5, 6);
    for (Index i = 0; i < 5; ++i) five.row(i) = J.row(i < left_out ? i : i + 1);
    if (condition_of(five.leftCols(5)) > 1e6) continue;
    const VectorXd d2 = -five.leftCols(5).inverse() * five.col(5);
    EXPECT_LT((found.initial.G.view().topRows(5) - d2).norm(),
              64 * epsilon * condition_of(five.leftCols(5)) * d2.norm());
    ++tried;
  }
  EXPECT_GE(tried, 1);
}

TEST_F(Bricard, its_model_in_one_coordinate_equals_the_closure_room) {
  state.v = VectorXd::Ones(6);
  project_velocity(work, state.q, {"hinge6"}, state.v);
  const std::vector<int> sixth{5};
  const Mechanism found =
      compute_double_transfer(work, state, {}, joint_influence(system, {"hinge6"}));
  VectorXd tau = VectorXd::Zero(6);
  tau[0] = 2;
  expect_same(work, state, tau, found, sixth, "Bricard");
  EXPECT_EQ(compute_mobility(work, state.q).redundant.size(), 1U);
}

}  // namespace
}  // namespace linkwright::testing
