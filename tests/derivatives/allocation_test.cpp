// No derivative allocates once the workspace exists.
#include <gtest/gtest.h>

#include "linkwright/dynamics/derivatives.hpp"
#include "linkwright/dynamics/second_derivatives.hpp"
#include "support/count_allocations.hpp"
#include "support/declared_forces.hpp"

namespace linkwright::testing {
namespace {

TEST(DerivativeAllocation, nothing_allocates_after_the_workspace_exists) {
  RandomModel random(6);
  const System system = compile(with_all_forces(random, Base::free));
  Workspace work(system);
  const int n = system.nv();
  const State state = random.state(system);
  const Eigen::VectorXd x = random.numbers(n);
  Eigen::MatrixXd by_q(n, n), by_v(n, n), by_tau(n, n);
  const ExternalForce push{system.frame("tip"), {{}, {1, 2, 3}}, Axes::world};
  SecondDerivatives second(system);
  const long before = allocations;
  compute_inverse_dynamics_derivatives(work, state, x, {&push, 1}, by_q, by_v);
  compute_forward_dynamics_derivatives(work, state, x, {&push, 1}, by_q, by_v, by_tau);
  compute_inverse_dynamics_derivatives(work, state, x, {&push, 1}, by_q, by_v, by_tau);
  compute_inverse_dynamics_second_derivatives(work, state, x, {&push, 1}, second);
  compute_forward_dynamics_second_derivatives(work, state, x, {&push, 1}, second);
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace linkwright::testing
