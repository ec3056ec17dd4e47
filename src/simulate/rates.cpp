#include "simulate/rates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/dynamics/dynamics.hpp"

namespace linkwright {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

void check_period(double period, const std::string& who) {
  if (!(period >= 0) || !std::isfinite(period))
    throw Error(
        fmt::format("{} has the period {} s; expected 0 (at every evaluation) or a positive "
                    "number",
                    who, period));
}

void check_efforts(const System& system, const std::string& who, double t,
                   const Eigen::VectorXd& tau) {
  if (tau.size() != system.nv())
    throw Error(
        fmt::format("controller '{}' gave {} efforts at t = {} s; expected {}, one for each "
                    "entry of v",
                    who, tau.size(), t, system.nv()));
  for (Eigen::Index i = 0; i < tau.size(); ++i)
    if (!std::isfinite(tau[i]))
      throw Error(
          fmt::format("controller '{}' gave the effort {} for joint '{}' at t = {} s; "
                      "expected a finite number",
                      who, tau[i], system.velocity_names()[static_cast<std::size_t>(i)], t));
  for (const int i : system.passive_freedoms())
    if (tau[i] != 0)
      throw Error(fmt::format(
          "controller '{}' gave the effort {} for joint '{}' at t = {} s, but this joint is "
          "passive: it has no motor. Leave it at 0, or remove the joint's `passive` mark",
          who, tau[i], system.velocity_names()[static_cast<std::size_t>(i)], t));
}

void check_reference(const System& system, double t, const Reference& reference) {
  const auto check = [&](const Eigen::VectorXd& x, int expected, const char* name,
                         const std::vector<std::string>& names) {
    if (x.size() != expected)
      throw Error(fmt::format("the reference gave {} numbers in {} at t = {} s; expected {}",
                              x.size(), name, t, expected));
    for (Eigen::Index i = 0; i < x.size(); ++i)
      if (!std::isfinite(x[i]))
        throw Error(
            fmt::format("the reference gave {} = {} for joint '{}' at t = {} s; expected a "
                        "finite number",
                        name, x[i], names[static_cast<std::size_t>(i)], t));
  };
  check(reference.q, system.nq(), "q", system.position_names());
  check(reference.v, system.nv(), "v", system.velocity_names());
  check(reference.a, system.nv(), "a", system.velocity_names());
}

bool finite(const FullState& now) {
  return std::isfinite(now.state.q.sum() + now.state.v.sum() + now.extra.sum());
}

void check_force(const Load& load, double t, const Force& f) {
  const double sum = f.moment.x + f.moment.y + f.moment.z + f.force.x + f.force.y + f.force.z;
  if (!std::isfinite(sum))
    throw Error(fmt::format(
        "load '{}' gave moment ({}, {}, {}) and force ({}, {}, {}) at t = {} s; "
        "expected finite numbers",
        load.name, f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z, t));
}

}  // namespace

bool has_dry_friction(const Model& model) {
  return std::any_of(model.joints.begin(), model.joints.end(), [](const Joint& joint) {
    return std::any_of(joint.friction.begin(), joint.friction.end(),
                       [](const Friction& f) { return f.forward != 0 || f.backward != 0; });
  });
}

TreeEquations::TreeEquations(const System& system, Closures closures)
    : work_(system, Closures::leave_out) {
  require_open(system, closures, "SimulationOptions with .closures = Closures::leave_out");
}

void TreeEquations::compute_rates(const FullState& now, const Eigen::VectorXd& tau,
                                  ExternalForces forces, VectorRef a, VectorRef /*extra_rates*/) {
  compute_forward_dynamics(work_, now.state, tau, forces, a);
}

Rates::Rates(std::unique_ptr<Equations> equations, double start)
    : equations_(std::move(equations)), start_(start) {
  const int nv = system().nv();
  constant_ = held_ = tau_ = Eigen::VectorXd::Zero(nv);
  reference_ = {Eigen::VectorXd::Zero(system().nq()), Eigen::VectorXd::Zero(nv),
                Eigen::VectorXd::Zero(nv)};
  compute_neutral(system(), reference_.q);
}

void Rates::set_effort(const ConstVectorRef& tau) {
  door::check_efforts(system(), tau);
  constant_ = tau;
  sum_held();
}

void Rates::set_reference(ReferenceSource source, double now) {
  check_period(source.period, "the reference");
  source_ = std::move(source);
  source_clock_ = clock_from(source_.period, now);
}

