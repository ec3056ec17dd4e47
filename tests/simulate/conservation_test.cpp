// What a run should keep is measured at every step, against the scale of its start.
#include <gtest/gtest.h>

#include "linkwright/dynamics/energy.hpp"
#include "simulate/mechanisms.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

/// A pendulum at rest, one radian from its lowest position.
State swung_out(const System& system) {
  State start(system);
  start.q[0] = 1 - M_PI / 2;
  return start;
}

TEST(Drift, a_run_that_gains_energy_is_not_called_kept) {
  // Too long a step for this spring, but not long enough to overflow: the energy grows for ever.
  Model model = slider();
  model.joint_springs.push_back({.joint = "rail", .stiffness = 1000});
  const System system = compile(model);
  State start(system);
  start.q[0] = 0.1;
  Simulation simulation(system, start,
                        {.method = Method::rk4, .step = 0.0897, .measure_drift = true});
  simulation.advance_to(12);
  const Conservation& kept = *simulation.statistics().conservation;
  EXPECT_TRUE(kept.is_conservative);
  EXPECT_FALSE(kept.energy_is_kept());
  EXPECT_GT(kept.energy_now, 50 * kept.energy_at_start) << "the run must be as bad as meant";
  EXPECT_GT(kept.energy.relative(), 10) << "seen against what there was at the start";
  EXPECT_LT(kept.energy.scale, 2 * std::abs(kept.energy_at_start));
}

TEST(Drift, is_measured_only_when_asked_for) {
  const System system = compile(point_pendulum());
  Simulation simulation(system, State(system), {});
  simulation.advance_to(0.1);
  EXPECT_FALSE(simulation.statistics().conservation);
}

TEST(Drift, is_seen_between_rows) {
  // A coarse first-order method loses and regains energy within a swing; after whole swings it is
  // back, and rows taken then see nothing.
  const System system = compile(point_pendulum());
  const State start = swung_out(system);
  Workspace work(system);
  Simulation every_step(system, start,
                        {.method = Method::semi_implicit, .step = 0.01, .measure_drift = true}),
      sparse(system, start, {.method = Method::semi_implicit, .step = 0.01, .measure_drift = true});
  double seen = 0, at_rows = 0;
  constexpr double whole_swings = 2 * 2.1390;  // a swing of 1 rad: 4 √(l/g) K(sin ½)
  const auto energy = [&](const State& state) {
    const Energy e = compute_energy(work, state);
    return e.kinetic + e.potential;
  };
  const double first = energy(start);
  every_step.run(whole_swings, 0, [&](const Snapshot& at) {
    seen = std::max(seen, std::abs(energy(at.now.state) - first));
    return true;
  });
  sparse.run(whole_swings, whole_swings, [&](const Snapshot& at) {
    at_rows = std::max(at_rows, std::abs(energy(at.now.state) - first));
    return true;
  });
  EXPECT_LT(at_rows, 0.5 * seen) << "the rows must miss something";
  EXPECT_NEAR(sparse.statistics().conservation->energy.change, seen, 1e-12);
}

TEST(Drift, scale_is_what_the_motion_exchanges) {
  // At the lowest point all the potential there was has become kinetic.
  const System system = compile(point_pendulum());
  Simulation simulation(system, swung_out(system), {.step = 1e-3, .measure_drift = true});
  simulation.advance_to(4);
  const Conservation& kept = *simulation.statistics().conservation;
  EXPECT_NEAR(kept.energy.scale, 9.81 * (1 - std::cos(1)), 1e-4);
  EXPECT_TRUE(kept.energy_is_kept());
  EXPECT_LT(kept.energy.relative(), 1e-9);
}

TEST(Drift, a_long_fall_is_measured_against_what_it_released) {
  const System system = compile(slider());
  Simulation simulation(system, State(system), {.step = 0.01, .measure_drift = true});
  simulation.advance_to(100);
  const Conservation& kept = *simulation.statistics().conservation;
  EXPECT_TRUE(kept.energy_is_kept());
  EXPECT_NEAR(kept.energy.scale / (0.5 * 981 * 981), 1, 1e-9);
}

