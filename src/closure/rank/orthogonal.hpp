#pragma once
/// A = Q [L 0]ᵀ… : the complete orthogonal decomposition of a matrix, in storage made once.
///
/// Given    A (n × m): the rows of all closures as columns, scaled
/// Computes A P = Q1 R by Householder reflections with column pivoting, its rank r, and, where r < m,
///          Rᵀ(of the first r rows) = Q2 T, so that A = Q1 [Tᵀ 0; 0 0] (P Q2)ᵀ
/// Cost     O(n m min(n, m))
///
/// Least-squares solutions of least norm follow in O(n m): of Aᵀ x = b, and of A y = f.

#include <vector>

#include <Eigen/Core>

#include "closure/rank/orthogonal_kernels.hpp"

namespace linkwright::closure {

class Orthogonal {
 public:
  Orthogonal(int n, int m);

  /// Columns count as dependent whose remainder is below `threshold` times the largest column.
  void compute(const Eigen::Ref<const Eigen::MatrixXd>& A, double threshold);

  [[nodiscard]] int rank() const { return pivots_.rank; }
  /// Column of A at pivot k: the first `rank` of them are independent.
  [[nodiscard]] int column(int k) const { return order_[static_cast<std::size_t>(k)]; }
  /// The remainder that was kept with the least margin, and the largest that was dropped; relative to
  /// the largest column.
  [[nodiscard]] double smallest_kept() const { return pivots_.smallest_kept; }
  [[nodiscard]] double largest_dropped() const { return pivots_.largest_dropped; }

  /// An orthonormal basis of what is orthogonal to all columns: n × (n − rank).
  void null_basis(Eigen::Ref<Eigen::MatrixXd> out);
  /// An orthonormal basis of what Aᵀ x can be: m × rank. Its transpose times Aᵀ are as many independent rows.
  void row_basis(Eigen::Ref<Eigen::MatrixXd> out);
  /// x of least norm that minimises |Aᵀ x − b|.
  void solve_rows(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> x);
  /// X, n × m: solve_rows of b is X b.
  void solve_all_rows(Eigen::Ref<Eigen::MatrixXd> X);
  /// y of least norm that minimises |A y − f|.
  void solve_columns(const Eigen::Ref<const Eigen::VectorXd>& f, Eigen::Ref<Eigen::VectorXd> y);

 private:
  /// Reflections as they are applied to single vectors, and to packed rows.
  struct Turns {
    Turns(int rows, int count);
    [[nodiscard]] Reflections all();
    void apply(Eigen::Index k, Eigen::Ref<Eigen::VectorXd> y) const;

    Eigen::MatrixXd w;
    Eigen::VectorXd beta;
  };
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  int n_, m_;
  Pivots pivots_;
  Rows R_, T_;  // R and T on and above the diagonal; in whole packs
  Turns Q1_, Q2_;
  Rows many_;  // what is turned: n or m rows, as many columns
  Eigen::VectorXd room_n_, room_m_;
  std::vector<double> left_;
  std::vector<int> order_;
};

}  // namespace linkwright::closure
