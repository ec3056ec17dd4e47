/// Rotors and dampers behind gears, at the joints that feel them.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "linkwright/batch/batch.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/operators/forward_dynamics.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::contains;
using testing::error_of;

const std::string data = LINKWRIGHT_SOURCE_DIR "/tests/data/";

/// The motors' rotors stand on the diagonal of M, and nowhere else, for every joint type.
TEST(Motors, put_their_rotors_on_the_diagonal_of_the_mass_matrix) {
  const Model model = read_model(data + "motor.yaml");
  Model bare = model;
  bare.actuators.clear();
  const System driven = compile(model), free = compile(bare);
  Workspace with(driven), without(free);
  const int nv = driven.nv();
  Eigen::MatrixXd M(nv, nv), M0(nv, nv);
  Eigen::VectorXd q(driven.nq()), expected = Eigen::VectorXd::Zero(nv);
  for (const Actuator& actuator : model.actuators)
    expected[driven.joint(actuator.joint).v + actuator.freedom] +=
        actuator.gear * actuator.gear * actuator.motor->rotor_inertia;
  ASSERT_EQ((expected.array() != 0).count(), 10) << "one freedom of each joint";
  for (unsigned seed = 1; seed < 5; ++seed) {
    compute_random(driven, seed, q);
    compute_mass_matrix(with, q, M);
    compute_mass_matrix(without, q, M0);
    const Eigen::MatrixXd rotors = M - M0;
    EXPECT_LT((rotors - Eigen::MatrixXd(expected.asDiagonal())).norm(), 1e-13 * M.norm());
  }
  for (int i = 0; i < nv; ++i) {
    const double own = i == driven.joint("revolute").v ? 0.5 : 0;
    EXPECT_DOUBLE_EQ(driven.rotor_inertia()[static_cast<std::size_t>(i)], expected[i] + own);
  }
}

TEST(Motors, damp_their_joints_by_the_square_of_the_gear) {
  const Model model = read_model(data + "motor.yaml");
  const System system = compile(model);
  Workspace work(system);
  State state(system);
  Eigen::VectorXd effort(system.nv()), damping = Eigen::VectorXd::Zero(system.nv());
  damping[system.joint("revolute").v] = 0.25;
  for (const Actuator& actuator : model.actuators)
    damping[system.joint(actuator.joint).v + actuator.freedom] +=
        actuator.gear * actuator.gear * actuator.motor->damping;
  for (int i = 0; i < system.nv(); ++i) state.v[i] = 1 + i;
  compute_joint_forces(work, state, effort);
  EXPECT_LT((effort + damping.cwiseProduct(state.v)).norm(), 1e-12 * effort.norm());
}

/// One state, a batch and the operators feel the same motors.
TEST(Motors, are_the_same_in_every_way_to_forward_dynamics) {
  const System system = compile(read_model(data + "motor.yaml"));
  Workspace work(system);
  State state(system);
  compute_random(system, 3, state.q);
  Eigen::VectorXd tau(system.nv()), a(system.nv()), back(system.nv());
  for (int i = 0; i < system.nv(); ++i) {
    state.v[i] = 0.1 * i - 1;
    tau[i] = 5 - i;
  }
  compute_forward_dynamics(work, state, tau, {}, a);
  compute_inverse_dynamics(work, state, a, {}, back);
  EXPECT_LT((back - tau).norm(), 1e-10 * tau.norm());
  Batch batch(system);
  Eigen::MatrixXd out(1, system.nv());
  batch.compute_forward_dynamics(state.q.transpose(), state.v.transpose(), tau.transpose(), {},
                                 out);
  EXPECT_LT((out.transpose() - a).norm(), 1e-10 * a.norm());
  operators::Operators at(system);
  EXPECT_TRUE(at.has_rotors());
  const auto by_operators =
      operators::forward_dynamics(operators::Algorithm::FD1, at, state, tau, {});
  EXPECT_LT((by_operators.a - a).norm(), 1e-10 * a.norm());
}

TEST(Closures, are_refused_everywhere_unless_left_out_in_words) {
  const System held = compile(read_model(data + "held_box.yaml"));
  const State start(held);
  const auto grip = [](const std::string& message) {
    return contains(message, "1 grasp ('grip')") && contains(message, "Closures::leave_out");
  };
  EXPECT_TRUE(grip(error_of([&] { Workspace work(held); })));
  EXPECT_TRUE(grip(error_of([&] { Batch batch(held); })));
  EXPECT_TRUE(grip(error_of([&] { BatchFloat batch(held); })));
  EXPECT_TRUE(grip(error_of([&] { operators::Operators at(held, Closures::refuse); })));
  EXPECT_TRUE(grip(error_of([&] { TreeEquations equations(held); })));
  EXPECT_NO_THROW(Workspace(held, Closures::leave_out));
  EXPECT_NO_THROW(operators::Operators(held, Closures::leave_out));
  EXPECT_NO_THROW(Batch(held, {.closures = Closures::leave_out}));
  EXPECT_NO_THROW(Simulation(held, start, {.closures = Closures::leave_out}));
  EXPECT_NO_THROW(Simulation(held, start)) << "it obeys them";
}

TEST(Passive, freedoms_take_no_effort_from_anyone) {
  const System system = compile(read_model(data + "passive.yaml"));
  EXPECT_EQ(system.passive_freedoms(), (std::vector<int>{1, 2, 4}));
  const State state(system);
  const Eigen::VectorXd tau = Eigen::VectorXd::Unit(system.nv(), 1);
  Eigen::VectorXd a(system.nv());
  const auto names_it = [](const std::string& message) {
    return contains(message, "'pivot'") && contains(message, "passive: it has no motor");
  };
  Workspace work(system);
  EXPECT_TRUE(names_it(error_of([&] { compute_forward_dynamics(work, state, tau, {}, a); })));
  operators::Operators at(system);
  EXPECT_TRUE(names_it(error_of(
      [&] { operators::forward_dynamics(operators::Algorithm::FD3, at, state, tau, {}); })));
  Batch batch(system);
  Eigen::MatrixXd q = state.q.transpose(), v = state.v.transpose(), out(1, system.nv());
  EXPECT_TRUE(
      names_it(error_of([&] { batch.compute_forward_dynamics(q, v, tau.transpose(), {}, out); })));
  EXPECT_TRUE(
      names_it(error_of([&] { batch.compute_rollout(q, v, tau.transpose(), {}, 0.01, 1); })));
  Simulation simulation(system, state);
  EXPECT_TRUE(names_it(error_of([&] { simulation.set_input(tau); })));
  simulation.add_controller(
      {.name = "bold", .compute = [](const State&, const Reference&, Eigen::VectorXd& efforts) {
         efforts[1] = 2;
       }});
  const std::string message = error_of([&] { simulation.advance_to(0.01); });
  EXPECT_TRUE(names_it(message) && contains(message, "controller 'bold'")) << message;
}

TEST(Warnings, of_reader_and_validation_are_told_once) {
  Model model = read_model(data + "electric.yaml");
  model.actuators.push_back({.name = "idle", .joint = "hinge"});
  const auto count = [](const System& system) {
    int told = 0;
    for (const Warning& warning : system.warnings())
      told += contains(warning.text(), "only tells that its joint is driven");
    return told;
  };
  const System system = compile(model);
  EXPECT_EQ(count(system), 1);
  Model judged = model;  // by someone who kept what was found
  judged.warnings = system.warnings();
  EXPECT_EQ(count(compile(judged)), 1);
}

}  // namespace
}  // namespace linkwright
