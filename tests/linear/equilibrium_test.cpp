// States at rest: found where they are, stable or not, and honestly not found where there is none.
#include <Eigen/Dense>

#include <gtest/gtest.h>

#include <numbers>

#include "linear/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {
namespace {

using namespace linear;
using Eigen::VectorXd;
using Find = EquilibriumOptions::Find;

/// Nothing accelerates at a point.
double unrest(ClosedWorkspace& work, const OperatingPoint& point) {
  VectorXd a(work.system().nv());
  compute_forward_dynamics(
      work, point.state,
      Eigen::Map<const VectorXd>(point.tau.data(), static_cast<Eigen::Index>(point.tau.size())),
      point.forces, a);
  return a.cwiseAbs().maxCoeff() + point.state.v.cwiseAbs().maxCoeff();
}

TEST(Equilibrium, the_nearest_is_found_stable_or_not) {
  const System system = compile(pendulum(1, 0.5));
  ClosedWorkspace work(system);
  for (const auto& [start, rest] :
       {std::pair{0.4, 0.0}, {3.0, std::numbers::pi}, {-2.9, -std::numbers::pi}}) {
    OperatingPoint point(system);
    point.state.q[0] = start, point.state.v[0] = 2;
    const Equilibrium found = find_equilibrium(work, point);
    EXPECT_TRUE(found.found);
    EXPECT_NEAR(point.state.q[0], rest, 1e-9);
    EXPECT_LT(unrest(work, point), 1e-8);
  }
}

TEST(Equilibrium, where_nothing_decides_the_mechanism_sinks) {
  // Held out level, the first derivative vanishes: no step of Newton's method leads anywhere.
  const System system = compile(pendulum(1, 0.5));
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  point.state.q[0] = std::numbers::pi / 2;
  EXPECT_TRUE(find_equilibrium(work, point).found);
  EXPECT_NEAR(std::sin(point.state.q[0]), 0, 1e-9);
}

TEST(Equilibrium, constant_efforts_and_loads_count) {
  const System system = compile(pendulum(2, 0.5));
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  point.tau[0] = 4;  // m g l sin q = 4
  ASSERT_TRUE(find_equilibrium(work, point).found);
  EXPECT_NEAR(std::sin(point.state.q[0]), 4 / (2 * 9.81 * 0.5), 1e-12);
  // More than it can hold: there is no rest, and the text says what moves.
  point.tau[0] = 20;
  const Equilibrium none = find_equilibrium(work, point);
  EXPECT_FALSE(none.found);
  EXPECT_NE(describe(none).find("'v:pivot' still changes by"), std::string::npos) << describe(none);
}

TEST(Equilibrium, on_the_group) {
  Model model;
  model.bodies = {
      {.name = "bob", .mass = 1, .com = {0, 0.1, -0.4}, .inertia = {0.01, 0.02, 0.02, 0, 0, 0}}};
  model.joints = {
      {.name = "ball", .type = JointType::spherical, .parent = "world", .child = "bob"}};
  const System system = compile(model);
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  const Equilibrium found = find_equilibrium(work, point);
  ASSERT_TRUE(found.found) << describe(found);
  // The centre of mass hangs below; the turn about the vertical, which nothing decides, was not made.
  compute_forward_kinematics(work.tree(), point.state, VectorXd::Zero(3));
  const Vector3 com = frame_pose(work.tree(), system.frame("bob")) * Vector3{0, 0.1, -0.4};
  EXPECT_NEAR(com.z, -std::hypot(0.1, 0.4), 1e-12);
  EXPECT_NEAR(point.state.q.norm(), 1, 1e-12);
  const Analysis modes = analyse(linearize(work, point));
  EXPECT_TRUE(modes.unstable.empty());
}

TEST(Equilibrium, along_the_closures) {
  for (const char* file : {"four_bar.yaml", "slider_crank.yaml", "five_bar.yaml"}) {
    const System system = compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + file));
    ClosedWorkspace work(system);
    OperatingPoint point(system);
    assemble(work, {.hold = system.model().initial.hold}, point.state.q);
    const Equilibrium found = find_equilibrium(work, point);
    ASSERT_TRUE(found.found) << file << ": " << describe(found);
    EXPECT_LT(compute_worst_closure(work, point.state.q).gap(), 1e-11);
    EXPECT_LT(unrest(work, point), 1e-7) << file;
  }
}

TEST(Equilibrium, motors_hold_and_passive_joints_settle) {
  const System system = compile(cart_pole(1.5, 0.4, 0.6));
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  point.state.q << 0.7, 0.2;
  point.forces = {{system.frame("bob"), {{}, {0.3, 0, 0}}, Axes::world}};
  ASSERT_TRUE(find_equilibrium(work, point, {.find = Find::efforts}).found);
  EXPECT_EQ(point.state.q[0], 0.7) << "the cart's motor holds it where it was";
  EXPECT_NEAR(point.state.q[1], 0, 1e-12) << "the force acts at the pole's foot";
  EXPECT_NEAR(point.tau[0], -0.3, 1e-12);
  EXPECT_LT(unrest(work, point), 1e-9);
}

TEST(Equilibrium, what_falls_has_none) {
  Model model;
  model.bodies = {{.name = "stone", .mass = 1, .inertia = {0.1, 0.1, 0.1, 0, 0, 0}}};
  model.joints = {{.name = "free", .type = JointType::free, .parent = "world", .child = "stone"}};
  const System system = compile(model);
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  const Equilibrium none = find_equilibrium(work, point);
  EXPECT_FALSE(none.found);
  EXPECT_NEAR(none.residual, 9.81, 1e-9);
}

}  // namespace
}  // namespace linkwright::testing
