#pragma once
/// The right-hand side: equations of motion fed with the efforts of controllers and the loads.

#include <memory>
#include <vector>

#include "linkwright/simulate/callbacks.hpp"

namespace linkwright {

/// Rates were asked for at a state that is no longer finite: a step went wrong.
struct NotFinite : Error {
  NotFinite() : Error("the state is not finite", Kind::failed_computation) {}
};

/// Whether some joint has Coulomb friction, which jumps where the joint comes to rest.
bool has_dry_friction(const Model& model);

class Rates {
 public:
  Rates(std::unique_ptr<Equations> equations, double start);

  void set_effort(const ConstVectorRef& tau);
  [[nodiscard]] const Eigen::VectorXd& effort() const { return constant_; }
  void set_reference(ReferenceSource source, double now);
  void add_controller(Controller controller, double now);
  void add_load(Load load);

  /// Samples are counted from `start`.
  void begin(double start);
  /// Efforts and forces at a state, for efforts() and forces().
  void compute_efforts(const State& now);
  /// Rates at `now`; leaves the efforts and forces behind them in efforts() and forces().
  void evaluate(const FullState& now, Eigen::VectorXd& a, Eigen::VectorXd& extra_rates);

  /// The next time after `now` at which a sampler is due; infinity when nothing is sampled.
  [[nodiscard]] double next_sample() const;
  /// Whether a sampler is due at time t.
  [[nodiscard]] bool is_due(double t) const { return next_sample() <= t; }
  /// Samples everything that is due.
  void take_samples(const State& now);

  [[nodiscard]] Equations& equations() { return *equations_; }
  [[nodiscard]] const System& system() const { return equations_->system(); }
  [[nodiscard]] const Eigen::VectorXd& efforts() const { return tau_; }
  [[nodiscard]] ExternalForces forces() const { return forces_; }
  [[nodiscard]] bool has_loads() const { return !loads_.empty(); }
  [[nodiscard]] long evaluations() const { return evaluations_; }
  void set_evaluations(long count) { evaluations_ = count; }

  // What a checkpoint needs to know of the samplers.
  [[nodiscard]] std::vector<double> held() const;
  [[nodiscard]] std::vector<long> counts() const;
  /// Answers whether the lists fit these controllers.
  bool restore(const std::vector<double>& held, const std::vector<long>& counts);

 private:
  /// Sample times are start + taken·period: multiples do not drift as sums would.
  struct Clock {
    double period = 0;
    long taken = 0;
  };
  struct Slot {
    Controller controller;
    Clock clock;
    Eigen::VectorXd tau;
  };
  [[nodiscard]] double due(const Clock& clock) const;
  [[nodiscard]] Clock clock_from(double period, double now) const;
  void ask(Slot& slot, const State& now);
  void ask_reference(double t);
  void sum_held();

  std::unique_ptr<Equations> equations_;
  double start_;
  Eigen::VectorXd constant_, held_, tau_;
  std::vector<Slot> slots_;
  ReferenceSource source_;
  Clock source_clock_;
  Reference reference_;
  std::vector<Load> loads_;
  std::vector<ExternalForce> forces_;
  bool any_continuous_ = false;
  long evaluations_ = 0;
};

}  // namespace linkwright
