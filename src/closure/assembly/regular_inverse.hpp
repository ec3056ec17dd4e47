#pragma once
/// B = M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ where rows are clearly independent, at a fraction of what the complete
/// orthogonal decomposition costs (rank/orthogonal.hpp), in storage made once.
///
/// Given    the rows J (m × n), factors that scale rows and columns, M (n × n)
/// Computes the pivots of the scaled rows' QR decomposition as those of the Cholesky decomposition of A Aᵀ, and,
///          where all are well above rounding's root, M = Lᵀ L from the tips of the tree to its root, which
///          fills nothing in, Y = L⁻ᵀ Jᵀ and Yᵀ Y = C Cᵀ; then B = L⁻¹ Y C⁻ᵀ C⁻¹
/// Cost     O(n depth² + m n depth + m² n), eight numbers at a time

#include <Eigen/Core>

#include "closure/assembly/correction_kernels.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::closure {

/// The table in use.
const CorrectionKernels& correction_kernels();

class RegularInverse {
 public:
  /// For m rows at most. `is_full`: M has entries between freedoms of different branches.
  RegularInverse(const System& system, Eigen::Index m, bool is_full);

  /// Whether the first `used` rows are independent by a wide margin; then `smallest` and `weakest` are
  /// what Orthogonal would find.
  [[nodiscard]] bool judge(const Eigen::MatrixXd& J, const Eigen::VectorXd& row_scale,
                           const Eigen::VectorXd& column_scale, Eigen::Index used);
  /// After `judge` said yes. False where M resists some motion too little: nothing is then known.
  [[nodiscard]] bool factorise(const Eigen::MatrixXd& M);
  /// x = B r and y = B s, after `factorise`; of r and s the rows that were used.
  void apply(const Eigen::VectorXd& r, const Eigen::VectorXd& s, Eigen::VectorXd& x,
             Eigen::VectorXd& y) const;

  /// The last pivot, relative to the largest column, and the row that it belongs to.
  [[nodiscard]] double smallest() const { return smallest_; }
  [[nodiscard]] int weakest() const { return weakest_; }

 private:
  void order_freedoms(const System& system, bool is_full);
  [[nodiscard]] bool factorise_mass(const Eigen::MatrixXd& M);
  [[nodiscard]] bool inverts();

  CorrectionNumbers c_;
  Eigen::VectorXd probe_, answer_, other_;
  double smallest_ = 0;
  int weakest_ = -1;
};

}  // namespace linkwright::closure
