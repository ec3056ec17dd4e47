#pragma once
/// Ways of going forward in time. One method, one file.

#include <memory>
#include <vector>

#include "linkwright/simulate/simulation.hpp"
#include "simulate/equations/rates.hpp"

namespace linkwright {

class Stepper {
 public:
  Stepper() = default;
  virtual ~Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// One step of `now`, at most to `end`; methods with a fixed step go to `end` exactly. It ends on
  /// the constraints (Rates::settle), as every state that is handed out.
  virtual void step(FullState& now, double end) = 0;
  /// Takes the last step again from the same start, to an earlier end. Only for fixed steps.
  virtual void repeat(FullState& start, double end) { step(start, end); }
  /// The state at a time within the last step, before any event changed it.
  virtual void interpolate(double t, FullState& out) = 0;
  /// Computes the rates at `now`, where the last step ended; methods that begin the next one with them keep
  /// them for it.
  virtual void evaluate_end(const FullState& now) = 0;
  /// Somebody else has computed the rates at `now`, where the last step ended.
  virtual void learn_end(const FullState& /*now*/, const Eigen::VectorXd& /*a*/,
                         const Eigen::VectorXd& /*extra_rates*/) {}
  /// The rates jump at `now`, or an event changed it (`moved`): what came before
  /// cannot be extrapolated. Dense output of the last step stays valid until the next one.
  virtual void restart(const FullState& now, bool moved) = 0;
  /// Statistics only the method knows.
  virtual void report(SimulationStatistics& /*statistics*/) const {}

  /// What must be kept, besides the state, to go on with the same bits.
  [[nodiscard]] virtual std::vector<double> memory() const { return {}; }
  virtual void set_memory(const std::vector<double>& /*memory*/) {}
};

/// `start` is copied by methods that need a first state.
std::unique_ptr<Stepper> make_runge_kutta(Rates& rates);
std::unique_ptr<Stepper> make_semi_implicit(Rates& rates);
std::unique_ptr<Stepper> make_symplectic(Rates& rates);
std::unique_ptr<Stepper> make_variable_step(Rates& rates, const FullState& start,
                                            const SimulationOptions& options);

}  // namespace linkwright
