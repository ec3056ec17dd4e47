#pragma once
/// What a Simulation is made of.

#include "simulate/energy_watch.hpp"
#include "simulate/events.hpp"
#include "simulate/integrators/stepper.hpp"

namespace linkwright {

/// Steps of fixed length end at origin + k·step, so that time does not drift; samples, events and
/// the end of a run cut them short.
struct Simulation::Parts {
  SimulationOptions options;
  Rates rates;
  FullState now;
  FullState before;        // where the last step began
  FullState scratch, row;  // between the two, for events and for readers
  Eigen::VectorXd a, extra_rates;
  std::unique_ptr<Stepper> stepper;
  Events events;
  EnergyWatch watch;
  SimulationStatistics statistics;
  std::vector<Occurrence> occurrences;
  double origin;
  long ticks = 0;
  bool stopped = false;

  Parts(std::unique_ptr<Equations> equations, const FullState& start,
        const SimulationOptions& given);

  [[nodiscard]] const System& system() const { return rates.system(); }
  /// Starts counting at `now`.
  void begin();
  /// Asks the samplers that are due now.
  void take_samples();
  /// Where the next step ends at the latest.
  double end_of_step(double limit);
  void take_step(double end);
  /// After a step: constraints, sanity, events.
  void settle();
  /// After a stretch of steps: the method's own accounts.
  void finish();
  Sample sample(const FullState& at);

 private:
  void end_at_events(const std::vector<int>& fired, double time);
};

}  // namespace linkwright
