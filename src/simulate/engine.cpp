#include "simulate/engine.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/model/names.hpp"

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
      return make_variable_step(rates, start, options);
  }
}

/// Tells at most so many of what contacts do.
constexpr long most_told = 200;
/// While something is held under efforts that may change by themselves, steps are no longer: nothing else
/// would make a method with steps of its own look again.
constexpr double longest_rest = 0.01;

/// Equations of a user's own must hand on what acts at the joints.
void require_contacts(const Rates& rates, bool closed, LimitAction limits) {
  for (const ContactFreedom& freedom :
       contact_freedoms(rates.system(), closed ? Closures::refuse : Closures::leave_out)) {
    const Friction& f = freedom.friction;
    const bool rubs = has_friction(f);
    if (!rubs && limits != LimitAction::hold) continue;
    throw Error(
        fmt::format("joint '{}' has {}, which these equations of their own do not hand on. Give "
                    "their class `contacts()` that answers with those of the TreeEquations or "
                    "ClosedEquations it uses{}",
                    freedom.name, rubs ? "dry friction" : "a limit that is to hold",
                    rubs ? "" : ", or let limits be told only (LimitAction::report)"));
  }
}

/// How long a step may be, in time constants of what fades by itself, before it grows instead.
void require_stable(const Equations& equations, const SimulationOptions& options) {
  if (!has_fixed_step(options.method)) return;
  const FastState fast = equations.fastest();
  const double most = (options.method == Method::rk4 ? 2.78 : 2.0) * fast.time;
  if (!(options.step > most)) return;
  throw Error(
      fmt::format("a step of {:g} s is too long for {}, which comes to rest within {:.3g} s: the "
                  "method '{}' would "
                  "let it explode. Take a step of {:.2g} s at most or the method 'bdf'; {}",
                  options.step, in_quotes(fast.name), fast.time, to_string(options.method),
                  most / 2, fast.advice));
}

Contacts* take_contacts(Rates& rates, LimitAction limits) {
  Contacts* contacts = rates.equations().contacts();
  if (contacts == nullptr) {
    require_contacts(rates, rates.equations().obeys_closures(), limits);
    return nullptr;
  }
  if (limits == LimitAction::hold) contacts->let_stops_act();
  return contacts->idle() ? nullptr : contacts;
}

}  // namespace

Simulation::Engine::Engine(std::unique_ptr<Equations> equations, const FullState& start,
                           const SimulationOptions& given)
    : options(given),
      rates((require_stable(*equations, given), std::move(equations)), start.state.t),
      contacts(take_contacts(rates, given.limits)),
      now(start),
      before(start),
      scratch(start),
      row(start),
      a(Eigen::VectorXd::Zero(rates.system().nv())),
      extra_rates(Eigen::VectorXd::Zero(start.extra.size())),
      closing(Eigen::VectorXd::Zero(rates.system().effort_count() - rates.system().nv())),
      outputs(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(rates.equations().outputs().size()))),
      stepper(make_stepper(rates, start, given)),
      events(rates, given.limits, given.method),
      slips(rates),
      watch(rates, start),
      drift(rates.equations()),
      origin(start.state.t) {
  if (given.cut_efforts) rates.cut_efforts();
  if (contacts != nullptr) during = contacts->conditions();
  for (Event& event : rates.equations().events()) events.add(std::move(event), now);
  watch_slips();
  released.assign(rates.equations().released().begin(), rates.equations().released().end());
  begin();
}

void Simulation::Engine::begin() {
  if (contacts != nullptr) contacts->forget();
  statistics.contacts = 0;
  slips.end();
  events.begin(now);
  before = now;
  origin = now.state.t;
  ticks = 0;
  stopped = false;
  rates.begin(origin);
  watch.begin_again(now);
  if (options.measure_drift) drift.begin(now.state, stored(now));
  rates.compute_efforts(now);  // equations that cannot tell them are refused before the run
  stepper->restart(now, true);
}

void Simulation::Engine::take_samples() {
  const bool due = rates.is_due(now.state.t);
  if (due) {
    rates.take_samples(now);
    slips.forget();
    stepper->restart(now, false);
  }
  if (contacts != nullptr && (due || inputs_changed_ || !contacts->begun())) prepare_contacts();
}

