// A tolerance that cannot be held: the run goes on and says from when on.
#include <gtest/gtest.h>

#include <optional>

#include "linkwright/simulate/channels.hpp"
#include "simulate/mechanisms.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

/// Four links that turn fast: chaotic.
struct Chaos {
  System system;
  State start;
};
Chaos chaos() {
  RandomModel random(2);
  Model model = random.tree(4, Base::fixed, {JointType::revolute});
  model.gravity = {0, 0, -9.81};
  Chaos result{compile(model), {}};
  result.start = random.state(result.system);
  result.start.v *= 5;
  return result;
}

SimulationOptions options_of(Method method, double tolerance, OnMiss on_miss = OnMiss::tell) {
  return {.method = method,
          .relative_tolerance = tolerance,
          .absolute_tolerance = tolerance,
          .on_miss = on_miss,
          .limits = LimitAction::ignore};
}

struct Row {
  State state;
  bool missed;
};
std::vector<Row> rows_of(const Chaos& c, double time, const SimulationOptions& options) {
  std::vector<Row> rows;
  Simulation simulation(c.system, c.start, options);
  simulation.run(time, 0.02, [&](const Snapshot& at) {
    rows.push_back({at.now.state, at.tolerance_missed});
    return true;
  });
  return rows;
}

TEST(OnMiss, a_chaotic_motion_goes_on_and_is_marked_from_where_it_is_missed) {
  const Chaos c = chaos();
  for (const Method method : {Method::adams, Method::bdf, Method::ida}) {
    Simulation simulation(c.system, c.start, options_of(method, 1e-6));
    std::optional<double> first;
    simulation.run(30, 0.1, [&](const Snapshot& at) {
      if (at.tolerance_missed && !first) first = at.now.state.t;
      EXPECT_EQ(at.tolerance_missed, first.has_value()) << "a mark once set stays";
      return true;
    });
    EXPECT_EQ(simulation.time(), 30) << to_string(method);
    ASSERT_TRUE(simulation.statistics().missed_at);
    const double missed = *simulation.statistics().missed_at;
    EXPECT_GT(missed, 0.1) << to_string(method);
    ASSERT_TRUE(first);
    EXPECT_GE(*first, missed);
    EXPECT_LT(*first, missed + 0.1);
    EXPECT_GT(simulation.statistics().error_in_tolerances, 100) << to_string(method);
  }
}

TEST(OnMiss, what_is_not_marked_is_within_the_tolerance) {
  const Chaos c = chaos();
  const std::vector<Row> exact = rows_of(c, 3, options_of(Method::adams, 1e-12));
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const std::vector<Row> rows = rows_of(c, 3, options_of(Method::adams, tolerance));
    ASSERT_EQ(rows.size(), exact.size());
    double fastest = 0;
    int unmarked = 0;
    for (std::size_t i = 0; i < rows.size() && !rows[i].missed; ++i) {
      fastest = std::max(fastest, exact[i].state.v.cwiseAbs().maxCoeff());
      EXPECT_LT(distance(c.system, rows[i].state, exact[i].state), 3 * tolerance * (1 + fastest))
          << tolerance << " t = " << rows[i].state.t;
      ++unmarked;
    }
    EXPECT_GT(unmarked, 10) << tolerance;
  }
}

TEST(OnMiss, stop_ends_where_the_error_has_grown_to_a_hundred_tolerances) {
  const Chaos c = chaos();
  Simulation told(c.system, c.start, options_of(Method::adams, 1e-6));
  told.advance_to(60);
  ASSERT_TRUE(told.statistics().missed_at);
  Simulation stopped(c.system, c.start, options_of(Method::adams, 1e-6, OnMiss::stop));
  const std::string message = error_of([&] { stopped.advance_to(60); });
  EXPECT_TRUE(contains(message, "the tolerance is not met")) << message;
  EXPECT_GE(stopped.time(), *told.statistics().missed_at);
}

TEST(OnMiss, what_was_missed_is_not_forgotten_over_a_checkpoint) {
  const Chaos c = chaos();
  for (const double until : {2.0, 40.0}) {  // before the two integrations part, and long after
    const SimulationOptions options = options_of(Method::adams, 1e-6);
    Simulation first(c.system, c.start, options);
    first.advance_to(until);
    const Checkpoint saved = to_checkpoint(to_text(first.save()), "memory");
    Simulation second(c.system, saved, options);
    first.advance_to(until + 3), second.advance_to(until + 3);
    EXPECT_EQ(first.state().q, second.state().q) << until;
    EXPECT_EQ(first.statistics().missed_at, second.statistics().missed_at) << until;
    EXPECT_EQ(first.statistics().error_in_tolerances, second.statistics().error_in_tolerances);
  }
}

TEST(OnMiss, a_run_that_has_missed_it_is_not_gone_on_with_under_stop) {
  const Chaos c = chaos();
  Simulation first(c.system, c.start, options_of(Method::adams, 1e-6));
  first.advance_to(40);
  const Checkpoint saved = first.save();
  Simulation told(c.system, saved, options_of(Method::adams, 1e-6));
  EXPECT_TRUE(told.snapshot().tolerance_missed) << "the first row of what follows";
  const std::string message =
      error_of([&] { Simulation(c.system, saved, options_of(Method::adams, 1e-6, OnMiss::stop)); });
  EXPECT_TRUE(contains(message, "missed it from t = ")) << message;
}

TEST(OnMiss, a_motion_that_can_be_foretold_is_never_marked) {
  const System system = compile(slider());
  Simulation simulation(system, State(system), options_of(Method::bdf, 1e-8));
  simulation.advance_to(2);
  EXPECT_FALSE(simulation.statistics().missed_at);
  Channels channels(system, {"tolerance_missed"});
  Workspace work(system);
  std::vector<double> row(channels.size(), -1);
  channels.compute(work, simulation.snapshot(), row);
  EXPECT_EQ(row[3], 0);
  EXPECT_EQ(channels.columns()[3].name, "tolerance_missed");
}

}  // namespace
}  // namespace linkwright::testing
