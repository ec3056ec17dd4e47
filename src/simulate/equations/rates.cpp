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

void check_times(const std::vector<double>& times, const std::string& who) {
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!std::isfinite(times[i]) || (i > 0 && times[i] <= times[i - 1]))
      throw Error(fmt::format(
          "{} has the time {} s as number {} of its times{}; expected finite "
          "times that rise",
          who, times[i], i + 1, i > 0 ? fmt::format(", after {} s", times[i - 1]) : std::string{}));
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
  constant_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(inputs_.size()));
  equations_->compute_usual_input(constant_);
  held_ = input_ = constant_;
  tau_ = Eigen::VectorXd::Zero(nv);
  reference_ = {Eigen::VectorXd::Zero(system().nq()), Eigen::VectorXd::Zero(nv),
                Eigen::VectorXd::Zero(nv)};
  compute_neutral(system(), reference_.q);
  check_times(equations_->break_times(), "a given motion");
  add_breaks(equations_->break_times(), start);
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

template <class Self, class Action>
void Rates::for_each_clock(Self& self, const Action& action) {
  action(self.source_clock_);
  for (auto& slot : self.slots_) action(slot.clock);
  for (auto& clock : self.load_clocks_) action(clock);
  action(self.breaks_);
}

template <class Asked>
Rates::Clock Rates::start_clock(const Asked& asked, const std::string& who, double now) {
  check_period(asked.period, who);
  check_times(asked.sample_times, who);
  check_times(asked.break_times, who);
  if (asked.period > 0 && !asked.sample_times.empty())
    throw Error(fmt::format("{} has a period and sample times; give one of them", who));
  Clock clock{asked.period, asked.sample_times};
  if (clock.samples() && !asked.break_times.empty())
    throw Error(
        fmt::format("{} is sampled and held: it bends nowhere; leave its break times out", who));
  set_going(clock, now);
  add_breaks(asked.break_times, now);
  return clock;
}

/// The first sample at or after `now`; of given times the one that holds at `now` is taken anew.
void Rates::set_going(Clock& clock, double now) const {
  if (clock.period > 0)
    clock.taken = static_cast<long>(std::ceil((now - start_) / clock.period - 1e-9));
  const auto after = std::upper_bound(clock.times.begin(), clock.times.end(), now);
  if (!clock.times.empty())
    clock.taken = std::max<long>(0, static_cast<long>(after - clock.times.begin()) - 1);
}

void Rates::add_breaks(const std::vector<double>& times, double now) {
  std::vector<double>& all = breaks_.times;
  all.insert(all.end(), times.begin(), times.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  set_going(breaks_, now);
}

void Rates::set_reference(ReferenceSource source, double now) {
  source_clock_ = start_clock(source, "the reference", now);
  source_ = std::move(source);
}

void Rates::add_controller(Controller controller, double now) {
  const std::string who = "controller '" + controller.name + "'";
  if (!controller.compute) throw Error(fmt::format("{} has no function 'compute'", who));
  Clock clock = start_clock(controller, who, now);
  any_continuous_ = any_continuous_ || !clock.samples();
  slots_.push_back(
      {std::move(controller), who, std::move(clock), Eigen::VectorXd::Zero(input_.size())});
}

void Rates::add_load(Load load, double now) {
  door::check_frame(system(), load.frame);
  if (!load.compute) throw Error(fmt::format("load '{}' has no function 'compute'", load.name));
  load_clocks_.push_back(start_clock(load, "load '" + load.name + "'", now));
  forces_.push_back({load.frame, Force{}, load.axes});
  loads_.push_back(std::move(load));
}

void Rates::begin(double start) {
  start_ = start;
  for_each_clock(*this, [&](Clock& clock) { set_going(clock, start); });
}

double Rates::due(const Clock& clock) const {
  if (clock.period > 0) return start_ + static_cast<double>(clock.taken) * clock.period;
  const auto next = static_cast<std::size_t>(clock.taken);
  return next < clock.times.size() ? clock.times[next] : never;
}

double Rates::next_sample() const {
  double next = never;
  for_each_clock(*this, [&](const Clock& clock) { next = std::min(next, due(clock)); });
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
    if (source_.compute && !source_clock_.samples()) ask_reference(t);
    ask(slot, now);
    ++slot.clock.taken;
  }
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    if (due(load_clocks_[i]) > t) continue;
    ask(i, now);
    ++load_clocks_[i].taken;
  }
  while (due(breaks_) <= t) ++breaks_.taken;
  sum_held();
}

void Rates::ask(std::size_t load, const FullState& now) {
  forces_[load].force = loads_[load].compute(now);
  check_force(loads_[load], now.state.t, forces_[load].force);
}

