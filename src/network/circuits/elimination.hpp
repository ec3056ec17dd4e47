#pragma once
/// Gauss-Jordan elimination that tells what has cancelled from what is merely small.
///
/// Circuits mix microfarads and megohms, so no size alone means zero. Beside every entry the size of the largest
/// term that went into it is kept; an entry that is 1e-11 of that is what rounding left of a zero, and is set to it.

#include <span>
#include <vector>

#include <Eigen/Dense>

namespace linkwright::network {

/// a · b, where sums of products that cancel are zero.
Eigen::MatrixXd clean_product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
/// a + b under the same rule.
Eigen::MatrixXd clean_sum(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

class Elimination {
 public:
  explicit Elimination(Eigen::MatrixXd rows);

  /// Pivots in these columns until none is left there. Costs rows · columns per pivot to choose it, relative to
  /// the largest entry of its row in the first `unknowns` columns, and rows · all columns to eliminate.
  void pivot(std::span<const int> columns, Eigen::Index unknowns);

  [[nodiscard]] Eigen::Index rank() const { return static_cast<Eigen::Index>(pivots_.size()); }
  /// Column of the pivot of row i, which is 1 there, as in no other row.
  [[nodiscard]] const std::vector<int>& pivots() const { return pivots_; }
  /// Rows with pivots first.
  [[nodiscard]] const Eigen::MatrixXd& rows() const { return rows_; }

 private:
  void eliminate(Eigen::Index row, int column);

  Eigen::MatrixXd rows_, sizes_;
  std::vector<int> pivots_;
};

}  // namespace linkwright::network
