#pragma once
/// B = M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ where rows are clearly independent, at a fraction of what the complete
/// orthogonal decomposition costs (rank/orthogonal.hpp), in storage made once.
///
/// Given    the rows J (m × n), the same scaled as columns A (n × m), M (n × n)
/// Computes the pivots of A's QR decomposition as those of the Cholesky decomposition of AᵀA, and, where
///          all are well above rounding's root, M = Lᵀ L from the tips of the tree to its root, which fills
///          nothing in, Y = L⁻ᵀ Jᵀ and Yᵀ Y = C Cᵀ; then B r = L⁻¹ Y C⁻ᵀ C⁻¹ r
/// Cost     O(n depth² + m n depth + m² n) once, O(n depth + m n + m²) per r

#include <vector>

#include <Eigen/Core>

#include "linkwright/system/system.hpp"

namespace linkwright::closure {

class RegularInverse {
 public:
  /// For m rows at most. `is_full`: M has entries between freedoms of different branches.
  RegularInverse(const System& system, Eigen::Index m, bool is_full);

  /// Whether the first `used` rows are independent by a wide margin; then `smallest` and `weakest` are
  /// what Orthogonal would find.
  [[nodiscard]] bool judge(const Eigen::MatrixXd& A, Eigen::Index used);
  /// After `judge` said yes. False where M resists some motion too little: nothing is then known.
  [[nodiscard]] bool factorise(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M,
                               Eigen::Index used);
  /// x = B r, after `factorise`; of r the rows that were used.
  void apply(const Eigen::VectorXd& r, Eigen::VectorXd& x);

  /// The last pivot, relative to the largest column, and the row that it belongs to.
  [[nodiscard]] double smallest() const { return smallest_; }
  [[nodiscard]] int weakest() const { return weakest_; }

 private:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  void order_freedoms(const System& system, bool is_full);
  [[nodiscard]] bool factorise_mass(const Eigen::MatrixXd& M);
  void find_columns(const Eigen::MatrixXd& J);
  [[nodiscard]] bool factorise_compliance();
  [[nodiscard]] bool inverts(const Eigen::MatrixXd& J);

  Eigen::Index n_, used_ = 0;
  // Freedoms in tree order: their entries of v, how many stand inboard, and which, from the root on.
  std::vector<int> entry_, depth_, inboard_;
  Rows L_;  // row k: what stands inboard, by depth, then the freedom itself
  Eigen::MatrixXd Y_;
  Rows gram_, C_;
  Eigen::VectorXd left_, by_rows_, by_freedoms_, probe_, answer_;
  std::vector<int> order_;
  double smallest_ = 0;
  int weakest_ = -1;
};

}  // namespace linkwright::closure
