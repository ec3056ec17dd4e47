// Shafts that several joints turn together: the whole block Gᵀ J G, in every way to the accelerations.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "actuation/arms.hpp"
#include "linkwright/actuation/drives.hpp"
#include "linkwright/closure/batch.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/verify/absolute_coordinates.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// G of the coupled arm, one row per motor, written down by hand.
MatrixXd gears() {
  MatrixXd G = MatrixXd::Zero(4, 4);
  G.row(0) << 60, 0, 0, 0;
  G.row(1) << 0, 40, -25, 0;
  G.row(2) << 0, 10, 30, -20;
  G.row(3) << 0, 0, 15, 35;
  return G;
}

State some_state(const System& system) {
  State state(system);
  state.q << 0.3, -0.7, 0.9, 0.4;
  state.v << 0.5, -1.1, 0.8, 1.3;
  return state;
}

/// The arm without motors, to which the dense answer adds what they do.
struct Bare {
  Bare() : system(compile(arm_of(4))), work(system) {}
  System system;
  Workspace work;
};

TEST(Shafts, put_the_whole_block_on_the_mass_matrix) {
  const System system = compile(coupled_arm());
  Bare bare;
  ClosedWorkspace work(system);
  const State state = some_state(system);
  MatrixXd M(4, 4), M0(4, 4);
  compute_mass_matrix(work, state.q, M);
  compute_mass_matrix(bare.work, state.q, M0);
  const MatrixXd added = gears().transpose() * small_motor().rotor_inertia * gears();
  EXPECT_LT((M - M0 - added).norm(), 1e-13 * M.norm());
  EXPECT_GT(std::abs(added(1, 2)), 0.1) << "joints feel each other's rotors";
}

TEST(Shafts, act_alike_in_every_way_to_the_accelerations) {
  const System system = compile(coupled_arm());
  Bare bare;
  ClosedWorkspace work(system);
  const State state = some_state(system);
  VectorXd tau(system.effort_count());
  ASSERT_EQ(tau.size(), 4 + 3) << "three shafts take torques";
  tau << 1, -2, 3, 0.5, 0.02, -0.03, 0.01;
  // M a = tau + Sᵀ T − b Sᵀ S v − bias, dense.
  const MatrixXd G = gears();
  MatrixXd M(4, 4);
  VectorXd bias(4), forces(4), expected(4);
  compute_mass_matrix(bare.work, state.q, M);
  compute_bias(bare.work, state, bias);
  compute_joint_forces(bare.work, state, forces);
  M += G.transpose() * small_motor().rotor_inertia * G;
  VectorXd right = tau.head(4) + G.bottomRows(3).transpose() * tau.tail(3) + forces - bias;
  right -= small_motor().damping * G.transpose() * (G * state.v);
  expected = M.ldlt().solve(right);
  for (const ClosedMethod method : {ClosedMethod::automatic, ClosedMethod::recursion,
                                    ClosedMethod::independent, ClosedMethod::dense}) {
    VectorXd a(4);
    compute_forward_dynamics(work, state, tau, {}, a, method);
    EXPECT_LT((a - expected).norm(), 1e-11 * expected.norm()) << static_cast<int>(method);
  }
  // Back: what the motors must give for these accelerations.
  VectorXd back(system.effort_count()), again(4);
  compute_inverse_dynamics(work, state, expected, {}, all_motors(system), back);
  EXPECT_LT(back.segment(1, 3).norm(), 1e-12) << "joints 2 to 4 are driven by shafts";
  compute_forward_dynamics(work, state, back, {}, again);
  EXPECT_LT((again - expected).norm(), 1e-10 * expected.norm());
}

TEST(Shafts, are_the_same_in_absolute_coordinates_and_batches) {
  const Model model = coupled_arm();
  const System system = compile(model);
  ClosedWorkspace work(system);
  const State state = some_state(system);
  VectorXd tau(4), a(4), absolute(4);
  tau << 1, -2, 3, 0.5;
  compute_forward_dynamics(work, state, tau, {}, a);
  verify::AbsoluteCoordinates independent(model);
  independent.compute_forward_dynamics(state.q, state.v, tau, {}, absolute);
  EXPECT_LT((a - absolute).norm(), 1e-11 * a.norm());
  ClosedBatch batch(system, state.q);
  MatrixXd out(1, 4), efforts(1, system.effort_count());
  VectorXd all = VectorXd::Zero(system.effort_count());
  all.head(4) = tau;
  all.tail(3) << 0.02, -0.01, 0.03;
  compute_forward_dynamics(work, state, all, {}, a);
  batch.compute_forward_dynamics(state.q.transpose(), state.v.transpose(), all.transpose(), {},
                                 out);
  EXPECT_LT((out.transpose() - a).norm(), 1e-11 * a.norm());
  VectorXd back(system.effort_count());
  compute_inverse_dynamics(work, state, a, {}, all_motors(system), back);
  batch.compute_inverse_dynamics(state.q.transpose(), state.v.transpose(), a.transpose(), {},
                                 efforts);
  EXPECT_LT((efforts.transpose() - back).norm(), 1e-9 * back.norm());
}

TEST(Shafts, have_angle_speed_and_energy) {
  const System system = compile(coupled_arm());
  Bare bare;
  ClosedWorkspace work(system);
  const State state = some_state(system);
  VectorXd angles(3), rates(3);
  compute_closing_coordinates(work, state.q, angles);
  compute_closing_rates(work, state, rates);
  EXPECT_LT((angles - gears().bottomRows(3) * state.q).norm(), 1e-13 * angles.norm());
  EXPECT_LT((rates - gears().bottomRows(3) * state.v).norm(), 1e-13 * rates.norm());
  const double rotors = 0.5 * small_motor().rotor_inertia * (gears() * state.v).squaredNorm();
  EXPECT_NEAR(compute_energy(work, state).kinetic,
              compute_energy(bare.work, state).kinetic + rotors, 1e-12);
}

TEST(Shafts, are_no_trees_own_business) {
  const System system = compile(coupled_arm());
  const std::string message = error_of([&] { Workspace work(system); });
  EXPECT_TRUE(contains(message, "3 coupled transmissions ('pair', …)")) << message;
}

}  // namespace
}  // namespace linkwright::testing