void Simulation::Engine::change_inputs() {
  inputs_changed_ = true;
  slips.forget();
  stepper->restart(now, false);
}

double Simulation::Engine::end_of_step(double limit) {
  const double end = std::min(limit, rates.next_sample());
  if (!has_fixed_step(options.method)) {
    const bool waits =
        ((contacts != nullptr && contacts->any_held()) || !slips.empty()) && rates.varies();
    return waits ? std::min(end, now.state.t + longest_rest) : end;
  }
  const double h = options.step;
  // Ends that differ by rounding are one and the same; the exact one wins.
  while (origin + static_cast<double>(ticks + 1) * h <= now.state.t + 1e-9 * h) ++ticks;
  const double tick = origin + static_cast<double>(ticks + 1) * h;
  return end < tick + 1e-9 * h ? end : tick;
}

void Simulation::Engine::take_step(double end) {
  if (contacts != nullptr) during = contacts->conditions();
  let_go_ = false;
  try {
    stepper->step(now, end);
  } catch (const NotFinite&) {
    watch.throw_explosion(before, now, end - before.state.t);
  }
}

void Simulation::Engine::settle() {
  const Eigen::VectorXd& tau = rates.compute_efforts(now);
  if (has_fixed_step(options.method))
    watch.check(before, now, tau, fed_by_closing_joints() || pushed_by_stops());
  for (std::string notice : {rates.equations().take_notice(), rates.take_notice()})
    if (!notice.empty()) occurrences.push_back({now.state.t, std::move(notice)});
  look_for_events();
  slips.look(now);
  if (options.measure_drift) look_at_drift(tau);
}

void Simulation::Engine::look_for_events() {
  if (events.empty()) return;
  const Events::Found& found = events.look(before.state.t, now, *stepper, scratch);
  tell_passed(found);
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
  // Rows within the step still see its own rates.
  if ((contacts != nullptr || !slips.empty()) && has_fixed_step(options.method))
    stepper->evaluate_end(now);
  if (options.measure_drift) look_at_drift(rates.compute_efforts(now));
  pass_contacts(fired, time);
  pass_slips(fired, time);
  for (const int index : fired)
    if (events.contact(index) < 0 && slip_of(index) < 0) act(index, time);
  stepper->restart(now, true);
  events.accept_after(fired, now, scratch);
  events.accept_contacts(now);
}

/// An event of the user's, or a limit that ends the run.
void Simulation::Engine::act(int index, double time) {
  events.note(index, time);
  occurrences.push_back({time, events.name(index)});
  stopped = stopped || events.stops(index);
  const Event* event = events.event(index);
  if (event == nullptr || !event->action) return;
  event->action(now);
  door::check_state(system(), now.state);
  normalize(system(), now.state.q);
  if (contacts != nullptr) contacts->forget();
  rates.settle(now);
  watch.begin_again(now);
  if (options.measure_drift) drift.begin_again(now.state, stored(now));
}

void Simulation::Engine::prepare_contacts() {
  const auto evaluate = [this](const FullState& at, Eigen::VectorXd& result) {
    rates.evaluate(at, result, extra_rates);
  };
  const auto tell = [this](const std::string& what) { tell_contact(what); };
  inputs_changed_ = false;
  if (!contacts->begun()) {
    contacts->begin(now, evaluate, tell);
    settle_contacts();
    stepper->restart(now, true);
  } else {
    contacts->decide_again(now, evaluate, tell);
    stepper->restart(now, false);
  }
  events.accept_contacts(now);
}

void Simulation::Engine::pass_contacts(const std::vector<int>& fired, double time) {
  watches_.clear();
  for (const int index : fired)
    if (const int contact = events.contact(index); contact >= 0) watches_.push_back(contact);
  if (watches_.empty()) return;
  count_contacts(watches_.front(), time);
  contacts->pass(
      watches_, now,
      [this](const FullState& at, Eigen::VectorXd& result) {
        rates.evaluate(at, result, extra_rates);
      },
      [this](const std::string& what) { tell_contact(what); });
  settle_contacts();
}

void Simulation::Engine::settle_contacts() {
  rates.settle(now);
  watch.begin_again(now);
  if (!options.measure_drift || !contacts->jumped()) return;
  drift.begin_again(now.state, stored(now));
  drift.drain();
}

