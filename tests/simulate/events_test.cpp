// Events: found where they are, told in order, acted upon; dense output between steps.
#include <gtest/gtest.h>

#include "simulate/mechanisms.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

constexpr double g = 9.81;
const std::vector<Method> all_methods{Method::rk4,   Method::semi_implicit, Method::symplectic,
                                      Method::adams, Method::bdf,           Method::ida};

SimulationOptions options(Method method) {
  return {.method = method, .step = 1e-3, .relative_tolerance = 1e-10, .absolute_tolerance = 1e-10};
}
/// A first-order method is off by about half a step, and by more after each impact.
double accuracy(Method method) { return method == Method::semi_implicit ? 2e-3 : 1e-8; }

TEST(Events, a_ball_bounces_when_the_parabola_says_so) {
  const System system = compile(slider());
  for (const Method method : all_methods) {
    State start(system);
    start.q[0] = 1;
    Simulation simulation(system, start, options(method));
    simulation.add_event({.name = "ground",
                          .function = [](const State& s) { return s.q[0]; },
                          .direction = Event::Direction::falling,
                          .action = [](FullState& now) { now.state.v[0] *= -0.5; }});
    // The impacts come closer and closer; they pile up at 3·√(2/g), and the ball must not fall
    // through the ground there.
    double lowest = 1;
    const std::string message = error_of([&] {
      simulation.run(1.5, 0, [&](const Snapshot& at) {
        lowest = std::min(lowest, at.now.state.q[0]);
        return true;
      });
    });
    EXPECT_TRUE(contains(message, "events 'ground' pile up")) << to_string(method) << message;
    EXPECT_GT(lowest, -1e-9) << to_string(method);
    EXPECT_NEAR(simulation.time(), 3 * std::sqrt(2 / g), 0.02) << to_string(method);
    // Impacts at t1 = √(2/g), then after 2·½·√(2g)/g, then half of that, …
    const double fall = std::sqrt(2 / g);
    const double expected[] = {fall, 2 * fall, 2.5 * fall, 2.75 * fall};
    ASSERT_GE(simulation.occurrences().size(), 4U) << to_string(method);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(simulation.occurrences()[i].time, expected[i], 4 * accuracy(method))
          << to_string(method) << ' ' << i;
      EXPECT_EQ(simulation.occurrences()[i].name, "ground");
    }
  }
}

TEST(Events, those_at_the_same_time_all_fire) {
  const System system = compile(slider());
  for (const Method method : all_methods) {
    Simulation simulation(system, State(system), options(method));
    int fired = 0;
    for (const char* name : {"one", "two"})
      simulation.add_event({.name = name,
                            .function = [](const State& s) { return s.t - 0.05551; },
                            .action = [&](FullState&) { ++fired; }});
    simulation.advance_to(0.1);
    EXPECT_EQ(fired, 2) << to_string(method);
    EXPECT_EQ(simulation.time(), 0.1);
  }
}

/// A slider between 0 and 2 that starts at height q and with speed v.
struct AtLimit {
  System system;
  State start;
};
AtLimit at_limit(double gravity, double q, double v) {
  Model model = slider();
  model.gravity = {0, 0, -gravity};
  model.joints[0].limits = {{.lower = 0, .upper = 2}};
  AtLimit result{compile(model), {}};
  result.start = State(result.system);
  result.start.q[0] = q;
  result.start.v[0] = v;
  return result;
}
/// Starts need not be exact: a file's degrees are rounded.
const std::vector<double> near_zero{0, 1e-17, -1e-17, 1e-12, -1e-12};

TEST(Events, a_start_at_a_limit_that_leaves_it_outward_is_told_at_the_start) {
  for (const Method method : all_methods)
    for (const double q : near_zero)
      for (const auto& [pull, v] : {std::pair{g, 0.0}, std::pair{0.0, -1.0}}) {
        const AtLimit c = at_limit(pull, q, v);
        for (const LimitAction action : {LimitAction::report, LimitAction::stop}) {
          SimulationOptions with = options(method);
          with.limits = action;
          Simulation simulation(c.system, c.start, with);
          simulation.advance_to(0.5);
          ASSERT_EQ(simulation.occurrences().size(), 1U) << to_string(method) << q;
          const double time = simulation.occurrences()[0].time;
          // A limit is passed when the joint is 1e-9 beyond it; at first these methods step less.
          const double late = has_fixed_step(method) ? 0 : std::sqrt(2 * 1e-9 / g) + 1e-9;
          EXPECT_LE(time, late) << to_string(method) << q;
          EXPECT_TRUE(time == 0 || time > 1e-16) << time << ": no time that means nothing";
          EXPECT_EQ(simulation.stopped(), action == LimitAction::stop);
          EXPECT_EQ(simulation.time(), action == LimitAction::stop ? time : 0.5);
        }
      }
}

