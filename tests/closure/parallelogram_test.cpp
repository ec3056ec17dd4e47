/// A parallelogram moves as one freedom whose equation anybody can write down.

#include <gtest/gtest.h>

#include "closure/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/dynamics/dynamics.hpp"

namespace linkwright::testing {
namespace {

/// Both cranks turn by θ, the coupler moves on a circle: J θ̈ = τ − g Σ m r cos θ.
TEST(Parallelogram, accelerates_as_its_equation_says) {
  constexpr double r = 0.4, ground = 0.9, g = 9.81;
  const System system = compile(four_bar(r, ground, r, ground));
  ClosedWorkspace work(system);
  const double inertia = 1 * r * r / 3 + 1.5 * r * r / 3 + 2 * r * r;
  const double moment = (1 * r / 2 + 1.5 * r / 2 + 2 * r) * g;
  for (const double theta : {0.3, 1.0, 1.7, 2.6}) {
    State state(system);
    state.q << theta, -theta, theta;
    state.v << 2, -2, 2;
    EXPECT_LT(compute_worst_closure(work, state.q).gap(), 1e-15);
    const double expected = (3 - moment * std::cos(theta)) / inertia;
    const Eigen::VectorXd tau = Eigen::Vector3d{3, 0, 0};
    for (const ClosedMethod method :
         {ClosedMethod::recursion, ClosedMethod::independent, ClosedMethod::dense}) {
      Eigen::VectorXd a(3);
      compute_forward_dynamics(work, state, tau, {}, a, method);
      EXPECT_NEAR(a[0], expected, 1e-13 * std::abs(expected)) << theta;
      EXPECT_NEAR(a[1], -expected, 1e-13 * std::abs(expected)) << theta;
      EXPECT_NEAR(a[2], expected, 1e-13 * std::abs(expected)) << theta;
    }
  }
}

TEST(Parallelogram, flat_it_is_singular_and_says_so) {
  const System system = compile(four_bar(0.4, 0.9, 0.4, 0.9));
  ClosedWorkspace work(system);
  const Mobility flat = compute_mobility(work, Eigen::Vector3d{0, 0, 0});
  EXPECT_TRUE(flat.singular);
  EXPECT_EQ(flat.mobility, 2);
  EXPECT_EQ(flat.nearby_rank, 2);
  const Mobility upright = compute_mobility(work, Eigen::Vector3d{1, -1, 1});
  EXPECT_FALSE(upright.singular);
  EXPECT_EQ(upright.mobility, 1);
  EXPECT_EQ(upright.grubler, -2);
}

}  // namespace
}  // namespace linkwright::testing
