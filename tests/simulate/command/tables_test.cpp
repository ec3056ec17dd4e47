// Inputs and references from tables: what lies between the rows, where steps end, what is refused.
#include <gtest/gtest.h>

#include <sstream>

#include "linkwright/simulate/motions.hpp"
#include "simulate/closed.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

const std::vector<Method> all_methods{Method::rk4,   Method::semi_implicit, Method::symplectic,
                                      Method::adams, Method::bdf,           Method::ida};

/// A table as if read, one column after `time`.
TimeTable table_of(const std::string& columns, const std::vector<std::vector<double>>& rows) {
  TimeTable table{.file = "table.csv"};
  std::istringstream names(columns);
  for (std::string name; names >> name;) table.columns.push_back(name);
  for (const std::vector<double>& row : rows) {
    table.time.push_back(row[0]);
    table.values.insert(table.values.end(), row.begin() + 1, row.end());
    table.lines.push_back(static_cast<int>(table.time.size()) + 1);
  }
  table.title_line = 1;
  return table;
}

/// Rows of polynomials and their rates, at uneven times.
struct Curve {
  std::function<GivenValue(double)> at;
  TimeTable sampled(const std::string& columns, int rows, double uneven = 0.3) const {
    std::vector<std::vector<double>> all;
    for (int i = 0; i < rows; ++i) {
      const double t = (i + (i > 0 && i + 1 < rows ? uneven * std::sin(3 * i) : 0)) / (rows - 1);
      const GivenValue x = at(t);
      std::vector<double> row{t, x.position};
      if (contains(columns, "v:")) row.push_back(x.velocity);
      if (contains(columns, "a:")) row.push_back(x.acceleration);
      all.push_back(row);
    }
    return table_of(columns, all);
  }
};

Curve polynomial(std::vector<double> c) {
  return {[c](double t) {
    GivenValue x;
    for (std::size_t i = c.size(); i-- > 0;) {
      const auto n = static_cast<double>(i);
      x.position += c[i] * std::pow(t, n);
      if (i > 0) x.velocity += c[i] * n * std::pow(t, n - 1);
      if (i > 1) x.acceleration += c[i] * n * (n - 1) * std::pow(t, n - 2);
    }
    return x;
  }};
}

/// The largest misses of position, velocity and acceleration between the rows.
GivenValue misses(const Curve& curve, const ReferenceTable& table) {
  GivenValue worst;
  for (int k = 0; k <= 1000; ++k) {
    const double t = k / 1000.0;
    const GivenValue got = table.value(0, t), exact = curve.at(t);
    worst.position = std::max(worst.position, std::abs(got.position - exact.position));
    worst.velocity = std::max(worst.velocity, std::abs(got.velocity - exact.velocity));
    worst.acceleration =
        std::max(worst.acceleration, std::abs(got.acceleration - exact.acceleration));
  }
  return worst;
}

TEST(ReferenceTables, give_back_polynomials) {
  const System system = compile(slider());
  const TreeEquations equations(system);
  const auto expect_exact = [&](const Curve& curve, const std::string& columns, int rows) {
    const ReferenceTable table(equations, curve.sampled(columns, rows));
    const GivenValue off = misses(curve, table);
    EXPECT_LE(off.position, 1e-13) << columns << rows;
    EXPECT_LE(off.velocity, 1e-11) << columns << rows;
    EXPECT_LE(off.acceleration, 1e-9) << columns << rows;
  };
  const Curve cubic = polynomial({0.3, -1, 2, 1.5}), quintic = polynomial({0.3, -1, 2, 1.5, -2, 1});
  for (const int rows : {4, 5, 11}) expect_exact(cubic, "q:rail", rows);
  for (const int rows : {3, 4, 11}) expect_exact(quintic, "q:rail v:rail", rows);
  for (const int rows : {2, 3, 11}) expect_exact(quintic, "q:rail v:rail a:rail", rows);
  expect_exact(polynomial({1, 2}), "q:rail", 2);
  expect_exact(polynomial({1, 2, 3}), "q:rail", 3);
  expect_exact(cubic, "q:rail v:rail", 2);
}

