#include "operators/case.hpp"

#include <Eigen/Eigenvalues>

#include "linkwright/closure/dynamics.hpp"
#include "support/condition.hpp"

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

Case::Case(const ClosedMechanism& made) : system(compile(made.model)), at(system), q(made.q) {
  at.update(q);
  State state(system);
  state.q = q, state.v.setZero();
  const auto count = static_cast<Eigen::Index>(at.independent().size());
  mass.resize(count, count);
  ClosedWorkspace work(system);
  compute_mass_matrix(work, state, at.independent(), mass);
  const double kappa = count == 0 ? 1 : condition(mass);
  const double magnified = condition_of_closed(work, q) / (at.conditioning() * at.conditioning());
  bound = 2 * (kappa + magnified) * kEps * 6 * static_cast<double>(system.tree().nodes.size());
}

}  // namespace linkwright::testing
