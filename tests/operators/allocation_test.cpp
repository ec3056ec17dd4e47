// Counts heap allocations: none may happen once an expression or a tool has run.
#include <gtest/gtest.h>

#include "linkwright/operators/factorization.hpp"
#include "linkwright/operators/forward_dynamics.hpp"
#include "linkwright/operators/operational_space.hpp"
#include "support/count_allocations.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::operators;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class OperatorAllocation : public ::testing::Test {
 protected:
  OperatorAllocation() { at.set_tips(std::vector<std::string>{"tip", "body1", "body4"}); }

  /// Runs `action` twice at two configurations and returns what the second run allocated.
  template <class F>
  long allocated_by(F action) {
    at.update(random.state(system).q);
    action();
    const VectorXd q = random.state(system).q;
    const long before = allocations;
    at.update(q);
    action();
    return allocations - before;
  }

  RandomModel random{3};
  System system = compile(RandomModel(2).tree(9, Base::free, all_joint_types()));
  Operators at{system};
  int n = system.nv();
  VectorXd x = random.numbers(n), y = VectorXd::Zero(n);
};

TEST_F(OperatorAllocation, the_counter_counts) {
  EXPECT_GE(allocated_by([&] { y = VectorXd::Ones(n + y.size()).eval(); }), 1);
}

TEST_F(OperatorAllocation, expressions_make_none) {
  const auto mass = H * phi * M * transpose(phi) * transpose(H);
  const auto minv = inverse(mass + R);
  VectorXd tips(at.size(Space::tip_motion));
  EXPECT_EQ(allocated_by([&] {
              apply(minv, at, x, y);
              apply(mass, at, x, y);
              apply(transpose(B) * transpose(phi) * transpose(H) * minv, at, x, tips);
            }),
            0);
}

TEST_F(OperatorAllocation, the_factors_as_a_tool_make_none) {
  std::mt19937_64 normal(1);
  double sum = 0;
  EXPECT_EQ(allocated_by([&] {
              compute_solve(at, x, y);
              sum += compute_log_determinant(at);
              apply_root(at, Covariance::mass, x, y);
              apply_root(at, Covariance::inverse_mass, x, y);
              compute_sample(at, Covariance::mass, normal, y);
              compute_sample(at, Covariance::inverse_mass, normal, y);
            }),
            0);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST_F(OperatorAllocation, the_four_algorithms_make_none) {
  const State state = random.state(system);
  const std::vector<ExternalForce> pushes{{system.frame("tip"), {{1, 2, 3}, {4, 5, 6}}, Axes::own}};
  VectorXd link(at.size(Space::link_motion)), tip(at.size(Space::tip_motion)), none;
  for (const Algorithm algorithm : all_algorithms) {
    const bool all = algorithm == Algorithm::FD2;
    EXPECT_EQ(allocated_by([&] {
                compute_forward_dynamics(algorithm, at, state, x, pushes, y, all ? link : none,
                                         all ? tip : none);
              }),
              0)
        << name(algorithm);
    EXPECT_TRUE(y.allFinite());
  }
}

TEST_F(OperatorAllocation, operational_space_makes_none) {
  OperationalSpace space(at);
  const int m = at.size(Space::tip_motion);
  const Singular pseudo = Singular::pseudo_inverse;
  MatrixXd square(m, m), tall(n, m), projector(n, n);
  int rank = 0;
  EXPECT_EQ(allocated_by([&] {
              space.update();
              rank = space.rank();
              space.compute_inverse_inertia(square);
              space.compute_inertia(square, pseudo);
              space.compute_consistent_inverse(tall, pseudo);
              space.apply_null_space(x, y, pseudo);
              space.compute_null_space(projector, pseudo);
            }),
            0);
  EXPECT_GT(rank, 0);
}

}  // namespace
}  // namespace linkwright::testing
