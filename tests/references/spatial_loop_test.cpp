/// A spatial loop of six revolutes and one slider (the four-bar example of the Modelica standard library):
/// accelerations of the crank are the slopes of its published speed, and it moves as published.

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "support/csv.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// A steel cylinder from the origin of its frame to r.
Body bar(const std::string& name, const Vector3& r) {
  constexpr double radius = 0.025, density = 7700;
  const double length = norm(r);
  const double mass = density * std::numbers::pi * radius * radius * length;
  const double along = mass * radius * radius / 2,
               across = mass * (3 * radius * radius + length * length) / 12;
  const Vector3 u = (1 / length) * r;
  const double more = along - across;
  return {
      .name = name,
      .mass = mass,
      .com = 0.5 * r,
      .inertia = {across + more * u.x * u.x, across + more * u.y * u.y, across + more * u.z * u.z,
                  more * u.x * u.y, more * u.x * u.z, more * u.y * u.z}};
}

Joint joint(const std::string& name, JointType type, const std::string& parent,
            const std::string& child, const Vector3& at, const Vector3& axis) {
  Joint made{.name = name, .type = type, .parent = parent, .child = child};
  made.pose.translation = at, made.axis = axis;
  return made;
}

/// The two revolutes between b2 and b3 have no mass between them: a universal joint, which closes the loop.
Model loop() {
  const Vector3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, b1{0, 0.5, 0.1}, b2{0, 0.2, 0};
  const Vector3 to_a{1, -0.3, -0.1};  // of b3, from its end b
  Model model;
  model.gravity = {0, -9.80665, 0};
  model.bodies = {bar("b1", b1), {.name = "l3"}, {.name = "l4"}, bar("b3", to_a), bar("b2", b2)};
  model.joints = {joint("j1", JointType::revolute, "world", "b1", {}, x),
                  joint("j3", JointType::revolute, "b1", "l3", b1, x),
                  joint("j4", JointType::revolute, "l3", "l4", {}, y),
                  joint("j5", JointType::revolute, "l4", "b3", {}, z),
                  joint("j2", JointType::prismatic, "world", "b2", {1.2, 0, 0}, x)};
  Closure closing{.name = "rev", .body_a = "b2", .body_b = "b3"};
  closing.at_a.translation = b2, closing.at_b.translation = to_a;
  closing.joint = JointType::universal, closing.axis = y, closing.axis2 = z;
  model.closures = {closing};
  return model;
}

/// Slope by seven points: the error is of sixth order.
double slope(const std::vector<double>& y, std::size_t i, double h) {
  return (45 * (y[i + 1] - y[i - 1]) - 9 * (y[i + 2] - y[i - 2]) + (y[i + 3] - y[i - 3])) /
         (60 * h);
}

TEST(SpatialLoop, has_one_freedom) {
  const System system = compile(loop());
  ClosedWorkspace work(system);
  VectorXd q = VectorXd::Zero(system.nv());
  q[system.joint("j2").q] = -0.2;
  EXPECT_LE(compute_worst_closure(work, q).gap(), 1e-15);
  const Mobility found = compute_mobility(work, q);
  EXPECT_EQ(found.mobility, 1);
  EXPECT_EQ(found.grubler, 1);
}

TEST(SpatialLoop, accelerates_as_published) {
  const auto folder = shared_folder("references");
  LINKWRIGHT_SKIP_WITHOUT(folder, "modelica_fourbar1.csv");
  std::vector<double> angle, speed;
  for (const auto& row : read_csv((folder / "modelica_fourbar1.csv").string()))
    if (row.at(0) != "time")
      angle.push_back(std::stod(row.at(1))), speed.push_back(std::stod(row.at(2)));
  ASSERT_EQ(angle.size(), 251U);
  constexpr double h = 0.02;

  const System system = compile(loop());
  ClosedWorkspace work(system);
  State state(system);
  state.q[system.joint("j2").q] = -0.2;
  const int crank = system.joint("j1").v;
  const std::vector<int> independent{crank};
  const int n = system.nv();
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i + 3 < angle.size(); ++i) {
    state.q[system.joint("j1").q] = angle[i];  // the others start where they were
    const Assembly closed = assemble(work, {.hold = {"j1"}, .restarts = 0}, state.q);
    ASSERT_TRUE(closed.assembled) << i;
    Eigen::MatrixXd G(n, 1);
    VectorXd g(n), a(n);
    compute_coordinate_map(work, state, independent, G, g);
    state.v = G.col(0) * speed[i];
    if (i < 3) continue;
    compute_forward_dynamics(work, state, VectorXd::Zero(n), {}, a);
    worst = std::max(worst, std::abs(a[crank] - slope(speed, i, h)));
    largest = std::max(largest, std::abs(a[crank]));
  }
  EXPECT_LE(worst, 1e-3 * largest) << "of " << largest;
}

/// Five seconds of motion, several turns of the crank.
TEST(SpatialLoop, moves_as_published) {
  const auto folder = shared_folder("references");
  LINKWRIGHT_SKIP_WITHOUT(folder, "modelica_fourbar1.csv");
  const System system = compile(loop());
  ClosedWorkspace work(system);
  State start(system);
  start.q[system.joint("j2").q] = -0.2;
  start.v[system.joint("j1").v] = 5.235987755982989;
  project_velocity(work, start.q, {"j1"}, start.v);
  std::vector<std::vector<double>> rows;
  for (const auto& row : read_csv((folder / "modelica_fourbar1.csv").string()))
    if (row.at(0) != "time")
      rows.push_back({std::stod(row[0]), std::stod(row[1]), std::stod(row[2])});
  const JointPlace& crank = system.joint("j1");
  for (const SimulationOptions& options :
       {SimulationOptions{.step = 2e-3}, SimulationOptions{.method = Method::adams}}) {
    Simulation simulation(system, start, options);
    for (const auto& row : rows) {
      simulation.advance_to(row[0]);
      ASSERT_NEAR(simulation.state().q[crank.q], row[1], 1e-3 * (1 + std::abs(row[1]))) << row[0];
      ASSERT_NEAR(simulation.state().v[crank.v], row[2], 1e-3 * (1 + std::abs(row[2]))) << row[0];
    }
  }
}

}  // namespace
}  // namespace linkwright::testing
