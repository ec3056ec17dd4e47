#include "linkwright/simulate/simulation.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "simulate/parts.hpp"

namespace linkwright {
namespace {

constexpr std::array<std::pair<Method, std::string_view>, 5> method_names{
    {{Method::rk4, "rk4"},
     {Method::semi_implicit, "semi-implicit"},
     {Method::symplectic, "symplectic"},
     {Method::adams, "adams"},
     {Method::bdf, "bdf"}}};

/// More rows than a disk holds are a slip of the pen.
constexpr double most_rows = 1e10;

void check_positive(double value, const char* name) {
  if (!(value > 0) || std::isnan(value))
    throw Error(fmt::format("{} is {}; expected a positive number", name, value));
}

void check_start(const Equations& equations, const FullState& start) {
  door::check_state(equations.system(), start.state);
  if (!std::isfinite(start.state.t))
    throw Error(fmt::format("the start is at t = {}; expected a finite time", start.state.t));
  if (start.extra.size() != equations.extra_count())
    throw Error(fmt::format("the start has {} extra states; these equations have {}",
                            start.extra.size(), equations.extra_count()));
}

void check_goal(double t, double now) {
  if (std::isnan(t) || t < now)
    throw Error(fmt::format("cannot advance to t = {} s: the simulation is at {} s", t, now));
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

bool has_fixed_step(Method method) { return method != Method::adams && method != Method::bdf; }

Simulation::Simulation(const System& system, const State& start, const SimulationOptions& options)
    : Simulation(std::make_unique<TreeEquations>(system, options.closures), FullState{start, {}},
                 options) {}

Simulation::Simulation(std::unique_ptr<Equations> equations, const FullState& start,
                       const SimulationOptions& options) {
  check_options(options);
  check_start(*equations, start);
  FullState from = start;
  normalize(equations->system(), from.state.q);
  parts_ = std::make_unique<Parts>(std::move(equations), from, options);
  parts_->events.check_limits(from.state);
}

Simulation::Simulation(const System& system, const Checkpoint& from,
                       const SimulationOptions& options) {
  check_options(options);
  parts_ = std::make_unique<Parts>(std::make_unique<TreeEquations>(system, options.closures),
                                   FullState{State(system), {}}, options);
  restore(from);
}

void Simulation::set_state(const FullState& now) {
  Parts& p = *parts_;
  check_start(p.rates.equations(), now);
  p.events.check_limits(now.state);
  p.now = now;
  normalize(p.system(), p.now.state.q);
  p.begin();
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::set_effort(const ConstVectorRef& tau) {
  parts_->rates.set_effort(tau);
  parts_->stepper->restart(parts_->now, false);
}
void Simulation::set_reference(ReferenceSource source) {
  parts_->rates.set_reference(std::move(source), time());
  parts_->stepper->restart(parts_->now, false);
}
void Simulation::add_controller(Controller controller) {
  parts_->rates.add_controller(std::move(controller), time());
  parts_->stepper->restart(parts_->now, false);
}
void Simulation::add_load(Load load) {
  parts_->rates.add_load(std::move(load));
  parts_->stepper->restart(parts_->now, false);
}
void Simulation::add_event(Event event) { parts_->events.add(std::move(event), state()); }

void Simulation::step(double limit) {
  Parts& p = *parts_;
  if (p.stopped || !(limit > time())) return;
  p.take_samples();
  const double end = p.end_of_step(limit);
  if (!(end > time()))
    throw Error(fmt::format("a step of {} s does not advance the time {} s; take a longer one",
                            p.options.step, time()));
  p.before = p.now;
  p.take_step(end);
  ++p.statistics.steps;
  p.statistics.evaluations = p.rates.evaluations();
  p.settle();
}

void Simulation::advance_to(double t) {
  check_goal(t, time());
  while (!stopped() && time() < t) step(t);
  parts_->finish();
}

void Simulation::run(double t, double every, const std::function<bool(const Sample&)>& take,
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
  bool go_on = take(sample());
  while (go_on && !stopped() && time() < t) {
    step(t);
    const bool given_up = wanted && !wanted(time());
    if (every > 0) {
      for (; go_on && next_row() < time() - tolerance; ++row) {
        compute_state_at(next_row(), parts_->row);
        go_on = take(parts_->sample(parts_->row));
      }
      const bool at_row = next_row() <= time() + tolerance;
      if (at_row) ++row;
      if (!at_row && !given_up && !stopped() && time() < t) continue;
    }
    go_on = go_on && take(sample()) && !given_up;
  }
  parts_->finish();
}

const Eigen::VectorXd& Simulation::effort() const { return parts_->rates.effort(); }
double Simulation::time() const { return parts_->now.state.t; }
const State& Simulation::state() const { return parts_->now.state; }
const FullState& Simulation::full_state() const { return parts_->now; }
bool Simulation::stopped() const { return parts_->stopped; }
const std::vector<Occurrence>& Simulation::occurrences() const { return parts_->occurrences; }
const SimulationStatistics& Simulation::statistics() const { return parts_->statistics; }
const SimulationOptions& Simulation::options() const { return parts_->options; }
const System& Simulation::system() const { return parts_->system(); }

void Simulation::compute_state_at(double t, FullState& out) {
  const Parts& p = *parts_;
  if (t == time()) {
    out = p.now;
    return;
  }
  if (!(t >= p.before.state.t && t <= time()))
    throw Error(fmt::format("t = {} s is not within the last step, {} … {} s", t, p.before.state.t,
                            time()));
  parts_->stepper->interpolate(t, out);
}

Sample Simulation::sample() {
  if (!stopped()) parts_->take_samples();
  return parts_->sample(parts_->now);
}

}  // namespace linkwright
