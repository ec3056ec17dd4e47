// The controllers that come with the library: errors fade as their gains say, whatever the mechanism.
#include <gtest/gtest.h>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/simulate/controllers.hpp"
#include "linkwright/simulate/motions.hpp"
#include "simulate/closed.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// e'' + kd e' + kp e = 0, critically damped: e = (e0 + (v0 + w e0) t) exp(−w t).
double faded(double e0, double v0, double w, double t) {
  return (e0 + (v0 + w * e0) * t) * std::exp(-w * t);
}

/// Lets the mechanism come back to where the reference stands, and compares every driven joint.
void expect_fading(const System& system, const State& start, const State& target,
                   const std::vector<std::string>& joints, double tolerance) {
  Simulation simulation(system, start, {.step = 5e-4, .limits = LimitAction::ignore});
  simulation.set_reference({.compute = [&](double, Reference& r) { r.q = target.q; }});
  simulation.add_controller(computed_torque(system, {.joints = joints, .kp = {100}, .kd = {20}}));
  simulation.advance_to(0.3);
  for (const std::string& name : joints) {
    const JointPlace& joint = system.joint(name);
    const double e0 = start.q[joint.q] - target.q[joint.q], v0 = start.v[joint.v];
    EXPECT_NEAR(simulation.state().q[joint.q] - target.q[joint.q], faded(e0, v0, 10, 0.3),
                tolerance)
        << name;
  }
}

TEST(ComputedTorque, makes_springs_of_all_joints_of_a_tree) {
  RandomModel random(5);
  Model model = random.tree(6, Base::fixed, {JointType::revolute, JointType::prismatic});
  for (Joint& joint : model.joints) joint.damping = {0.3};
  const System system = compile(model);
  State start(system), target(system);
  start.q.setConstant(0.2), start.v.setConstant(-0.3);
  std::vector<std::string> joints;
  for (const JointPlace& joint : system.joints())
    if (joint.nv > 0) joints.push_back(joint.name);
  expect_fading(system, start, target, joints, 1e-9);
  // Some of them: the others move as they must.
  expect_fading(system, start, target, {joints[1], joints[3]}, 1e-9);
}

TEST(ComputedTorque, drives_what_has_motors_on_a_free_base) {
  RandomModel random(6);
  Model model = floating_robot(random);
  model.joints.front().passive.assign(6, true);
  const System system = compile(model);
  State start(system);
  start.v.setConstant(0.1);
  start.q[system.joint("left1_joint").q] = 0.4;
  expect_fading(system, start, State(system),
                {"left1_joint", "left2_joint", "left3_joint", "right1_joint"}, 1e-9);
}

TEST(ComputedTorque, makes_springs_of_the_motors_of_closed_mechanisms) {
  for (const auto& [name, joints] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"five_bar", {"left_motor", "right_motor"}},
           {"five_bar", {"left_motor"}},  // the other moves as it must
           {"stewart", {"leg1", "leg2", "leg3", "leg4", "leg5", "leg6"}}}) {
    const System system = bundled_system(name);
    const State start = assembled(system);
    State target = start;
    for (const std::string& joint : joints) target.q[system.joint(joint).q] += 0.02;
    expect_fading(system, start, target, joints, 1e-9);
  }
}

/// Where the motion is as asked, the efforts are those of inverse dynamics; also with more motors than
/// freedoms, where both share with the least squares.
/// Their friction breaks at the same instant, by no more than the motion begins with: nothing.
TEST(ComputedTorque, starts_and_stops_joints_with_friction_together) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm6.urdf"));
  const State start(system);
  for (const Method method : {Method::rk4, Method::adams, Method::bdf, Method::ida}) {
    Simulation simulation(system, start, {.method = method});
    const auto motion = std::make_shared<PointToPoint>(
        system, start.q, 0,
        std::vector<Move>{{{{"shoulder", 1}, {"elbow", -1}, {"wrist_yaw", 0.5}}, 1}},
        std::vector<std::string>{"waist", "wrist_roll", "wrist_pitch"});
    simulation.set_reference(to_source(motion));
    simulation.add_controller(computed_torque(system, {.joints = motion->names()}));
    simulation.advance_to(1.5);
    const VectorXd& q = simulation.state().q;
    VectorXd goal(6);
    goal << 0, 1, -1, 0, 0, 0.5;
    EXPECT_LE((q - goal).lpNorm<Eigen::Infinity>(), 1e-4) << to_string(method);
    EXPECT_EQ(simulation.state().v.norm(), 0) << to_string(method);
  }
}

