#pragma once
/// Linear cost under linear and second-order-cone conditions, and under least squares: what force closure
/// and the sharing of loads come down to. One solver stands behind it (csdp.cpp).

#include <Eigen/Core>
#include <vector>

namespace linkwright::manipulator {

/// A x + b lies in a cone: all entries ≥ 0, or the first ≥ the norm of the others.
struct ConeCondition {
  enum class Kind { nonnegative, second_order };
  Kind kind = Kind::nonnegative;
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};

/// Least costᵀ x under all conditions; x is free otherwise.
struct ConeProgram {
  Eigen::VectorXd cost;
  std::vector<ConeCondition> conditions;
};

/// Of the solver: relative errors of the conditions, of the prices, and of the cost.
inline constexpr double cone_tolerance = 1e-9;

struct ConeSolution {
  enum class Outcome {
    solved,
    infeasible,  ///< no x meets the conditions; `prices` prove it: Σ Aᵀ z = 0, Σ bᵀ z = −1
    unbounded,
    failed  ///< the solver gave up: neither an answer nor a proof
  };
  Outcome outcome = Outcome::failed;
  bool rough = false;  ///< solved, but short of the solver's tolerances, by less than a factor 1000
  Eigen::VectorXd x;
  /// One per condition, in its (self-dual) cone: Σ Aᵀ z = cost, and zᵀ(A x + b) = 0 at the best x.
  std::vector<Eigen::VectorXd> prices;
  double gap = 0;  ///< cost minus what the prices prove to be the least
};

ConeSolution solve(const ConeProgram& program);

}  // namespace linkwright::manipulator
