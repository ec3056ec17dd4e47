#include "simulate/events/events.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/positions/group_step.hpp"

namespace linkwright {
namespace {

/// Stands for a value near zero that counts as positive.
constexpr double inside = std::numeric_limits<double>::min();

}  // namespace

Events::Events(Rates& rates, LimitAction limits, Method method)
    : rates_(&rates),
      system_(&rates.system()),
      contacts_(rates.equations().contacts()),
      all_(contacts_),
      action_(limits),
      a_(Eigen::VectorXd::Zero(system_->nv())),
      extra_rates_(Eigen::VectorXd::Zero(rates.extra_count())),
      long_steps_(!has_fixed_step(method)) {
  if (contacts_ != nullptr && contacts_->idle()) contacts_ = nullptr;
  if (limits == LimitAction::report || limits == LimitAction::stop) {
    watch_limits();
    watch_closing_limits();
  }
  before_.assign(static_cast<std::size_t>(count()), 0);
  after_ = times_ = before_;
  paces_.resize(before_.size());
}

void Events::watch_limits() {
  const System& system = *system_;
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    if (place.quaternion >= 0) continue;
    for (int i = 0; i < place.nq; ++i) {
      const Limits range = per_freedom(system.model().joints[j].limits, i, Limits{});
      const std::string& name = system.position_names()[static_cast<std::size_t>(place.q + i)];
      if (std::isfinite(range.upper))
        limits_.push_back(
            {place.q + i, range.upper, 1,
             fmt::format("joint '{}' passes its upper limit {:g}", name, range.upper)});
      if (std::isfinite(range.lower))
        limits_.push_back(
            {place.q + i, range.lower, -1,
             fmt::format("joint '{}' passes its lower limit {:g}", name, range.lower)});
    }
  }
}

void Events::watch_closing_limits() {
  if (all_ == nullptr) return;
  for (int i = 0; i < all_->count(); ++i) {
    const ContactFreedom& freedom = all_->freedoms()[static_cast<std::size_t>(i)];
    if (freedom.closing < 0) continue;
    const auto watch = [&](double bound, double side, const char* which) {
      if (!std::isfinite(bound)) return;
      limits_.push_back(
          {-1, bound, side,
           fmt::format("joint '{}' passes its {} limit {:g}", freedom.name, which, bound), i});
    };
    watch(freedom.limits.upper, 1, "upper");
    watch(freedom.limits.lower, -1, "lower");
  }
}

double Events::position(const LimitWatch& limit, const State& at) const {
  return limit.q >= 0 ? at.q[limit.q] : all_->position(limit.freedom, at);
}

void Events::check_limits(const State& start) const {
  const auto check = [&](const LimitWatch& limit, const std::string& name) {
    const double q = position(limit, start), bound = limit.bound, side = limit.side;
    if (side * (bound - q) >= -limit.slack()) return;
    throw Error(
        fmt::format("joint '{}' starts at {} beyond its {} limit {}; give a start within the "
                    "limits (--start middle), or ignore limits (--limits ignore)",
                    name, q, side > 0 ? "upper" : "lower", bound));
  };
  const auto name_of = [&](int entry) -> const std::string& {
    return system_->position_names()[static_cast<std::size_t>(entry)];
  };
  for (const LimitWatch& limit : limits_)
    check(limit, limit.q >= 0 ? name_of(limit.q)
                              : all_->freedoms()[static_cast<std::size_t>(limit.freedom)].name);
  if (contacts_ == nullptr || !contacts_->stops_act()) return;
  for (const ContactFreedom& freedom : contacts_->freedoms()) {
    // A compliant stop may have given way.
    if (freedom.q < 0 || std::isfinite(freedom.limits.stiffness)) continue;
    check({freedom.q, freedom.limits.upper, 1, {}}, name_of(freedom.q));
    check({freedom.q, freedom.limits.lower, -1, {}}, name_of(freedom.q));
  }
}

