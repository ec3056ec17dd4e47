/// Variable step and order: Adams for smooth motions, BDF for stiff ones (SUNDIALS CVODE), BDF in descriptor form
/// (SUNDIALS IDA).
/// Given: tolerances for the error at the end of the run.
/// Computes: the motion with local tolerances 1000 times tighter (closed systems: 50 000 times), because
///   errors add up over a run, and a method of high order pays little for it;
///   beside it, when asked, a second integration 10 times looser. Their difference shows the error
///   of the looser one; the better one, which is handed out, is taken to be only 3 times better
///   (methods of order k gain a factor 10^(k/(k+1)), so 5 and more in practice). Once that is a hundred
///   tolerances the two have parted, and the first goes on alone. Both are projected
///   onto the constraints before they are compared or handed out, and pass singular positions of the
///   constraints by steps without a memory (crossing.hpp).
/// Cost: one evaluation and a bit per step and integration.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/positions/group_step.hpp"
#include "simulate/integrators/crossing.hpp"
#include "simulate/integrators/cvode_integrator.hpp"
#include "simulate/integrators/ida_integrator.hpp"

namespace linkwright {
namespace {

constexpr double margin = 1e-3, margin_of_closed = 2e-5;
constexpr double looser = 10;
constexpr double gain = 3;
/// In tolerances: an error from which on two integrations have parted.
constexpr double parted = 100;
/// So many steps must lead so many seconds ahead.
constexpr int stretch = 2000;
constexpr double shortest_way = 2e-7;
/// In radians, metres and their rates, or in parts of the largest value that a number has had.
constexpr double farthest_off_constraints = 1e-5;
/// Below this the error test sees rounding only.
constexpr double tightest_relative = 1e-14;

class VariableStep final : public Stepper {
 public:
  VariableStep(Rates& rates, const FullState& start, const SimulationOptions& options)
      : options_(options), rates_(&rates), now_(start), other_(start) {
    // Loops turn sharply where a rod passes its dead point, and errors add up sooner.
    // IDA solves for speeds that obey J v = 0 to rounding of the largest of them, and cannot be asked for less.
    const bool projected = rates.projects() && options.method != Method::ida;
    const double part = projected ? margin_of_closed : margin;
    const double relative = std::max(part * options.relative_tolerance, tightest_relative);
    const double absolute = part * options.absolute_tolerance;
    stretch_start_ = start.state.t;
    main_ = make(relative, absolute);
    if (options.watch_error) watcher_ = make(looser * relative, looser * absolute);
    if (rates.projects()) crossing_ = std::make_unique<Crossing>(rates, start, relative, absolute);
    a_ = Eigen::VectorXd::Zero(rates.system().nv());
    extra_rates_ = Eigen::VectorXd::Zero(start.extra.size());
    y_ = other_y_ = main_->y();
    largest_ = y_.cwiseAbs();
  }

  void step(FullState& now, double end) override {
    if (rates_->is_delicate() || !advance(end)) return cross(now, end);
    crosses_ = false;
    main_->read(now);
    rates_->settle(now);
    accept(now);
    check_progress();
    if (watcher_) watch(end);
    // The error control keeps y near the joints' groups and the constraints only; reading moves it
    // onto them, and long before that would matter the integration starts afresh from there.
    if (strays_from_groups() || strays_from_constraints()) restart(now, false);
  }

  void interpolate(double t, FullState& out) override {
    if (t == now_.state.t)
      out = now_;
    else if (crosses_)
      crossing_->interpolate(t, out);
    else
      main_->interpolate(t, out);
  }

  void evaluate_end(const FullState& now) override { rates_->evaluate(now, a_, extra_rates_); }

  void restart(const FullState& now, bool moved) override {
    if (moved) {
      restart_ = Restart::moved, now_ = now;
    } else if (restart_ == Restart::none) {
      restart_ = Restart::rates;
    } else if (restart_ == Restart::crossed) {
      // As from a checkpoint, so that those who go on from one do the same.
      pack(other_, other_y_);
      watched_.assign(other_y_.begin(), other_y_.end());
      restart_ = Restart::restored;
    }
  }

  void report(SimulationStatistics& statistics) const override {
    statistics.rejected = main_->rejected();
    main_->report(statistics);
    statistics.error_in_tolerances = error_;
    statistics.missed_at = missed_at_;
  }

