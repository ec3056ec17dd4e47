#pragma once
/// Cholesky factors in place, column by column, of matrices of any size and type: Eigen's blocked ones allocate.
///
///     if (!factorize_in_place(A, least_pivot)) …  // A = L Lᵀ, L below and on the diagonal
///     solve_in_place(A, X);                       // X ← A⁻¹ X

#include <cmath>

#include <Eigen/Core>

namespace linkwright::manipulator {

/// Pivots below this part of their diagonal entry are none, as in the closures' own elimination.
inline constexpr double least_pivot = 1e-12;
/// The same where rows are known to be independent, and for inertias.
inline constexpr double hardly_any_pivot = 1e-15;

/// False where a pivot falls to `least` of its diagonal entry or below; A is then spoilt.
template <class A_>
bool factorize_in_place(A_&& A, double least) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    const double whole = A(k, k);
    for (Eigen::Index j = 0; j < k; ++j) A.col(k).tail(n - k) -= A(k, j) * A.col(j).tail(n - k);
    if (!(A(k, k) > least * whole)) return false;
    A.col(k).tail(n - k) *= 1 / std::sqrt(A(k, k));
  }
  return true;
}
/// X ← L⁻¹ X
template <class L_, class X_>
void solve_lower(const L_& L, X_&& X) {
  const Eigen::Index n = L.rows();
  for (Eigen::Index c = 0; c < X.cols(); ++c)
    for (Eigen::Index k = 0; k < n; ++k) {
      X(k, c) /= L(k, k);
      X.col(c).tail(n - k - 1) -= X(k, c) * L.col(k).tail(n - k - 1);
    }
}
/// X ← L⁻ᵀ X
template <class L_, class X_>
void solve_upper(const L_& L, X_&& X) {
  const Eigen::Index n = L.rows();
  for (Eigen::Index c = 0; c < X.cols(); ++c)
    for (Eigen::Index k = n; k-- > 0;)
      X(k, c) = (X(k, c) - L.col(k).tail(n - k - 1).dot(X.col(c).tail(n - k - 1))) / L(k, k);
}
/// X ← (L Lᵀ)⁻¹ X
template <class L_, class X_>
void solve_in_place(const L_& L, X_&& X) {
  solve_lower(L, X);
  solve_upper(L, X);
}

}  // namespace linkwright::manipulator
