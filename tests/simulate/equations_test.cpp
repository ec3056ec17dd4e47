// Inputs and extra states by name: a motor with two inputs on one joint, seen by controllers,
// events, loads and recordings.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "linkwright/simulate/recording.hpp"
#include "simulate/mechanisms.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

/// A motor on a shaft: L di/dt = u − R i − k ω. Its inputs are the voltage u and the current that a
/// brake's resistor draws from k i, so that they number two for one joint.
class MotorEquations final : public Equations {
 public:
  explicit MotorEquations(const System& system) : tree_(system), tau_(system.nv()) {}
  [[nodiscard]] const System& system() const override { return tree_.system(); }
  [[nodiscard]] std::vector<Quantity> inputs() const override {
    return {{"voltage:m1", "V"}, {"brake:m1", "N*m"}};
  }
  [[nodiscard]] std::vector<Quantity> extra_states() const override {
    return {{"motor:m1:current", "A"}};
  }
  void compute_efforts(const FullState& now, const Eigen::VectorXd& input, VectorRef tau) override {
    tau[0] = k * now.extra[0] - input[1];
  }
  void compute_rates(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                     VectorRef a, VectorRef extra_rates) override {
    extra_rates[0] = (input[0] - Ra * now.extra[0] - k * now.state.v[0]) / La;
    compute_efforts(now, input, tau_);
    tree_.compute_rates(now, tau_, forces, a, extra_rates);
  }
  static constexpr double Ra = 0.05, La = 0.0015, k = 95 / (1425 * 2 * M_PI / 60), inertia = 0.3;

 private:
  TreeEquations tree_;
  Eigen::VectorXd tau_;
};

Model shaft() {
  Model model;
  model.gravity = {};
  model.bodies.push_back({.name = "rotor",
                          .inertia = {MotorEquations::inertia, MotorEquations::inertia,
                                      MotorEquations::inertia, 0, 0, 0}});
  model.joints.push_back({.name = "shaft",
                          .type = JointType::continuous,
                          .parent = "world",
                          .child = "rotor",
                          .axis = {0, 0, 1}});
  return model;
}

Simulation motor_on(const System& system, Method method) {
  return {std::make_unique<MotorEquations>(system),
          {State(system), Eigen::VectorXd::Zero(1)},
          {.method = method, .step = 1e-4, .relative_tolerance = 1e-9, .absolute_tolerance = 1e-9}};
}

/// [i; ω] at a constant voltage from rest: a linear equation, solved by a matrix exponential.
Eigen::Vector2d exact_motor(double voltage, double t) {
  using M = MotorEquations;
  Eigen::Matrix2d A;
  A << -M::Ra / M::La, -M::k / M::La, M::k / M::inertia, 0;
  const Eigen::Vector2d steady = -A.inverse() * Eigen::Vector2d(voltage / M::La, 0);
  Eigen::Matrix2d E = Eigen::Matrix2d::Identity(), term = E;
  for (int n = 1; n < 80; ++n) E += term = (term * A * t / n).eval();
  return steady - E * steady;
}

const std::vector<Method> with_extra_states{Method::rk4, Method::adams, Method::bdf, Method::ida};

TEST(Inputs, a_motor_starts_as_its_own_linear_equations_say) {
  const System system = compile(shaft());
  const Eigen::Vector2d exact = exact_motor(100, 0.05);
  for (const Method method : with_extra_states) {
    Simulation simulation = motor_on(system, method);
    simulation.set_input(Eigen::Vector2d(100, 0));
    simulation.advance_to(0.05);
    EXPECT_NEAR(simulation.full_state().extra[0], exact[0], 1e-6 * exact[0]) << to_string(method);
    EXPECT_NEAR(simulation.state().v[0], exact[1], 1e-6 * exact[1]) << to_string(method);
  }
  EXPECT_TRUE(contains(error_of([&] { motor_on(system, Method::symplectic); }),
                       "needs a system without extra states; this one has 'motor:m1:current'"));
}

TEST(Inputs, have_names_and_a_number_of_their_own) {
  const System system = compile(shaft());
  Simulation simulation = motor_on(system, Method::rk4);
  EXPECT_EQ(input_index(simulation.equations(), "brake:m1"), 1);
  EXPECT_EQ(extra_index(simulation.equations(), "motor:m1:current"), 0);
  EXPECT_TRUE(contains(error_of([&] { (void)input_index(simulation.equations(), "voltage:m2"); }),
                       "did you mean 'voltage:m1'"));
  EXPECT_TRUE(contains(error_of([&] { (void)extra_index(simulation.equations(), "current"); }),
                       "there is no extra state 'current'"));
  EXPECT_TRUE(contains(error_of([&] { simulation.set_input(Eigen::VectorXd::Zero(1)); }),
                       "the constant input gave 1 inputs at t = 0 s; expected 2, one for each of "
                       "'voltage:m1', 'brake:m1'"));
  simulation.add_controller(
      {.name = "pd", .compute = [](const FullState&, const Reference&, Eigen::VectorXd& input) {
         input[1] = NAN;
       }});
  EXPECT_TRUE(
      contains(error_of([&] { simulation.step(); }), "controller 'pd' gave brake:m1 = nan"));
}

