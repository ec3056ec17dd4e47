#pragma once
/// What runs behind a Simulation: equations, method, events and accounts, and the order of a step.

#include "simulate/energy/drift_meter.hpp"
#include "simulate/energy/energy_watch.hpp"
#include "simulate/events/events.hpp"
#include "simulate/integrators/stepper.hpp"

namespace linkwright {

/// Steps of fixed length end at origin + k·step, so that time does not drift; samples, events and
/// the end of a run cut them short.
struct Simulation::Engine {
  SimulationOptions options;
  Rates rates;
  FullState now;
  FullState before;        // where the last step began
  FullState scratch, row;  // between the two, for events and for readers
  Eigen::VectorXd a, extra_rates;
  std::unique_ptr<Stepper> stepper;
  Events events;
  EnergyWatch watch;
  DriftMeter drift;
  SimulationStatistics statistics;
  std::vector<Occurrence> occurrences;
  double origin;
  long ticks = 0;
  bool stopped = false;

  Engine(std::unique_ptr<Equations> equations, const FullState& start,
         const SimulationOptions& given);

  [[nodiscard]] const System& system() const { return rates.system(); }
  /// Starts counting at `now`.
  void begin();
  /// Asks the samplers that are due now.
  void take_samples();
  /// Where the next step ends at the latest.
  double end_of_step(double limit);
  void take_step(double end);
  /// After a step: sanity, constraints, what should be kept, events.
  void settle();
  /// After a stretch of steps: the method's own accounts.
  void finish();
  Snapshot snapshot(const FullState& at);
  /// Whether the last step ended in the very state it began with.
  [[nodiscard]] bool has_not_moved() const;

 private:
  /// Whether motors of closing joints act, which the efforts on the tree's joints do not show.
  [[nodiscard]] bool fed_by_closing_joints();
  void look_for_events();
  void end_at_events(const std::vector<int>& fired, double time);
};

}  // namespace linkwright
