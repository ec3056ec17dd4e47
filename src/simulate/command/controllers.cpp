#include "linkwright/simulate/controllers.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/model/names.hpp"
#include "simulate/command/driven.hpp"
#include "simulate/equations/driving_efforts.hpp"

namespace linkwright {
namespace {

std::vector<double> one_for_each(const std::vector<double>& gains, std::size_t count,
                                 const char* name) {
  if (gains.size() != 1 && gains.size() != count)
    throw Error(fmt::format("the controller has {} numbers in {} for {} joints; expected 1 or {}",
                            gains.size(), name, count, count));
  for (const double gain : gains)
    if (!(gain >= 0) || !std::isfinite(gain))
      throw Error(fmt::format("the controller has {} = {}; expected a number that is not negative",
                              name, gain));
  return gains.size() == count ? gains : std::vector<double>(count, gains.front());
}

/// What all controllers here need: who is driven, and how far it is off.
class Follower {
 public:
  Follower(const System& system, const ControlOptions& options)
      : system_(&system),
        entries_(driven_entries(system, options.joints)),
        kp_(one_for_each(options.kp, entries_.size(), "kp")),
        kd_(one_for_each(options.kd, entries_.size(), "kd")),
        away_(Eigen::VectorXd::Zero(system.nv())) {}

  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] const std::vector<int>& entries() const { return entries_; }
  [[nodiscard]] std::size_t count() const { return entries_.size(); }
  /// Looks where the mechanism is; then pull() is kp (q_ref ⊖ q) + kd (v_ref − v) of a driven freedom.
  void look(const State& state, const Reference& reference, const Eigen::VectorXd& input) {
    if (input.size() < system_->nv())
      throw Error(
          fmt::format("this controller gives efforts, one for each of {} velocities; these "
                      "equations take {} inputs. Write one for them",
                      system_->nv(), input.size()));
    compute_difference(*system_, state.q, reference.q, away_);
    state_ = &state, reference_ = &reference;
  }
  [[nodiscard]] double pull(std::size_t i) const {
    const int e = entries_[i];
    return kp_[i] * away_[e] + kd_[i] * (reference_->v[e] - state_->v[e]);
  }

 private:
  const System* system_;
  std::vector<int> entries_;
  std::vector<double> kp_, kd_;
  Eigen::VectorXd away_;
  const State* state_ = nullptr;
  const Reference* reference_ = nullptr;
};

/// Efforts that give the driven freedoms accelerations.
class AccelerationDrive {
 public:
  virtual ~AccelerationDrive() = default;
  [[nodiscard]] Eigen::VectorXd& wanted() { return wanted_; }
  void add_efforts(const State& state, Eigen::VectorXd& input) {
    compute(state);
    for (const int e : entries_) input[e] += efforts_[e];
  }

 protected:
  explicit AccelerationDrive(const Follower& follower)
      : entries_(follower.entries()),
        wanted_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(follower.count()))),
        a_(Eigen::VectorXd::Zero(follower.system().nv())),
        efforts_(Eigen::VectorXd::Zero(follower.system().effort_count())) {}
  virtual void compute(const State& state) = 0;

  std::vector<int> entries_;
  Eigen::VectorXd wanted_, a_, efforts_;
};

/// Of a tree: the others accelerate so that they need no effort, M_oo a_o = −(M_od a_d + bias)_o; then
/// inverse dynamics.
class TreeDrive final : public AccelerationDrive {
 public:
  explicit TreeDrive(const Follower& follower)
      : AccelerationDrive(follower), work_(follower.system()) {
    const int nv = follower.system().nv();
    for (int i = 0; i < nv; ++i)
      if (std::find(entries_.begin(), entries_.end(), i) == entries_.end()) others_.push_back(i);
    const auto count = static_cast<Eigen::Index>(others_.size());
    if (count > 0) mass_ = Eigen::MatrixXd::Zero(nv, nv);
    reduced_ = Eigen::MatrixXd::Zero(count, count);
    needed_ = Eigen::VectorXd::Zero(count);
    factors_ = Eigen::LLT<Eigen::MatrixXd>(count);
  }

 private:
  void compute(const State& state) override {
    a_.setZero();
    for (std::size_t i = 0; i < entries_.size(); ++i)
      a_[entries_[i]] = wanted_[static_cast<Eigen::Index>(i)];
    if (!others_.empty()) let_others_go(state);
    compute_inverse_dynamics(work_, state, a_, {}, efforts_);
  }

  void let_others_go(const State& state) {
    compute_inverse_dynamics(work_, state, a_, {}, efforts_);
    compute_mass_matrix(work_, state.q, mass_);
    for (Eigen::Index i = 0; i < needed_.size(); ++i) {
      const int row = others_[static_cast<std::size_t>(i)];
      needed_[i] = -efforts_[row];
      for (Eigen::Index k = 0; k < needed_.size(); ++k)
        reduced_(i, k) = mass_(row, others_[static_cast<std::size_t>(k)]);
    }
    factors_.compute(reduced_);
    factors_.solveInPlace(needed_);
    for (Eigen::Index i = 0; i < needed_.size(); ++i)
      a_[others_[static_cast<std::size_t>(i)]] = needed_[i];
  }