int Events::add(Event event, const FullState& now) {
  if (!event.function) throw Error(fmt::format("event '{}' has no function", event.name));
  events_.push_back(std::move(event));
  before_.push_back(value(count() - 1, now));
  after_.push_back(0);
  times_.push_back(0);
  paces_.emplace_back();
  return count() - 1;
}

void Events::look_again(int index, const FullState& now) {
  before_[static_cast<std::size_t>(index)] = value(index, now);
}

int Events::contact(int index) const {
  return index >= first_contact() && index < first_event() ? index - first_contact() : -1;
}

double Events::slack(int index) const {
  if (const int watch = contact(index); watch >= 0) return contacts_->slack(watch);
  return limits_[static_cast<std::size_t>(index)].slack();
}

double Events::value(int index, const FullState& at) {
  const auto i = static_cast<std::size_t>(index);
  if (i < limits_.size())
    return limits_[i].side * (limits_[i].bound - position(limits_[i], at.state));
  if (const int watch = contact(index); watch >= 0) {
    if (contacts_->needs_rates(watch)) rates_->evaluate(at, a_, extra_rates_);
    return contacts_->value(watch, at.state);
  }
  const Event& event = events_[static_cast<std::size_t>(index - first_event())];
  const double result = event.function(at);
  if (!std::isfinite(result))
    throw Error(fmt::format("event '{}' gave {} at t = {} s; expected a finite number", event.name,
                            result, at.state.t));
  return result;
}

bool Events::crosses(int index, double before, double after) const {
  const Event* user = event(index);
  // To touch a limit is not to pass it.
  if (user == nullptr) return before > 0 && after < -slack(index);
  const bool falls = before > 0 && after <= 0;
  const bool rises = before < 0 && after >= 0;
  return (falls && user->direction != Event::Direction::rising) ||
         (rises && user->direction != Event::Direction::falling);
}

/// The zero between start and end: regula falsi with the Illinois weight, bisection as its guard.
double Events::locate(int index, double start, double end, double before, Stepper& stepper,
                      FullState& scratch) {
  double a = start, b = end, fa = before;
  double fb = after_[static_cast<std::size_t>(index)];
  // A function that has just left zero (a ball after its bounce) may come back within the step: the
  // zero wanted is the one after a place where it has its new sign.
  const double near = event(index) == nullptr ? slack(index) : 0;
  for (int k = 1; std::abs(before) == inside && fa == before && k < 40; ++k) {
    const double t = start + std::ldexp(end - start, -k);
    if (!(t > start)) break;
    stepper.interpolate(t, scratch);
    const double f = value(index, scratch);
    if (f != 0 && (f > 0) == (before > 0) && std::abs(f) > near) a = t, fa = f;
  }
  // A joint that stood at its limit and never was inside leaves it where the step begins.
  if (event(index) == nullptr && fa == inside) return start;
  int side = 0;
  for (int i = 0; i < 200 && fb != 0; ++i) {
    if (b - a <= 2 * std::numeric_limits<double>::epsilon() * std::max(std::abs(a), std::abs(b)))
      break;
    double t = i % 3 == 2 ? 0.5 * (a + b) : (fa * b - fb * a) / (fa - fb);
    if (!(t > a && t < b)) t = 0.5 * (a + b);
    if (!(t > a && t < b)) break;
    stepper.interpolate(t, scratch);
    const double f = value(index, scratch);
    if ((f > 0) == (fa > 0) && f != 0) {
      a = t, fa = f;
      if (side == 1) fb *= 0.5;
      side = 1;
    } else {
      b = t, fb = f;
      if (side == -1) fa *= 0.5;
      side = -1;
    }
  }
  return b;
}

double Events::contact_slope(int index) const { return contacts_->slope_read(contact(index)); }