TEST(ComputedTorque, is_inverse_dynamics) {
  FourBar four;
  State moving = four.start;
  ClosedWorkspace work(four.system);
  moving.v.setConstant(1);
  project_velocity(work, moving.q, {"j1"}, moving.v);
  const System stewart = bundled_system("stewart");
  const State platform = assembled(stewart);
  for (const auto& [system, state] :
       {std::pair<const System*, const State*>{&four.system, &moving}, {&stewart, &platform}}) {
    ClosedWorkspace own(*system);
    VectorXd a(system->nv()), tau = VectorXd::Zero(system->effort_count()), expected = tau;
    // Accelerations that obey the closures: those of some efforts.
    const Actuation motors = all_motors(*system);
    for (const int entry : motors.entries) tau[entry] = 0.3 * entry - 1;
    compute_forward_dynamics(own, *state, tau, {}, a);
    compute_inverse_dynamics(own, *state, a, {}, motors, expected);
    const Controller control = computed_torque(*system, {.kp = {0}, .kd = {0}});
    VectorXd got = VectorXd::Zero(system->effort_count());
    control.compute({*state, {}}, {state->q, state->v, a}, got);
    EXPECT_LE((got - expected).norm(), 1e-9 * (1 + expected.norm()));
  }
}

TEST(PdControl, pulls_as_its_gains_say) {
  RandomModel random(7);
  const System system = compile(random.tree(4, Base::fixed, {JointType::revolute}));
  const State state = random.state(system);
  const std::string elbow = system.velocity_names()[2];
  const Controller control = pd(system, {.joints = {elbow}, .kp = {30}, .kd = {4}});
  VectorXd got = VectorXd::Zero(4);
  const Reference wanted{random.state(system).q, random.numbers(4), random.numbers(4)};
  control.compute({state, {}}, wanted, got);
  EXPECT_DOUBLE_EQ(got[2], 30 * (wanted.q[2] - state.q[2]) + 4 * (wanted.v[2] - state.v[2]));
  got[2] = 0;
  EXPECT_EQ(got.norm(), 0);
}

