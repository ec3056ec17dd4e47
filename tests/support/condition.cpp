#include "support/condition.hpp"

#include <cmath>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::testing {

double condition_of(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return 1;
  const Eigen::VectorXd values = Eigen::BDCSVD<Eigen::MatrixXd>(A).singularValues();
  double least = values[0];
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (values[i] > 1e-11 * values[0]) least = values[i];
  return values[0] / least;
}

double condition_of_closed(ClosedWorkspace& work, const Eigen::VectorXd& q) {
  const System& system = work.system();
  const Eigen::Index n = system.nv(), m = work.rows(),
                     closing = static_cast<Eigen::Index>(system.closing_names().size());
  Eigen::MatrixXd M(n, n), whole(n, n), J(m, n), L(closing, n);
  compute_mass_matrix(work, q, whole);
  compute_closure_jacobian(work, q, J);
  compute_closing_jacobian(work, q, L);
  compute_mass_matrix(work.tree(), q, M);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m), rows = J;
  K << whole, J.transpose(), J, Eigen::MatrixXd::Zero(m, m);
  Eigen::VectorXd compliance = Eigen::VectorXd::Zero(m);
  for (const ClosurePlace& c : system.closures())
    for (int r = 0; r < c.rotors; ++r) {
      const int freedom = c.rotor_freedom[r];
      rows.conservativeResize(rows.rows() + 1, n);
      rows.bottomRows(1) = L.row(c.closing + freedom);
      compliance.conservativeResize(rows.rows());
      compliance[rows.rows() - 1] = 1 / c.freedom[freedom].rotor;
    }
  if (rows.rows() == 0) return condition_of(K);  // nothing closes: there is no Ω
  const Eigen::MatrixXd columns = rows.transpose();
  Eigen::MatrixXd Omega = rows * M.ldlt().solve(columns);
  Omega.diagonal() += compliance;
  return condition_of(K) + condition_of(Omega);
}

double size_of_solution(ClosedWorkspace& work, const State& state, const Eigen::VectorXd& tau,
                        const Eigen::VectorXd& a) {
  const Eigen::Index n = work.system().nv();
  Eigen::MatrixXd J(work.rows(), n);
  Eigen::VectorXd carried(n);
  compute_closure_jacobian(work, state.q, J);
  compute_inverse_dynamics(work.tree(), state, a, {}, carried);
  carried -= tau;
  const Eigen::MatrixXd columns = J.transpose();
  const Eigen::VectorXd lambda =
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(columns).solve(carried);
  return std::hypot(a.norm(), lambda.norm());
}

}  // namespace linkwright::testing
