#pragma once
/// B = M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ where rows are clearly independent, at a fraction of what the complete
/// orthogonal decomposition costs (rank/orthogonal.hpp), in storage made once.
///
/// Given    the rows J (m × n), the same scaled as columns A (n × m), M (n × n)
/// Computes the pivots of A's QR decomposition as those of the Cholesky decomposition of AᵀA, and, where
///          all are well above rounding's root, M = L Lᵀ, Y = L⁻¹ Jᵀ, YᵀY = C Cᵀ, B = L⁻ᵀ Y (C Cᵀ)⁻¹
/// Cost     O(n³/3 + n² m + n m²)

#include <vector>

#include <Eigen/Core>

namespace linkwright::closure {

class RegularInverse {
 public:
  RegularInverse(Eigen::Index n, Eigen::Index m);

  /// Whether the first `used` rows are independent by a wide margin; then `smallest` and `weakest` are
  /// what Orthogonal would find.
  [[nodiscard]] bool judge(const Eigen::MatrixXd& A, Eigen::Index used);
  /// The first `used` columns of B, after `judge` said yes. False where M resists some motion too little:
  /// B is then spoilt.
  [[nodiscard]] bool solve(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M, Eigen::Index used,
                           Eigen::MatrixXd& B);

  /// The last pivot, relative to the largest column, and the row that it belongs to.
  [[nodiscard]] double smallest() const { return smallest_; }
  [[nodiscard]] int weakest() const { return weakest_; }

 private:
  Eigen::MatrixXd gram_, L_, omega_;
  std::vector<int> order_;
  double smallest_ = 0;
  int weakest_ = -1;
};

}  // namespace linkwright::closure