TEST(PdControl, with_gravity_holds_still) {
  const System arm = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm7.urdf"));
  State reach(arm);
  reach.q.setConstant(0.4);
  const System five = bundled_system("five_bar");
  const State closed = assembled(five);
  for (const auto& [system, start] :
       {std::pair<const System*, const State*>{&arm, &reach}, {&five, &closed}}) {
    Simulation simulation(*system, *start, {.step = 1e-3});
    simulation.set_reference({.compute = [q = start->q](double, Reference& r) { r.q = q; }});
    simulation.add_controller(
        pd_with_gravity(*system, scaled_by_inertia(*system, start->q, {.kp = {100}, .kd = {20}})));
    simulation.advance_to(2);
    EXPECT_LE((simulation.state().q - start->q).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(ControlOptions, mistakes_are_named) {
  const System five = bundled_system("five_bar");
  EXPECT_TRUE(contains(error_of([&] { pd(five, {.joints = {"left_elbow"}}); }),
                       "joint 'left_elbow', which is passive"));
  EXPECT_TRUE(contains(error_of([&] { pd(five, {.joints = {"left_moter"}}); }), "'left_motor'"));
  EXPECT_TRUE(contains(error_of([&] {
                         pd(five, {.joints = {"left_motor", "left_motor"}});
                       }),
                       "twice"));
  EXPECT_TRUE(contains(error_of([&] {
                         pd(five, {.kp = {1, 2, 3}});
                       }),
                       "3 numbers in kp for 2 joints"));
  EXPECT_TRUE(contains(error_of([&] { pd(five, {.kd = {-1}}); }), "kd = -1"));
}

TEST(Moves, go_from_rest_to_rest_with_bounded_jerk) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm7.urdf"));
  State start(system);
  start.q[1] = 0.2;
  const PointToPoint moves(system, start.q, 0,
                           {{{{"joint2", 1.2}, {"joint4", -1}}, 2}, {{{"joint2", 0.5}}, 1}},
                           {"joint1"});
  ASSERT_EQ(moves.names(), (std::vector<std::string>{"joint1", "joint2", "joint4"}));
  EXPECT_EQ(moves.end(), 3);
  EXPECT_EQ(moves.break_times(), (std::vector<double>{0, 2, 3}));
  const auto expect_at = [&](double t, double q2, double q4) {
    for (const auto& [which, q] : {std::pair<std::size_t, double>{0, 0}, {1, q2}, {2, q4}}) {
      const GivenValue x = moves.value(which, t);
      EXPECT_NEAR(x.position, q, 1e-15) << t;
      EXPECT_NEAR(x.velocity, 0, 1e-14) << t;
      EXPECT_NEAR(x.acceleration, 0, 1e-13) << t;
    }
  };
  expect_at(0, 0.2, 0), expect_at(2, 1.2, -1), expect_at(3, 0.5, -1), expect_at(9, 0.5, -1);
  double jerk = 0, fastest = 0;
  const double h = 1e-4;
  for (double t = 0; t < 2 - h; t += h) {
    const GivenValue a = moves.value(1, t), b = moves.value(1, t + h);
    jerk = std::max(jerk, std::abs(b.acceleration - a.acceleration) / h);
    fastest = std::max(fastest, std::abs(a.velocity));
    // Both arrive together: the same part of the way at any time.
    EXPECT_NEAR((a.position - 0.2) / 1.0, moves.value(2, t).position / -1.0, 1e-14);
  }
  EXPECT_LE(jerk, 60 * 1.0 / 8 + 1e-9);
  EXPECT_NEAR(jerk, 60 * 1.0 / 8, 0.02);
  EXPECT_NEAR(fastest, PointToPoint::peak_velocity * 1.0 / 2, 1e-6);
}

TEST(Moves, mistakes_are_named) {
  RandomModel random(3);
  const System system = compile(floating_robot(random));
  const VectorXd q = State(system).q;
  EXPECT_TRUE(contains(error_of([&] {
                         PointToPoint(system, q, 0, {{{{"left1_jiont", 1}}, 1}});
                       }),
                       "'left1_joint'"));
  EXPECT_TRUE(contains(error_of([&] {
                         PointToPoint(system, q, 0, {{{{"base:0", 1}}, 1}});
                       }),
                       "'base' cannot be moved so"));
  EXPECT_TRUE(contains(error_of([&] {
                         PointToPoint(system, q, 0, {{{{"left1_joint", 1}}, 0}});
                       }),
                       "a move in 0 s"));
}

/// A table makes a joint move whatever force that takes, and adams stops at the bends of its rows.
TEST(GivenMotions, come_from_tables_too) {
  const FourBar four;
  const ClosedEquations names(four.system);
  TimeTable table{.file = "crank.csv", .columns = {"q:j1", "v:j1"}};
  for (int i = 0; i <= 20; ++i) {
    const double t = 0.05 * i;
    table.time.push_back(t);
    table.values.insert(table.values.end(), {1 + 0.5 * (1 - std::cos(t)), 0.5 * std::sin(t)});
    table.lines.push_back(i + 2);
  }
  const auto motion = std::make_shared<ReferenceTable>(names, table);
  for (const Method method : methods_for_closed_systems()) {
    Simulation simulation(std::make_unique<ClosedEquations>(
                              four.system, ClosedOptions{.motions = to_given_motions(motion)}),
                          {four.start, {}}, {.method = method, .step = 1e-3});
    simulation.advance_to(1);
    EXPECT_NEAR(simulation.state().q[0], 1 + 0.5 * (1 - std::cos(1)), 1e-9) << to_string(method);
    EXPECT_LE(simulation.statistics().closure_error, 1e-9);
  }
}

}  // namespace
}  // namespace linkwright::testing
