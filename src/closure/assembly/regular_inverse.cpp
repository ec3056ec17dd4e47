#include "closure/assembly/regular_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spatial/index.hpp"

namespace linkwright::closure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Pivots below this part of the largest column are left to the orthogonal decomposition: their squares
/// come near to rounding.
constexpr double wide_margin = 1e-3;
/// And so are rows of which no more than this is left of what they give way, in the metric of M.
constexpr double least_left = 1e-9;
/// J B may differ from 1 by this much where M is ill-conditioned; a correction leaves so much of a gap.
constexpr double well_inverted = 1e-4;

}  // namespace

RegularInverse::RegularInverse(const System& system, Index m, bool is_full)
    : n_(system.nv()),
      L_(Rows::Zero(n_, n_)),
      Y_(MatrixXd::Zero(n_, m)),
      gram_(Rows::Zero(m, m)),
      C_(Rows::Zero(m, m)),
      left_(VectorXd::Zero(m)),
      by_rows_(VectorXd::Zero(m)),
      by_freedoms_(VectorXd::Zero(n_)),
      probe_(VectorXd::Zero(m)),
      answer_(VectorXd::Zero(n_)),
      order_(at(m)) {
  order_freedoms(system, is_full);
}

void RegularInverse::order_freedoms(const System& system, bool is_full) {
  const auto& nodes = system.tree().nodes;
  entry_.resize(at(n_)), depth_.resize(at(n_)), inboard_.resize(at(n_ * n_));
  std::vector<int> last(nodes.size(), -1);  // freedom at or inboard of a node
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& node = nodes[i];
    int before = node.parent < 0 ? -1 : last[at(node.parent)];
    for (int k = 0; k < node.d; ++k) {
      const int f = node.freedom + k;
      entry_[at(f)] = node.v + k;
      if (is_full) before = f - 1;
      depth_[at(f)] = before < 0 ? 0 : depth_[at(before)] + 1;
      if (before >= 0) {
        std::copy_n(inboard_.begin() + before * n_, depth_[at(before)], inboard_.begin() + f * n_);
        inboard_[at(f * n_ + depth_[at(before)])] = before;
      }
      before = f;
    }
    last[i] = before;
  }
}

bool RegularInverse::judge(const MatrixXd& A, Index used) {
  if (used > A.rows()) return false;
  for (Index i = 0; i < used; ++i) left_[i] = A.col(i).squaredNorm();
  std::iota(order_.begin(), order_.end(), 0);
  double largest = 0;
  smallest_ = 1, weakest_ = -1;
  // Row i of `gram_` begins with row i of the Cholesky factor of AᵀA, as far as it is known.
  for (Index k = 0; k < used; ++k) {
    Index best = k;
    for (Index j = k + 1; j < used; ++j)
      // As Orthogonal: a later one must be larger by more than rounding.
      if (left_[order_[at(j)]] > left_[order_[at(best)]] * (1 + 1e-9)) best = j;
    std::swap(order_[at(k)], order_[at(best)]);
    const Index row = order_[at(k)];
    const double pivot = left_[row];
    largest = std::max(largest, pivot);
    if (!(pivot > wide_margin * wide_margin * largest)) return false;
    const double inverse = 1 / std::sqrt(pivot);
    for (Index j = k + 1; j < used; ++j) {
      const Index i = order_[at(j)];
      const double rest =
          A.col(i).dot(A.col(row)) - gram_.row(i).head(k).dot(gram_.row(row).head(k));
      gram_(i, k) = rest * inverse;
      left_[i] -= gram_(i, k) * gram_(i, k);
    }
    smallest_ = std::min(smallest_, std::sqrt(pivot / largest));
    weakest_ = static_cast<int>(row);
  }
  return true;
}

bool RegularInverse::factorise(const MatrixXd& J, const MatrixXd& M, Index used) {
  used_ = used;
  if (!factorise_mass(M)) return false;
  find_columns(J);
  return factorise_compliance() && inverts(J);
}

