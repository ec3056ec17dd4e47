#include "verify/absolute_coordinates_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "verify/absolute_coordinates_index.hpp"

namespace linkwright::verify::absolute {
namespace {

/// Rows of [L; U] with the order in which they were chosen.
class Elimination {
 public:
  explicit Elimination(const Equations& A)
      : rows_(A), scale_(A.rows()), order_(size(A)), end_(size(A)) {
    std::iota(order_.begin(), order_.end(), 0);
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const Number largest = A.row(i).cwiseAbs().maxCoeff();
      scale_[i] = largest > 0 ? 1 / largest : 1;
      rows_.row(i) *= scale_[i];
      end_[at(i)] = A.cols();
      while (end_[at(i)] > 0 && A(i, end_[at(i)] - 1) == 0) --end_[at(i)];
    }
    column_sizes_ = rows_.cwiseAbs().colwise().maxCoeff().transpose();
  }

  /// −1, or the first column without a pivot.
  int factorize() {
    for (Eigen::Index k = 0; k < rows_.rows(); ++k) {
      if (!choose_pivot(k)) return static_cast<int>(k);
      const Eigen::Index pivot = order_[at(k)], end = end_[at(pivot)];
      for (Eigen::Index i = k + 1; i < rows_.rows(); ++i) {
        const Eigen::Index row = order_[at(i)];
        Number& factor = rows_(row, k);
        if (factor == 0) continue;
        factor /= rows_(pivot, k);
        const Number* from = &rows_(pivot, 0);
        Number* to = &rows_(row, 0);
        for (Eigen::Index c = k + 1; c < end; ++c) to[c] -= factor * from[c];
        end_[at(row)] = std::max(end_[at(row)], end);
      }
    }
    return -1;
  }

  [[nodiscard]] Unknowns solve(const Unknowns& b) const {
    const Eigen::Index n = rows_.rows();
    Unknowns x(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const Eigen::Index row = order_[at(k)];
      x[k] = scale_[row] * b[row] - rows_.row(row).head(k).dot(x.head(k));
    }
    for (Eigen::Index k = n - 1; k >= 0; --k) {
      const Eigen::Index row = order_[at(k)], behind = end_[at(row)] - k - 1;
      if (behind > 0) x[k] -= rows_.row(row).segment(k + 1, behind).dot(x.segment(k + 1, behind));
      x[k] /= rows_(row, k);
    }
    return x;
  }

 private:
  static std::size_t size(const Equations& A) { return at(A.rows()); }

  bool choose_pivot(Eigen::Index k) {
    Eigen::Index best = k;
    Number largest = -1;
    for (Eigen::Index i = k; i < rows_.rows(); ++i) {
      const Number here = std::abs(rows_(order_[at(i)], k));
      if (here > largest) best = i, largest = here;
    }
    std::swap(order_[at(k)], order_[at(best)]);
    const auto n = static_cast<Number>(rows_.rows());
    return largest > n * std::numeric_limits<Number>::epsilon() * column_sizes_[k];
  }

  Equations rows_;
  Unknowns scale_;
  Unknowns column_sizes_;  // what is left of a column by rounding alone is no pivot
  std::vector<Eigen::Index> order_, end_;
};

}  // namespace

int solve(const Equations& A, const Unknowns& b, Unknowns& x) {
  Elimination elimination(A);
  const int without = elimination.factorize();
  if (without >= 0) return without;
  x = elimination.solve(b);
  for (int step = 0; step < 2; ++step) x += elimination.solve(b - A * x);
  return -1;
}

namespace {

/// The motions of a pair's own leave its rows: of each the row with the largest entry stays, and is kept.
void eliminate_own(Equations& left, Eigen::Index nv, std::vector<bool>& kept) {
  for (Eigen::Index column = nv; column < left.cols(); ++column) {
    Eigen::Index pivot = 0;
    left.col(column).cwiseAbs().maxCoeff(&pivot);
    kept[at(pivot)] = true;
    const Unknowns factors = left.col(column) / left(pivot, column);
    const Equations taken = left.row(pivot);
    left.noalias() -= factors * taken;
    left.row(pivot).setZero();
  }
}

}  // namespace

std::vector<bool> independent_rows(const Equations& rows, Eigen::Index nv) {
  // Positions are doubles: rows that repeat others do so to some 1e-15.
  constexpr Number nothing = 1e-6L;
  std::vector<bool> kept(at(rows.rows()), false);
  Equations left = rows;
  eliminate_own(left, nv, kept);
  Number first = 0;
  for (Eigen::Index step = 0; step < std::min(rows.rows(), nv); ++step) {
    Eigen::Index pivot = 0;
    const Number largest = left.leftCols(nv).rowwise().norm().maxCoeff(&pivot);
    first = std::max(first, largest);
    if (!(largest > nothing * first)) break;
    kept[at(pivot)] = true;
    const Equations direction = left.row(pivot).head(nv) / largest;
    const Unknowns along = left.leftCols(nv) * direction.transpose();
    left.leftCols(nv).noalias() -= along * direction;
    left.row(pivot).setZero();
  }
  return kept;
}

}  // namespace linkwright::verify::absolute