TEST(Drift, is_relative_to_its_scale_or_infinite_where_there_is_none) {
  EXPECT_EQ((Drift{3, 2}).relative(), 1.5);
  EXPECT_EQ((Drift{0, 2}).relative(), 0);
  EXPECT_EQ((Drift{0, 0}).relative(), 0);
  EXPECT_EQ((Drift{1e-17, 0}).relative(), std::numeric_limits<double>::infinity());
}

TEST(Drift, rest_is_kept_though_there_is_no_scale) {
  const System system = compile(point_pendulum());
  State start(system);
  start.q[0] = -M_PI / 2;
  for (const Method method : {Method::rk4, Method::symplectic, Method::adams}) {
    Simulation simulation(system, start, {.method = method, .step = 1e-3, .measure_drift = true});
    simulation.advance_to(1);
    EXPECT_TRUE(simulation.statistics().conservation->energy_is_kept()) << to_string(method);
  }
}

TEST(Drift, efforts_loads_and_damping_end_the_claim) {
  const Model model = point_pendulum();
  const System system = compile(model);
  const auto claims = [](Simulation& simulation) {
    simulation.advance_to(0.1);
    return simulation.statistics().conservation->is_conservative;
  };
  Simulation plain(system, State(system), {.measure_drift = true});
  EXPECT_TRUE(claims(plain));
  Simulation driven(system, State(system), {.measure_drift = true});
  driven.set_input(Eigen::VectorXd::Constant(1, 0.1));
  EXPECT_FALSE(claims(driven));
  Simulation controlled(system, State(system), {.measure_drift = true});
  controlled.add_controller({.compute = [](const State& s, const Reference&, Eigen::VectorXd& tau) {
    tau[0] = s.t > 0.05 ? 1 : 0;
  }});
  EXPECT_FALSE(claims(controlled));
  Simulation loaded(system, State(system), {.measure_drift = true});
  loaded.add_load({.frame = system.frame("mass"), .compute = [](const State&) { return Force{}; }});
  EXPECT_FALSE(claims(loaded));
  Model damped = model;
  damped.joints[0].damping = {1e-3};
  const System with_damping = compile(damped);
  Simulation rubbing(with_damping, State(with_damping), {.measure_drift = true});
  EXPECT_FALSE(claims(rubbing));
}

TEST(Drift, an_impact_begins_a_new_stretch) {
  const System system = compile(slider());
  State start(system);
  start.q[0] = 1;
  Simulation simulation(system, start, {.step = 1e-3, .measure_drift = true});
  simulation.add_event({.name = "ground",
                        .function = [](const State& s) { return s.q[0]; },
                        .direction = Event::Direction::falling,
                        .action = [](FullState& now) { now.state.v[0] *= -0.5; }});
  simulation.advance_to(0.7);
  ASSERT_EQ(simulation.occurrences().size(), 1U);
  const Conservation& kept = *simulation.statistics().conservation;
  EXPECT_LT(kept.energy_now, 0.3 * kept.energy_at_start) << "the impact took three quarters";
  EXPECT_TRUE(kept.energy_is_kept());
  EXPECT_LT(kept.energy.relative(), 1e-9);
}

TEST(Drift, momentum_of_what_floats_is_measured_until_something_pushes) {
  RandomModel random(7);
  const System system = compile(floating_robot(random));
  const State start = random.state(system);
  Simulation simulation(system, start, {.step = 1e-3, .measure_drift = true});
  simulation.add_controller({.compute = [](const State& s, const Reference&, Eigen::VectorXd& tau) {
    tau.tail(6).setConstant(0.1);  // inside the robot
    if (s.t > 0.15) tau[3] = 1;    // against the world
  }});
  simulation.advance_to(0.1);
  const Conservation inside = *simulation.statistics().conservation;
  EXPECT_FALSE(inside.is_conservative);
  ASSERT_TRUE(inside.linear_momentum && inside.angular_momentum);
  EXPECT_LT(inside.linear_momentum->relative(), 1e-12);
  EXPECT_LT(inside.angular_momentum->relative(), 1e-11);
  simulation.advance_to(0.2);
  EXPECT_FALSE(simulation.statistics().conservation->linear_momentum);
}

}  // namespace
}  // namespace linkwright::testing