bool RegularInverse::factorise_mass(const MatrixXd& M) {
  for (Index k = 0; k < n_; ++k) {
    const int* inboard = inboard_.data() + k * n_;
    const int depth = depth_[at(k)], entry = entry_[at(k)];
    for (int c = 0; c < depth; ++c) L_(k, c) = M(entry_[at(inboard[c])], entry);
    L_(k, depth) = M(entry, entry);
  }
  for (Index k = n_ - 1; k >= 0; --k) {
    const int* inboard = inboard_.data() + k * n_;
    const int depth = depth_[at(k)];
    double* row = L_.data() + k * n_;
    if (!(row[depth] > 0)) return false;
    row[depth] = std::sqrt(row[depth]);
    const double inverse = 1 / row[depth];
    for (int c = 0; c < depth; ++c) row[c] *= inverse;
    for (int c = 0; c < depth; ++c) {
      double* inner = L_.data() + inboard[c] * n_;
      for (int i = 0; i <= c; ++i) inner[i] -= row[c] * row[i];
    }
  }
  return true;
}

/// Y = L⁻ᵀ Jᵀ.
void RegularInverse::find_columns(const MatrixXd& J) {
  for (Index j = 0; j < used_; ++j) {
    double* y = Y_.data() + j * n_;
    for (Index k = 0; k < n_; ++k) y[k] = J(j, entry_[at(k)]);
    for (Index k = n_ - 1; k >= 0; --k) {
      if (y[k] == 0) continue;
      const int* inboard = inboard_.data() + k * n_;
      const double* row = L_.data() + k * n_;
      const int depth = depth_[at(k)];
      y[k] /= row[depth];
      for (int c = 0; c < depth; ++c) y[inboard[c]] -= row[c] * y[k];
    }
  }
}

/// Yᵀ Y = C Cᵀ.
bool RegularInverse::factorise_compliance() {
  for (Index j = 0; j < used_; ++j) {
    for (Index i = 0; i < j; ++i)
      C_(j, i) = (Y_.col(j).dot(Y_.col(i)) - C_.row(j).head(i).dot(C_.row(i).head(i))) / C_(i, i);
    const double all = Y_.col(j).squaredNorm(), left = all - C_.row(j).head(j).squaredNorm();
    if (!(left > least_left * all)) return false;
    C_(j, j) = std::sqrt(left);
  }
  return true;
}

/// Whether J B r is r, for an r in which all rows take part.
bool RegularInverse::inverts(const MatrixXd& J) {
  for (Index i = 0; i < used_; ++i) probe_[i] = 1 + 0.618 * static_cast<double>(i % 7);
  apply(probe_, answer_);
  for (Index i = 0; i < used_; ++i)
    if (!(std::abs(J.row(i).dot(answer_) - probe_[i]) <= well_inverted)) return false;
  return true;
}

void RegularInverse::apply(const VectorXd& r, VectorXd& x) {
  auto z = by_rows_.head(used_);
  for (Index i = 0; i < used_; ++i) z[i] = (r[i] - C_.row(i).head(i).dot(z.head(i))) / C_(i, i);
  for (Index i = used_ - 1; i >= 0; --i) {
    z[i] /= C_(i, i);
    z.head(i) -= z[i] * C_.row(i).head(i).transpose();
  }
  by_freedoms_.setZero();
  for (Index i = 0; i < used_; ++i) by_freedoms_ += z[i] * Y_.col(i);
  double* y = by_freedoms_.data();
  for (Index k = 0; k < n_; ++k) {
    const int* inboard = inboard_.data() + k * n_;
    const double* row = L_.data() + k * n_;
    const int depth = depth_[at(k)];
    for (int c = 0; c < depth; ++c) y[k] -= row[c] * y[inboard[c]];
    y[k] /= row[depth];
    x[entry_[at(k)]] = y[k];
  }
}

}  // namespace linkwright::closure
