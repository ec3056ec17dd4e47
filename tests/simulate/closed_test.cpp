// Closed mechanisms in motion: on their closures wherever a state is handed out, at the order of the
// method, with the energy they should have.
#include <gtest/gtest.h>

#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/simulate/channels.hpp"
#include "linkwright/simulate/closed_equations.hpp"
#include "references/n_four_bar.hpp"
#include "simulate/closed.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

class Closed : public ::testing::TestWithParam<Method> {
 protected:
  [[nodiscard]] SimulationOptions options() const {
    return {.method = GetParam(),
            .step = 1e-3,
            .relative_tolerance = 1e-7,
            .absolute_tolerance = 1e-8,
            .limits = LimitAction::ignore};
  }
};

TEST_P(Closed, every_state_handed_out_lies_on_the_closures) {
  for (const char* name : {"four_bar", "five_bar", "delta", "bricard"}) {
    const System system = bundled_system(name);
    ClosedWorkspace work(system);
    Simulation simulation(system, assembled(system), options());
    int fired = 0;
    const auto check = [&](const State& state, const char* what) {
      EXPECT_LE(off_closures(work, state), 1e-11) << name << ", " << what << " at " << state.t;
    };
    simulation.add_event({.name = "passing", .function = [&](const State& s) {
                            if (s.t > 0) check(s, "seen by an event");
                            return std::sin(40 * s.t);
                          }});
    simulation.add_event({.name = "kick",
                          .function = [](const State& s) { return s.t - 0.0613; },
                          .action =
                              [&](FullState& now) {
                                ++fired;
                                check(now.state, "event");
                                now.state.v[0] += 0.01;
                              }});
    FullState between{simulation.state(), {}};
    simulation.run(0.2, 0.0037, [&](const Snapshot& at) {
      check(at.now.state, "row");
      EXPECT_LE(at.errors.position, 1e-11);
      EXPECT_LE(at.errors.velocity, 1e-11 * (1 + at.now.state.v.cwiseAbs().maxCoeff()));
      return true;
    });
    EXPECT_EQ(fired, 1) << name;
    const double last = simulation.time();
    simulation.step(last + 0.01);
    simulation.compute_state_at(0.5 * (last + simulation.time()), between);
    check(between.state, "dense output");
    simulation.advance_to(0.25);
    EXPECT_LE(simulation.statistics().closure_error, 1e-11) << name;
    EXPECT_LE(simulation.statistics().velocity_error, 1e-9) << name;
  }
}

TEST_P(Closed, a_restored_run_goes_on_with_the_same_bits_and_so_does_a_repeated_one) {
  for (const char* name : {"four_bar", "delta"}) {
    const System system = bundled_system(name);
    const State start = assembled(system);
    Simulation whole(system, start, options());
    whole.advance_to(0.1);
    const std::string text = to_text(whole.save());
    whole.advance_to(0.2);
    Simulation second(system, to_checkpoint(text), options());
    second.advance_to(0.2);
    EXPECT_TRUE(whole.state().q == second.state().q && whole.state().v == second.state().v) << name;
    EXPECT_EQ(whole.statistics().error_in_tolerances, second.statistics().error_in_tolerances);
    Simulation again(system, start, options());
    again.advance_to(0.1);
    (void)again.save();
    again.advance_to(0.2);
    EXPECT_TRUE(whole.state().q == again.state().q && whole.state().v == again.state().v) << name;
  }
}

/// A ring of joints, one of which closes it: with a spring, a damper and a rotor on `pin`, which may be
/// that one.
Model ring(const std::string& cut) {
  Model model = four_bar(0.3, 0.9, 0.7, 0.8);
  Joint pin = hinge("pin", "coupler", "rocker", model.closures[0].at_a.translation);
  pin.at_child = model.closures[0].at_b;
  pin.damping = {0.2}, pin.rotor_inertia = {0.05};
  model.closures.clear();
  model.joints.push_back(pin);
  model.joint_springs.push_back({.joint = "pin", .stiffness = 8, .rest = 0.4});
  model.cut = {cut};
  return model;
}

