#pragma once
/// An integration with steps of its own, as the stepper with a watcher uses it (variable_step.cpp): CVODE's or IDA's.

#include "simulate/integrators/stepper.hpp"

namespace linkwright {

class Integration {
 public:
  Integration() = default;
  virtual ~Integration() = default;
  Integration(const Integration&) = delete;
  Integration& operator=(const Integration&) = delete;

  /// One step, not beyond `end`.
  virtual void step(double end) = 0;
  /// Goes on until t is covered, without looking beyond `end`, and places y at t.
  virtual void go_to(double t, double end) = 0;
  /// The solution at t within the last step, on the constraints.
  virtual void interpolate(double t, FullState& out) = 0;
  /// Forgets the past; goes on from `now`.
  virtual void restart(const FullState& now) = 0;

  /// [q; v; extra states], as they are integrated.
  [[nodiscard]] virtual Eigen::Ref<const Eigen::VectorXd> y() const = 0;
  /// Where it is, on the groups of its joints. Not yet on the constraints.
  virtual void read(FullState& out) const = 0;
  [[nodiscard]] virtual long rejected() const = 0;
  /// Statistics only this kind of integration knows.
  virtual void report(SimulationStatistics& /*statistics*/) const {}
};

/// Within so little of `end` that no step can be taken there.
bool is_at_end(double t, double end);
/// Between two outputs; a step of one integration never needs so many of the other.
inline constexpr long most_steps_between = 100000;

}  // namespace linkwright