TEST(ReferenceTables, converge_as_their_degree_says) {
  const System system = compile(slider());
  const TreeEquations equations(system);
  const Curve sine{[](double t) {
    return GivenValue{std::sin(5 * t), 5 * std::cos(5 * t), -25 * std::sin(5 * t)};
  }};
  const auto miss = [&](const std::string& columns, int rows) {
    return misses(sine, ReferenceTable(equations, sine.sampled(columns, rows, 0)));
  };
  const GivenValue cubic = miss("q:rail", 41), finer = miss("q:rail", 81);
  EXPECT_NEAR(std::log2(cubic.position / finer.position), 4, 0.4);
  EXPECT_NEAR(std::log2(cubic.acceleration / finer.acceleration), 2, 0.3);
  const GivenValue quintic = miss("q:rail v:rail", 41), better = miss("q:rail v:rail", 81);
  EXPECT_NEAR(std::log2(quintic.position / better.position), 6, 0.6);
  EXPECT_NEAR(std::log2(quintic.acceleration / better.acceleration), 4, 0.4);
}

TEST(ReferenceTables, are_smooth_as_promised) {
  const System system = compile(slider());
  const TreeEquations equations(system);
  const TimeTable bare =
      table_of("q:rail", {{0, 0}, {0.2, 1}, {0.5, -1}, {0.6, 0.4}, {1, 0.2}, {1.3, 2}});
  const ReferenceTable cubic(equations, bare);
  EXPECT_EQ(cubic.break_times(), bare.time);
  const TimeTable rates = table_of(
      "q:rail v:rail", {{0, 0, 1}, {0.2, 1, 0}, {0.5, -1, 2}, {0.6, 0.4, 1}, {1, 0.2, -3}});
  const ReferenceTable quintic(equations, rates);
  EXPECT_TRUE(quintic.break_times().empty());
  const double h = 1e-6;
  for (const ReferenceTable* table : {&cubic, &quintic})
    for (std::size_t i = 1; i + 1 < table->table().rows(); ++i) {
      const double t = table->table().time[i];
      const auto at = [&](double s) { return table->value(0, t + s); };
      EXPECT_NEAR(at(-1e-12).acceleration, at(0).acceleration, 1e-6);
      EXPECT_NEAR((at(h).position - at(-h).position) / (2 * h), at(0).velocity, 1e-6);
      EXPECT_NEAR((at(h).velocity - at(-h).velocity) / (2 * h), at(0).acceleration, 1e-2);
      // One-sided, of second order: what is left is rounding.
      const auto jerk = [&](double step) {
        return (4 * at(step).acceleration - at(2 * step).acceleration - 3 * at(0).acceleration) /
               (2 * step);
      };
      const double jerk_jump = jerk(1e-5) - jerk(-1e-5);
      if (table == &quintic) {
        EXPECT_NEAR(jerk_jump, 0, 1e-3);  // of some hundred
      } else if (i > 1 && i + 2 < table->table().rows()) {
        EXPECT_GT(std::abs(jerk_jump), 1);
      }
    }
}

/// A kilogram on a rail under a force over time, at times that no step of 0.03 s meets.
const std::vector<std::vector<double>> pushes{{0, 2}, {0.123, -1}, {0.4, 3}, {0.71, 0}, {1, 1}};

TEST(InputTables, end_steps_at_their_rows_in_every_method) {
  Model model = slider();
  model.gravity = {};
  const System system = compile(model);
  for (const Between between : {Between::hold, Between::linear})
    for (const Method method : all_methods) {
      Simulation simulation(system, State(system), {.method = method, .step = 0.03});
      drive(simulation, std::make_shared<InputTable>(simulation.equations(),
                                                     table_of("tau:rail", pushes), between));
      simulation.advance_to(1);
      double q = 0, v = 0;
      for (std::size_t i = 0; i + 1 < pushes.size(); ++i) {
        const double h = pushes[i + 1][0] - pushes[i][0], a = pushes[i][1];
        const double slope = between == Between::hold ? 0 : (pushes[i + 1][1] - a) / h;
        q += h * (v + h * (a / 2 + h * slope / 6));
        v += h * (a + h * slope / 2);
      }
      // rk4 integrates both exactly as long as no step passes a row; the others to their order.
      const double tolerance = method == Method::rk4             ? 1e-14
                               : method == Method::semi_implicit ? 0.04
                               : method == Method::symplectic    ? 1e-3
                                                                 : 1e-8;
      EXPECT_NEAR(simulation.state().q[0], q, tolerance) << to_string(method);
      EXPECT_NEAR(simulation.state().v[0], v, tolerance) << to_string(method);
    }
}

