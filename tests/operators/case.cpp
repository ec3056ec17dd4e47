#include "operators/case.hpp"

#include <Eigen/Eigenvalues>

namespace linkwright::testing {

double condition(const Eigen::MatrixXd& symmetric) {
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly)
          .eigenvalues()
          .cwiseAbs();
  return values.maxCoeff() / values.minCoeff();
}

Case::Case(const Model& model, unsigned seed) : system(compile(model)), at(system) {
  q = RandomModel(seed).state(system).q;
  at.update(q);
  mass.resize(system.nv(), system.nv());
  Workspace work(system);
  compute_mass_matrix(work, q, mass);
  const double kappa = system.nv() == 0 ? 1 : condition(mass);
  bound = 2 * kappa * kEps * 6 * static_cast<double>(system.tree().nodes.size());
}

}  // namespace linkwright::testing
