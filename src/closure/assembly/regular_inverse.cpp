#include "closure/assembly/regular_inverse.hpp"

#include <cmath>
#include <numeric>

#include <Eigen/Cholesky>

#include "spatial/index.hpp"

namespace linkwright::closure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Pivots below this part of the largest column are left to the orthogonal decomposition: their squares
/// come near to rounding.
constexpr double wide_margin = 1e-3;
/// J B may differ from 1 by this much where M is ill-conditioned; a correction leaves so much of a gap.
constexpr double well_inverted = 1e-4;

}  // namespace

RegularInverse::RegularInverse(Index n, Index m)
    : gram_(MatrixXd::Zero(m, m)),
      L_(MatrixXd::Zero(n, n)),
      omega_(MatrixXd::Zero(m, m)),
      order_(at(m)) {}

bool RegularInverse::judge(const MatrixXd& A, Index used) {
  if (used > A.rows()) return false;
  auto G = gram_.topLeftCorner(used, used);
  const auto rows = A.leftCols(used);
  for (Index j = 0; j < used; ++j)
    for (Index i = j; i < used; ++i) G(i, j) = G(j, i) = rows.col(i).dot(rows.col(j));
  std::iota(order_.begin(), order_.end(), 0);
  double largest = 0;
  smallest_ = 1, weakest_ = -1;
  for (Index k = 0; k < used; ++k) {
    Index best = k;
    for (Index j = k + 1; j < used; ++j)
      // As Orthogonal: a later one must be larger by more than rounding.
      if (G(j, j) > G(best, best) * (1 + 1e-9)) best = j;
    if (best != k) {
      G.col(k).swap(G.col(best)), G.row(k).swap(G.row(best));
      std::swap(order_[at(k)], order_[at(best)]);
    }
    largest = std::max(largest, G(k, k));
    if (!(G(k, k) > wide_margin * wide_margin * largest)) return false;
    for (Index j = k + 1; j < used; ++j)
      G.col(j).tail(used - k - 1) -= (G(j, k) / G(k, k)) * G.col(k).tail(used - k - 1);
    smallest_ = std::min(smallest_, std::sqrt(G(k, k) / largest));
    weakest_ = order_[at(k)];
  }
  return true;
}

bool RegularInverse::solve(const MatrixXd& J, const MatrixXd& M, Index used, MatrixXd& B) {
  L_ = M;
  const Eigen::LLT<Eigen::Ref<MatrixXd>> mass(L_);
  if (mass.info() != Eigen::Success) return false;
  auto Y = B.leftCols(used);
  Y = J.topRows(used).transpose();
  mass.matrixL().solveInPlace(Y);
  Eigen::Ref<MatrixXd> omega = omega_.topLeftCorner(used, used);
  for (Index j = 0; j < used; ++j)
    for (Index i = j; i < used; ++i) omega(i, j) = Y.col(i).dot(Y.col(j));
  const Eigen::LLT<Eigen::Ref<MatrixXd>> compliance(omega);
  if (compliance.info() != Eigen::Success) return false;
  compliance.matrixU().solveInPlace<Eigen::OnTheRight>(Y);
  compliance.matrixL().solveInPlace<Eigen::OnTheRight>(Y);
  mass.matrixU().solveInPlace(Y);
  for (Index i = 0; i < used; ++i)
    for (Index j = 0; j < used; ++j)
      if (!(std::abs(J.row(i).dot(Y.col(j)) - (i == j ? 1 : 0)) <= well_inverted)) return false;
  return true;
}

}  // namespace linkwright::closure