TEST(InputTables, push_on_frames) {
  const System system = compile(slider(2));
  for (const Between between : {Between::hold, Between::linear}) {
    Simulation simulation(system, State(system), {.step = 0.01});
    drive(simulation, std::make_shared<InputTable>(
                          simulation.equations(),
                          table_of("tau:rail force:ball:fz force:ball:nx",
                                   {{0, 9.81, 9.81, 3}, {0.5, 9.81, 9.81, 3}, {1, 9.81, 9.81, 3}}),
                          between));
    simulation.advance_to(1);
    EXPECT_NEAR(simulation.state().q[0], 0, 1e-12);
    const Snapshot at = simulation.snapshot();
    ASSERT_EQ(at.forces.size(), 1U);
    EXPECT_EQ(at.forces[0].force.moment.x, 3);
    EXPECT_EQ(at.input[0], 9.81);
  }
}

TEST(InputTables, must_begin_where_the_simulation_is) {
  const System system = compile(slider());
  Simulation simulation(system, State(system), {});
  const auto late = std::make_shared<InputTable>(
      simulation.equations(), table_of("tau:rail", {{0.5, 1}, {1, 2}}), Between::hold);
  EXPECT_TRUE(contains(error_of([&] { drive(simulation, late); }),
                       "table.csv:2: the input begins at t = 0.5 s; the run begins at 0 s"));
  simulation.advance_to(0.75);
  drive(simulation, late);  // in the middle of a row that is held
  EXPECT_EQ(simulation.snapshot().input[0], 1);
}

TEST(InputTables, go_on_from_a_checkpoint_with_the_same_bits) {
  Model model = slider();
  const System system = compile(model);
  for (const Between between : {Between::hold, Between::linear})
    for (const double half : {0.4, 0.55}) {  // at a row, between two
      const auto equip = [&](Simulation& simulation) {
        drive(simulation,
              std::make_shared<InputTable>(
                  simulation.equations(),
                  table_of("tau:rail force:ball:fz",
                           {{0, 2, 1}, {0.123, -1, 5}, {0.4, 3, 2}, {0.71, 0, 0}, {1, 1, 1}}),
                  between));
      };
      Simulation whole(system, State(system), {.step = 0.01});
      equip(whole);
      whole.advance_to(half);
      const Checkpoint saved = to_checkpoint(to_text(whole.save()));
      whole.advance_to(1);
      Simulation second(std::make_unique<TreeEquations>(system), saved, {.step = 0.01}, equip);
      second.advance_to(1);
      EXPECT_EQ(second.state().q[0], whole.state().q[0]);
      EXPECT_EQ(second.state().v[0], whole.state().v[0]);
      const std::string message = error_of(
          [&] { Simulation(std::make_unique<TreeEquations>(system), saved, {.step = 0.01}); });
      EXPECT_TRUE(contains(message, "other controllers")) << message;
    }
}

TEST(Tables, mistakes_are_named_with_file_and_line) {
  const TemporaryFolder folder;
  const System system = compile(slider());
  const TreeEquations equations(system);
  const auto message = [&](const std::string& text) {
    const std::string path = folder.write("in.csv", text).string();
    return error_of([&] { InputTable(equations, read_time_table(path, "inputs"), Between::hold); });
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {"time,tau:rail\n0,1\n0.5,2\n0.4,1\n", "in.csv:4: the time 0.4 s follows 0.5 s of line 3"},
      {"time,tau:rail\n0,1\n0,2\n", "in.csv:3: the time 0 s follows 0 s"},
      {"time,tau:rail\n0,nan\n", "in.csv:2: column 'tau:rail': 'nan' is not a finite number"},
      {"time,tau:rail\n0,1,2\n", "in.csv:2: this row has 3 fields"},
      {"time,tau:rail,tau:rail\n0,1,2\n", "in.csv:1: column 'tau:rail' stands twice"},
      {"time,tau:rail,input:tau:rail\n0,1,2\n", "gives the same input as column 'tau:rail'"},
      {"t,tau:rail\n0,1\n", "in.csv:1: there is no column 'time'"},
      {"time,tau:rial\n0,1\n", "column 'tau:rial' is unknown; did you mean 'tau:rail'?"},
      {"time,force:bal:fz\n0,1\n", "did you mean 'force:ball:fz'?"},
      {"time,force:rail:fz\n0,1\n", "names a joint; forces act on frames"},
      {"time,force:world:fz\n0,1\n", "pushes on 'world', which cannot move"},
      {"time,q:rail\n0,1\n", "no column drives anything"},
      {"time,tau:rail\n", "no row follows"},
      {"", "the file is empty"},
      {"# unit of tau:rail: N*m\ntime,tau:rail\n0,1\n",
       "column 'tau:rail' is in N*m, as the file says; expected N"},
  };
  for (const auto& [text, part] : cases)
    EXPECT_TRUE(contains(message(text), part)) << message(text);
  EXPECT_EQ(message("# unit of tau:rail: N\ntime,tau:rail\n0,1\n"), "");
  const TimeTable table = table_of("tau:rail", pushes);
  EXPECT_TRUE(contains(error_of([&] { table.require_span(0, 2, "the input"); }),
                       "table.csv:6: the input ends at t = 1 s and the run goes on to 2 s"));
  EXPECT_TRUE(
      contains(error_of([&] { table.require_span(-1, 1, "the input"); }), "begins at t = 0 s"));
  EXPECT_TRUE(contains(error_of([&] { (void)table.stretch_of(1.1); }), "outside this table"));
}

