#include "simulate/equations/rates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/model/names.hpp"
#include "simulate/equations/joint_units.hpp"

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

/// For messages: 'tau:elbow', 'tau:wrist' and 4 more.
std::string names_of(const std::vector<Quantity>& quantities) {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities) names.push_back(quantity.name);
  return names.empty() ? "none" : list_in_quotes(names);
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

Rates::Rates(std::unique_ptr<Equations> equations, double start)
    : equations_(std::move(equations)),
      inputs_(equations_->inputs()),
      extra_states_(equations_->extra_states()),
      start_(start),
      projects_(equations_->projects()) {
  const int nv = system().nv();
  constant_ = held_ = input_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(inputs_.size()));
  tau_ = Eigen::VectorXd::Zero(nv);
  reference_ = {Eigen::VectorXd::Zero(system().nq()), Eigen::VectorXd::Zero(nv),
                Eigen::VectorXd::Zero(nv)};
  compute_neutral(system(), reference_.q);
  for (const int i : system().passive_freedoms())
    for (std::size_t input = 0; input < inputs_.size(); ++input)
      if (inputs_[input].name ==
          std::string(effort_prefix) + system().velocity_names()[static_cast<std::size_t>(i)])
        passive_inputs_.push_back({static_cast<Eigen::Index>(input), i});
}

void Rates::check_input(const ConstVectorRef& input, const std::string& who, double t) const {
  if (input.size() != input_.size())
    throw Error(fmt::format("{} gave {} inputs at t = {} s; expected {}, one for each of {}", who,
                            input.size(), t, input_.size(), names_of(inputs_)));
  for (Eigen::Index i = 0; i < input.size(); ++i)
    if (!std::isfinite(input[i]))
      throw Error(fmt::format("{} gave {} = {} at t = {} s; expected a finite number", who,
                              inputs_[static_cast<std::size_t>(i)].name, input[i], t));
  for (const auto& [i, freedom] : passive_inputs_)
    if (input[i] != 0)
      door::throw_passive(system(), freedom,
                          fmt::format("{} gave {} = {} at t = {} s", who,
                                      inputs_[static_cast<std::size_t>(i)].name, input[i], t));
}

void Rates::set_input(const ConstVectorRef& input, double now) {
  check_input(input, "the constant input", now);
  constant_ = input;
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
  const std::string who = "controller '" + controller.name + "'";
  slots_.push_back({std::move(controller), who, clock, Eigen::VectorXd::Zero(input_.size())});
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

void Rates::ask(Slot& slot, const FullState& now) {
  slot.input.setZero(input_.size());
  slot.controller.compute(now, reference_, slot.input);
  check_input(slot.input, slot.who, now.state.t);
}

void Rates::take_samples(const FullState& now) {
  const double t = now.state.t;
  if (due(source_clock_) <= t) {
    ask_reference(t);
    ++source_clock_.taken;
  }
  for (Slot& slot : slots_) {
    if (due(slot.clock) > t) continue;
    if (source_.compute && source_.period == 0) ask_reference(t);
    ask(slot, now);
    ++slot.clock.taken;
  }
  sum_held();
}

void Rates::sum_held() {
  held_ = constant_;
  for (const Slot& slot : slots_)
    if (slot.clock.period > 0) held_ += slot.input;
  input_ = held_;
}

void Rates::compute_input(const FullState& now) {
  const double t = now.state.t;
  if (any_continuous_) {
    input_ = held_;
    if (source_.compute && source_.period == 0) ask_reference(t);
    for (Slot& slot : slots_) {
      if (slot.clock.period > 0) continue;
      ask(slot, now);
      input_ += slot.input;
    }
  }
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    forces_[i].force = loads_[i].compute(now);
    check_force(loads_[i], t, forces_[i].force);
  }
}

const Eigen::VectorXd& Rates::compute_efforts(const FullState& now) {
  equations_->compute_efforts(now, input_, tau_);
  return tau_;
}

void Rates::evaluate(const FullState& now, Eigen::VectorXd& a, Eigen::VectorXd& extra_rates) {
  ++evaluations_;
  if (any_continuous_ || !loads_.empty() || now.extra.size() > 0) {
    if (!finite(now)) throw NotFinite();  // before users' functions see it
    compute_input(now);
  }
  try {
    equations_->compute_rates(now, input_, forces_, a, extra_rates);
  } catch (const Error&) {
    if (!finite(now)) throw NotFinite();
    throw;
  }
}

void Rates::settle(FullState& now) {
  if (!projects_ && !equations_->obeys_closures()) return;
  if (!finite(now)) throw NotFinite();
  const ConstraintErrors errors =
      projects_ ? equations_->project(now) : equations_->constraint_errors(now);
  if (!errors.kept)
    throw Error(fmt::format("the mechanism cannot be kept together at t = {:.9g} s: {}. Take a "
                            "shorter step",
                            now.state.t, equations_->describe_errors(now)),
                Error::Kind::failed_computation);
  largest_errors_.position = std::max(largest_errors_.position, errors.position);
  largest_errors_.velocity = std::max(largest_errors_.velocity, errors.velocity);
}

std::vector<double> Rates::held() const {
  std::vector<double> all{start_};
  const auto append = [&](const Eigen::VectorXd& x) { all.insert(all.end(), x.begin(), x.end()); };
  append(constant_);
  append(reference_.q), append(reference_.v), append(reference_.a);
  for (const Slot& slot : slots_) append(slot.input);
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
    take(slots_[i].input);
    slots_[i].clock.taken = counts[i + 1];
  }
  sum_held();
  return true;
}

}  // namespace linkwright
