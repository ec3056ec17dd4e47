// The complementarity problem of friction and stops, against every way of choosing its active set.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <Eigen/QR>

#include "linkwright/simulate/box_problem.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Problem {
  Eigen::MatrixXd R;
  Eigen::VectorXd w0, lower, upper;
};

/// R = B Bᵀ of a given rank; w0 is a motion that the forces can stop.
Problem random_problem(RandomModel& random, int n, int rank) {
  Problem p;
  Eigen::MatrixXd B(n, rank);
  for (double& x : B.reshaped()) x = random.between(-1, 1);
  Eigen::VectorXd c(rank);
  for (double& x : c) x = random.between(-2, 2);
  // Freedoms in very different units.
  for (int i = 0; i < n; ++i) B.row(i) *= std::pow(10.0, random.between(-3, 3));
  p.R = B * B.transpose();
  p.w0 = B * c;
  p.lower = p.upper = Eigen::VectorXd::Zero(n);
  for (int i = 0; i < n; ++i) {
    const double size = std::abs(c.norm() / B.row(i).norm());
    p.lower[i] = -size * random.between(0, 1), p.upper[i] = size * random.between(0, 1);
    const double kind = random.between(0, 1);
    if (kind < 0.2) p.lower[i] = -infinite, p.upper[i] = 0;  // a stop
    if (kind > 0.8) p.lower[i] = 0, p.upper[i] = infinite;
    if (kind > 0.45 && kind < 0.5) p.lower[i] = -infinite;  // a stop with friction
  }
  return p;
}

/// How much a pair f, w breaks the law, in units in which all freedoms respond alike.
double broken(const Problem& p, const Eigen::VectorXd& f, const Eigen::VectorXd& w) {
  double worst = 0;
  for (Eigen::Index i = 0; i < f.size(); ++i) {
    const double unit = std::sqrt(p.R(i, i)), push = f[i] * unit, motion = w[i] / unit;
    worst = std::max({worst, p.lower[i] * unit - push, push - p.upper[i] * unit});
    const double down = (f[i] - p.lower[i]) * unit, up = (p.upper[i] - f[i]) * unit;
    if (motion > 0) worst = std::max(worst, std::min(motion, down));
    if (motion < 0) worst = std::max(worst, std::min(-motion, up));
  }
  return worst;
}

/// The motions of the first active set, of all 3ⁿ, that keeps the law.
Eigen::VectorXd enumerate(const Problem& p, double tolerance) {
  const auto n = static_cast<int>(p.w0.size());
  for (int code = 0; code < static_cast<int>(std::pow(3, n)); ++code) {
    Eigen::VectorXd f = Eigen::VectorXd::Zero(n);
    std::vector<int> within;
    bool possible = true;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      if (rest % 3 == 0) within.push_back(i);
      if (rest % 3 == 1) f[i] = p.lower[i];
      if (rest % 3 == 2) f[i] = p.upper[i];
      possible = possible && std::isfinite(f[i]);
    }
    if (!possible) continue;
    const auto k = static_cast<Eigen::Index>(within.size());
    if (k > 0) {
      // Dependent forces share by least norm here: any share will do for the motion, but not for the
      // bounds, which other codes then find.
      Eigen::MatrixXd A(k, k);
      Eigen::VectorXd b(k), D(k);
      const Eigen::VectorXd w = p.w0 + p.R * f;
      for (Eigen::Index i = 0; i < k; ++i) D[i] = 1 / std::sqrt(p.R(within[i], within[i]));
      for (Eigen::Index i = 0; i < k; ++i) {
        b[i] = -D[i] * w[within[i]];
        for (Eigen::Index j = 0; j < k; ++j) A(i, j) = D[i] * p.R(within[i], within[j]) * D[j];
      }
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
      solver.setThreshold(1e-10);
      const Eigen::VectorXd x = solver.compute(A).solve(b);
      for (Eigen::Index i = 0; i < k; ++i) f[within[i]] = D[i] * x[i];
    }
    const Eigen::VectorXd w = p.w0 + p.R * f;
    if (broken(p, f, w) < tolerance) return w;
  }
  return {};
}

TEST(BoxProblem, finds_the_motion_that_trying_all_active_sets_finds) {
  RandomModel random(5);
  int singular = 0, moving = 0, held = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const int n = 1 + trial % 5;
    const int rank = 1 + static_cast<int>(random.between(0, 0.999) * n);
    const Problem p = random_problem(random, n, rank);
    BoxProblem box(n);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(n), w = f;
    ASSERT_TRUE(box.solve(n, p.R, p.w0, p.lower, p.upper, f, w)) << trial;
    EXPECT_LT(broken(p, f, w), 1e-10) << trial;
    const Eigen::VectorXd other = enumerate(p, 1e-9);
    if (other.size() == 0) {
      // With dependent freedoms the one share tried above may miss every bound.
      EXPECT_LT(rank, n) << trial;
      continue;
    }
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(w[i] / std::sqrt(p.R(i, i)), other[i] / std::sqrt(p.R(i, i)), 1e-8) << trial;
    singular += rank < n ? 1 : 0;
    (w.cwiseAbs().maxCoeff() > 1e-6 ? moving : held) += 1;
  }
  EXPECT_GT(singular, 100);
  EXPECT_GT(moving, 100);
  EXPECT_GT(held, 20);
}

TEST(BoxProblem, large_ones_keep_the_law_too) {
  RandomModel random(6);
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 30, rank = 1 + trial % n;
    const Problem p = random_problem(random, n, rank);
    BoxProblem box(n);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(n), w = f;
    ASSERT_TRUE(box.solve(n, p.R, p.w0, p.lower, p.upper, f, w)) << trial;
    EXPECT_LT(broken(p, f, w), 1e-8) << trial;
  }
}

TEST(BoxProblem, a_motion_that_nothing_can_resist_has_no_force_at_a_stop) {
  BoxProblem box(1);
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(1, 1);
  Eigen::VectorXd w0 = Eigen::VectorXd::Ones(1), f = w0, w = w0;
  const Eigen::VectorXd endless = Eigen::VectorXd::Constant(1, -infinite);
  EXPECT_FALSE(box.solve(1, R, w0, endless, Eigen::VectorXd::Zero(1), f, w));
  // Friction just yields.
  EXPECT_TRUE(
      box.solve(1, R, w0, Eigen::VectorXd::Constant(1, -2), Eigen::VectorXd::Constant(1, 2), f, w));
  EXPECT_EQ(f[0], -2);
  EXPECT_EQ(w[0], 1);
}

}  // namespace
}  // namespace linkwright::testing