TEST(Tables, passive_joints_are_refused_by_name) {
  Model model = slider();
  model.bodies.push_back({.name = "bob", .mass = 1});
  model.joints.push_back(
      {.name = "swing", .type = JointType::revolute, .parent = "ball", .child = "bob"});
  model.joints.back().passive = {true};
  model.bodies.back().com = {1, 0, 0};
  const System system = compile(model);
  const TreeEquations equations(system);
  std::string message = error_of([&] {
    InputTable(equations, table_of("tau:swing", {{0, 0}, {1, 2}}), Between::hold);
  });
  EXPECT_TRUE(
      contains(message, "table.csv:3: tau:swing is 2 at t = 1 s, but joint 'swing' is passive"))
      << message;
  // As a recording tells it: zeros.
  InputTable(equations, table_of("tau:rail tau:swing", {{0, 1, 0}, {1, 2, 0}}), Between::hold);
  message = error_of([&] { ReferenceTable(equations, table_of("q:swing", {{0, 0}, {1, 2}})); });
  EXPECT_TRUE(contains(message, "column 'q:swing' commands joint 'swing', which is passive"))
      << message;
  message = error_of([&] { ReferenceTable(equations, table_of("v:rail", {{0, 0}, {1, 2}})); });
  EXPECT_TRUE(contains(message, "column 'v:rail' stands without 'q:rail'")) << message;
  message = error_of([&] { ReferenceTable(equations, table_of("q:rial", {{0, 0}, {1, 2}})); });
  EXPECT_TRUE(contains(message, "did you mean 'q:rail'?")) << message;
  message = error_of([&] { PointToPoint(system, State(system).q, 0, {{{{"swing", 1.0}}, 1}}); });
  EXPECT_TRUE(contains(message, "'swing', which is passive")) << message;
  RandomModel random(3);
  const System floating = compile(floating_robot(random));
  const TreeEquations free(floating);
  message = error_of([&] {
    ReferenceTable(free, table_of("q:base:0 q:base:1 q:base:2 q:base:3 q:base:4 q:base:5 q:base:6",
                                  {{0, 1, 0, 0, 0, 0, 0, 0}}));
  });
  EXPECT_TRUE(contains(message, "joint 'base' cannot follow a table")) << message;
}

TEST(ReferenceTables, of_closed_systems_must_fit_the_closures) {
  const System system = bundled_system("four_bar");
  const State start = assembled(system);
  const ClosedEquations equations(system);
  ClosedWorkspace work(system);
  const double crank = start.q[system.joint("crank_pivot").q];
  const double pin = start.q[system.joint("crank_pin").q];
  const ReferenceTable alone(
      equations, table_of("q:crank_pivot", {{0, crank}, {1, crank + 1}, {2, crank + 7}}));
  EXPECT_EQ(error_of([&] { require_closed(work, alone, start.q); }), "");
  const ReferenceTable both(
      equations, table_of("q:crank_pivot q:crank_pin",
                          {{0, crank, pin}, {1, crank, pin + 0.01}, {2, crank, pin + 0.5}}));
  ASSERT_EQ(both.coordinates().size(), 1U);  // the pin has no motor
  const std::string message = error_of([&] { require_closed(work, both, start.q); });
  EXPECT_TRUE(contains(message,
                       "table.csv:3: the motion asked for violates the closures at t = 1 s: "
                       "closure 'rocker_pin' is open by"))
      << message;
}

}  // namespace
}  // namespace linkwright::testing
