// Loops through fundamental circuits and cut sets, against the closures' own room: rows, accelerations, forces.
#include <gtest/gtest.h>

#include <filesystem>

#include "closure/mechanisms.hpp"
#include "closure/random_mechanism.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/network/dynamics.hpp"
#include "linkwright/verify/formulations.hpp"
#include "support/condition.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using network::LoopReport, network::NetworkWorkspace;

/// A closed system in motion, at a state that keeps it closed.
struct MovingLoops {
  MovingLoops(const System& system_, int number)
      : system(system_), closed(system), network(system) {
    const verify::ForwardDynamicsProblem problem = verify::make_closed_problem(
        closed, {static_cast<int>(system.frames().size()) - 1}, 1, number);
    state = problem.state, push = problem.push, tau = problem.tau;
  }
  const System& system;
  ClosedWorkspace closed;
  NetworkWorkspace network;
  State state;
  ExternalForce push;
  VectorXd tau;
};

void expect_same_rows(MovingLoops& at) {
  const Eigen::Index rows = at.closed.rows(), nv = at.system.nv();
  ASSERT_EQ(at.network.rows(), rows);
  MatrixXd J(rows, nv), found(rows, nv);
  VectorXd bias(rows), found_bias(rows);
  compute_closure_jacobian(at.closed, at.state.q, J);
  compute_closure_bias(at.closed, at.state, bias);
  compute_loop_rows(at.network, at.state, found, found_bias);
  EXPECT_LT((found - J).norm(), 1e-12 * (1 + J.norm()));
  EXPECT_LT((found_bias - bias).norm(), 1e-11 * (1 + bias.norm()));
}

/// Accelerations, and forces where they are unique, to what the condition of the equations lets through.
void expect_same_dynamics(MovingLoops& at, double bound) {
  VectorXd expected(at.system.nv()), found(at.system.nv());
  compute_forward_dynamics(at.closed, at.state, at.tau, {&at.push, 1}, expected);
  compute_forward_dynamics(at.network, at.state, at.tau, {&at.push, 1}, found);
  EXPECT_LT((found - expected).norm(), bound * (1 + expected.norm()));
  EXPECT_EQ(loop_report(at.network).rank, closed_report(at.closed).rank);
  if (at.system.closures().empty()) return;
  std::vector<Force> forces(at.system.closures().size()), others(forces.size());
  closure_forces(at.closed, forces);
  closure_forces(at.network, others);
  double size = 0;
  for (const Force& f : forces) size += to_eigen(f).norm();
  for (std::size_t i = 0; i < forces.size(); ++i)
    EXPECT_LT(to_eigen(forces[i] - others[i]).norm(), bound * (1 + size))
        << at.system.closures()[i].name;
}

std::vector<std::string> bundled_models() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(LINKWRIGHT_SOURCE_DIR "/models"))
    if (entry.path().extension() == ".yaml" || entry.path().extension() == ".urdf")
      files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

class Bundled : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(models, Bundled, ::testing::ValuesIn(bundled_models()),
                         [](const auto& file) {
                           std::string name = file.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

/// Open ones against the trunk in effect: a system without closures has it behind the same verbs.
TEST_P(Bundled, from_the_graph_equals_the_closure_room) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/" + GetParam()));
  for (int number = 1; number <= 4; ++number) {
    SCOPED_TRACE("state " + std::to_string(number));
    MovingLoops at(system, number);
    expect_same_rows(at);
    // 1e-10 unless the equations themselves are worse conditioned than that allows.
    const double condition = condition_of_closed(at.closed, at.state.q);
    expect_same_dynamics(at, std::max(1e-10, 2 * condition * epsilon));
  }
}

/// The three that everybody asks for, without any allowance.
TEST(Textbook, four_bar_five_bar_and_stewart_platform_agree_to_1e_10) {
  for (const char* file : {"four_bar.yaml", "five_bar.yaml", "stewart.yaml"}) {
    SCOPED_TRACE(file);
    const System system = compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + file));
    MovingLoops at(system, 1);
    expect_same_rows(at);
    expect_same_dynamics(at, 1e-10);
    EXPECT_EQ(loop_report(at.network).way, LoopReport::Way::ports);
  }
}

/// The mechanism at the position it was drawn at, moving as its closures let it.
void expect_drawn(const ClosedMechanism& made, RandomMechanism& random) {
  const System system = compile(made.model);
  if (system.nv() == 0) return;
  ClosedWorkspace closed(system);
  NetworkWorkspace work(system);
  State state(system);
  state.q = made.q;
  state.v = random.numbers(system.nv());
  project_velocity(closed, state.q, {}, state.v);
  VectorXd tau = random.numbers(system.nv()), expected(system.nv()), found(system.nv());
  for (const int i : system.passive_freedoms()) tau[i] = 0;
  compute_forward_dynamics(closed, state, tau, {}, expected, ClosedMethod::dense);
  compute_forward_dynamics(work, state, tau, {}, found);
  const double bound = 16 * condition_of_closed(closed, state.q) * epsilon;
  EXPECT_LT((found - expected).norm(), std::max(1e-10, bound) * (1 + expected.norm()));
}

TEST(RandomLoops, of_every_kind_agree) {
  for (unsigned seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const ClosedMechanism made =
        random.closed(random.integer(3, 9), random.integer(1, 4),
                      static_cast<Base>(random.integer(0, 2)), all_joint_types());
    expect_drawn(made, random);
  }
}

TEST(RandomLoops, with_closing_joints_that_are_alive_agree) {
  for (unsigned seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    ClosedMechanism made =
        random.closed(random.integer(3, 9), random.integer(1, 3),
                      static_cast<Base>(random.integer(0, 2)), all_joint_types());
    random.enliven(made.model);
    expect_drawn(made, random);
  }
}

