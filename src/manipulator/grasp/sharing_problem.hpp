#pragma once
/// The sharing of a load as least squares under cone conditions.

#include "linkwright/manipulator/sharing.hpp"
#include "manipulator/cones/least_squares.hpp"
#include "manipulator/grasp/grasp_room.hpp"

namespace linkwright::manipulator {

/// Whose condition it is.
struct Bound {
  int contact = -1;  ///< index into Statics::contacts, or
  int motor = -1;    ///< into Statics::motors
};

/// All contact forces, other closure forces and efforts are X = X0 + N y, in units of `unit` (newton metres)
/// and of Statics::unit_*.
struct SharingProblem {
  Statics statics;
  Eigen::VectorXd limits;  ///< of the motors; may be infinite
  double unit = 1;
  Eigen::MatrixXd
      A;  ///< A X = load: the equations of motion, and X = 0 where a contact gives nothing
  std::vector<Eigen::Index> idle;  ///< entries of X that those last rows make nothing
  Eigen::VectorXd load;
  Eigen::VectorXd X0;
  Eigen::MatrixXd N;
  Eigen::VectorXd missed;       ///< load − A X0: what nothing can balance
  ConeLeastSquares least;       ///< over y
  Eigen::Index rule_rows = 0;   ///< of least.F: what the rule makes least
  bool rule_in_newtons = true;  ///< those rows are in units of unit / length, otherwise of `unit`
  std::vector<Bound> bounds;    ///< one per condition
};

/// `load`: efforts on all entries of v.
SharingProblem make_problem(ClosedWorkspace& work, const ConstVectorRef& q,
                            const SharingOptions& options, const Eigen::VectorXd& load);

/// The best y by the rule alone; of several the one with the least of all else. Rows beside the rule would
/// shift it by the square of their weight: they only pull towards the last y, again and again.
ConeLeastSquaresSolution solve_by_rule(const SharingProblem& problem);

/// The y with which all conditions are missed by the same least amount, and the prices of that.
struct Nearest {
  Eigen::VectorXd y;
  double depth = 0;  ///< negative: nothing meets all conditions
  std::vector<double>
      weight;  ///< of each condition in that: they sum to 1 with those that do not matter
};
Nearest find_nearest(const SharingProblem& problem);

}  // namespace linkwright::manipulator
