#pragma once
/// The right-hand side: equations of motion fed with the inputs of controllers and the loads.

#include <memory>
#include <vector>

#include "linkwright/simulate/callbacks.hpp"
#include "linkwright/simulate/descriptor_form.hpp"

namespace linkwright {

/// Rates were asked for at a state that is no longer finite: a step went wrong.
struct NotFinite : Error {
  NotFinite() : Error("the state is not finite", Kind::failed_computation) {}
};

class Rates {
 public:
  Rates(std::unique_ptr<Equations> equations, double start);

  void set_input(const ConstVectorRef& input, double now);
  [[nodiscard]] const Eigen::VectorXd& constant_input() const { return constant_; }
  void set_reference(ReferenceSource source, double now);
  void add_controller(Controller controller, double now);
  void add_load(Load load, double now);

  /// From here on efforts stay within the limits of their joints, and what is beyond is cut off.
  void cut_efforts();
  /// The effort that was cut off for the first time since it was last asked, in words; empty: none.
  std::string take_notice();

  /// Samples are counted from `start`.
  void begin(double start);
  /// Inputs and forces at a state, for input() and forces().
  void compute_input(const FullState& now);
  /// The efforts on the joints that the last input() causes at `now`.
  const Eigen::VectorXd& compute_efforts(const FullState& now);
  /// Rates at `now`; leaves the inputs and forces behind them in input() and forces().
  void evaluate(const FullState& now, Eigen::VectorXd& a, Eigen::VectorXd& extra_rates);

  /// The same in descriptor form: E ẋ − f at x, of which `now` is the state.
  void compute_residual(DescriptorForm& form, const FullState& now, const ConstVectorRef& x,
                        const ConstVectorRef& rate, VectorRef residual);

  /// Whether states are brought onto constraints.
  [[nodiscard]] bool projects() const { return projects_; }
  /// Brings a state onto its constraints; answers whether it could.
  bool project(FullState& now) { return !projects_ || equations_->project(now).kept; }
  /// The same for the end of a step. Throws Error naming the constraint that cannot be kept.
  void settle(FullState& now);
  /// Whether a singular position of the constraints is near.
  [[nodiscard]] bool is_delicate() const { return projects_ && equations_->is_delicate(); }
  /// The largest errors at the ends of steps, as far as they were looked at.
  [[nodiscard]] const ConstraintErrors& largest_errors() const { return largest_errors_; }
  void forget_errors() { largest_errors_ = {}; }

  /// The next time after `now` at which a sampler is due or something bends; infinity when nothing does.
  [[nodiscard]] double next_sample() const;
  /// Whether a sampler is due at time t.
  [[nodiscard]] bool is_due(double t) const { return next_sample() <= t; }
  /// Samples everything that is due.
  void take_samples(const FullState& now);

  [[nodiscard]] Equations& equations() { return *equations_; }
  [[nodiscard]] const System& system() const { return equations_->system(); }
  /// Names of the inputs and the extra states, asked for once.
  [[nodiscard]] const std::vector<Quantity>& inputs() const { return inputs_; }
  [[nodiscard]] const std::vector<Quantity>& extra_states() const { return extra_states_; }
  [[nodiscard]] Eigen::Index extra_count() const {
    return static_cast<Eigen::Index>(extra_states_.size());
  }
  [[nodiscard]] const Eigen::VectorXd& input() const { return input_; }
  [[nodiscard]] ExternalForces forces() const { return forces_; }
  [[nodiscard]] bool has_loads() const { return !loads_.empty(); }
  /// Whether inputs, controllers or loads may feed the mechanism.
  [[nodiscard]] bool is_pushed() const {
    return !slots_.empty() || !loads_.empty() || constant_.any();
  }
  /// Whether inputs, loads or extra states may change while the mechanism stands still.
  [[nodiscard]] bool varies() const {
    return any_continuous_ || !loads_.empty() || !extra_states_.empty();
  }
  [[nodiscard]] long evaluations() const { return evaluations_; }
  void set_evaluations(long count) { evaluations_ = count; }

  // What a checkpoint needs to know of the samplers.
  [[nodiscard]] std::vector<double> held() const;
  [[nodiscard]] std::vector<long> counts() const;
  /// Answers whether the lists fit these controllers at time `now`.
  bool restore(const std::vector<double>& held, const std::vector<long>& counts, double now);

 private:
  /// Sample times are start + taken·period, since multiples do not drift as sums would; or given.
  struct Clock {
    double period = 0;
    std::vector<double> times{};
    long taken = 0;
    [[nodiscard]] bool samples() const { return period > 0 || !times.empty(); }
  };
  struct Slot {
    Controller controller;
    std::string who;  // for messages
    Clock clock;
    Eigen::VectorXd input;
  };
  /// The one place where inputs come in: their number and their values. `who` gave them.
  void check_input(const ConstVectorRef& input, const std::string& who, double t) const;
  [[nodiscard]] double due(const Clock& clock) const;
  /// Of a function that `who` gave, from `now` on; its breaks are noted.
  template <class Asked>
  Clock start_clock(const Asked& asked, const std::string& who, double now);
  void set_going(Clock& clock, double now) const;
  static bool fits(const Clock& clock, long taken, double now);
  void add_breaks(const std::vector<double>& times, double now);
  void ask(Slot& slot, const FullState& now);
  void ask(std::size_t load, const FullState& now);
  void ask_reference(double t);
  void sum_held();
  void cut_input();
  /// Of the reference, the controllers, the loads and the breaks, in this order.
  template <class Self, class Action>
  static void for_each_clock(Self& self, const Action& action);

  std::unique_ptr<Equations> equations_;
  std::vector<Quantity> inputs_, extra_states_;
  struct PassiveInput {
    Eigen::Index input;
    int freedom;
  };
  std::vector<PassiveInput> passive_inputs_;  // those that no motor can give
  double start_;
  Eigen::VectorXd constant_, held_, input_;  // one entry per input
  Eigen::VectorXd tau_;                      // one entry per entry of v
  struct CutEffort {
    Eigen::Index input;
    double limit;
    bool cut = false, told = false;
  };
  std::vector<CutEffort> cuts_;  // of efforts with a limit; none: they are used as they are given
  std::vector<Slot> slots_;
  ReferenceSource source_;
  Clock source_clock_;
  Reference reference_;
  std::vector<Load> loads_;
  std::vector<Clock> load_clocks_;
  std::vector<ExternalForce> forces_;
  Clock breaks_;
  bool any_continuous_ = false;
  long evaluations_ = 0;
  bool projects_;
  ConstraintErrors largest_errors_;
};

}  // namespace linkwright