TEST(Events, a_start_at_a_limit_that_leaves_it_inward_or_stays_is_no_event) {
  for (const Method method : all_methods)
    for (const double q : near_zero)
      for (const auto& [pull, v] : {std::pair{-1.0, 0.0}, std::pair{0.0, 1.0},
                                    std::pair{0.0, 1e-12}, std::pair{0.0, 0.0}}) {
        const AtLimit c = at_limit(pull, q, v);
        SimulationOptions with = options(method);
        with.limits = LimitAction::stop;
        Simulation simulation(c.system, c.start, with);
        simulation.advance_to(0.5);
        EXPECT_TRUE(simulation.occurrences().empty()) << to_string(method) << q << ' ' << v;
        EXPECT_EQ(simulation.time(), 0.5) << to_string(method);
      }
}

TEST(Events, a_motion_that_leaves_a_limit_and_comes_back_passes_it_once) {
  const AtLimit c = at_limit(g, 0, 1);
  for (const Method method : all_methods) {
    SimulationOptions with = options(method);
    with.limits = LimitAction::report;
    Simulation simulation(c.system, c.start, with);
    simulation.advance_to(0.3);
    ASSERT_EQ(simulation.occurrences().size(), 1U) << to_string(method);
    EXPECT_NEAR(simulation.occurrences()[0].time, 2 / g, accuracy(method)) << to_string(method);
  }
}

TEST(Events, a_start_at_a_zero_has_not_passed_it) {
  const System system = compile(slider());
  for (const Method method : all_methods)
    for (const double v : {1.0, -1.0, 0.0}) {
      State start(system);
      start.v[0] = v;
      Simulation simulation(system, start, options(method));
      simulation.add_event({.name = "zero", .function = [](const State& s) { return s.q[0]; }});
      simulation.advance_to(0.5);
      // Thrown up it comes back through zero; falling it does not.
      ASSERT_EQ(simulation.occurrences().size(), v > 0 ? 1U : 0U) << to_string(method) << v;
      for (const Occurrence& back : simulation.occurrences())
        EXPECT_NEAR(back.time, 2 / g, accuracy(method)) << to_string(method);
    }
}

TEST(Events, a_joint_limit_stops_the_run_where_it_is) {
  Model model = slider();
  model.joints[0].limits = {{.lower = 0, .upper = 2}};
  const System system = compile(model);
  for (const Method method : all_methods) {
    State start(system);
    start.q[0] = 1;
    SimulationOptions with = options(method);
    with.limits = LimitAction::stop;
    Simulation simulation(system, start, with);
    simulation.advance_to(10);
    EXPECT_TRUE(simulation.stopped());
    EXPECT_NEAR(simulation.time(), std::sqrt(2 / g), accuracy(method)) << to_string(method);
    EXPECT_NEAR(simulation.state().q[0], 0, accuracy(method)) << to_string(method);
    ASSERT_EQ(simulation.occurrences().size(), 1U);
    EXPECT_TRUE(contains(simulation.occurrences()[0].name, "rail"));
    EXPECT_TRUE(contains(simulation.occurrences()[0].name, "lower limit 0"));
    const double stopped_at = simulation.time();
    simulation.advance_to(20);
    EXPECT_EQ(simulation.time(), stopped_at);
  }
}

TEST(Events, limits_are_reported_and_do_not_change_the_motion) {
  Model model = slider();
  model.joints[0].limits = {{.lower = 0, .upper = 2}};
  const System system = compile(model);
  State start(system);
  start.q[0] = 1;
  SimulationOptions ignoring = options(Method::rk4), reporting = ignoring;
  ignoring.limits = LimitAction::ignore, reporting.limits = LimitAction::report;
  Simulation watched(system, start, reporting), plain(system, start, ignoring);
  watched.advance_to(1);
  plain.advance_to(1);
  EXPECT_EQ(watched.state().q, plain.state().q);
  EXPECT_EQ(watched.occurrences().size(), 1U);
  EXPECT_NEAR(watched.occurrences()[0].time, std::sqrt(2 / g), 1e-12);
  EXPECT_TRUE(plain.occurrences().empty());
}

TEST(Events, a_start_beyond_a_limit_is_refused) {
  Model model = slider();
  model.joints[0].limits = {{.lower = 0, .upper = 2}};
  const System system = compile(model);
  State start(system);
  start.q[0] = 2.5;
  const std::string message = error_of([&] { Simulation(system, start, {}); });
  EXPECT_TRUE(contains(message, "joint 'rail' starts at 2.5 beyond its upper limit 2")) << message;
  EXPECT_EQ(error_of([&] { Simulation(system, start, {.limits = LimitAction::ignore}); }), "");
}