  Workspace work_;
  std::vector<int> others_;
  Eigen::MatrixXd mass_, reduced_;
  Eigen::VectorXd needed_;
  Eigen::LLT<Eigen::MatrixXd> factors_;
};

/// Of a closed system, by what a unit of each effort does.
class ClosedDrive final : public AccelerationDrive {
 public:
  explicit ClosedDrive(const Follower& follower)
      : AccelerationDrive(follower),
        work_(follower.system()),
        driving_(follower.system(), follower.entries()) {}

 private:
  void compute(const State& state) override {
    efforts_.setZero();
    driving_.add(work_, state, {}, wanted_, efforts_, a_);
  }

  ClosedWorkspace work_;
  DrivingEfforts driving_;
};

std::shared_ptr<AccelerationDrive> make_drive(const Follower& follower) {
  if (follower.system().closures().empty()) return std::make_shared<TreeDrive>(follower);
  return std::make_shared<ClosedDrive>(follower);
}

}  // namespace

std::vector<int> driven_entries(const System& system, const std::vector<std::string>& names) {
  std::vector<int> entries;
  if (names.empty()) {
    for (const int entry : all_motors(system).entries)
      if (entry < system.nv()) entries.push_back(entry);
    // Joints that shafts drive together take their efforts one by one.
    for (const ClosurePlace& c : system.closures())
      for (const TreeTerm& term : c.kind == PairKind::shaft ? c.terms : std::vector<TreeTerm>{})
        entries.push_back(term.v);
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    return entries;
  }
  for (const std::string& name : names) {
    const auto& known = system.velocity_names();
    const auto found = std::find(known.begin(), known.end(), name);
    const int entry = found != known.end() ? static_cast<int>(found - known.begin())
                                           : system.joint(name).v;  // throws for an unknown one
    const int count = found != known.end() ? 1 : system.joint(name).nv;
    for (int i = 0; i < count; ++i) entries.push_back(entry + i);
  }
  const std::vector<int>& passive = system.passive_freedoms();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string& name = system.velocity_names()[static_cast<std::size_t>(entries[i])];
    if (std::binary_search(passive.begin(), passive.end(), entries[i]))
      throw Error(
          fmt::format("the controller is to drive joint {}, which is passive: it has no "
                      "motor. Leave it out, or remove the joint's `passive` mark",
                      in_quotes(name)));
    if (std::find(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(i), entries[i]) !=
        entries.begin() + static_cast<std::ptrdiff_t>(i))
      throw Error(fmt::format("the controller is to drive joint {} twice", in_quotes(name)));
  }
  return entries;
}

Controller pd(const System& system, const ControlOptions& options) {
  const auto follower = std::make_shared<Follower>(system, options);
  return {.name = "pd",
          .period = options.period,
          .compute = [follower](const FullState& now, const Reference& reference,
                                Eigen::VectorXd& input) {
            follower->look(now.state, reference, input);
            for (std::size_t i = 0; i < follower->count(); ++i)
              input[follower->entries()[i]] += follower->pull(i);
          }};
}

Controller pd_with_gravity(const System& system, const ControlOptions& options) {
  const auto follower = std::make_shared<Follower>(system, options);
  const auto drive = make_drive(*follower);
  const auto rest = std::make_shared<State>(system);
  return {.name = "pd with gravity",
          .period = options.period,
          .compute = [follower, drive, rest](const FullState& now, const Reference& reference,
                                             Eigen::VectorXd& input) {
            follower->look(now.state, reference, input);
            rest->q = now.state.q;
            drive->add_efforts(*rest, input);
            for (std::size_t i = 0; i < follower->count(); ++i)
              input[follower->entries()[i]] += follower->pull(i);
          }};
}

Controller computed_torque(const System& system, const ControlOptions& options) {
  const auto follower = std::make_shared<Follower>(system, options);
  const auto drive = make_drive(*follower);
  return {.name = "computed torque",
          .period = options.period,
          .compute = [follower, drive](const FullState& now, const Reference& reference,
                                       Eigen::VectorXd& input) {
            follower->look(now.state, reference, input);
            for (std::size_t i = 0; i < follower->count(); ++i)
              drive->wanted()[static_cast<Eigen::Index>(i)] =
                  reference.a[follower->entries()[i]] + follower->pull(i);
            drive->add_efforts(now.state, input);
          }};
}

ControlOptions scaled_by_inertia(const System& system, const ConstVectorRef& q,
                                 const ControlOptions& options) {
  const std::vector<int> entries = driven_entries(system, options.joints);
  ClosedWorkspace work(system);
  std::vector<double> inertias;
  DrivingEfforts(system, entries).compute_inertias(work, q, inertias);
  ControlOptions scaled = options;
  scaled.kp = one_for_each(options.kp, entries.size(), "kp");
  scaled.kd = one_for_each(options.kd, entries.size(), "kd");
  for (std::size_t i = 0; i < entries.size(); ++i)
    scaled.kp[i] *= inertias[i], scaled.kd[i] *= inertias[i];
  return scaled;
}

}  // namespace linkwright
