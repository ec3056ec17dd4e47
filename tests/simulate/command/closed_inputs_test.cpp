// Closed systems: inputs of all motors, closing joints' among them, in tables and in recordings.
#include <gtest/gtest.h>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/simulate/channels.hpp"
#include "linkwright/simulate/closed_equations.hpp"
#include "linkwright/simulate/recording.hpp"
#include "linkwright/simulate/time_table.hpp"
#include "simulate/closed.hpp"

namespace linkwright::testing {
namespace {

/// A four-bar of four hinges with motors; the last closes the loop.
Model four_motors() {
  Model model = four_bar(0.3, 0.9, 0.7, 0.8);
  model.closures.clear();
  Joint last = hinge("j4", "coupler", "rocker", {0.9, 0, 0});
  last.at_child.translation = {0.7, 0, 0};
  model.joints.push_back(last);
  model.cut = {"j4"};
  return model;
}

TEST(ClosedInputs, motors_of_closing_joints_are_recorded_and_driven_from_tables) {
  const FourBar four(four_motors());
  ASSERT_EQ(four.system.effort_count(), 4);
  Simulation simulation(four.system, four.start, {.step = 1e-3});
  const Eigen::Vector4d tau{0.7, -0.2, 0.1, 0.9};
  simulation.set_input(tau);
  Channels channels(simulation.equations(), {"input", "closure:j4", "tau:j4", "a"});
  Table table(channels.columns());
  Workspace work(four.system, Closures::leave_out);
  ClosedWorkspace closed(four.system);
  std::vector<double> row(channels.size());
  const auto column = [&](const std::string& name) { return table.column(name).back(); };
  simulation.run(0.2, 0.02, [&](const Snapshot& at) {
    channels.compute(work, at, row);
    table.row(row);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(column("input:tau:j" + std::to_string(i + 1)), tau[i]);
    EXPECT_EQ(column("tau:j4"), 0.9);
    Eigen::VectorXd a(3);
    std::vector<Force> forces(1);
    compute_forward_dynamics(closed, at.now.state, tau, {}, a);
    closure_forces(closed, forces);
    EXPECT_NEAR(column("closure:j4:fx"), forces[0].force.x, 1e-9);
    EXPECT_NEAR(column("closure:j4:mz"), forces[0].moment.z, 1e-9);
    EXPECT_NEAR(column("a:j1"), a[0], 1e-9);
    EXPECT_NEAR(column("closure_error"), compute_worst_closure(closed, at.now.state.q).gap(),
                1e-15);
    Eigen::MatrixXd J(closed.rows(), 3);
    compute_closure_jacobian(closed, at.now.state.q, J);
    EXPECT_NEAR(column("velocity_error"), (J * at.now.state.v).cwiseAbs().maxCoeff(), 1e-13);
    return true;
  });

  TimeTable inputs{.file = "run.csv",
                   .columns = {"tau:j1", "input:tau:j2", "tau:j3", "input:tau:j4"},
                   .time = {0, 0.03, 0.2},
                   .values = {0.7, -0.2, 0.1, 0.9, 0.7, -0.2, 0.1, 0.9, 0.7, -0.2, 0.1, 0.9},
                   .lines = {2, 3, 4}};
  Simulation driven(four.system, four.start, {.step = 1e-3});
  drive(driven, std::make_shared<InputTable>(driven.equations(), inputs, Between::hold));
  driven.advance_to(0.2);
  EXPECT_LE((driven.state().q - simulation.state().q).norm(), 1e-14);
}

/// A four-bar whose crank is driven by the current of a motor, L di/dt = u − R i.
class DrivenBar final : public Equations {
 public:
  explicit DrivenBar(const System& system) : closed_(system), efforts_(Eigen::VectorXd::Zero(3)) {}
  [[nodiscard]] const System& system() const override { return closed_.system(); }
  [[nodiscard]] std::vector<Quantity> inputs() const override { return {{"voltage:m1", "V"}}; }
  [[nodiscard]] std::vector<Quantity> extra_states() const override {
    return {{"motor:m1:current", "A"}};
  }
  void compute_efforts(const FullState& now, const Eigen::VectorXd&, VectorRef tau) override {
    tau.setZero();
    tau[0] = 0.5 * now.extra[0];
  }
  void compute_rates(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                     VectorRef a, VectorRef extra_rates) override {
    extra_rates[0] = (input[0] - 2 * now.extra[0]) / 0.1;
    compute_efforts(now, input, efforts_);
    Eigen::VectorXd none;
    closed_.compute_rates(now, efforts_, forces, a, none);
  }
  [[nodiscard]] bool obeys_closures() const override { return true; }
  void begin(FullState& now) override { closed_.begin(now); }
  [[nodiscard]] ConstraintErrors constraint_errors(const FullState& now) override {
    return closed_.constraint_errors(now);
  }
  [[nodiscard]] bool projects() const override { return true; }
  ConstraintErrors project(FullState& now) override { return closed_.project(now); }

 private:
  ClosedEquations closed_;
  Eigen::VectorXd efforts_;
};

TEST(ClosedInputs, voltages_and_currents_are_recorded_and_driven_from_tables) {
  const FourBar four;
  Simulation simulation(std::make_unique<DrivenBar>(four.system),
                        {four.start, Eigen::VectorXd::Zero(1)}, {.step = 1e-3});
  const TimeTable volts{.file = "u.csv",
                        .columns = {"voltage:m1"},
                        .time = {0, 0.1, 0.3},
                        .values = {4, -2, 0},
                        .lines = {2, 3, 4}};
  drive(simulation, std::make_shared<InputTable>(simulation.equations(), volts, Between::hold));
  Channels channels(simulation.equations(), {"extra", "input", "tau:j1", "closure:loop"});
  Table table(channels.columns());
  Workspace work(four.system, Closures::leave_out);
  std::vector<double> row(channels.size());
  simulation.run(0.3, 0.05, [&](const Snapshot& at) {
    channels.compute(work, at, row);
    table.row(row);
    return true;
  });
  const std::vector<double> time = table.column("time"),
                            current = table.column("extra:motor:m1:current"),
                            voltage = table.column("input:voltage:m1"),
                            tau = table.column("tau:j1"), gap = table.column("closure_error");
  ASSERT_EQ(time.size(), 7U);
  double at_jump = 2 * (1 - std::exp(-20 * 0.1));
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double t = time[i];
    const double exact =
        t <= 0.1 ? 2 * (1 - std::exp(-20 * t)) : -1 + (at_jump + 1) * std::exp(-20 * (t - 0.1));
    EXPECT_NEAR(current[i], exact, 1e-8) << t;
    EXPECT_EQ(tau[i], 0.5 * current[i]);
    EXPECT_LE(gap[i], 1e-10);
  }
  EXPECT_EQ(voltage, (std::vector<double>{4, 4, -2, -2, -2, -2, 0}));
}

}  // namespace
}  // namespace linkwright::testing
