#pragma once
/// How much closed forward dynamics may magnify rounding.

#include <Eigen/Dense>

#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"

namespace linkwright::testing {

/// Largest singular value over the least that is more than rounding.
inline double condition_of(const Eigen::MatrixXd& A) {
  const Eigen::VectorXd values = Eigen::BDCSVD<Eigen::MatrixXd>(A).singularValues();
  double least = values[0];
  for (const double value : values)
    if (value > 1e-11 * values[0]) least = value;
  return values[0] / least;
}

/// Condition of the equations that are solved: M and J in one, and Ω = J M⁻¹ Jᵀ of the recursion.
inline double condition_of_closed(ClosedWorkspace& work, const Eigen::VectorXd& q) {
  const Eigen::Index n = work.system().nv(), m = work.rows();
  Eigen::MatrixXd M(n, n), J(m, n), K(n + m, n + m);
  compute_mass_matrix(work.tree(), q, M);
  compute_closure_jacobian(work, q, J);
  K << M, J.transpose(), J, Eigen::MatrixXd::Zero(m, m);
  return condition_of(K) + condition_of(J * M.ldlt().solve(J.transpose()));
}

}  // namespace linkwright::testing
