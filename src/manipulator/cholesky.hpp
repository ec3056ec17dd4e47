#pragma once
/// Cholesky factors in place, column by column, for matrices of any size: Eigen's blocked ones allocate.
///
///     if (!factorize_in_place(A, 1e-12)) …        // A = L Lᵀ, L below and on the diagonal
///     solve_in_place(A, X);                       // X ← A⁻¹ X

#include <Eigen/Core>

namespace linkwright::manipulator {

using MatrixBlock = Eigen::Ref<Eigen::MatrixXd>;
using ConstMatrixBlock = Eigen::Ref<const Eigen::MatrixXd>;

/// False where a pivot falls to `least` of its diagonal entry or below; A is then spoilt.
inline bool factorize_in_place(MatrixBlock A, double least) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    const double whole = A(k, k);
    for (Eigen::Index j = 0; j < k; ++j) A.col(k).tail(n - k) -= A(k, j) * A.col(j).tail(n - k);
    if (!(A(k, k) > least * whole)) return false;
    A.col(k).tail(n - k) /= std::sqrt(A(k, k));
  }
  return true;
}
/// X ← L⁻¹ X
inline void solve_lower(const ConstMatrixBlock& L, MatrixBlock X) {
  const Eigen::Index n = L.rows();
  for (Eigen::Index c = 0; c < X.cols(); ++c)
    for (Eigen::Index k = 0; k < n; ++k) {
      X(k, c) /= L(k, k);
      X.col(c).tail(n - k - 1) -= X(k, c) * L.col(k).tail(n - k - 1);
    }
}
/// X ← L⁻ᵀ X
inline void solve_upper(const ConstMatrixBlock& L, MatrixBlock X) {
  const Eigen::Index n = L.rows();
  for (Eigen::Index c = 0; c < X.cols(); ++c)
    for (Eigen::Index k = n; k-- > 0;)
      X(k, c) = (X(k, c) - L.col(k).tail(n - k - 1).dot(X.col(c).tail(n - k - 1))) / L(k, k);
}
/// X ← (L Lᵀ)⁻¹ X
inline void solve_in_place(const ConstMatrixBlock& L, MatrixBlock X) {
  solve_lower(L, X);
  solve_upper(L, X);
}

}  // namespace linkwright::manipulator
