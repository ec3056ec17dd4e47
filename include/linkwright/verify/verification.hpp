#pragma once
/// What `linkwright verify` runs: every formulation at random states, compared and timed.
///
///     using namespace linkwright::verify;
///     Verification verification(system, deepest_frame(system), {.count = 20, .seed = 1});
///     verification.compare_all();
///     require_agreement(verification.comparison());

#include <memory>
#include <vector>

#include "linkwright/dynamics/workspace.hpp"
#include "linkwright/verify/comparison.hpp"
#include "linkwright/verify/condition.hpp"
#include "linkwright/verify/formulations.hpp"

namespace linkwright::verify {

/// Which states to compare at, and what to do with a system that has closures or grasps.
struct RandomStates {
  int count = 20;
  int seed = 1;
  Loops loops = Loops::keep;
};

/// The frame of the body with the most moving joints between it and the world, the last of equals.
FrameId deepest_frame(const System& system);

class Verification {
 public:
  /// Two formulations may differ by `allowance` N ε of the size of what balances, N the moving bodies (and
  /// the closures' rows) and ε = 2⁻⁵²: each of the some hundred operations per body rounds once.
  static constexpr double allowance = 16;

  /// The System must outlive it; something in it must move, the tip too.
  Verification(const System& system, FrameId tip, RandomStates states)
      : Verification(system, tip, states, make_formulations(system, tip, states.loops)) {}
  /// The same for chosen formulations; the first is the one that differences are shown to.
  Verification(const System& system, FrameId tip, RandomStates states,
               std::vector<Formulation> formulations);

  /// Throws Error naming the formulation and the state that has no answer.
  void compare_all();
  /// Times one call of each, in turns.
  void measure();

  [[nodiscard]] const std::vector<Formulation>& formulations() const { return formulations_; }
  [[nodiscard]] const Comparison& comparison() const { return comparison_; }
  /// Whether loops are there, and kept.
  [[nodiscard]] bool is_closed() const { return closed_ != nullptr; }
  /// The largest condition number of the mass matrix at the states compared; of a closed system that of
  /// NᵀM N, the columns of N an orthonormal basis of all motions that the closures allow.
  [[nodiscard]] double condition() const { return condition_; }
  /// Median time per call of each formulation, in nanoseconds.
  [[nodiscard]] const std::vector<double>& ns() const { return ns_; }

 private:
  [[nodiscard]] ForwardDynamicsProblem problem(int number);
  NamedResult solve(const Formulation& formulation, const ForwardDynamicsProblem& problem,
                    int number);
  /// Throws Error where it is not finite.
  ComparisonScale scale(const ForwardDynamicsProblem& problem, const NamedResult& first,
                        int number);
  void close(ComparisonScale& found, const ForwardDynamicsProblem& problem,
             const Eigen::VectorXd& a);
  [[nodiscard]] Eigen::VectorXd parts_of_acceleration(const ForwardDynamicsProblem& problem,
                                                      const Eigen::MatrixXd& J,
                                                      const Eigen::VectorXd& forces,
                                                      const Eigen::VectorXd& a);
  double condition_at(const ForwardDynamicsProblem& problem);

  const System& system_;
  FrameId tip_;
  RandomStates states_;
  Workspace work_;
  operators::Operators operators_;
  std::unique_ptr<ClosedWorkspace> closed_;  // nothing: a tree
  std::vector<Formulation> formulations_;
  Comparison comparison_;
  double condition_ = 1;
  std::vector<double> ns_;
};

/// How far rounding may set two accelerations of a closed system apart at a position, relative to what balances there:
/// allowance (nv + rows) ε. Forces along a motion that the closures forbid by a hair are divided by its singular value
/// twice, for which the bound has room from `Mobility::narrow` on.
double rounding_bound(ClosedWorkspace& work, const ConstVectorRef& q);

}  // namespace linkwright::verify