bool Events::compare_contacts() {
  bool any = false;
  double* after = after_.data() + first_contact();
  const double* before = before_.data() + first_contact();
  for (int watch = 0; watch < contacts_->watch_count(); ++watch) {
    after[watch] = contacts_->value_read(watch);
    any = any || (after[watch] < 0 && before[watch] > 0 && after[watch] < -contacts_->slack(watch));
  }
  return any;
}

bool Events::look_at_contacts(double t, Stepper& stepper, FullState& scratch) {
  stepper.interpolate(t, scratch);
  if (contacts_->any_held()) rates_->evaluate(scratch, a_, extra_rates_);
  contacts_->read(scratch.state);
  return compare_contacts();
}

/// Whether some contact happens between two times, by the values at the second and by the lowest value of
/// those that fall at the first and rise at the second.
bool Events::look_between(double t0, double t1, Stepper& stepper, FullState& scratch,
                          double& time) {
  time = t1;
  if (look_at_contacts(t1, stepper, scratch)) return true;
  for (int i = first_contact(); i < first_event(); ++i) {
    double& slope = slopes_[static_cast<std::size_t>(contact(i))];
    const bool turns = slope < 0 && contact_slope(i) > 0;
    slope = contact_slope(i);
    if (!turns) continue;
    double a = t0, b = t1;
    for (int k = 0; k < 40; ++k) {
      time = 0.5 * (a + b);
      if (look_at_contacts(time, stepper, scratch)) return true;
      (contact_slope(i) < 0 ? a : b) = time;
    }
    look_at_contacts(t1, stepper, scratch);
  }
  return false;
}

double Events::first_contact_time(double start, const FullState& now, Stepper& stepper,
                                  FullState& scratch) {
  const int parts = contacts_->has_friction() ? 8 : 4;
  slopes_.resize(static_cast<std::size_t>(contacts_->watch_count()));
  look_at_contacts(start, stepper, scratch);
  for (int i = first_contact(); i < first_event(); ++i)
    slopes_[static_cast<std::size_t>(contact(i))] = contact_slope(i);
  const double h = now.state.t - start;
  double t0 = start;
  for (int part = 1; part <= parts; ++part) {
    const double t1 = part == parts ? now.state.t : start + part * h / parts;
    double time = t1;
    if (look_between(t0, t1, stepper, scratch, time)) return time;
    t0 = t1;
  }
  return now.state.t;
}

const Events::Found& Events::look(double start, const FullState& now, Stepper& stepper,
                                  FullState& scratch) {
  found_.passed.clear();
  found_.ends.clear();
  found_.time = std::numeric_limits<double>::infinity();
  bool any = false;
  double end = now.state.t;
  if (contacts_ != nullptr && long_steps_) end = first_contact_time(start, now, stepper, scratch);
  const bool whole = end == now.state.t;
  if (!whole) stepper.interpolate(end, scratch);
  const FullState& last = whole ? now : scratch;
  if (contacts_ != nullptr && contacts_->any_held()) {
    if (whole)
      stepper.evaluate_end(now);
    else
      rates_->evaluate(scratch, a_, extra_rates_);
  }
  const auto compare = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      const auto k = static_cast<std::size_t>(i);
      after_[k] = value(i, last);
      any = any || crosses(i, before_[k], after_[k]);
    }
  };
  compare(0, first_contact());
  if (contacts_ != nullptr) {
    contacts_->read(last.state);
    any = compare_contacts() || any;
  }
  compare(first_event(), count());
  if (!any) return found_;
  for (int i = 0; i < count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    times_[k] = std::numeric_limits<double>::infinity();
    if (!crosses(i, before_[k], after_[k])) continue;
    times_[k] = locate(i, start, end, before_[k], stepper, scratch);
    if (ends_step(i))
      found_.time = std::min(found_.time, times_[k]);
    else
      found_.passed.push_back({{times_[k], name(i)}, i});
  }
  // Events that differ by rounding happen together.
  const double together = found_.time + 1e-12 * (1 + std::abs(found_.time));
  for (int i = 0; i < count(); ++i)
    if (ends_step(i) && std::isfinite(together) && times_[static_cast<std::size_t>(i)] <= together)
      found_.ends.push_back(i);
  std::erase_if(found_.passed, [&](const Passed& p) { return p.told.time > found_.time; });
  std::stable_sort(found_.passed.begin(), found_.passed.end(),
                   [](const Passed& x, const Passed& y) { return x.told.time < y.told.time; });
  return found_;
}