void Rates::add_controller(Controller controller, double now) {
  check_period(controller.period, "controller '" + controller.name + "'");
  if (!controller.compute)
    throw Error(fmt::format("controller '{}' has no function 'compute'", controller.name));
  any_continuous_ = any_continuous_ || controller.period == 0;
  const Clock clock = clock_from(controller.period, now);
  slots_.push_back({std::move(controller), clock, Eigen::VectorXd::Zero(system().nv())});
}

void Rates::add_load(Load load) {
  door::check_frame(system(), load.frame);
  if (!load.compute) throw Error(fmt::format("load '{}' has no function 'compute'", load.name));
  forces_.push_back({load.frame, Force{}, load.axes});
  loads_.push_back(std::move(load));
}

void Rates::begin(double start) {
  start_ = start;
  source_clock_.taken = 0;
  for (Slot& slot : slots_) slot.clock.taken = 0;
}

Rates::Clock Rates::clock_from(double period, double now) const {
  if (period == 0) return {};
  return {period, static_cast<long>(std::ceil((now - start_) / period - 1e-9))};
}

double Rates::due(const Clock& clock) const {
  return clock.period > 0 ? start_ + static_cast<double>(clock.taken) * clock.period : never;
}

double Rates::next_sample() const {
  double next = due(source_clock_);
  for (const Slot& slot : slots_) next = std::min(next, due(slot.clock));
  return next;
}

void Rates::ask_reference(double t) {
  source_.compute(t, reference_);
  check_reference(system(), t, reference_);
}

void Rates::ask(Slot& slot, const State& now) {
  slot.tau.setZero(system().nv());
  slot.controller.compute(now, reference_, slot.tau);
  check_efforts(system(), slot.controller.name, now.t, slot.tau);
}

void Rates::take_samples(const State& now) {
  if (due(source_clock_) <= now.t) {
    ask_reference(now.t);
    ++source_clock_.taken;
  }
  for (Slot& slot : slots_) {
    if (due(slot.clock) > now.t) continue;
    if (source_.compute && source_.period == 0) ask_reference(now.t);
    ask(slot, now);
    ++slot.clock.taken;
  }
  sum_held();
}

void Rates::sum_held() {
  held_ = constant_;
  for (const Slot& slot : slots_)
    if (slot.clock.period > 0) held_ += slot.tau;
  tau_ = held_;
}

void Rates::compute_efforts(const State& now) {
  if (any_continuous_) {
    tau_ = held_;
    if (source_.compute && source_.period == 0) ask_reference(now.t);
    for (Slot& slot : slots_) {
      if (slot.clock.period > 0) continue;
      ask(slot, now);
      tau_ += slot.tau;
    }
  }
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    forces_[i].force = loads_[i].compute(now);
    check_force(loads_[i], now.t, forces_[i].force);
  }
}

void Rates::evaluate(const FullState& now, Eigen::VectorXd& a, Eigen::VectorXd& extra_rates) {
  ++evaluations_;
  if (any_continuous_ || !loads_.empty() || now.extra.size() > 0) {
    if (!finite(now)) throw NotFinite();  // before users' functions see it
    compute_efforts(now.state);
  }
  try {
    equations_->compute_rates(now, tau_, forces_, a, extra_rates);
  } catch (const Error&) {
    if (!finite(now)) throw NotFinite();
    throw;
  }
}

std::vector<double> Rates::held() const {
  std::vector<double> all{start_};
  const auto append = [&](const Eigen::VectorXd& x) { all.insert(all.end(), x.begin(), x.end()); };
  append(constant_);
  append(reference_.q), append(reference_.v), append(reference_.a);
  for (const Slot& slot : slots_) append(slot.tau);
  return all;
}

std::vector<long> Rates::counts() const {
  std::vector<long> all{source_clock_.taken};
  for (const Slot& slot : slots_) all.push_back(slot.clock.taken);
  return all;
}

bool Rates::restore(const std::vector<double>& held, const std::vector<long>& counts) {
  if (!std::all_of(held.begin(), held.end(), [](double x) { return std::isfinite(x); }))
    return false;
  if (held.size() != this->held().size() || counts.size() != this->counts().size()) return false;
  const double* next = held.data();
  start_ = *next++;
  const auto take = [&](Eigen::VectorXd& x) {
    for (double& value : x) value = *next++;
  };
  take(constant_);
  take(reference_.q), take(reference_.v), take(reference_.a);
  source_clock_.taken = counts.front();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    take(slots_[i].tau);
    slots_[i].clock.taken = counts[i + 1];
  }
  sum_held();
  return true;
}

}  // namespace linkwright
