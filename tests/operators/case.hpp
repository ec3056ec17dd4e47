#pragma once
/// A model at a random configuration, with what the trunk or the closures know of it.

#include "closure/random_mechanism.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/operators/operators.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {

inline constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Largest over smallest eigenvalue, by size.
double condition(const Eigen::MatrixXd& symmetric);

struct Case {
  System system;
  operators::Operators at;
  Eigen::VectorXd q;
  Eigen::MatrixXd mass;
  /// 2 κ(M) ε, once for each of the 6 N numbers that a sweep hands on: how far two roads to the same
  /// quantity may be apart, relative.
  double bound;

  Case(const Model& model, unsigned seed);
  /// Its mass matrix is that of the independent joints, and the bound as much wider as these magnify.
  explicit Case(const ClosedMechanism& made);
};

}  // namespace linkwright::testing
