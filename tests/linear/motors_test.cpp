// Linear models with currents and shafts of motors, against differences of the whole electromechanical system.
#include <Eigen/Dense>

#include <gtest/gtest.h>

#include "linear/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace linear;
using actuation::Drives;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Actuator motor(const std::string& name, const std::string& joint, double gear) {
  Actuator out{.name = name, .joint = joint};
  out.motor =
      Actuator::Motor{.rotor_inertia = 2e-5, .damping = 1e-5, .Ra = 1.3, .La = 2e-3, .k = 0.05};
  out.gear = gear;
  return out;
}

/// The five-bar with a rigid gear at one motor and an elastic one at the other.
Model driven_five_bar() {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/five_bar.yaml");
  model.actuators = {motor("m1", "left_motor", 40), motor("m2", "right_motor", 60)};
  model.actuators[1].elastic = Actuator::Elastic{.stiffness = 0.8, .damping = 1e-4};
  return model;
}
/// The Stewart platform with a motor on every leg.
Model driven_stewart() {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/stewart.yaml");
  const System system = compile(model);
  int i = 0;
  for (const int entry : all_motors(system).entries)
    model.actuators.push_back(motor("m" + std::to_string(i++),
                                    system.velocity_names()[static_cast<std::size_t>(entry)], 800));
  return model;
}

/// A point of the electromechanical system, and the rates of all its states there.
struct Whole {
  State state;
  VectorXd z, u;
};
VectorXd rates(ClosedWorkspace& work, Drives& drives, const Whole& at,
               const std::vector<int>& entries) {
  const System& system = work.system();
  VectorXd angles = VectorXd::Zero(drives.count()), speeds = angles,
           tau = VectorXd::Zero(system.effort_count()), a(system.nv()), z_rate(at.z.size());
  drives.compute_shafts(work, at.state, angles, speeds);
  drives.compute_efforts(angles, speeds, at.z, at.u, tau);
  drives.compute_rates(angles, speeds, at.z, at.u, z_rate);
  compute_forward_dynamics(work, at.state, tau, {}, a);
  const Index n = static_cast<Index>(entries.size());
  VectorXd out(2 * n + z_rate.size());
  for (Index i = 0; i < n; ++i) {
    out[i] = at.state.v[entries[static_cast<std::size_t>(i)]];
    out[n + i] = a[entries[static_cast<std::size_t>(i)]];
  }
  out.tail(z_rate.size()) = z_rate;
  return out;
}

double expect_differences(const Model& model, unsigned seed) {
  const System system = compile(model);
  ClosedWorkspace work(system);
  Drives drives(system);
  OperatingPoint point(system);
  RandomModel random(seed);
  assemble(work, {.limits = AssemblyOptions::Limits::ignore}, point.state.q);
  point.state.v = random.numbers(system.nv(), 0.5);
  project_velocity(work, point.state.q, {}, point.state.v);
  VectorXd angles(drives.count()), speeds(drives.count()),
      z(static_cast<Index>(drives.extra_states().size()));
  drives.compute_shafts(work, point.state, angles, speeds);
  drives.compute_start(angles, speeds, z);
  z += 0.1 * random.numbers(static_cast<int>(z.size()));
  const VectorXd u = random.numbers(static_cast<int>(drives.inputs().size()), 5);
  point.motor_states.assign(z.begin(), z.end()), point.motor_inputs.assign(u.begin(), u.end());
  const LinearModel linear = linearize(work, point, {.drives = &drives});
  std::vector<int> entries;
  for (const std::string& name : linear.states)
    if (name.starts_with("v:")) {
      const auto& names = system.velocity_names();
      entries.push_back(
          static_cast<int>(std::find(names.begin(), names.end(), name.substr(2)) - names.begin()));
    }
  const Index n = static_cast<Index>(entries.size());
  EXPECT_EQ(static_cast<Index>(linear.states.size()), 2 * n + z.size());
  const Whole here{point.state, z, u};
  EXPECT_LT((rates(work, drives, here, entries) - linear.drift.view()).norm(),
            1e-9 * (1 + linear.drift.view().norm()));
  // Independents move by h; the rest follows along the closures.
  const auto beside = [&](Index k, double h) {
    Whole out = here;
    if (k < 2 * n) {
      std::vector<std::string> hold;
      for (const int entry : entries)
        hold.push_back(system.velocity_names()[static_cast<std::size_t>(entry)]);
      VectorXd push = VectorXd::Zero(system.nv());
      if (k < n) {
        const JointPlace& joint = system.joint(hold[static_cast<std::size_t>(k)]);
        out.state.q[joint.q] += h;
        assemble(work,
                 {.hold = hold,
                  .limits = AssemblyOptions::Limits::ignore,
                  .tolerance = 1e-14,
                  .restarts = 0},
                 out.state.q);
      } else {
        out.state.v[entries[static_cast<std::size_t>(k - n)]] += h;
      }
      project_velocity(work, out.state.q, hold, out.state.v);
    } else if (k < 2 * n + z.size()) {
      out.z[k - 2 * n] += h;
    } else {
      out.u[k - 2 * n - z.size()] += h;
    }
    return rates(work, drives, out, entries);
  };
  const Index columns = 2 * n + z.size() + u.size();
  MatrixXd found(2 * n + z.size(), columns), told(2 * n + z.size(), columns);
  told << linear.A.view(), linear.B.view();
  for (Index k = 0; k < columns; ++k) {
    const double h = 1e-4;
    found.col(k) =
        (8 * (beside(k, h) - beside(k, -h)) - (beside(k, 2 * h) - beside(k, -2 * h))) / (12 * h);
  }
  double worst = 0;
  for (Index i = 0; i < told.rows(); ++i)
    worst = std::max(worst, (told.row(i) - found.row(i)).norm() / (1 + told.row(i).norm()));
  EXPECT_LT(worst, 1e-7);
  return worst;
}

