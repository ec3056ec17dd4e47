#include "simulate/engine.hpp"

#include <cmath>

#include "dynamics/door.hpp"

namespace linkwright {
namespace {

std::unique_ptr<Stepper> make_stepper(Rates& rates, const FullState& start,
                                      const SimulationOptions& options) {
  // Where nothing moves, time passes all the same; the solvers behind the others want unknowns.
  if (rates.system().nv() == 0 && start.extra.size() == 0) return make_semi_implicit(rates);
  switch (options.method) {
    case Method::rk4:
      return make_runge_kutta(rates);
    case Method::semi_implicit:
      return make_semi_implicit(rates);
    case Method::symplectic:
      return make_symplectic(rates);
    default:
      return make_cvode(rates, start, options);
  }
}

}  // namespace

Simulation::Engine::Engine(std::unique_ptr<Equations> equations, const FullState& start,
                           const SimulationOptions& given)
    : options(given),
      rates(std::move(equations), start.state.t),
      now(start),
      before(start),
      scratch(start),
      row(start),
      a(Eigen::VectorXd::Zero(rates.system().nv())),
      extra_rates(Eigen::VectorXd::Zero(start.extra.size())),
      stepper(make_stepper(rates, start, given)),
      events(rates.system(), given.limits),
      watch(rates.system(), rates.equations().obeys_closures(), start.state),
      drift(rates.equations()),
      origin(start.state.t) {
  begin();
}

void Simulation::Engine::begin() {
  events.begin(now);
  before = now;
  origin = now.state.t;
  ticks = 0;
  stopped = false;
  rates.begin(origin);
  watch.begin_again(now.state);
  if (options.measure_drift) drift.begin(now.state);
  rates.compute_efforts(now);  // equations that cannot tell them are refused before the run
  stepper->restart(now, true);
}

void Simulation::Engine::take_samples() {
  if (!rates.is_due(now.state.t)) return;
  rates.take_samples(now);
  stepper->restart(now, false);
}

double Simulation::Engine::end_of_step(double limit) {
  const double end = std::min(limit, rates.next_sample());
  if (!has_fixed_step(options.method)) return end;
  const double h = options.step;
  // Ends that differ by rounding are one and the same; the exact one wins.
  while (origin + static_cast<double>(ticks + 1) * h <= now.state.t + 1e-9 * h) ++ticks;
  const double tick = origin + static_cast<double>(ticks + 1) * h;
  return end < tick + 1e-9 * h ? end : tick;
}

void Simulation::Engine::take_step(double end) {
  try {
    stepper->step(now, end);
  } catch (const NotFinite&) {
    watch.throw_explosion(before.state, now.state, end - before.state.t);
  }
}

void Simulation::Engine::settle() {
  const Eigen::VectorXd& tau = rates.compute_efforts(now);
  if (has_fixed_step(options.method))
    watch.check(before.state, now.state, tau, rates.forces(),
                now.extra.size() > 0 || fed_by_closing_joints());
  if (std::string notice = rates.equations().take_notice(); !notice.empty())
    occurrences.push_back({now.state.t, std::move(notice)});
  look_for_events();
  if (options.measure_drift)
    drift.look(now.state, tau, rates.has_loads() || fed_by_closing_joints());
}

void Simulation::Engine::look_for_events() {
  if (events.empty()) return;
  const Events::Found& found = events.look(before.state.t, now, *stepper, scratch);
  occurrences.insert(occurrences.end(), found.passed.begin(), found.passed.end());
  if (!found.ends.empty())
    end_at_events(found.ends, found.time);
  else
    events.accept(now);
}

/// The step is taken again up to the events, so that the state there is as good as any other.
void Simulation::Engine::end_at_events(const std::vector<int>& fired, double time) {
  // A shorter step of semi-implicit Euler ends elsewhere than its dense output, by its own error.
  if (options.method == Method::rk4 || options.method == Method::symplectic) {
    now = before;
    if (time - before.state.t > 1e-9 * options.step)
      stepper->repeat(now, time);
    else
      now.state.t = time;  // too short to be a step
  } else {
    stepper->interpolate(time, scratch);
    now = scratch;
  }
  if (options.measure_drift)
    drift.look(now.state, rates.compute_efforts(now), rates.has_loads() || fed_by_closing_joints());
  for (const int index : fired) {
    events.note(index, time);
    occurrences.push_back({time, events.name(index)});
    stopped = stopped || events.stops(index);
    const Event* event = events.event(index);
    if (event == nullptr || !event->action) continue;
    event->action(now);
    door::check_state(system(), now.state);
    normalize(system(), now.state.q);
    rates.settle(now);
    watch.begin_again(now.state);
    if (options.measure_drift) drift.begin_again(now.state);
  }
  stepper->restart(now, true);
  events.accept_after(fired, now, scratch);
}

void Simulation::Engine::finish() {
  stepper->report(statistics);
  statistics.closure_error = rates.largest_errors().position;
  statistics.velocity_error = rates.largest_errors().velocity;
  statistics.evaluations = rates.evaluations();
  if (options.measure_drift) statistics.conservation = drift.result(now.state);
}

bool Simulation::Engine::has_not_moved() const {
  return now.state.t == before.state.t && now.state.q == before.state.q &&
         now.state.v == before.state.v && now.extra == before.extra;
}

Snapshot Simulation::Engine::snapshot(const FullState& at) {
  const long evaluations = rates.evaluations();
  rates.evaluate(at, a, extra_rates);
  rates.set_evaluations(evaluations);  // a reader's, not the method's
  return {at,
          a,
          rates.input(),
          rates.compute_efforts(at),
          rates.forces(),
          rates.equations().constraint_errors(at),
          statistics.missed_at && at.state.t >= *statistics.missed_at};
}

bool Simulation::Engine::fed_by_closing_joints() {
  const Eigen::Index behind =
      rates.input().size() - a.size();  // of equations with other inputs: none
  return rates.equations().obeys_closures() && behind > 0 && rates.input().tail(behind).any();
}

}  // namespace linkwright