void Events::begin(const FullState& start) {
  std::fill(after_.begin(), after_.end(), 0.0);
  accept(start);
  std::fill(paces_.begin(), paces_.end(), Pace{});
}

void Events::accept(const FullState& now) {
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    before_[k] = value(static_cast<int>(k), now);
    if (std::abs(before_[k]) <= limits_[k].slack()) before_[k] = inside;
  }
  // Those of contacts have just been looked at, and are positive until something happens.
  for (int i = first_contact(); i < first_event(); ++i)
    before_[static_cast<std::size_t>(i)] = std::max(after_[static_cast<std::size_t>(i)], inside);
  for (int i = first_event(); i < count(); ++i)
    before_[static_cast<std::size_t>(i)] = value(i, now);
}

void Events::accept_contacts(const FullState& now) {
  if (contacts_ == nullptr) return;
  if (contacts_->any_held()) rates_->evaluate(now, a_, extra_rates_);
  contacts_->read(now.state);
  for (int i = first_contact(); i < first_event(); ++i) {
    const double f = contacts_->value_read(i - first_contact());
    before_[static_cast<std::size_t>(i)] = f > slack(i) ? f : inside;
  }
}

void Events::accept_after(const std::vector<int>& fired, const FullState& now, FullState& scratch) {
  accept(now);
  // A glance ahead along the velocity tells to which side the motion leaves.
  constexpr double glance = 1e-7;
  scratch = now;
  scratch.state.t += glance;
  group::displace(*system_, now.state.q.data(), now.state.v.data(), glance, scratch.state.q.data());
  for (const int i : fired) {
    if (contact(i) >= 0) continue;
    const double rise = value(i, scratch) - value(i, now);
    before_[static_cast<std::size_t>(i)] = rise > 0 ? inside : rise < 0 ? -inside : 0;
  }
}

void Events::note(int index, double time) {
  Pace& pace = paces_[static_cast<std::size_t>(index)];
  const double interval = time - pace.last;
  pace.quickening = interval < 0.95 * pace.interval ? pace.quickening + 1 : 0;
  pace.last = time;
  pace.interval = interval;
  // A ball that bounces lower and lower has infinitely many impacts in finite time.
  if (pace.quickening < 12 || interval > 1e-5) return;
  throw Error(
      fmt::format("events '{}' pile up at t = {:.9g} s, each sooner after the last, now {:.1g} s; "
                  "let the event stop the run, or let its action bring the motion to rest",
                  name(index), time, interval),
      Error::Kind::failed_computation);
}

const Event* Events::event(int index) const {
  const auto i = static_cast<std::size_t>(index);
  return index < first_event() ? nullptr : &events_[i - static_cast<std::size_t>(first_event())];
}

bool Events::stops(int index) const {
  const Event* user = event(index);
  if (user == nullptr) return contact(index) < 0 && action_ == LimitAction::stop;
  return user->then == Event::Then::stop;
}

bool Events::ends_step(int index) const {
  const Event* user = event(index);
  return contact(index) >= 0 || stops(index) || (user != nullptr && user->action);
}

std::string Events::name(int index) const {
  const Event* user = event(index);
  if (const int watch = contact(index); watch >= 0) return contacts_->describe(watch);
  return user != nullptr ? user->name : limits_[static_cast<std::size_t>(index)].name;
}

bool Events::set_values(const std::vector<double>& values) {
  if (values.size() != before_.size()) return false;
  before_ = values;
  return true;
}

}  // namespace linkwright
