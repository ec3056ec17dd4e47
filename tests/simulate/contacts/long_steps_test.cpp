// What begins and ends within one step of a method that chooses its steps, and joints that close loops.
#include <gtest/gtest.h>

#include "linkwright/io/read_model.hpp"
#include "linkwright/system/system.hpp"
#include "simulate/contacts/contacts.hpp"

namespace linkwright::testing {
namespace {

/// Thrown up to 5 m, and a stop at 4.9 m: adams would pass it in one step, a parabola.
TEST(LongSteps, a_stop_is_met_by_a_joint_that_would_come_back_within_the_step) {
  Model model = slider();
  model.gravity = {0, 0, -10};
  model.joints[0].limits = {{.lower = -100, .upper = 4.9}};
  const System system = compile(model);
  State start(system);
  start.v[0] = 10;
  for (const Method method : methods_with_contacts()) {
    Simulation simulation(system, start, with_method(method));
    simulation.advance_to(2);
    const double expected = 1 - std::sqrt(2 * 0.1 / 10);
    EXPECT_NEAR(time_of(simulation, "reaches its upper limit"), expected,
                is_exact(method) ? 1e-9 : 2e-2)
        << to_string(method);
    EXPECT_LE(simulation.state().q[0], 4.9);
  }
}

/// m = 1, friction 1, tau = 2 t − 1: rest from 0.9 s, where 0.99 − 2 t + t² = 0, until 1 s.
TEST(LongSteps, a_block_that_rests_for_a_moment_rests) {
  Model model = slider();
  model.gravity = {};
  model.joints[0].friction = {{1, 1}};
  const System system = compile(model);
  State start(system);
  start.v[0] = 0.99;
  for (const Method method : methods_with_contacts()) {
    Simulation simulation(system, start, with_method(method));
    simulation.add_controller({.compute = [](const State& now, const Reference&,
                                             Eigen::VectorXd& tau) { tau[0] = 2 * now.t - 1; }});
    simulation.advance_to(2);
    EXPECT_NEAR(time_of(simulation, "comes to rest"), 0.9, is_exact(method) ? 1e-8 : 2e-2)
        << to_string(method);
    EXPECT_NEAR(time_of(simulation, "starts to slide"), 1, is_exact(method) ? 1e-8 : 2e-2)
        << to_string(method);
    EXPECT_NEAR(simulation.state().v[0], 1, is_exact(method) ? 1e-7 : 2e-2) << to_string(method);
  }
}

/// The bundled four-bar with limits at the pin that closes it, which stands at 1.25 at the start.
System four_bar_with(Limits limits) {
  Model model = read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/four_bar.yaml");
  for (Joint& joint : model.joints)
    if (joint.name == "rocker_pin") joint.limits = {limits};
  for (Closure& closure : model.closures)
    if (closure.name == "rocker_pin") closure.limits = {limits};
  return compile(model);
}

TEST(ClosingLimits, are_told_and_stop_the_run_as_those_of_the_tree) {
  const System system = four_bar_with({.lower = 0.8, .upper = 1.3});
  const State start = initial_state(system);
  const auto run = [&](LimitAction action) {
    auto simulation =
        std::make_unique<Simulation>(system, start, SimulationOptions{.limits = action});
    simulation->advance_to(0.6);
    return simulation;
  };
  const auto held = run(LimitAction::hold), told = run(LimitAction::report),
             stopped = run(LimitAction::stop), ignored = run(LimitAction::ignore);
  const double when = time_of(*held, "'rocker_pin' reaches its upper limit");
  EXPECT_GT(when, 0.1);
  EXPECT_NEAR(time_of(*told, "'rocker_pin' passes its upper limit"), when, 1e-9);
  EXPECT_NEAR(stopped->time(), when, 1e-9);
  EXPECT_TRUE(stopped->stopped());
  EXPECT_TRUE(ignored->occurrences().empty());
}

TEST(ClosingLimits, a_start_beyond_them_is_refused_by_name) {
  const System system = four_bar_with({.lower = -0.1, .upper = 0.1});
  const State start = initial_state(system);
  for (const LimitAction action : {LimitAction::hold, LimitAction::report, LimitAction::stop}) {
    const std::string message = error_of([&] {
      Simulation simulation(system, start, {.limits = action});
      simulation.step();
    });
    EXPECT_TRUE(contains(message, "'rocker_pin'") &&
                contains(message, "beyond its upper limit 0.1"))
        << message;
  }
}

TEST(ContactMemory, of_other_limits_or_of_no_mode_is_refused) {
  Model model = slider();
  model.joints[0].limits = {{.lower = -0.5}};
  model.joints[0].friction = {{1, 1}};
  const System system = compile(model);
  Simulation simulation(system, State(system), {});
  simulation.advance_to(1);
  const Checkpoint saved = simulation.save();
  EXPECT_NO_THROW(Simulation(system, saved, {}));
  EXPECT_TRUE(contains(
      error_of([&] { Simulation(system, saved, {.limits = LimitAction::ignore}); }), "limits"));
  for (std::size_t i = 0; i < saved.contacts.size(); ++i) {
    if (i < 2 || i == 6 || i == 8) continue;  // flags; where it is held; no upper limit
    Checkpoint bent = saved;
    bent.contacts[i] += 2.5;
    EXPECT_THROW(Simulation(system, bent, {}), Error) << i;
  }
}

}  // namespace
}  // namespace linkwright::testing
