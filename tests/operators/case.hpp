#pragma once
/// A model at a random configuration, with what the trunk knows of it.

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
};

}  // namespace linkwright::testing
