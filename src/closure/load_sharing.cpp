#include "closure/load_sharing.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace linkwright::closure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Which efforts stand at a limit: −1, 0 or +1.
using Bounds = std::vector<int>;

/// The best τ with some entries at their limits.
VectorXd solve_between(const MatrixXd& B, const VectorXd& f, const Sharing& s, const Bounds& at) {
  const VectorXd root = s.weights.cwiseSqrt();
  MatrixXd A = B;
  VectorXd fixed = s.preferred;
  for (Index i = 0; i < fixed.size(); ++i) {
    const int side = at[static_cast<std::size_t>(i)];
    if (side != 0) fixed[i] = side * s.most[i];
    A.col(i) /= root[i];
    if (side != 0) A.col(i).setZero();
  }
  const VectorXd rest = f - B * fixed;
  const VectorXd x = A.completeOrthogonalDecomposition().solve(rest);
  VectorXd tau = fixed;
  for (Index i = 0; i < tau.size(); ++i)
    if (at[static_cast<std::size_t>(i)] == 0) tau[i] += x[i] / root[i];
  return tau;
}

/// The limit that is exceeded most, relative to itself; −1: none.
Index worst_excess(const VectorXd& tau, const Sharing& s, const Bounds& at) {
  Index worst = -1;
  double most = 1 + 1e-12;
  for (Index i = 0; i < tau.size(); ++i) {
    if (at[static_cast<std::size_t>(i)] != 0 || !std::isfinite(s.most[i])) continue;
    const double excess =
        s.most[i] > 0 ? std::abs(tau[i]) / s.most[i] : HUGE_VAL * std::abs(tau[i]);
    if (excess > most) most = excess, worst = i;
  }
  return worst;
}

/// An effort at its limit that would rather come back; −1: none. With Bᵀ μ the price of what B τ = f
/// demands, it stays where w (τ − preferred) − Bᵀ μ pushes outward.
Index to_release(const MatrixXd& B, const VectorXd& tau, const Sharing& s, const Bounds& at) {
  const VectorXd pull = s.weights.cwiseProduct(tau - s.preferred);
  MatrixXd inner = B.transpose();
  VectorXd right = pull;
  for (Index i = 0; i < tau.size(); ++i)
    if (at[static_cast<std::size_t>(i)] != 0) inner.row(i).setZero(), right[i] = 0;
  const VectorXd price = inner.completeOrthogonalDecomposition().solve(right);
  const VectorXd left = pull - B.transpose() * price;
  Index worst = -1;
  double most = 1e-9 * (1 + pull.norm());
  for (Index i = 0; i < tau.size(); ++i) {
    const int side = at[static_cast<std::size_t>(i)];
    if (side != 0 && side * left[i] > most) most = side * left[i], worst = i;
  }
  return worst;
}

}  // namespace

VectorXd share_load(const MatrixXd& B, const VectorXd& f, const Sharing& sharing) {
  Bounds at(static_cast<std::size_t>(B.cols()), 0);
  VectorXd tau = solve_between(B, f, sharing, at);
  for (Index round = 0; round < 10 * B.cols() + 10; ++round) {
    const Index over = worst_excess(tau, sharing, at);
    if (over >= 0) {
      at[static_cast<std::size_t>(over)] = tau[over] > 0 ? 1 : -1;
    } else {
      const Index back = to_release(B, tau, sharing, at);
      if (back < 0) break;
      at[static_cast<std::size_t>(back)] = 0;
    }
    tau = solve_between(B, f, sharing, at);
  }
  for (Index i = 0; i < tau.size(); ++i)
    if (std::isfinite(sharing.most[i]))
      tau[i] = std::min(std::max(tau[i], -sharing.most[i]), sharing.most[i]);
  return tau;
}

VectorXd effort_limits(const System& system, const std::vector<int>& entries) {
  VectorXd most = VectorXd::Constant(static_cast<Index>(entries.size()), HUGE_VAL);
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    for (int k = 0; k < place.nv; ++k) {
      const auto found = std::find(entries.begin(), entries.end(), place.v + k);
      if (found != entries.end())
        most[found - entries.begin()] =
            per_freedom(system.model().joints[j].limits, k, Limits{}).effort;
    }
  }
  for (std::size_t i = 0; i < system.closing_motors().size(); ++i) {
    const ClosingMotor& motor = system.closing_motors()[i];
    const auto found = std::find(entries.begin(), entries.end(), system.nv() + static_cast<int>(i));
    if (found != entries.end())
      most[found - entries.begin()] =
          system.closures()[at(motor.closure)].freedom[motor.freedom].limits.effort;
  }
  return most;
}

}  // namespace linkwright::closure