/// Without mass on the coupler's end of the tree the open chain has no answer; the closed one has.
TEST(Massless, links_are_solved_in_full) {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/four_bar.yaml");
  const System system = compile(model);
  int tip = 0;
  for (const ClosurePlace& c : system.closures()) tip = std::max(c.body_a, c.body_b);
  ASSERT_GE(tip, 0);
  Body& light = model.bodies[static_cast<std::size_t>(tip)];
  light.mass = 0, light.inertia = {};
  const System without = compile(model);
  MovingLoops at(without, 1);
  expect_same_dynamics(at, 1e-10);
  EXPECT_EQ(loop_report(at.network).way, LoopReport::Way::full);
}

/// A parallelogram folded flat, with a velocity that no acceleration keeps: least squares, as the closure room has it.
TEST(SingularLoops, are_met_as_closely_as_possible) {
  const System system = compile(four_bar(0.3, 0.5, 0.3, 0.5));
  ClosedWorkspace closed(system);
  NetworkWorkspace work(system);
  State state(system);
  const VectorXd tau = VectorXd::Zero(3);
  VectorXd expected(3), found(3);
  state.v << 1, -1, 1;
  compute_forward_dynamics(work, state, tau, {}, found);
  EXPECT_LT(loop_report(work).violation, 1e-12) << "this motion can go on";
  state.v << 1, -0.4, 0;
  project_velocity(closed, state.q, {}, state.v);
  compute_forward_dynamics(closed, state, tau, {}, expected);
  compute_forward_dynamics(work, state, tau, {}, found);
  EXPECT_GT(loop_report(work).violation, 1e-3);
  EXPECT_NEAR(loop_report(work).violation, closed_report(closed).violation, 1e-12);
  EXPECT_LT((found - expected).norm(), 1e-10 * expected.norm());
}

/// Gears bind joints, a shaft that several joints turn has a rotor of its own, and closing joints have motors.
TEST(Drives, gears_coupled_shafts_and_motors_of_closing_joints_act) {
  RandomMechanism random(11);
  Model model = random.tree(8, Base::fixed, {JointType::revolute});
  Closure gear{.name = "gear", .kind = Closure::Kind::gear};
  gear.leader = "joint0", gear.follower = "joint2", gear.ratio = -1.7;
  Closure loop = random.closure("loop");
  loop.kind = Closure::Kind::joint, loop.joint = JointType::cylindrical;
  ClosedMechanism made = random.close(model, {loop});
  made.model.closures.push_back(gear);
  made.model.closures.back().offset = made.q[2] + 1.7 * made.q[0];
  Actuator both{.name = "both"};
  both.motor = Actuator::Motor{.rotor_inertia = 1e-3, .damping = 1e-3};
  both.transmission = {{"joint1", 0, 40}, {"joint3", 0, -25}};
  Actuator closing{.name = "closing", .joint = "loop", .freedom = 1};
  closing.motor = Actuator::Motor{.rotor_inertia = 1e-3};
  closing.gear = 12;
  made.model.actuators = {both, closing};
  const System system = compile(made.model);
  ASSERT_FALSE(system.closing_motors().empty());
  ClosedWorkspace closed(system);
  NetworkWorkspace work(system);
  State state(system);
  state.q = made.q, state.v = random.numbers(system.nv());
  project_velocity(closed, state.q, {}, state.v);
  VectorXd tau = random.numbers(system.effort_count(), 3), expected(system.nv()),
           found(system.nv());
  for (const int i : system.passive_freedoms()) tau[i] = 0;
  compute_forward_dynamics(closed, state, tau, {}, expected);
  ASSERT_GT(expected.norm(), 0.1) << "it moves";
  compute_forward_dynamics(work, state, tau, {}, found);
  std::vector<Force> forces(system.closures().size()), others(forces.size());
  closure_forces(closed, forces);
  closure_forces(work, others);
  const double bound = std::max(1e-10, 2 * condition_of_closed(closed, state.q) * epsilon);
  EXPECT_LT((found - expected).norm(), bound * expected.norm());
  for (std::size_t i = 0; i < forces.size(); ++i)
    EXPECT_LT(to_eigen(forces[i] - others[i]).norm(), bound * (10 + to_eigen(forces[i]).norm()))
        << system.closures()[i].name;
}

TEST(LoopsLeftOut, are_the_spanning_tree) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/stewart.yaml"));
  NetworkWorkspace open(system, network::Loops::leave_out);
  Workspace tree(system, Closures::leave_out);
  const State state = initial_state(system);
  const VectorXd tau = VectorXd::Zero(system.nv());
  VectorXd expected(system.nv()), found(system.nv());
  compute_forward_dynamics(tree, state, tau, {}, expected);
  compute_forward_dynamics(open, state, tau, {}, found);
  EXPECT_LT((found - expected).norm(), 1e-11 * expected.norm());
  EXPECT_EQ(open.rows(), 0);
  EXPECT_EQ(loop_report(open).way, LoopReport::Way::open);
  std::vector<Force> forces(system.closures().size());
  EXPECT_THROW(closure_forces(open, forces), Error);
}

TEST(LoopsKept, have_no_inverse_dynamics_without_motors) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/four_bar.yaml"));
  NetworkWorkspace work(system);
  VectorXd tau(system.nv());
  EXPECT_THROW(
      compute_inverse_dynamics(work, initial_state(system), VectorXd::Zero(system.nv()), {}, tau),
      Error);
  EXPECT_THROW(compute_forward_dynamics(work, initial_state(system), VectorXd::Zero(99), {}, tau),
               Error);
}

}  // namespace
}  // namespace linkwright::testing
