/// The manipulators that come with the library do what their files say.

#include <gtest/gtest.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/manipulator/closed_chain.hpp"
#include "linkwright/manipulator/unified_model.hpp"
#include "linkwright/simulate/simulation.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;
using manipulator::BaseKind, manipulator::Manipulator, manipulator::UnifiedModel;

System bundled(const char* file) {
  return compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + file));
}
double difference(const VectorXd& a, const VectorXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

TEST(SpaceRobotCatch, two_hands_hold_the_satellite) {
  const System system = bundled("space_robot_catch.yaml");
  EXPECT_TRUE(system.warnings().empty());
  const State start = initial_state(system);
  ClosedWorkspace work(system);
  EXPECT_NO_THROW(require_closed(work, start));
  const Manipulator robot(system);
  EXPECT_EQ(robot.base().kind, BaseKind::free);
  EXPECT_EQ(robot.base().body, "bus");
  ASSERT_EQ(robot.arms().size(), 2U);
  EXPECT_EQ(robot.arms()[0].freedoms.size(), 6U);
  EXPECT_EQ(robot.objects().front().name, "satellite");
  const VectorXd tau = VectorXd::Zero(system.nv());
  VectorXd expected(system.nv()), found(system.nv());
  compute_forward_dynamics(work, start, tau, {}, expected);
  UnifiedModel model(robot);
  model.update(start, tau);
  const auto report = model.compute_forward_dynamics(found);
  EXPECT_EQ(report.rank, 12);
  EXPECT_LT(difference(found, expected), 1e-11);
  manipulator::ClosedChain chain(robot);
  const auto how =
      chain.compute_forward_dynamics(manipulator::ClosedAlgorithm::RCCFD2,
                                     manipulator::OmegaSolve::structured, start, tau, {}, found);
  EXPECT_EQ(how.solved, manipulator::OmegaSolve::structured);
  EXPECT_LT(difference(found, expected), 1e-11);
}

TEST(SpaceRobotCatch, the_bus_takes_up_the_spin_and_the_momentum_stays) {
  const System system = bundled("space_robot_catch.yaml");
  const State start = initial_state(system);
  Simulation simulation(system, start, {.method = Method::rk4, .step = 2e-3});
  simulation.advance_to(30);
  ClosedWorkspace work(system);
  const Momentum before = compute_momentum(work.tree(), start),
                 after = compute_momentum(work.tree(), simulation.state());
  // 2.0e-10 with steps of 8 ms, and less by the fourth power of the step: 7.8e-13 with these.
  EXPECT_LT(norm(after.linear - before.linear), 2e-12 * norm(before.linear));
  EXPECT_LT(norm(after.angular - before.angular), 2e-12 * norm(before.angular));
  // At first the satellite turns and the bus does not; in the end they turn as one.
  const auto spin = [&](const char* joint, const State& state) {
    return VectorXd(state.v.segment(system.joint(joint).v, 3)).norm();
  };
  EXPECT_EQ(spin("base", start), 0);
  EXPECT_GT(spin("satellite", start), 0.17);
  EXPECT_GT(spin("base", simulation.state()), 0.02);
  EXPECT_NEAR(spin("base", simulation.state()), spin("satellite", simulation.state()), 2e-3);
}

TEST(MobileManipulator, rolls_where_its_wheels_point) {
  const System system = bundled("mobile_manipulator.yaml");
  EXPECT_TRUE(system.warnings().empty());
  const State start = initial_state(system);
  ClosedWorkspace work(system);
  EXPECT_NO_THROW(require_closed(work, start));
  const Manipulator robot(system, {.base = {}, .tips = {"grip"}});
  EXPECT_EQ(robot.base().kind, BaseKind::wheeled);
  EXPECT_EQ(robot.active().size(), 6U) << "two wheels and four joints of the arm";
  EXPECT_EQ(robot.passive().size(), 9U);
  const VectorXd tau = VectorXd::Zero(system.nv());
  VectorXd expected(system.nv()), found(system.nv());
  compute_forward_dynamics(work, start, tau, {}, expected, ClosedMethod::independent);
  UnifiedModel model(robot);
  model.update(start, tau);
  EXPECT_EQ(model.compute_forward_dynamics(found).rows, 0) << "wheels are eliminated";
  EXPECT_EQ(model.active().size(), 6U);
  EXPECT_EQ(model.passive().size(), 1U) << "the caster spins";
  EXPECT_LT(difference(found, expected), 1e-11);

  Simulation simulation(system, start, {.method = Method::rk4, .step = 1e-3});
  const int base = system.joint("base").v;
  double sideways = 0, up = 0;
  simulation.run(4, 0.01, [&](const Snapshot& at) {
    sideways = std::max(sideways, std::abs(at.now.state.v[base + 4]));
    up = std::max(up, std::abs(at.now.state.v[base + 5]));
    return true;
  });
  // Every step puts the velocity onto the rolling rows: what is left is rounding of some rad/s.
  EXPECT_LT(sideways, 1e-13) << "the axle does not slide along itself";
  EXPECT_LT(up, 1e-13);
  const int at = system.joint("base").q + 4;
  EXPECT_GT((simulation.state().q - start.q).segment(at, 2).norm(), 0.5) << "it has gone somewhere";
}

}  // namespace
}  // namespace linkwright::testing