void Rates::sum_held() {
  held_ = constant_;
  for (const Slot& slot : slots_)
    if (slot.clock.samples()) held_ += slot.input;
  input_ = held_;
  cut_input();
}

void Rates::cut_efforts() {
  const auto add = [&](const std::string& joint, double limit) {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (std::isfinite(limit) && inputs_[i].name == std::string(effort_prefix) + joint)
        cuts_.push_back({static_cast<Eigen::Index>(i), limit});
  };
  const std::vector<std::string> names = system().effort_names();
  for (std::size_t j = 0; j < system().joints().size(); ++j)
    for (int i = 0; i < system().joints()[j].nv; ++i)
      add(names[static_cast<std::size_t>(system().joints()[j].v + i)],
          per_freedom(system().model().joints[j].limits, i, Limits{}).effort);
  for (std::size_t i = 0; i < system().closing_motors().size(); ++i) {
    const ClosingMotor& motor = system().closing_motors()[i];
    const ClosurePlace& closure = system().closures()[static_cast<std::size_t>(motor.closure)];
    add(names[static_cast<std::size_t>(system().nv()) + i],
        closure.freedom[motor.freedom].limits.effort);
  }
  cut_input();
}

void Rates::cut_input() {
  for (CutEffort& effort : cuts_) {
    double& value = input_[effort.input];
    if (std::abs(value) <= effort.limit) continue;
    value = std::copysign(effort.limit, value);
    effort.cut = true;
  }
}

std::string Rates::take_notice() {
  for (CutEffort& effort : cuts_) {
    if (!effort.cut || effort.told) continue;
    effort.told = true;
    const std::string& name = inputs_[static_cast<std::size_t>(effort.input)].name;
    return fmt::format("the effort of joint {} comes to its limit {:g} and is cut off",
                       in_quotes(name.substr(effort_prefix.size())), effort.limit);
  }
  return {};
}

void Rates::compute_input(const FullState& now) {
  if (any_continuous_) {
    input_ = held_;
    if (source_.compute && !source_clock_.samples()) ask_reference(now.state.t);
    for (Slot& slot : slots_) {
      if (slot.clock.samples()) continue;
      ask(slot, now);
      input_ += slot.input;
    }
    cut_input();
  }
  for (std::size_t i = 0; i < loads_.size(); ++i)
    if (!load_clocks_[i].samples()) ask(i, now);
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

void Rates::compute_residual(DescriptorForm& form, const FullState& now, const ConstVectorRef& x,
                             const ConstVectorRef& rate, VectorRef residual) {
  ++evaluations_;
  if (any_continuous_ || !loads_.empty() || now.extra.size() > 0) compute_input(now);
  form.compute_residual(now, x, rate, input_, forces_, residual);
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
  for (const ExternalForce& force : forces_) {
    const auto& [m, f] = force.force;
    all.insert(all.end(), {m.x, m.y, m.z, f.x, f.y, f.z});
  }
  return all;
}

std::vector<long> Rates::counts() const {
  std::vector<long> all;
  for_each_clock(*this, [&](const Clock& clock) { all.push_back(clock.taken); });
  return all;
}

/// Whether the next sample is not past and the last one not ahead.
bool Rates::fits(const Clock& clock, long taken, double now) {
  const auto next = static_cast<std::size_t>(taken);
  if (taken < 0 || (clock.period == 0 && next > clock.times.size())) return false;
  return clock.times.empty() || ((next == clock.times.size() || clock.times[next] >= now) &&
                                 (next == 0 || clock.times[next - 1] <= now));
}

bool Rates::restore(const std::vector<double>& held, const std::vector<long>& counts, double now) {
  if (!std::all_of(held.begin(), held.end(), [](double x) { return std::isfinite(x); }))
    return false;
  if (held.size() != this->held().size() || counts.size() != this->counts().size()) return false;
  bool fit = true;
  std::size_t at = 0;
  for_each_clock(*this, [&](const Clock& c) { fit = fit && fits(c, counts[at++], now); });
  if (!fit) return false;
  const double* next = held.data();
  start_ = *next++;
  const auto take = [&](Eigen::VectorXd& x) {
    for (double& value : x) value = *next++;
  };
  take(constant_);
  take(reference_.q), take(reference_.v), take(reference_.a);
  for (Slot& slot : slots_) take(slot.input);
  for (ExternalForce& force : forces_) {
    auto& [m, f] = force.force;
    for (double* number : {&m.x, &m.y, &m.z, &f.x, &f.y, &f.z}) *number = *next++;
  }
  at = 0;
  for_each_clock(*this, [&](Clock& clock) { clock.taken = counts[at++]; });
  sum_held();
  return true;
}

}  // namespace linkwright
