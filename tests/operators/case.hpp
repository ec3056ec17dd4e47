#pragma once
/// A model at a random configuration, with what the trunk knows of it.

#include <Eigen/Eigenvalues>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/operators/operators.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {

inline constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Largest over smallest eigenvalue, by size.
inline double condition(const Eigen::MatrixXd& symmetric) {
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly)
          .eigenvalues()
          .cwiseAbs();
  return values.maxCoeff() / values.minCoeff();
}

struct Case {
  System system;
  operators::Operators at;
  Eigen::VectorXd q;
  Eigen::MatrixXd mass;
  /// 2 κ(M) ε, once for each of the 6 N numbers that a sweep hands on: how far two roads to the same
  /// quantity may be apart, relative.
  double bound;

  Case(const Model& model, unsigned seed) : system(compile(model)), at(system) {
    q = RandomModel(seed).state(system).q;
    at.update(q);
    mass.resize(system.nv(), system.nv());
    Workspace work(system);
    compute_mass_matrix(work, q, mass);
    const double kappa = system.nv() == 0 ? 1 : condition(mass);
    bound = 2 * kappa * kEps * 6 * static_cast<double>(system.tree().nodes.size());
  }
};

}  // namespace linkwright::testing
