#pragma once
/// Least squares under cone conditions: a cone programme, and then Newton's method on the conditions that
/// are active there.

#include "manipulator/cones/cone_program.hpp"

namespace linkwright::manipulator {

/// Least |F y + g|² under all conditions; F has full column rank.
struct ConeLeastSquares {
  Eigen::MatrixXd F;
  Eigen::VectorXd g;
  std::vector<ConeCondition> conditions;
};

struct ConeLeastSquaresSolution {
  ConeSolution::Outcome outcome = ConeSolution::Outcome::failed;
  /// Solved, but neither the programme nor Newton's method came within cone_tolerance.
  bool rough = false;
  Eigen::VectorXd y;
  /// |Fᵀ(F y + g) − Σ Aᵀ z| / (1 + |Fᵀ(F y + g)|), z in the cones and complementary.
  double optimality = 0;
  std::vector<Eigen::VectorXd> prices;  ///< z
};

ConeLeastSquaresSolution solve(const ConeLeastSquares& problem);

/// The optimality of some y with prices z for another problem with the same conditions.
double optimality_of(const ConeLeastSquares& problem, const Eigen::VectorXd& y,
                     const std::vector<Eigen::VectorXd>& prices);

/// The last of A x + b to reach zero inside a cone: the least entry, or s0 − |s̄|. Negative outside.
double depth(const ConeCondition& condition, const Eigen::VectorXd& x);

}  // namespace linkwright::manipulator
