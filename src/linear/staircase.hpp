#pragma once
/// What inputs reach of a linear model, step by step, in units that make its numbers alike.
///
///     const VectorXd d = balance(A);                                   // powers of two
///     const Staircase stairs = take_stairs(scaled(A, d), d.cwiseInverse().asDiagonal() * B);

#include <Eigen/Core>

namespace linkwright::linear {

/// Powers of two d so that rows and columns of d⁻¹ A d have like sums. States at an end, which nothing depends
/// on or which depend on nothing, are set aside first, one after the other; scaled back in, last first, their sum
/// is as large as any other entry.
Eigen::VectorXd balance(const Eigen::MatrixXd& A);

/// d⁻¹ A d
inline Eigen::MatrixXd scaled(const Eigen::MatrixXd& A, const Eigen::VectorXd& d) {
  return d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
}

inline double size_of(const Eigen::MatrixXd& A) { return A.size() == 0 ? 0 : A.norm(); }

struct Staircase {
  Eigen::MatrixXd A, Q;  ///< Qᵀ A Q, what is reached first; orthogonal
  Eigen::Index rank = 0;
  double weakest = 1, dropped = 0;  ///< as Reach tells them
};
/// Given A and B, computes Q so that the first `rank` of the new states are those that B reaches along A: columns
/// of B, then what A makes of them, and so on (van Dooren 1981). Columns of B count at unit length; values below
/// rank_tolerance of the size of A (in the first step: of 1) are none. Cost: O(n⁴) at worst, O(n³) for few steps.
Staircase take_stairs(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

}  // namespace linkwright::linear