TEST(ExtraStates, are_shown_to_controllers_events_and_loads) {
  // A controller that reads the current and keeps it at 40 A by the voltage it writes.
  const System system = compile(shaft());
  for (const Method method : with_extra_states) {
    Simulation simulation = motor_on(system, method);
    const Eigen::Index current = extra_index(simulation.equations(), "motor:m1:current");
    const Eigen::Index voltage = input_index(simulation.equations(), "voltage:m1");
    simulation.add_controller(
        {.name = "current loop",
         .compute = [=](const FullState& now, const Reference&, Eigen::VectorXd& input) {
           EXPECT_EQ(input.size(), 2);
           input[voltage] = MotorEquations::Ra * 40 + MotorEquations::k * now.state.v[0] +
                            5 * (40 - now.extra[current]);
         }});
    double seen_by_load = 0;
    simulation.add_load({.frame = system.frame("rotor"), .compute = [&](const FullState& now) {
                           seen_by_load = std::max(seen_by_load, now.extra[current]);
                           return Force{};
                         }});
    // di/dt = (5 + R)(40 − i)/L: 20 A after L/(5 + R) ln 2.
    simulation.add_event({.name = "half", .function = [=](const FullState& now) {
                            return now.extra[current] - 20;
                          }});
    simulation.advance_to(0.01);
    EXPECT_NEAR(simulation.full_state().extra[0], 40, 1e-6) << to_string(method);
    EXPECT_NEAR(seen_by_load, 40, 1e-6) << to_string(method);
    ASSERT_EQ(simulation.occurrences().size(), 1U) << to_string(method);
    const double expected = MotorEquations::La / (5 + MotorEquations::Ra) * std::log(2.0);
    EXPECT_NEAR(simulation.occurrences()[0].time, expected, 2e-3 * expected) << to_string(method);
  }
}

TEST(ExtraStates, are_recorded_with_the_inputs_and_the_efforts_they_cause) {
  const System system = compile(shaft());
  Simulation simulation = motor_on(system, Method::rk4);
  simulation.set_input(Eigen::Vector2d(100, 0.5));
  Channels channels(simulation.equations(), {"motor:m1:current", "input", "tau", "extra"},
                    {{"heat", "W", [](const FullState& now) {
                        return MotorEquations::Ra * now.extra[0] * now.extra[0];
                      }}});
  std::vector<std::string> names;
  for (const Column& column : channels.columns()) names.push_back(column.name + " " + column.unit);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "time s", "q:shaft rad", "v:shaft rad/s", "motor:m1:current A",
                       "input:voltage:m1 V", "input:brake:m1 N*m", "tau:shaft N*m",
                       "extra:motor:m1:current A", "heat W", "energy J", "closure_error 1"}));
  Workspace work(system);
  Table table(channels.columns());
  std::vector<double> row(channels.size());
  simulation.run(0.02, 0.001, [&](const Snapshot& at) {
    channels.compute(work, at, row);
    table.row(row);
    return true;
  });
  ASSERT_EQ(table.rows(), 21U);
  const std::vector<double> current = table.column("motor:m1:current"),
                            torque = table.column("tau:shaft"), heat = table.column("heat");
  EXPECT_EQ(current.back(), simulation.full_state().extra[0]);
  EXPECT_GT(current.back(), 100);
  for (std::size_t i = 0; i < current.size(); ++i) {
    EXPECT_DOUBLE_EQ(torque[i], MotorEquations::k * current[i] - 0.5);
    EXPECT_DOUBLE_EQ(heat[i], MotorEquations::Ra * current[i] * current[i]);
    EXPECT_EQ(table.column("input:voltage:m1")[i], 100);
  }
  EXPECT_TRUE(contains(error_of([&] { Channels(simulation.equations(), {"motor:m1:curent"}); }),
                       "did you mean 'motor:m1:current'"));
  EXPECT_TRUE(contains(error_of([&] { Channels(system, {"motor:m1:current"}); }),
                       "there is no channel 'motor:m1:current'"));
  // Those of the bare tree do not fit this run.
  Channels tree(system);
  std::vector<double> short_row(tree.size());
  EXPECT_TRUE(contains(error_of([&] { tree.compute(work, simulation.snapshot(), short_row); }),
                       "2 numbers in input; these channels expect 1"));
}

TEST(ExtraStates, go_through_a_checkpoint_under_their_names) {
  const System system = compile(shaft());
  Simulation first = motor_on(system, Method::rk4);
  first.set_input(Eigen::Vector2d(100, 0));
  first.advance_to(0.01);
  const Checkpoint saved = to_checkpoint(to_text(first.save()));
  EXPECT_EQ(saved.coordinates.back(), "motor:m1:current");
  first.advance_to(0.02);
  Simulation second = motor_on(system, Method::rk4);
  second.restore(saved);
  second.advance_to(0.02);
  EXPECT_EQ(second.full_state().extra[0], first.full_state().extra[0]);
}

/// Inputs that are not joint efforts, and no word about the efforts they cause.
class SilentEquations final : public Equations {
 public:
  explicit SilentEquations(const System& system) : tree_(system), tau_(system.nv()) {}
  [[nodiscard]] const System& system() const override { return tree_.system(); }
  [[nodiscard]] std::vector<Quantity> inputs() const override { return {{"a"}, {"b"}}; }
  void compute_rates(const FullState& now, const Eigen::VectorXd&, ExternalForces forces,
                     VectorRef a, VectorRef extra_rates) override {
    tau_.setZero();
    tree_.compute_rates(now, tau_, forces, a, extra_rates);
  }

 private:
  TreeEquations tree_;
  Eigen::VectorXd tau_;
};

TEST(Inputs, that_are_no_efforts_must_say_which_they_cause) {
  const System system = compile(shaft());
  const std::string message = error_of([&] {
    Simulation(std::make_unique<SilentEquations>(system), {State(system), {}}, {});
  });
  EXPECT_TRUE(contains(message, "compute_efforts")) << message;
}

}  // namespace
}  // namespace linkwright::testing