TEST_P(Closed, the_motion_does_not_depend_on_where_the_loop_is_cut) {
  std::vector<Vector3> ends;
  for (const char* cut : {"pin", "j3"}) {
    const System system = compile(ring(cut));
    ASSERT_EQ(system.closures().at(0).name, cut);
    ClosedWorkspace work(system);
    State start(system);
    for (const auto& [name, q] : {std::pair{"j1", 1.0}, {"j2", -0.3}, {"j3", 1.4}, {"pin", 1.0}})
      for (const JointPlace& joint : system.joints())
        if (joint.name == name) start.q[joint.q] = q;
    ASSERT_TRUE(assemble(work, {.hold = {"j1"}}, start.q).assembled);
    Simulation simulation(system, start, options());
    simulation.advance_to(0.4);
    compute_forward_kinematics(work.tree(), simulation.state(), VectorXd::Zero(system.nv()));
    ends.push_back(frame_pose(work.tree(), system.frame("rocker")) * Vector3{0.7, 0, 0});
  }
  EXPECT_GT(norm(ends[0] - Vector3{0.8, 0.7, 0}), 0.1) << "it has moved";
  EXPECT_LE(norm(ends[0] - ends[1]), GetParam() == Method::semi_implicit ? 1e-2 : 1e-7);
}

TEST_P(Closed, methods_agree) {
  const FourBar four;
  Simulation reference(
      four.system, four.start,
      {.method = Method::adams, .relative_tolerance = 1e-10, .absolute_tolerance = 1e-11});
  reference.advance_to(0.5);
  SimulationOptions chosen = options();
  if (GetParam() == Method::semi_implicit) chosen.step = 1e-4;
  const State there = after(four.system, four.start, 0.5, chosen);
  const double bound = GetParam() == Method::semi_implicit ? 0.02 : 1e-6;
  EXPECT_LE(distance(four.system, there, reference.state()), bound);
}