TEST(LinearMotors, of_closed_mechanisms_are_differences_of_the_electromechanical_system) {
  std::printf("  five-bar %.2g\n", expect_differences(driven_five_bar(), 3));
  std::printf("  Stewart %.2g\n", expect_differences(driven_stewart(), 4));
}

TEST(LinearMotors, a_motor_that_drives_a_wheel_is_the_textbooks) {
  // J ω̇ = k i − b ω, La i̇ = V − Ra i − k ω, behind a gear n.
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {{.name = "wheel", .mass = 1, .inertia = {0.01, 0.01, 0.02, 0, 0, 0}}};
  model.joints = {hinge("axle", "world", "wheel", {0, 0, 0})};
  model.actuators = {motor("m", "axle", 10)};
  const System system = compile(model);
  ClosedWorkspace work(system);
  const Drives drives(system);
  const LinearModel linear = linearize(work, OperatingPoint(system), {.drives = &drives});
  EXPECT_EQ(linear.states, (std::vector<std::string>{"q:axle", "v:axle", "motor:m:current"}));
  EXPECT_EQ(linear.inputs, std::vector<std::string>{"voltage:m"});
  const double J = 0.02 + 100 * 2e-5, b = 100 * 1e-5, k = 0.05, n = 10, Ra = 1.3, La = 2e-3;
  MatrixXd A(3, 3);
  A << 0, 1, 0, 0, -b / J, n * k / J, 0, -n * k / La, -Ra / La;
  EXPECT_LT((linear.A.view() - A).norm(), 1e-12 * A.norm());
  EXPECT_NEAR(linear.B(2, 0), 1 / La, 1e-9);
  EXPECT_EQ(analyse(linear).controllability_rank, 3);
}

TEST(LinearMotors, voltages_hold_a_mechanism) {
  const System system = compile(driven_five_bar());
  ClosedWorkspace work(system);
  const Drives drives(system);
  OperatingPoint point(system);
  assemble(work, {}, point.state.q);
  const VectorXd before = point.state.q;
  const Equilibrium found =
      find_equilibrium(work, point, {.find = EquilibriumOptions::Find::efforts, .drives = &drives});
  ASSERT_TRUE(found.found) << describe(found);
  EXPECT_LT((point.state.q - before).norm(), 1e-12) << "the motors stay where they are";
  const LinearModel linear = linearize(work, point, {.drives = &drives});
  EXPECT_LT(linear.drift.view().norm(), 1e-7);
  ASSERT_EQ(point.motor_inputs.size(), 2U);
  EXPECT_NE(point.motor_inputs[0], 0);
}

}  // namespace
}  // namespace linkwright::testing
