#pragma once
/// How methods with a memory pass a singular position: by single steps that have none.
///
/// Beside such a position the rates of states that are off their constraints by rounding alone are off by
/// that rounding over a power of the distance: a history of them is worth nothing, and a Newton matrix from
/// their differences neither. An error test would shorten the steps for ever towards it. Runge and Kutta's
/// steps ask for four rates on the constraints and, at the length that is right where the crossing begins,
/// land on the other side.

#include "simulate/integrators/stepper.hpp"

namespace linkwright {

/// Given: local tolerances. Computes: steps of rk4, of the length at which the error of the first, told by
/// two steps of half the length, is within them, or as near as rounding lets it. Cost: that of rk4.
class Crossing {
 public:
  Crossing(Rates& rates, const FullState& start, double relative, double absolute);

  /// The next step is the first.
  void begin() { h_ = 0; }
  /// One step of `now`, at most to `end`.
  void step(FullState& now, double end);
  /// Another state, in one step to the same end.
  void follow(FullState& other, double end);
  void interpolate(double t, FullState& out) { stepper_->interpolate(t, out); }

 private:
  void choose_step(const FullState& now);
  /// The error of a step of length h, in units of the tolerance; infinite where the constraints cannot be
  /// kept there.
  double error_of(const FullState& now, double h);
  [[nodiscard]] double distance() const;

  static constexpr double longest = 1e-2, shortest = 1e-5;
  std::unique_ptr<Stepper> stepper_, halves_, other_;
  double relative_, absolute_;
  double h_ = 0;
  FullState whole_, half_;
};

}  // namespace linkwright
