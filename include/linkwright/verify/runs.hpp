#pragma once
/// What `verify` runs: every formulation at random states, compared and timed.
///
///     VerifyRuns verify(system, tip, {.states = 20, .seed = 1});
///     verify.compare_all();
///     verify.measure();
///     verify.comparison(), verify.formulations(), verify.ns()

#include <vector>

#include "linkwright/dynamics/workspace.hpp"
#include "linkwright/verify/comparison.hpp"
#include "linkwright/verify/condition.hpp"
#include "linkwright/verify/formulations.hpp"

namespace linkwright::verify {

struct VerifySize {
  int states = 20;
  int seed = 1;
  Closures closures = Closures::refuse;  ///< what to do with a system that has closures or grasps
};

/// The frame of the body with the most moving joints between it and the world, the last of equals.
FrameId deepest_frame(const System& system);

class VerifyRuns {
 public:
  /// The System must outlive it; something in it must move, the tip too.
  VerifyRuns(const System& system, FrameId tip, VerifySize size)
      : VerifyRuns(system, tip, size, make_formulations(system, tip, size.closures)) {}
  /// The same for chosen formulations; the first is the one that differences are relative to.
  VerifyRuns(const System& system, FrameId tip, VerifySize size,
             std::vector<Formulation> formulations);

  /// Throws Error naming the formulation and the state that has no answer.
  void compare_all();
  /// Times one call of each, in turns.
  void measure();

  [[nodiscard]] const std::vector<Formulation>& formulations() const { return formulations_; }
  [[nodiscard]] const Comparison& comparison() const { return comparison_; }
  /// Median time per call of each formulation, in nanoseconds.
  [[nodiscard]] const std::vector<double>& ns() const { return ns_; }

 private:
  NamedResult solve(const Formulation& formulation, const Sample& sample, int number);
  /// Throws Error where it is not finite.
  Yardstick yardstick(const Sample& sample, const NamedResult& trunk, int number);

  const System& system_;
  FrameId tip_;
  VerifySize size_;
  Workspace work_;
  operators::Operators operators_;
  std::vector<Formulation> formulations_;
  Comparison comparison_;
  std::vector<double> ns_;
};

}  // namespace linkwright::verify
