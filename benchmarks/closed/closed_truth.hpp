#pragma once
/// What the accelerations of a closed system are, by a dense solution that no contestant shares.

#include "closed/closed_models.hpp"
#include "linkwright/closure/workspace.hpp"

namespace bench {

/// How good an answer is.
struct Quality {
  /// Constraint accelerations J a + J̇ v, relative to the largest acceleration where that is above 1.
  double residual = 0;
  double error = 0;  ///< of the accelerations, relative to the largest
};

/// The equations of one state and their solution.
class ClosedTruth {
 public:
  /// M, J and what stands on the right are formed in double; everything after that is done in
  /// extended precision: a = N y + a_p with N the null space of J.
  ClosedTruth(linkwright::ClosedWorkspace& work, const ClosedState& state);

  [[nodiscard]] Quality judge(const Eigen::VectorXd& a) const;

 private:
  Eigen::MatrixXd J_;
  Eigen::VectorXd bias_, a_;
};

/// The worst of both; not a number counts as the worst.
Quality worse(const Quality& x, const Quality& y);

}  // namespace bench
