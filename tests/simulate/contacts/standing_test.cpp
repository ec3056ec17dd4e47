// A mechanism that its stops lock altogether stands: to the last bit, and the stops carry its weight.
#include <cmath>

#include <gtest/gtest.h>

#include "linkwright/closure/dynamics.hpp"
#include "simulate/closed.hpp"
#include "simulate/contacts/contacts.hpp"

namespace linkwright::testing {
namespace {

SimulationOptions options() {
  return {.method = Method::rk4, .step = 5e-3, .limits = LimitAction::hold};
}

TEST(Standing, a_platform_on_its_stops_keeps_every_bit_under_the_efforts_of_statics) {
  const System system = bundled_system("stewart");
  Simulation simulation(system, assembled(system), options());
  simulation.advance_to(3);
  const State rested = simulation.state();
  EXPECT_EQ(rested.v.cwiseAbs().maxCoeff(), 0);
  simulation.advance_to(3.5);
  EXPECT_TRUE(simulation.state().q == rested.q);
  EXPECT_TRUE(simulation.state().v == rested.v);
  const Snapshot now = simulation.snapshot();
  EXPECT_EQ(now.a.cwiseAbs().maxCoeff(), 0);
  // With these efforts at the legs nothing accelerates without stops.
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(system.effort_count()), a(system.nv());
  now.contacts->add_forces(tau.head(system.nv()), {});
  EXPECT_GT(tau.cwiseAbs().maxCoeff(), 10);
  ClosedWorkspace work(system);
  compute_forward_dynamics(work, simulation.state(), tau, {}, a);
  EXPECT_LE(a.cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Standing, other_efforts_are_answered_by_other_forces) {
  const System system = bundled_system("stewart");
  Simulation simulation(system, assembled(system), options());
  simulation.advance_to(3);
  const int leg = system.joint("leg1").v;
  const auto force = [&] {
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(system.nv());
    simulation.snapshot().contacts->add_forces(tau, {});
    return tau;
  };
  const Eigen::VectorXd before = force();
  Eigen::VectorXd input = Eigen::VectorXd::Zero(system.effort_count());
  input[leg] = -3;
  simulation.set_input(input);
  simulation.advance_to(3.1);
  Eigen::VectorXd change = force() - before;
  EXPECT_NEAR(change[leg], 3, 1e-9);
  change[leg] = 0;
  EXPECT_LE(change.cwiseAbs().maxCoeff(), 1e-9);
  // Enough of a push away from its stop moves it.
  input[leg] = std::copysign(3000, before[leg]);
  simulation.set_input(input);
  simulation.advance_to(3.2);
  EXPECT_GT(simulation.state().v.cwiseAbs().maxCoeff(), 0.01);
}

}  // namespace
}  // namespace linkwright::testing