  [[nodiscard]] std::vector<double> memory() const override {
    std::vector<double> all{error_, missed_at_ ? 1.0 : 0.0, missed_at_.value_or(0)};
    all.insert(all.end(), largest_.begin(), largest_.end());
    if (watcher_) {
      FullState other = now_;
      find_other(other);
      for (const Eigen::VectorXd* part : {&other.state.q, &other.state.v, &other.extra})
        all.insert(all.end(), part->begin(), part->end());
    }
    return all;
  }
  void set_memory(const std::vector<double>& memory) override {
    const auto n = static_cast<std::size_t>(largest_.size());
    constexpr std::size_t numbers = 3;
    const bool watched = memory.size() == numbers + 2 * n;
    if (!watched && memory.size() != numbers + n) return;
    if (!watched && watcher_ && memory[0] <= parted) return;  // nobody watched
    error_ = memory[0];
    if (memory[1] != 0) missed_at_ = memory[2];
    largest_ = Eigen::Map<const Eigen::VectorXd>(memory.data() + numbers, largest_.size());
    if (!watched) watcher_.reset();
    if (watcher_) watched_.assign(memory.end() - static_cast<long>(n), memory.end());
    restart_ = Restart::restored;
  }

 private:
  /// What a restart goes on from: both integrations as they are; the state that an event left; those of
  /// a checkpoint; those that a crossing led to.
  enum class Restart { none, rates, moved, restored, crossed };

  /// Whether a quaternion or a pose has gone a tenth of the way that the door lets pass.
  [[nodiscard]] bool strays_from_groups() const {
    const Tree<double>& tree = rates_->system().tree();
    const Eigen::Ref<const Eigen::VectorXd> y = main_->y();
    return std::any_of(tree.quaternions.begin(), tree.quaternions.end(),
                       [&](int at) { return std::abs(y.segment<4>(at).norm() - 1) > 1e-4; }) ||
           std::any_of(tree.bound_poses.begin(), tree.bound_poses.end(), [&](const auto& pose) {
             const PoseMisfit off = group::pose_misfit(pose, y.data());
             return off.angle > 0.1 * PoseMisfit::angle_tolerance ||
                    off.distance > 0.1 * off.tolerance;
           });
  }

  [[nodiscard]] bool strays_from_constraints() const {
    if (!rates_->projects()) return false;
    const auto unit = 1 + largest_.array();
    return ((main_->y() - y_).array().abs() / unit).maxCoeff() > farthest_off_constraints;
  }

  static void pack(const FullState& from, Eigen::VectorXd& y) {
    y << from.state.q, from.state.v, from.extra;
  }
  void read_watcher(FullState& out) const {
    watcher_->read(out);
    rates_->project(out);
  }

  /// Towards a force that jumps steps shrink for ever.
  void check_progress() {
    if (++steps_in_stretch_ < stretch) return;
    const double way = now_.state.t - stretch_start_;
    if (way < shortest_way)
      throw Error(
          fmt::format(
              "the integration creeps at t = {:.9g} s: {} steps have led {:.1g} s ahead; some "
              "load or controller jumps there. Let it jump at an event or at its samples, or "
              "take a method with a fixed step (rk4, semi-implicit)",
              now_.state.t, stretch, way),
          Error::Kind::failed_computation);
    steps_in_stretch_ = 0;
    stretch_start_ = now_.state.t;
  }

  void accept(const FullState& now) {
    now_ = now;
    pack(now_, y_);
    largest_ = largest_.cwiseMax(y_.cwiseAbs());
  }

  /// One step of the first integration; false where it cannot because of a singular position.
  bool advance(double end) {
    if (restart_ != Restart::none) begin_again(now_);
    return succeeds([&] { main_->step(end); });
  }

  /// From the next step on.
  void give_way_to_crossing() {
    restart_ = Restart::crossed;
    crossing_->begin();
  }

  /// Whether an integration did it; beside a singular position it need not.
  template <class Action>
  bool succeeds(const Action& action) const {
    try {
      action();
    } catch (const Error& e) {
      if (!rates_->is_delicate() || e.kind() != Error::Kind::failed_computation) throw;
      return false;
    }
    return true;
  }

  /// Goes on without a memory, until the singular position has been left.
  void cross(FullState& now, double end) {
    if (restart_ != Restart::crossed) {
      FullState other = now;
      if (watcher_ && restart_ != Restart::none) find_other(other), other_ = other;
      give_way_to_crossing();
    }
    crosses_ = true;
    crossing_->step(now, end);
    accept(now);
    steps_in_stretch_ = 0, stretch_start_ = now.state.t;
    if (watcher_) crossing_->follow(other_, now.state.t);
  }

