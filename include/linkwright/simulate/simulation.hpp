#pragma once
/// Motion over time.
///
///     linkwright::Simulation simulation(system, start, {.method = linkwright::Method::rk4,
///                                                       .step = 1e-3});
///     simulation.advance_to(10);
///     std::cout << simulation.state().q.transpose() << '\n';

#include <functional>
#include <iosfwd>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "linkwright/simulate/callbacks.hpp"
#include "linkwright/simulate/checkpoint.hpp"
#include "linkwright/simulate/conservation.hpp"
#include "linkwright/simulate/snapshot.hpp"

namespace linkwright {

enum class Method {
  rk4,            ///< classical Runge-Kutta, fixed step, order 4 (on the group: commutator-free)
  semi_implicit,  ///< semi-implicit Euler, fixed step, one evaluation per step
  symplectic,     ///< variational, fixed step, order 2: momentum exact, energy bounded for ever;
                  ///< only for equations that follow the tree (Equations::follows_tree), without
                  ///< dry friction and stops, and for
                  ///< rotors that follow from a Lagrangian; others are refused by name
  adams,          ///< variable step and order, for smooth motions (CVODE)
  bdf,            ///< variable step and order, for stiff systems (CVODE)
  ida  ///< variable step and order, of the descriptor form E ẋ = f (simulate/descriptor_form.hpp):
       ///< circuits in all their variables, loops with their forces as unknowns (IDA)
};
/// "rk4", "semi-implicit", "symplectic", "adams", "bdf", "ida".
std::string_view to_string(Method method);
/// The method of that name; throws Error with the known ones otherwise.
Method to_method(std::string_view name);
/// Whether the method takes steps of a given length (rk4, semi_implicit, symplectic).
bool has_fixed_step(Method method);

/// What happens when a joint coordinate comes to its limit.
enum class LimitAction {
  ignore,  ///< nothing
  report,  ///< it passes, and that is told
  stop,    ///< the run ends
  hold     ///< a stop holds it (Limits::restitution, stiffness, damping), and that is told
};

/// What happens when the second integration shows that the tolerance is missed.
enum class OnMiss {
  tell,  ///< the run goes on; SimulationStatistics and every Snapshot tell from when on it is missed
  stop   ///< the step in which it is missed by more than a factor 100 throws Error
};

/// What happens when a one-sided contact of a grasp (one with friction) would open, slip or twist.
enum class OnSlip {
  warn,    ///< the hand holds all the same, and that is told
  stop,    ///< the run ends; a start outside a friction cone throws Error
  release  ///< the contact lets go, for good, and the run goes on without it
};

struct SimulationOptions {
  Method method = Method::rk4;
  double step = 1e-3;                 ///< seconds; methods with a fixed step
  double relative_tolerance = 1e-8;   ///< adams, bdf, ida: the error wanted all along the run
  double absolute_tolerance = 1e-10;  ///< adams, bdf, ida
  /// adams, bdf, ida: watch the error with a second, looser integration beside the first, until it is a
  /// hundred times the tolerance: from there on the two have nothing more to tell of each other.
  bool watch_error = true;
  OnMiss on_miss = OnMiss::tell;  ///< adams, bdf, ida with watch_error
  double longest_step = std::numeric_limits<double>::infinity();  ///< adams, bdf, ida
  LimitAction limits = LimitAction::hold;
  OnSlip on_slip = OnSlip::warn;  ///< one-sided contacts (closure/grasp_contacts.hpp)
  /// Efforts that inputs and controllers ask for together stay within the limits of their joints
  /// (Limits::effort): what is beyond is cut off, and the first time of each joint is among occurrences().
  /// false: they are used as they are.
  bool cut_efforts = false;
  /// Closures and grasps are obeyed (simulate/closed_equations.hpp), and nothing computes without
  /// them unless this says `leave_out`: then the spanning tree moves alone.
  Closures closures = Closures::refuse;
  /// Of closed systems, per second: 0 projects the states onto the closures, otherwise Baumgarte's
  /// method lets gaps fade at this rate.
  double baumgarte_rate = 0;
  /// Motors that a voltage drives (simulate/driven_equations.hpp), by name; the terminals of the others are
  /// open. They add inputs voltage:NAME, and currents as extra states.
  std::vector<std::string> voltages{};
  /// Measure at every step what should be kept (SimulationStatistics::conservation). Where nothing
  /// feeds or drains energy it costs one kinematics per step: a tenth of a step of rk4, a third of
  /// one of semi_implicit.
  bool measure_drift = false;
};

/// A contact whose margin has passed zero.
struct Slip {
  std::string contact{};
  double time = 0;
  ContactLoss loss = ContactLoss::slips;
  double margin = 0;  ///< there; below 0 where it jumped, or where the run started outside the cone
  bool released = false;
};
/// The least margin of all one-sided contacts at the ends of steps.
struct LeastMargin {
  std::string contact{};
  double margin = 0, time = 0;
};

struct SimulationStatistics {
  /// Since the start, those before a checkpoint gone on from included.
  long steps = 0;
  long evaluations = 0;  ///< of the rates, all integrations together; the same
  /// adams, bdf, ida: steps that were tried and withdrawn, since the start or the checkpoint gone on from.
  long rejected = 0;
  /// adams, bdf, ida with watch_error: the largest error of the run so far as the second integration
  /// shows it, in units of the tolerance asked for; that before a checkpoint is part of it.
  double error_in_tolerances = 0;
  /// The time at which that error first was larger than the tolerance.
  std::optional<double> missed_at{};
  /// Closed systems: the largest errors of the closures at any step, in metres or radians and per
  /// second, before the last correction; since the start, the last set_state or the checkpoint gone
  /// on from, up to date after advance_to and run.
  double closure_error = 0, velocity_error = 0;
  /// How often joints came to rest, started to slide, reached or left a limit that holds; since the
  /// start, the last set_state or the checkpoint gone on from. The first 200 are among occurrences().
  long contacts = 0;
  /// Contacts that would have opened, slipped or twisted, or did, in order of time, and the least margin of all;
  /// since the start or the checkpoint gone on from, up to date after advance_to and run.
  std::vector<Slip> slips{};
  std::optional<LeastMargin> least_margin{};
  /// ida: unknowns of the descriptor form, those without a rate included, and its index.
  long unknowns = 0;
  int index = 0;
  /// With measure_drift: energy and momentum since the start, the last set_state or the checkpoint
  /// gone on from, at every step; up to date after advance_to and run.
  std::optional<Conservation> conservation{};
};

/// The equations of a System under these options: TreeEquations, or ClosedEquations where closures are
/// to be obeyed; in DrivenEquations where it has motors, in NetworkEquations where its model has a network.
std::unique_ptr<Equations> make_equations(const System& system, const SimulationOptions& options);

/// `mechanism` as it is, or, where its system has motors or a network, in DrivenEquations and NetworkEquations
/// under these options.
std::unique_ptr<Equations> add_motors(std::unique_ptr<Equations> mechanism,
                                      const SimulationOptions& options);

class Simulation {
 public:
  /// The System must outlive the Simulation. Throws Error for a start that violates a joint's
  /// limits unless limits are ignored, and for one that is off a closure by more than 1e-8 (assemble
  /// it: closure/assembly.hpp).
  Simulation(const System& system, const State& start, const SimulationOptions& options = {});
  Simulation(std::unique_ptr<Equations> equations, const FullState& start,
             const SimulationOptions& options = {});
  /// Goes on from a checkpoint. `equip` puts in what the simulation that was saved had: controllers,
  /// a reference, loads, events. The limits are not checked again.
  Simulation(const System& system, const Checkpoint& from, const SimulationOptions& options);
  Simulation(std::unique_ptr<Equations> equations, const Checkpoint& from,
             const SimulationOptions& options, const std::function<void(Simulation&)>& equip = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Constant inputs (for a tree: joint efforts), to which controllers add theirs.
  void set_input(const ConstVectorRef& input);
  [[nodiscard]] const Eigen::VectorXd& input() const;
  void set_reference(ReferenceSource source);
  void add_controller(Controller controller);
  void add_load(Load load);
  void add_event(Event event);

  /// Goes on from another state, at its time. Steps and samples are counted from there.
  void set_state(const FullState& now);

  /// One step, not beyond `limit`. Does nothing once stopped.
  void step(double limit = std::numeric_limits<double>::infinity());
  /// Steps until exactly t, or until an event stops the run.
  void advance_to(double t);
  /// Advances to t and calls `take` at the present moment, at every multiple of `every` seconds
  /// after it and at the end; `every` 0: after every step. `take` answers whether to go on.
  /// `wanted`, when given, is asked after every step, rows or not.
  void run(double t, double every, const std::function<bool(const Snapshot&)>& take,
           const std::function<bool(double now)>& wanted = {});

  [[nodiscard]] double time() const;
  [[nodiscard]] const State& state() const;
  [[nodiscard]] const FullState& full_state() const;
  /// Dense output: the state at a time within the last step.
  void compute_state_at(double t, FullState& out);
  /// Accelerations, inputs, efforts and forces at the present state.
  [[nodiscard]] Snapshot snapshot();

  /// Whether an event ended the run.
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] const std::vector<Occurrence>& occurrences() const;
  [[nodiscard]] const SimulationStatistics& statistics() const;
  [[nodiscard]] const SimulationOptions& options() const;
  [[nodiscard]] const System& system() const;
  [[nodiscard]] const Equations& equations() const;

  /// Everything that is needed to go on. Going on after `save` and going on from a restored
  /// checkpoint give the same bits (adams, bdf and ida forget their past steps in both cases).
  [[nodiscard]] Checkpoint save();
  /// The simulation must have the same system, method, controllers and events as the one saved;
  /// throws Error naming the first body or joint that has changed since.
  void restore(const Checkpoint& checkpoint);

 private:
  struct Engine;
  static void resume(Engine& engine, const Checkpoint& checkpoint);
  std::unique_ptr<Engine> engine_;
};

}  // namespace linkwright
