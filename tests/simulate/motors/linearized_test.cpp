// Linear models of motor-driven closed mechanisms against the simulation itself: positions, velocities and currents.
#include <Eigen/Dense>

#include <gtest/gtest.h>

#include "linkwright/actuation/drives.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/linear/equilibrium.hpp"
#include "linkwright/linear/linear_model.hpp"
#include "linkwright/simulate/simulation.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

/// The five-bar held by its voltages, and where it is a moment after it began a little elsewhere.
class HeldFiveBar {
 public:
  HeldFiveBar()
      : system_(compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/five_bar_motors.yaml"))),
        work_(system_),
        drives_(system_),
        point_(system_) {
    assemble(work_, {.tolerance = 1e-14}, point_.state.q);
    const linear::Equilibrium found = linear::find_equilibrium(
        work_, point_, {.find = linear::EquilibriumOptions::Find::efforts, .drives = &drives_});
    EXPECT_TRUE(found.found) << describe(found);
    model_ = linear::to_discrete(linear::linearize(work_, point_, {.drives = &drives_}), moment);
    for (const std::string& name : model_.states)
      if (name.starts_with("q:")) joints_.push_back(name.substr(2));
  }

  [[nodiscard]] const linear::LinearModel& model() const { return model_; }

  /// The state after `moment`, entry k of [x; u] having begun beside the equilibrium by h.
  [[nodiscard]] VectorXd after(Index k, double h) {
    const auto n = static_cast<Index>(joints_.size()),
               s = static_cast<Index>(point_.motor_states.size());
    FullState start{point_.state, Eigen::Map<const VectorXd>(point_.motor_states.data(), s)};
    VectorXd volts = Eigen::Map<const VectorXd>(point_.motor_inputs.data(),
                                                static_cast<Index>(point_.motor_inputs.size()));
    if (k < n) {
      start.state.q[place(k).q] += h;
      assemble(work_, {.hold = joints_, .tolerance = 1e-14, .restarts = 0}, start.state.q);
    } else if (k < 2 * n) {
      start.state.v[place(k - n).v] += h;
      project_velocity(work_, start.state.q, joints_, start.state.v);
    } else if (k < 2 * n + s) {
      start.extra[k - 2 * n] += h;
    } else {
      volts[k - 2 * n - s] += h;
    }
    Simulation simulation(system_, start.state, {.step = 2e-5, .voltages = {"left", "right"}});
    simulation.set_state(start);
    VectorXd input = simulation.input();
    for (Index i = 0; i < volts.size(); ++i)
      input[input_index(simulation.equations(), model_.inputs[static_cast<std::size_t>(i)])] =
          volts[i];
    simulation.set_input(input);
    simulation.advance_to(moment);
    VectorXd x(2 * n + s);
    for (Index i = 0; i < n; ++i) {
      x[i] = simulation.state().q[place(i).q];
      x[n + i] = simulation.state().v[place(i).v];
    }
    x.tail(s) = simulation.full_state().extra;
    return x;
  }

 private:
  [[nodiscard]] const JointPlace& place(Index k) const {
    return system_.joint(joints_[static_cast<std::size_t>(k)]);
  }

  static constexpr double moment = 0.01;  // twenty times La/Ra
  System system_;
  ClosedWorkspace work_;
  actuation::Drives drives_;
  linear::OperatingPoint point_;
  linear::LinearModel model_;
  std::vector<std::string> joints_;
};

/// Differences of the fourth order leave h⁴, and what rounding and the steps (h/25 of La/Ra, to the fourth power)
/// leave over h: below 1e-7 of the largest in a row. The exponential of the linear model is exact.
TEST(LinearDrives, are_differences_of_the_simulated_mechanism_with_its_currents) {
  HeldFiveBar held;
  const linear::LinearModel& model = held.model();
  const Index rows = model.A.view().rows(), columns = rows + model.B.view().cols();
  ASSERT_EQ(rows, 6) << "two angles, two speeds, two currents";
  ASSERT_EQ(columns, 8);
  MatrixXd told(rows, columns), found(rows, columns);
  told << model.A.view(), model.B.view();
  constexpr double h = 1e-3;
  for (Index k = 0; k < columns; ++k)
    found.col(k) = (8 * (held.after(k, h) - held.after(k, -h)) -
                    (held.after(k, 2 * h) - held.after(k, -2 * h))) /
                   (12 * h);
  for (Index i = 0; i < rows; ++i)
    EXPECT_LT((found.row(i) - told.row(i)).norm(), 1e-6 * told.row(i).norm())
        << model.states[static_cast<std::size_t>(i)];
}

}  // namespace
}  // namespace linkwright::testing
