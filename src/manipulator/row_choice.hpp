#pragma once
/// Ω λ = r where rows of K depend on others: on the independent ones, then λ of least (scaled) norm. Scaled and
/// decided as in closure/rank.
///
///     RowChoice rows(row_scale, column_scale);
///     rows.factorize(K, Omega);        // rank, and Ω of the independent rows
///     rows.solve(r);                   // r ← a λ that does
///     rows.shorten(K, r);              // the shortest that does the same

#include <vector>

#include "closure/rank/orthogonal.hpp"

namespace linkwright::manipulator {

class RowChoice {
 public:
  RowChoice(const Eigen::VectorXd& row_scale, const Eigen::VectorXd& column_scale);

  /// Throws Error (failed_computation) where even these rows are lost to rounding.
  void factorize(const Eigen::MatrixXd& K, const Eigen::MatrixXd& Omega);
  [[nodiscard]] int rank() const { return space_.rank(); }
  void solve(Eigen::VectorXd& r);
  void shorten(const Eigen::MatrixXd& K, Eigen::VectorXd& lambda);

 private:
  Eigen::VectorXd row_scale_, column_scale_, part_, effort_;
  Eigen::MatrixXd A_, L_;
  closure::Orthogonal space_;
};

}  // namespace linkwright::manipulator
