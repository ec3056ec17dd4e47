// Counts heap allocations: forward dynamics of a closed system makes none.
#include <gtest/gtest.h>

#include "closure/mechanisms.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/system/system.hpp"
#include "support/count_allocations.hpp"

namespace linkwright::testing {
namespace {

TEST(ClosureAllocation, forward_dynamics_by_recursion_makes_none) {
  const System system = compile(four_bar(0.4, 0.9, 0.4, 0.9));
  ClosedWorkspace work(system);
  State state(system);
  state.q << 1, -1, 1;
  const Eigen::VectorXd tau = Eigen::Vector3d{1, 0, 0};
  Eigen::VectorXd a(3);
  const long before = allocations;
  compute_forward_dynamics(work, state, tau, {}, a);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(closed_report(work).method, ClosedMethod::recursion);
  Eigen::VectorXd* heap = new Eigen::VectorXd(100);
  EXPECT_GE(allocations - before, 2) << "the counter counts";
  delete heap;
}

}  // namespace
}  // namespace linkwright::testing