void Simulation::Engine::tell_contact(const std::string& what) {
  static const std::string no_more =
      "joints at rest and at limits are counted from here on, not told";
  if (++statistics.contacts <= most_told) occurrences.push_back({now.state.t, what});
  if (statistics.contacts == most_told) occurrences.push_back({now.state.t, no_more});
}

/// Decisions that follow each other without time between them do not end.
void Simulation::Engine::count_contacts(int first, double time) {
  contacts_at_once_ =
      time - last_contact_ <= 1e-12 * (1 + std::abs(time)) ? contacts_at_once_ + 1 : 0;
  last_contact_ = time;
  if (contacts_at_once_ <= 50 + 4 * contacts->count()) return;
  throw Error(
      fmt::format("{} finds no end at t = {:.9g} s: it is decided {} times at once. Where "
                  "what drives it is stiff (a controller that damps much), take a shorter "
                  "step or a method for stiff systems (bdf); else let a little damping tell "
                  "the contacts apart",
                  contacts->describe(first), time, contacts_at_once_),
      Error::Kind::failed_computation);
}

void Simulation::Engine::finish() {
  slips.report(statistics);
  stepper->report(statistics);
  statistics.closure_error = rates.largest_errors().position;
  statistics.velocity_error = rates.largest_errors().velocity;
  statistics.evaluations = rates.evaluations();
  if (!options.measure_drift) return;
  statistics.conservation = drift.result(now.state, stored(now));
}

double Simulation::Engine::stored(const FullState& at) {
  const auto told = rates.equations().extra_energy(at, rates.input());
  return told ? told->stored : 0;
}

bool Simulation::Engine::has_not_moved() const {
  return now.state.t == before.state.t && now.state.q == before.state.q &&
         now.state.v == before.state.v && now.extra == before.extra;
}

Snapshot Simulation::Engine::snapshot(const FullState& at) {
  const long evaluations = rates.evaluations();
  // Within the last step contacts were as they were then.
  const bool earlier = contacts != nullptr && at.state.t < now.state.t;
  const bool held_then = let_go_ && at.state.t < now.state.t;
  if (earlier) contacts->look_back(during);
  if (held_then) rates.equations().look_back();
  rates.evaluate(at, a, extra_rates);
  if (contacts != nullptr) contacts->settle_forces();
  rates.set_evaluations(evaluations);  // a reader's, not the method's
  if (&at == &now) stepper->learn_end(now, a, extra_rates);
  const ConstraintErrors errors = rates.equations().constraint_errors(at);
  Equations& equations = rates.equations();
  released.assign(equations.released().begin(), equations.released().end());
  if (held_then) equations.look_back();
  if (earlier) contacts->look_back(during);
  equations.compute_closing_efforts(at, rates.input(), closing);
  equations.compute_outputs(at, rates.input(), outputs);
  return {at,
          a,
          rates.input(),
          rates.compute_efforts(at),
          rates.forces(),
          errors,
          contacts,
          statistics.missed_at && at.state.t >= *statistics.missed_at,
          {closing.data(), static_cast<std::size_t>(closing.size())},
          {outputs.data(), static_cast<std::size_t>(outputs.size())},
          stored(at),
          released};
}

void Simulation::Engine::interpolate(double t, FullState& out) {
  if (contacts != nullptr) contacts->look_back(during);
  if (let_go_) rates.equations().look_back();
  stepper->interpolate(t, out);
  if (let_go_) rates.equations().look_back();
  if (contacts != nullptr) contacts->look_back(during);
}

bool Simulation::Engine::fed_by_closing_joints() {
  if (!rates.equations().obeys_closures() || closing.size() == 0) return false;
  rates.equations().compute_closing_efforts(now, rates.input(), closing);
  return closing.any();
}

bool Simulation::Engine::pushed_by_stops() const {
  return contacts != nullptr && contacts->pushes();
}

void Simulation::Engine::look_at_drift(const Eigen::VectorXd& tau) {
  std::optional<ExtraEnergy> extra;
  if (rates.extra_count() > 0) extra = rates.equations().extra_energy(now, rates.input());
  const bool pushed = rates.has_loads() || pushed_by_stops();
  if (extra) extra->is_kept = extra->is_kept && !pushed;
  drift.look(now.state, tau, rates.extra_count() > 0 || pushed || fed_by_closing_joints(), extra);
}

}  // namespace linkwright