TEST(Events, the_first_of_two_events_in_one_step_wins) {
  const System system = compile(slider());
  State start(system);
  start.q[0] = 1;
  for (const Method method : {Method::rk4, Method::adams}) {
    SimulationOptions coarse = options(method);
    coarse.step = 0.5;
    Simulation simulation(system, start, coarse);
    simulation.add_event({.name = "low",
                          .function = [](const State& s) { return s.q[0] - 0.2; },
                          .then = Event::Then::stop});
    simulation.add_event({.name = "high",
                          .function = [](const State& s) { return s.q[0] - 0.8; },
                          .then = Event::Then::stop});
    simulation.advance_to(2);
    ASSERT_EQ(simulation.occurrences().size(), 1U);
    EXPECT_EQ(simulation.occurrences()[0].name, "high");
    EXPECT_NEAR(simulation.time(), std::sqrt(0.4 / g), 1e-9);
  }
}

TEST(Events, a_function_that_gives_no_number_is_named) {
  const System system = compile(slider());
  Simulation simulation(system, State(system), options(Method::rk4));
  simulation.add_event(
      {.name = "odd", .function = [](const State& s) { return s.t > 0.01 ? NAN : 1; }});
  const std::string message = error_of([&] { simulation.advance_to(1); });
  EXPECT_TRUE(contains(message, "event 'odd' gave nan at t = 0.011")) << message;
}

TEST(DenseOutput, lies_on_the_motion_between_the_steps) {
  for (unsigned seed = 1; seed < 9; ++seed) {
    RandomModel random(seed);
    const System system =
        compile(random.tree(4, seed % 2 == 0 ? Base::free : Base::fixed, all_joint_types()));
    State start = random.state(system);
    start.v *= 0.3;
    const State exact =
        after(system, start, 0.1234, {.step = 0.0002, .limits = LimitAction::ignore});
    for (const Method method : {Method::rk4, Method::adams}) {
      Simulation simulation(system, start,
                            {.method = method,
                             .step = 0.005,
                             .relative_tolerance = 1e-9,
                             .absolute_tolerance = 1e-9,
                             .limits = LimitAction::ignore});
      while (simulation.time() < 0.1234) simulation.step();
      FullState between{start, {}};
      simulation.compute_state_at(0.1234, between);
      EXPECT_EQ(between.state.t, 0.1234);
      EXPECT_LT(distance(system, between.state, exact), 1e-6) << to_string(method) << ' ' << seed;
      EXPECT_TRUE(contains(error_of([&] { simulation.compute_state_at(9, between); }),
                           "not within the last step"));
    }
  }
}

/// One that is only noted does not set off another that would change the state and has not come yet.
TEST(Events, that_are_passed_leave_others_alone) {
  const System system = compile(slider());
  for (const Method method : all_methods) {
    Simulation simulation(system, State(system), options(method));
    int kicks = 0;
    simulation.add_event({.name = "noted", .function = [](const State& s) { return s.t - 0.02; }});
    simulation.add_event({.name = "kick",
                          .function = [](const State& s) { return s.t - 0.07; },
                          .action = [&](FullState&) { ++kicks; }});
    simulation.advance_to(0.05);
    EXPECT_EQ(kicks, 0) << to_string(method);
    simulation.advance_to(0.1);
    EXPECT_EQ(kicks, 1) << to_string(method);
    EXPECT_EQ(simulation.occurrences().size(), 2U) << to_string(method);
  }
}

TEST(DenseOutput, rows_come_at_their_times_and_end_at_the_end) {
  const System system = compile(slider());
  for (const Method method : all_methods)
    for (const double every : {0.0, 0.01, 0.0137, 0.3, 5.0}) {
      Simulation simulation(system, State(system), options(method));
      std::vector<double> times;
      double worst = 0;
      simulation.run(0.1, every, [&](const Snapshot& at) {
        const State& s = at.now.state;
        times.push_back(s.t);
        worst = std::max(worst, std::abs(s.q[0] + 0.5 * g * s.t * s.t));
        EXPECT_NEAR(at.a[0], -g, 1e-12);
        return true;
      });
      EXPECT_EQ(times.front(), 0);
      EXPECT_EQ(times.back(), 0.1);
      for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GT(times[i], times[i - 1]);
      for (std::size_t i = 1; every > 0 && i + 1 < times.size(); ++i)
        EXPECT_NEAR(times[i], static_cast<double>(i) * every, 1e-15);
      const std::size_t expected = every > 0.1     ? 2
                                   : every == 0.01 ? 11
                                   : every > 0     ? 9
                                                   : times.size();
      EXPECT_EQ(times.size(), expected);
      EXPECT_LT(worst, method == Method::semi_implicit ? 1e-3 : 1e-9) << to_string(method) << every;
    }
}

}  // namespace
}  // namespace linkwright::testing