  /// The second integration follows to the same time. What lies beyond the end (another input, another
  /// piece of a reference) must not be asked for.
  void watch(double end) {
    if (succeeds([&] { watcher_->go_to(now_.state.t, end); })) {
      read_watcher(other_);
    } else {
      crossing_->follow(other_, now_.state.t);
      give_way_to_crossing();
    }
    compare();
  }

  /// Where the second integration stands; `other` arrives as the state of the first.
  void find_other(FullState& other) const {
    if (restart_ == Restart::crossed)
      other = other_;
    else if (restart_ == Restart::restored)
      read_watched(other);
    else if (restart_ != Restart::moved)
      read_watcher(other);
  }

  std::unique_ptr<Integration> make(double relative, double absolute) {
    if (options_.method == Method::ida)
      return std::make_unique<IdaIntegrator>(*rates_, now_, relative, absolute,
                                             options_.longest_step);
    return std::make_unique<CvodeIntegrator>(*rates_, now_, options_.method, relative, absolute,
                                             options_.longest_step);
  }

  void begin_again(const FullState& now) {
    main_->restart(now);
    steps_in_stretch_ = 0;
    stretch_start_ = now.state.t;
    if (watcher_) {
      FullState other = now;
      find_other(other);
      other_ = other;
      watcher_->restart(other_);
    }
    restart_ = Restart::none;
  }

  void read_watched(FullState& out) const {
    const double* next = watched_.data();
    for (Eigen::VectorXd* part : {&out.state.q, &out.state.v, &out.extra})
      for (double& value : *part) value = *next++;
  }

  /// Beside a singular position velocities tremble, by rounding over the square of its distance, and
  /// nothing comes of it: what has is told once it is left.
  void compare() {
    if (rates_->is_delicate()) return;
    pack(other_, other_y_);
    error_ = std::max(error_, largest_error());
    if (error_ > 1 && !missed_at_) missed_at_ = now_.state.t;
    if (error_ <= parted) return;
    if (options_.on_miss == OnMiss::stop) throw_missed(now_.state.t);
    watcher_.reset();
  }

  /// In units of the tolerance, measured against the largest value each entry has had: an error
  /// while a coordinate passes through zero is no worse than elsewhere.
  [[nodiscard]] double largest_error() {
    double worst = 0;
    for (Eigen::Index i = 0; i < largest_.size(); ++i) {
      const double unit = options_.relative_tolerance * largest_[i] + options_.absolute_tolerance;
      const double error = std::abs(y_[i] - other_y_[i]) / (gain * unit);
      if (error > worst) worst_ = i, worst = error;
    }
    return worst;
  }

  [[noreturn]] void throw_missed(double t) const {
    const System& system = rates_->system();
    const Eigen::Index nq = system.nq(), nv = system.nv();
    const auto name = [&](Eigen::Index i) {
      if (i < nq) return "q:" + system.position_names()[static_cast<std::size_t>(i)];
      if (i < nq + nv) return "v:" + system.velocity_names()[static_cast<std::size_t>(i - nq)];
      return rates_->extra_states()[static_cast<std::size_t>(i - nq - nv)].name;
    };
    throw Error(
        fmt::format("the tolerance is not met: at t = {} s the error in {} is about {:.1g}, {:.0f} "
                    "times the tolerance (relative {:g}, absolute {:g}). The motion may be "
                    "too sensitive to foretell so far ahead: ask for a shorter time or a larger "
                    "tolerance, or for a smaller one if there is room",
                    t, name(worst_), std::abs(y_[worst_] - other_y_[worst_]) / gain, error_,
                    options_.relative_tolerance, options_.absolute_tolerance),
        Error::Kind::failed_computation);
  }

  SimulationOptions options_;
  Rates* rates_;
  FullState now_, other_;  // of the two integrations
  Eigen::VectorXd y_, other_y_, a_, extra_rates_;
  std::unique_ptr<Integration> main_, watcher_;
  std::unique_ptr<Crossing> crossing_;
  bool crosses_ = false;  // the last step did
  Eigen::VectorXd largest_;
  std::vector<double> watched_;
  Restart restart_ = Restart::none;
  int steps_in_stretch_ = 0;
  double stretch_start_ = 0;
  double error_ = 0;
  std::optional<double> missed_at_;
  Eigen::Index worst_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_variable_step(Rates& rates, const FullState& start,
                                            const SimulationOptions& options) {
  return std::make_unique<VariableStep>(rates, start, options);
}

}  // namespace linkwright