INSTANTIATE_TEST_SUITE_P(Methods, Closed, ::testing::ValuesIn(methods_for_closed_systems()),
                         [](const auto& given) {
                           std::string name(to_string(given.param));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Beside a singular position too, whatever the method does to pass it.
TEST(ClosedSingular, a_run_goes_on_from_beside_one_with_the_same_bits) {
  const System system = compile(n_four_bar(2));
  const State start = n_four_bar_start(system);
  for (const SimulationOptions& options :
       {SimulationOptions{.step = 1e-3},
        SimulationOptions{.method = Method::adams, .relative_tolerance = 1e-9},
        SimulationOptions{.method = Method::bdf}})
    for (const double t : {0.705, 0.714, 0.7143, 0.715, 0.72}) {
      Simulation whole(system, start, options);
      whole.advance_to(t);
      const Checkpoint saved = to_checkpoint(to_text(whole.save()));
      whole.advance_to(0.8);
      Simulation second(system, saved, options);
      second.advance_to(0.8);
      EXPECT_TRUE(whole.state().q == second.state().q && whole.state().v == second.state().v)
          << to_string(options.method) << " from " << t;
    }
}

TEST(ClosedOrder, halving_the_step_divides_the_error_by_two_to_the_order) {
  const FourBar four;
  Simulation exact(
      four.system, four.start,
      {.method = Method::adams, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-12});
  exact.advance_to(0.4);
  const auto error = [&](Method method, double h) {
    return distance(four.system, after(four.system, four.start, 0.4, {.method = method, .step = h}),
                    exact.state());
  };
  EXPECT_NEAR(std::log2(error(Method::rk4, 0.01) / error(Method::rk4, 0.005)), 4, 0.5);
  EXPECT_NEAR(std::log2(error(Method::semi_implicit, 1e-3) / error(Method::semi_implicit, 5e-4)), 1,
              0.2);
}

TEST(ClosedDrift, does_not_grow_over_a_million_steps) {
  for (const char* name : {"four_bar", "slider_crank", "bricard", "five_bar"}) {
    const System system = bundled_system(name);
    Simulation simulation(system, assembled(system), {.step = 1e-3, .limits = LimitAction::ignore});
    simulation.advance_to(1000);
    EXPECT_GE(simulation.statistics().steps, 1'000'000) << name;
    EXPECT_LE(simulation.statistics().closure_error, 1e-10) << name;
    EXPECT_LE(simulation.statistics().velocity_error, 1e-10) << name;
  }
}

/// A step whose error of order 4 is 3e-10 in 100 s. Local tolerances at the end of the digits leave rounding instead, which
/// adds up to some 1e-9, more or less as the last digit of the start falls.
TEST(ClosedEnergy, is_kept_by_short_steps) {
  const FourBar four;
  Simulation simulation(four.system, four.start, {.step = 4e-4, .measure_drift = true});
  simulation.advance_to(100);
  const Conservation& kept = *simulation.statistics().conservation;
  ASSERT_TRUE(kept.is_conservative);
  EXPECT_LE(kept.energy.relative(), 1e-9);
  EXPECT_GT(kept.energy.scale, 1);
}

Model alive(double damping) {
  Model model = four_bar(0.5, 0.9, 0.6, 0.8);
  model.closures[0].rotor_inertia = {0.05};
  model.closures[0].damping = {damping};
  model.joint_springs.push_back({.joint = "loop", .stiffness = 8, .rest = 0.4});
  return model;
}

TEST(ClosedEnergy, counts_springs_and_rotors_of_closing_joints) {
  const FourBar four(alive(0));
  Simulation simulation(four.system, four.start, {.step = 1e-3, .measure_drift = true});
  simulation.advance_to(2);
  const Conservation& kept = *simulation.statistics().conservation;
  EXPECT_TRUE(kept.is_conservative);
  EXPECT_LE(kept.energy.relative(), 1e-8);
  ClosedWorkspace work(four.system);
  const Energy energy = compute_energy(work, simulation.state());
  EXPECT_NEAR(energy.kinetic + energy.potential, kept.energy_now, 1e-12);
  // The tree alone would see energy come and go through the spring and the rotor.
  const Energy tree = compute_energy(work.tree(), simulation.state()),
               tree_start = compute_energy(work.tree(), four.start);
  EXPECT_GT(std::abs(tree.kinetic + tree.potential - tree_start.kinetic - tree_start.potential),
            1e-2);
  Channels channels(four.system);
  Workspace rows(four.system, Closures::leave_out);
  std::vector<double> row(channels.size());
  channels.compute(rows, simulation.snapshot(), row);
  EXPECT_EQ(channels.columns()[channels.size() - 3].name, "energy");
  EXPECT_NEAR(row[channels.size() - 3], kept.energy_now, 1e-12);
}

TEST(ClosedEnergy, is_drained_by_damping_of_closing_joints) {
  const FourBar four(alive(0.5));
  Simulation simulation(four.system, four.start, {.step = 1e-3, .measure_drift = true});
  ClosedWorkspace work(four.system);
  double lost = 0;
  VectorXd rates(1), before(1);
  compute_closing_rates(work, simulation.state(), before);
  for (int i = 0; i < 1000; ++i) {
    simulation.step();
    compute_closing_rates(work, simulation.state(), rates);
    lost += 1e-3 * 0.5 * 0.5 * (rates[0] * rates[0] + before[0] * before[0]);
    before = rates;
  }
  simulation.advance_to(simulation.time());
  const Conservation& kept = *simulation.statistics().conservation;
  EXPECT_FALSE(kept.is_conservative);
  EXPECT_NEAR(kept.energy_at_start - kept.energy_now, lost, 1e-4 * lost);
  EXPECT_GT(lost, 0.1);
}

/// A ring of four bars afloat: nothing outside acts, and the closure's forces are inner ones.
TEST(ClosedMomentum, of_a_floating_ring_is_kept) {
  Model model = four_bar(0.3, 0.9, 0.7, 0.8);
  model.gravity = {};
  model.bodies.push_back(
      {.name = "hull", .mass = 3, .com = {0.1, 0.2, 0}, .inertia = {1, 1.2, 1.5, 0, 0, 0}});
  model.joints.push_back(
      {.name = "floating", .type = JointType::free, .parent = "world", .child = "hull"});
  for (Joint& joint : model.joints)
    if (joint.name == "j1" || joint.name == "j3") joint.parent = "hull";
  const FourBar four(model);
  State start = four.start;
  ClosedWorkspace work(four.system);
  start.v << 1, -2, 0.5, 0.3, -0.4, 0.8, 0.1, 0.2, -0.3;
  project_velocity(work, start.q, {}, start.v);
  Simulation simulation(four.system, start, {.step = 1e-3, .measure_drift = true});
  simulation.advance_to(2);
  const Conservation& kept = *simulation.statistics().conservation;
  ASSERT_TRUE(kept.linear_momentum && kept.angular_momentum);
  EXPECT_LE(kept.linear_momentum->relative(), 1e-10);
  EXPECT_LE(kept.angular_momentum->relative(), 1e-10);
  EXPECT_LE(kept.energy.relative(), 1e-9);
}

TEST(ClosedChannels, tell_what_a_closure_carries) {
  const FourBar four;
  Simulation simulation(four.system, four.start, {.step = 1e-3});
  simulation.set_input(Eigen::Vector3d{0.7, 0, 0});
  Channels channels(simulation.equations(), {"closure:loop", "force:j3", "velocity_error"});
  std::vector<std::string> names;
  for (const Column& column : channels.columns()) names.push_back(column.name);
  EXPECT_EQ(names[7], "closure:loop:mx");
  EXPECT_EQ(names[12], "closure:loop:fz");
  EXPECT_EQ(std::count(names.begin(), names.end(), "velocity_error"), 1);
  Workspace work(four.system, Closures::leave_out);
  ClosedWorkspace closed(four.system);
  std::vector<double> row(channels.size());
  simulation.run(0.1, 0.02, [&](const Snapshot& at) {
    channels.compute(work, at, row);
    std::vector<Force> forces(1), reactions(4);
    VectorXd a(3);
    compute_forward_dynamics(closed, at.now.state, at.tau, {}, a);
    closure_forces(closed, forces);
    EXPECT_DOUBLE_EQ(row[10], forces[0].force.x);
    EXPECT_DOUBLE_EQ(row[11], forces[0].force.y);
    compute_reactions(closed, at.now.state, at.tau, {}, reactions);
    EXPECT_DOUBLE_EQ(row[16], reactions[2].force.x);
    return true;
  });
  // A tree that was cut open knows no such force.
  const Simulation cut(four.system, four.start, {.closures = Closures::leave_out});
  EXPECT_TRUE(contains(error_of([&] { Channels(cut.equations(), {"closure:loop"}); }),
                       "there is no channel 'closure:loop'"));
}

TEST(ClosedRefusals, name_the_closure_and_its_gap) {
  const FourBar four;
  State open = four.start;
  open.q[0] += 0.1;
  std::string message = error_of([&] { Simulation(four.system, open, {}); });
  EXPECT_TRUE(contains(message, "closure 'loop' is open by")) << message;
  State wrong = four.start;
  wrong.v[0] = 1;
  message = error_of([&] { Simulation(four.system, wrong, {}); });
  EXPECT_TRUE(contains(message, "open closure 'loop' at a rate")) << message;
  message = error_of([&] { Simulation(four.system, four.start, {.method = Method::symplectic}); });
  EXPECT_TRUE(contains(message, "1 closure ('loop')")) << message;
  const System tree = compile(point_pendulum());
  message = error_of([&] { Simulation(tree, State(tree), {.baumgarte_rate = 10}); });
  EXPECT_TRUE(contains(message, "Baumgarte")) << message;
  message = error_of([&] { Simulation(four.system, four.start, {.baumgarte_rate = -1}); });
  EXPECT_TRUE(contains(message, "-1")) << message;
  Simulation simulation(four.system, four.start, {});
  EXPECT_TRUE(contains(error_of([&] { simulation.set_state({open, {}}); }), "'loop'"));
}

/// Gaps are what the rate leaves of the errors of the steps: of fourth order, and there.
TEST(Baumgarte, lets_gaps_fade) {
  const FourBar four;
  for (const double rate : {10.0, 50.0}) {
    double gaps[2];
    for (int i = 0; i < 2; ++i) {
      Simulation simulation(four.system, four.start,
                            {.step = i == 0 ? 2e-3 : 1e-3, .baumgarte_rate = rate});
      simulation.advance_to(2);
      gaps[i] = simulation.statistics().closure_error;
    }
    EXPECT_LT(gaps[0], 1e-6);
    EXPECT_GT(gaps[1], 1e-13) << "nothing is projected";
    EXPECT_GT(gaps[0], 8 * gaps[1]);
  }
  // The motion is the same as with projection.
  const State there = after(four.system, four.start, 2, {.step = 2e-3});
  EXPECT_LE(distance(four.system, there,
                     after(four.system, four.start, 2, {.step = 2e-3, .baumgarte_rate = 10})),
            1e-4);
}

TEST(GivenMotion, is_followed_whatever_it_takes) {
  Model model = four_bar(0.3, 0.9, 0.7, 0.8);
  const FourBar four(model);
  const auto crank = [](double t) {
    return GivenValue{1 + 0.5 * (1 - std::cos(2 * t)), std::sin(2 * t), 2 * std::cos(2 * t)};
  };
  ClosedWorkspace work(four.system);
  for (const Method method : methods_for_closed_systems()) {
    Simulation simulation(
        std::make_unique<ClosedEquations>(four.system, ClosedOptions{.motions = {{"j1", crank}}}),
        {four.start, {}}, {.method = method});
    simulation.run(1, 0.05, [&](const Snapshot& at) {
      const GivenValue wanted = crank(at.now.state.t);
      EXPECT_NEAR(at.now.state.q[0], wanted.position, 1e-11);
      EXPECT_NEAR(at.now.state.v[0], wanted.velocity, 1e-11);
      EXPECT_NEAR(at.a[0], wanted.acceleration, 1e-9);
      EXPECT_LE(off_closures(work, at.now.state), 1e-11);
      // The effort told is the one that inverse dynamics asks of the crank's motor.
      VectorXd tau(3);
      compute_inverse_dynamics(work, at.now.state, at.a, {}, {.entries = {0}}, tau);
      EXPECT_NEAR(at.tau[0], tau[0], 1e-8 * (1 + std::abs(tau[0]))) << to_string(method);
      return true;
    });
  }
  const std::string late = error_of([&] {
    State start = four.start;
    start.t = 0.3;
    Simulation(
        std::make_unique<ClosedEquations>(four.system, ClosedOptions{.motions = {{"j1", crank}}}),
        {start, {}}, {});
  });
  EXPECT_TRUE(contains(late, "joint 'j1' starts at")) << late;
  model.joints[0].passive = {true};
  const System passive = compile(model);
  EXPECT_TRUE(contains(error_of([&] {
                         ClosedEquations(passive, {.motions = {{"j1", crank}}});
                       }),
                       "passive"));
}

}  // namespace
}  // namespace linkwright::testing
