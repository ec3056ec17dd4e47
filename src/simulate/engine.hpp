#pragma once
/// What runs behind a Simulation: equations, method, events and accounts, and the order of a step.

#include "simulate/energy/drift_meter.hpp"
#include "simulate/energy/energy_watch.hpp"
#include "simulate/events/events.hpp"
#include "simulate/grasps/slip_watch.hpp"
#include "simulate/integrators/stepper.hpp"

namespace linkwright {

/// Steps of fixed length end at origin + k·step, so that time does not drift; samples, events and
/// the end of a run cut them short.
struct Simulation::Engine {
  SimulationOptions options;
  Rates rates;
  Contacts* contacts;           // null: no friction, and no limit holds
  Contacts::Conditions during;  // of contacts, in the last step
  FullState now;
  FullState before;        // where the last step began
  FullState scratch, row;  // between the two, for events and for readers
  Eigen::VectorXd a, extra_rates, closing, outputs;
  std::vector<char> released;  // grasps, at the moment of a snapshot
  std::unique_ptr<Stepper> stepper;
  Events events;
  SlipWatch slips;
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
  /// Asks the samplers that are due now, and contacts what comes of it.
  void take_samples();
  /// Contacts that hold by friction, before the first step: under what acts from then on.
  void judge_start();
  /// Efforts or loads have changed: contacts decide again before the next step.
  void change_inputs();
  /// Where the next step ends at the latest.
  double end_of_step(double limit);
  void take_step(double end);
  /// After a step: sanity, constraints, what should be kept, events.
  void settle();
  /// After a stretch of steps: the method's own accounts.
  void finish();
  /// At `now`, or within the last step.
  Snapshot snapshot(const FullState& at);
  void interpolate(double t, FullState& out);
  /// Whether the last step ended in the very state it began with.
  [[nodiscard]] bool has_not_moved() const;
  /// Energy in the extra states at a moment, as far as it is known.
  double stored(const FullState& at);

 private:
  /// Whether motors of closing joints act, which the efforts on the tree's joints do not show.
  [[nodiscard]] bool fed_by_closing_joints();
  [[nodiscard]] bool pushed_by_stops() const;
  /// What the step that ended under these efforts has kept.
  void look_at_drift(const Eigen::VectorXd& tau);
  void look_for_events();
  void end_at_events(const std::vector<int>& fired, double time);
  void act(int event, double time);
  void watch_slips();
  /// The one-sided contact behind an event, or −1.
  [[nodiscard]] int slip_of(int event) const;
  void tell_slip(double time, const std::string& what);
  void tell_passed(const Events::Found& found);
  void pass_slips(const std::vector<int>& fired, double time);
  void release(std::vector<int> fired, const SlipWatch::Tell& tell);
  void prepare_contacts();
  void pass_contacts(const std::vector<int>& fired, double time);
  /// Contacts have changed velocities or forces at `now`.
  void settle_contacts();
  void tell_contact(const std::string& what);
  void count_contacts(int first, double time);

  bool inputs_changed_ = false;
  int first_slip_ = 0;
  bool let_go_ = false;  // grasps, at the end of the last step
  double last_contact_ = -std::numeric_limits<double>::infinity();
  int contacts_at_once_ = 0;
  std::vector<int> watches_;
};

}  // namespace linkwright
