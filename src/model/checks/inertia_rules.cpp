#include "model/checks/inertia_rules.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwright::checks {
namespace {

double largest_entry(const Symmetric3& I) {
  return std::max({std::abs(I.xx), std::abs(I.yy), std::abs(I.zz), std::abs(I.xy), std::abs(I.xz),
                   std::abs(I.yz)});
}

/// The moments λ = A s with s ≥ 0 that are nearest to `moments`: s are the second moments ∫ x² dm
/// along the principal axes, and a body can have any that are not negative. With three of them every
/// choice of zeros can be tried.
Eigen::Vector3d nearest_moments(const Eigen::Vector3d& moments) {
  Eigen::Matrix3d A;
  A << 0, 1, 1, 1, 0, 1, 1, 1, 0;
  Eigen::Vector3d best = Eigen::Vector3d::Zero();
  for (int kept = 1; kept < 8; ++kept) {
    Eigen::Matrix3d columns = A;
    for (int i = 0; i < 3; ++i)
      if ((kept >> i & 1) == 0) columns.col(i).setZero();
    const Eigen::Vector3d s = columns.completeOrthogonalDecomposition().solve(moments);
    const Eigen::Vector3d found = columns * s;
    const bool possible = s.minCoeff() >= 0;
    if (possible && (found - moments).norm() < (best - moments).norm()) best = found;
  }
  return best;
}

}  // namespace

Judgement judge_inertia(const Symmetric3& inertia, double mass, double length) {
  Judgement result{};
  const double scale = largest_entry(inertia);
  if (scale == 0) return {Eigen::Vector3d::Zero(), Verdict::nothing};
  // Scaled, so that residues such as 1e-300 do not vanish on the way.
  result.moments = scale * Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(
                               to_eigen(to_full(inertia)) / scale, Eigen::EigenvaluesOnly)
                               .eigenvalues();
  const double rounding =
      64 * std::numeric_limits<double>::epsilon() * (scale + mass * length * length);
  for (double& moment : result.moments)
    if (std::abs(moment) <= rounding) moment = 0;
  const double least = result.moments[0], largest = result.moments[2];
  if (least == 0 && largest == 0)
    result.verdict = Verdict::nothing;
  else if (least >= 0)
    result.verdict = Verdict::physical;
  else
    result.verdict =
        least >= -printed_rounding * largest ? Verdict::negative_by_printing : Verdict::negative;
  return result;
}

Symmetric3 nearest_physical(const Symmetric3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(to_eigen(to_full(inertia)));
  const Eigen::Matrix3d I = solver.eigenvectors() *
                            nearest_moments(solver.eigenvalues()).asDiagonal() *
                            solver.eigenvectors().transpose();
  return {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
}

}  // namespace linkwright::checks
