#include "simulate/parts.hpp"

#include "dynamics/door.hpp"

namespace linkwright {
namespace {

std::unique_ptr<Stepper> make_stepper(Rates& rates, const FullState& start,
                                      const SimulationOptions& options) {
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

Simulation::Parts::Parts(std::unique_ptr<Equations> equations, const FullState& start,
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
      watch(rates.system(), start.state),
      origin(start.state.t) {
  begin();
}

void Simulation::Parts::begin() {
  events.check_limits(now.state);
  events.accept(now.state, -1);
  before = now;
  origin = now.state.t;
  ticks = 0;
  stopped = false;
  rates.begin(origin);
  watch.begin_again(now.state);
  stepper->restart(now, true);
}

void Simulation::Parts::take_samples() {
  if (!rates.is_due(now.state.t)) return;
  stepper->close(now, statistics);
  rates.take_samples(now.state);
  stepper->restart(now, false);
}

double Simulation::Parts::end_of_step(double limit) {
  const double end = std::min(limit, rates.next_sample());
  if (!has_fixed_step(options.method)) return end;
  const double h = options.step;
  // Ends that differ by rounding are one and the same; the exact one wins.
  while (origin + static_cast<double>(ticks + 1) * h <= now.state.t + 1e-9 * h) ++ticks;
  const double tick = origin + static_cast<double>(ticks + 1) * h;
  return end < tick + 1e-9 * h ? end : tick;
}

void Simulation::Parts::take_step(double end) {
  try {
    stepper->step(now, end);
  } catch (const NotFinite&) {
    watch.throw_explosion(before.state, now.state, end - before.state.t);
  }
}

void Simulation::Parts::settle() {
  if (has_fixed_step(options.method))
    watch.check(before.state, now.state, rates.efforts(),
                rates.has_loads() || now.extra.size() > 0);
  if (rates.equations().project(now)) stepper->restart(now, true);
  if (events.empty()) return;
  const Events::Found& found = events.look(before.state.t, now.state, *stepper, scratch);
  occurrences.insert(occurrences.end(), found.passed.begin(), found.passed.end());
  if (found.ends >= 0)
    end_at_event(found.ends, found.time);
  else
    events.accept(now.state, -1);
}

/// The step is taken again up to the event, so that the state there is as good as any other.
void Simulation::Parts::end_at_event(int index, double time) {
  if (has_fixed_step(options.method)) {
    now = before;
    stepper->repeat(now, time);
  } else {
    stepper->interpolate(time, scratch);
    now = scratch;
  }
  stepper->close(now, statistics);
  occurrences.push_back({time, events.name(index)});
  stopped = events.stops(index);
  const Event* event = events.event(index);
  if (event != nullptr && event->action) {
    event->action(now);
    door::check_state(system(), now.state);
    normalize(system(), now.state.q);
    watch.begin_again(now.state);
  }
  stepper->restart(now, true);
  events.accept(now.state, index);
}

void Simulation::Parts::finish() {
  stepper->close(now, statistics);
  stepper->report(statistics);
  statistics.evaluations = rates.evaluations();
}

Sample Simulation::Parts::sample(const FullState& at) {
  const long evaluations = rates.evaluations();
  rates.evaluate(at, a, extra_rates);
  rates.set_evaluations(evaluations);  // a reader's, not the method's
  return {at, a, rates.efforts(), rates.forces(), rates.equations().constraint_error(at)};
}

}  // namespace linkwright
