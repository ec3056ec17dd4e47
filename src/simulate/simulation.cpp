#include "linkwright/simulate/simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/simulate/closed_equations.hpp"
#include "linkwright/simulate/driven_equations.hpp"
#include "linkwright/simulate/network_equations.hpp"
#include "simulate/engine.hpp"

namespace linkwright {
namespace {

constexpr std::array<std::pair<Method, std::string_view>, 6> method_names{
    {{Method::rk4, "rk4"},
     {Method::semi_implicit, "semi-implicit"},
     {Method::symplectic, "symplectic"},
     {Method::adams, "adams"},
     {Method::bdf, "bdf"},
     {Method::ida, "ida"}}};

/// More rows than a disk holds are a mistake in the numbers given.
constexpr double most_rows = 1e10;

void check_positive(double value, const char* name) {
  if (!(value > 0) || std::isnan(value))
    throw Error(fmt::format("{} is {}; expected a positive number", name, value));
}

void check_start(const Equations& equations, const FullState& start) {
  door::check_state(equations.system(), start.state);
  if (!std::isfinite(start.state.t))
    throw Error(fmt::format("the start is at t = {}; expected a finite time", start.state.t));
  const std::size_t extras = equations.extra_states().size();
  if (start.extra.size() != static_cast<Eigen::Index>(extras))
    throw Error(fmt::format("the start has {} extra states; these equations have {}",
                            start.extra.size(), extras));
  if (!start.extra.allFinite()) throw Error("the start has an extra state that is not finite");
}

void check_goal(double t, double now) {
  if (std::isnan(t) || t < now)
    throw Error(fmt::format("cannot advance to t = {} s: the simulation is at {} s", t, now));
}

}  // namespace

namespace {

std::unique_ptr<Equations> make_mechanism(const System& system, const SimulationOptions& options) {
  if (system.closures().empty() || options.closures == Closures::leave_out) {
    if (options.baumgarte_rate != 0)
      throw Error("Baumgarte's method is for closures, and this system has none to obey");
    return std::make_unique<TreeEquations>(system, options.closures);
  }
  return std::make_unique<ClosedEquations>(system,
                                           ClosedOptions{.baumgarte_rate = options.baumgarte_rate});
}

bool has_motors(const System& system) {
  return std::any_of(system.model().actuators.begin(), system.model().actuators.end(),
                     [](const Actuator& actuator) { return actuator.motor.has_value(); });
}

}  // namespace

std::unique_ptr<Equations> make_equations(const System& system, const SimulationOptions& options) {
  return add_motors(make_mechanism(system, options), options);
}

std::unique_ptr<Equations> add_motors(std::unique_ptr<Equations> mechanism,
                                      const SimulationOptions& options) {
  const System& system = mechanism->system();
  if (has_motors(system) || !options.voltages.empty())
    mechanism = std::make_unique<DrivenEquations>(std::move(mechanism), options.voltages);
  if (system.model().network.components.empty()) return mechanism;
  return std::make_unique<NetworkEquations>(std::move(mechanism), network::Network(system.model()));
}

namespace {

FullState full_start(Equations& equations, const State& start) {
  FullState full{start, {}};
  equations.compute_start(full);
  return full;
}

void check_options(const SimulationOptions& options) {
  if (has_fixed_step(options.method)) {
    check_positive(options.step, "the step");
    if (!std::isfinite(options.step)) throw Error("the step is infinite; expected seconds");
    return;
  }
  check_positive(options.relative_tolerance, "the relative tolerance");
  check_positive(options.absolute_tolerance, "the absolute tolerance");
  check_positive(options.longest_step, "the longest step");
  if (options.relative_tolerance > 0.1 || !std::isfinite(options.absolute_tolerance))
    throw Error(
        fmt::format("the tolerances are {} relative and {} absolute; expected a relative "
                    "tolerance of 0.1 at most and a finite absolute one",
                    options.relative_tolerance, options.absolute_tolerance));
}

}  // namespace

std::string_view to_string(Method method) {
  for (const auto& [value, name] : method_names)
    if (value == method) return name;
  return "?";
}

Method to_method(std::string_view name) {
  std::string known;
  for (const auto& [value, text] : method_names) {
    if (text == name) return value;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", text);
  }
  throw Error(fmt::format("there is no method '{}'; known are {}", name, known));
}

bool has_fixed_step(Method method) {
  return method != Method::adams && method != Method::bdf && method != Method::ida;
}

Simulation::Simulation(const System& system, const State& start, const SimulationOptions& options) {
  check_options(options);
  std::unique_ptr<Equations> equations = make_equations(system, options);
  door::check_state(system, start);
  const FullState full = full_start(*equations, start);
  *this = Simulation(std::move(equations), full, options);
}

Simulation::Simulation(std::unique_ptr<Equations> equations, const FullState& start,
                       const SimulationOptions& options) {
  check_options(options);
  check_start(*equations, start);
  FullState from = start;
  normalize(equations->system(), from.state.q);
  equations->begin(from);
  engine_ = std::make_unique<Engine>(std::move(equations), from, options);
  engine_->events.check_limits(from.state);
}

Simulation::Simulation(const System& system, const Checkpoint& from,
                       const SimulationOptions& options)
    : Simulation(make_equations(system, options), from, options) {}

Simulation::Simulation(std::unique_ptr<Equations> equations, const Checkpoint& from,
                       const SimulationOptions& options,
                       const std::function<void(Simulation&)>& equip) {
  check_options(options);
  const auto extras = static_cast<Eigen::Index>(equations->extra_states().size());
  const FullState any{State(equations->system()), Eigen::VectorXd::Zero(extras)};
  engine_ = std::make_unique<Engine>(std::move(equations), any, options);
  if (equip) equip(*this);
  restore(from);
}

void Simulation::set_state(const FullState& now) {
  Engine& p = *engine_;
  check_start(p.rates.equations(), now);
  p.events.check_limits(now.state);
  p.now = now;
  normalize(p.system(), p.now.state.q);
  p.rates.equations().begin(p.now);
  p.rates.forget_errors();
  p.begin();
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::set_input(const ConstVectorRef& input) {
  engine_->rates.set_input(input, time());
  engine_->change_inputs();
}
void Simulation::set_reference(ReferenceSource source) {
  engine_->rates.set_reference(std::move(source), time());
  engine_->change_inputs();
}
void Simulation::add_controller(Controller controller) {
  engine_->rates.add_controller(std::move(controller), time());
  engine_->change_inputs();
}
void Simulation::add_load(Load load) {
  engine_->rates.add_load(std::move(load), time());
  engine_->change_inputs();
}
void Simulation::add_event(Event event) { engine_->events.add(std::move(event), engine_->now); }

void Simulation::step(double limit) {
  Engine& p = *engine_;
  if (p.stopped || !(limit > time())) return;
  p.take_samples();
  p.judge_start();
  const double end = p.end_of_step(limit);
  if (!(end > time()))
    throw Error(fmt::format("a step of {} s does not advance the time {} s; take a longer one",
                            p.options.step, time()));
  p.before = p.now;
  p.take_step(end);
  ++p.statistics.steps;
  p.statistics.evaluations = p.rates.evaluations();
  p.stepper->report(p.statistics);
  p.settle();
}

void Simulation::advance_to(double t) {
  check_goal(t, time());
  while (!stopped() && time() < t) step(t);
  engine_->finish();
}

void Simulation::run(double t, double every, const std::function<bool(const Snapshot&)>& take,
                     const std::function<bool(double)>& wanted) {
  if (!(every >= 0)) throw Error(fmt::format("every {} s; expected 0 or a positive time", every));
  check_goal(t, time());
  const double from = time();
  if (every > 0 && (t - from) / every > most_rows)
    throw Error(fmt::format("every {} s until {} s makes {:.2g} rows; expected at most {:g}", every,
                            t, (t - from) / every, most_rows));
  // Rows that meet the end of a step are taken there exactly, without interpolation.
  const double tolerance = 1e-9 * every;
  long row = 1;
  const auto next_row = [&] { return from + static_cast<double>(row) * every; };
  double taken = from;
  bool go_on = take(snapshot());
  while (go_on && !stopped() && time() < t) {
    step(t);
    // An event may stop a run where it stands: that moment has its row.
    if (stopped() && time() == taken && engine_->has_not_moved()) break;
    const bool given_up = wanted && !wanted(time());
    if (every > 0) {
      for (; go_on && next_row() < time() - tolerance; ++row) {
        compute_state_at(next_row(), engine_->row);
        go_on = take(engine_->snapshot(engine_->row));
        taken = engine_->row.state.t;
      }
      const bool at_row = next_row() <= time() + tolerance;
      if (at_row) ++row;
      if (!at_row && !given_up && !stopped() && time() < t) continue;
    }
    go_on = go_on && take(snapshot()) && !given_up;
    taken = time();
  }
  engine_->finish();
}

const Eigen::VectorXd& Simulation::input() const { return engine_->rates.constant_input(); }
double Simulation::time() const { return engine_->now.state.t; }
const State& Simulation::state() const { return engine_->now.state; }
const FullState& Simulation::full_state() const { return engine_->now; }
bool Simulation::stopped() const { return engine_->stopped; }
const std::vector<Occurrence>& Simulation::occurrences() const { return engine_->occurrences; }
const SimulationStatistics& Simulation::statistics() const { return engine_->statistics; }
const SimulationOptions& Simulation::options() const { return engine_->options; }
const System& Simulation::system() const { return engine_->system(); }
const Equations& Simulation::equations() const { return engine_->rates.equations(); }

void Simulation::compute_state_at(double t, FullState& out) {
  const Engine& p = *engine_;
  if (t == time()) {
    out = p.now;
    return;
  }
  if (!(t >= p.before.state.t && t <= time()))
    throw Error(fmt::format("t = {} s is not within the last step, {} … {} s", t, p.before.state.t,
                            time()));
  engine_->interpolate(t, out);
}

Snapshot Simulation::snapshot() {
  if (!stopped()) engine_->take_samples();
  return engine_->snapshot(engine_->now);
}

}  // namespace linkwright
