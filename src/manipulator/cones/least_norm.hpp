#pragma once
/// Least squares of least norm, for matrices of any size, none at all included.

#include "spatial/decompositions.hpp"

namespace linkwright::manipulator {

/// x of least norm that minimises |A x − b|.
inline Eigen::VectorXd least_norm(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  if (A.size() == 0) return Eigen::VectorXd::Zero(A.cols());
  return A.completeOrthogonalDecomposition().solve(b);
}

}  // namespace linkwright::manipulator
