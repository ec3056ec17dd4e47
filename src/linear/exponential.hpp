#pragma once
/// exp of a square matrix.

#include <Eigen/Core>

namespace linkwright::linear {

Eigen::MatrixXd exponential(const Eigen::MatrixXd& A);

}  // namespace linkwright::linear
