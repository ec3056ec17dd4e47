#include "simulate/events.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace linkwright {

Events::Events(const System& system, LimitAction limits) : system_(&system), action_(limits) {
  if (limits == LimitAction::ignore) return;
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
  before_.assign(limits_.size(), 0);
  after_ = before_;
}

void Events::check_limits(const State& start) const {
  for (const LimitWatch& limit : limits_) {
    const double q = start.q[limit.q];
    // A start exactly at a limit is legal, whatever rounding a file's degrees went through.
    if (limit.side * (limit.bound - q) >= -1e-9 * (1 + std::abs(limit.bound))) continue;
    const std::string& name = system_->position_names()[static_cast<std::size_t>(limit.q)];
    throw Error(
        fmt::format("joint '{}' starts at {} beyond its {} limit {}; give a start within the "
                    "limits, or ignore limits (--limits ignore)",
                    name, q, limit.side > 0 ? "upper" : "lower", limit.bound));
  }
}

void Events::add(Event event, const State& now) {
  if (!event.function) throw Error(fmt::format("event '{}' has no function", event.name));
  events_.push_back(std::move(event));
  before_.push_back(value(count() - 1, now));
  after_.push_back(0);
}

double Events::value(int index, const State& at) const {
  const auto i = static_cast<std::size_t>(index);
  if (i < limits_.size()) return limits_[i].side * (limits_[i].bound - at.q[limits_[i].q]);
  const Event& event = events_[i - limits_.size()];
  const double result = event.function(at);
  if (!std::isfinite(result))
    throw Error(fmt::format("event '{}' gave {} at t = {} s; expected a finite number", event.name,
                            result, at.t));
  return result;
}

bool Events::crosses(int index, double before, double after) const {
  const Event* user = event(index);
  const auto direction = user != nullptr ? user->direction : Event::Direction::falling;
  const bool falls = before > 0 && after <= 0, rises = before < 0 && after >= 0;
  return (falls && direction != Event::Direction::rising) ||
         (rises && direction != Event::Direction::falling);
}

/// The zero between start and end: regula falsi with the Illinois weight, bisection as its guard.
double Events::locate(int index, double start, double end, double before, Stepper& stepper,
                      FullState& scratch) const {
  double a = start, b = end, fa = before;
  double fb = after_[static_cast<std::size_t>(index)];
  int side = 0;
  for (int i = 0; i < 200 && fb != 0; ++i) {
    if (b - a <= 2 * std::numeric_limits<double>::epsilon() * std::max(std::abs(a), std::abs(b)))
      break;
    double t = i % 3 == 2 ? 0.5 * (a + b) : (fa * b - fb * a) / (fa - fb);
    if (!(t > a && t < b)) t = 0.5 * (a + b);
    if (!(t > a && t < b)) break;
    stepper.interpolate(t, scratch);
    const double f = value(index, scratch.state);
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

const Events::Found& Events::look(double start, const State& now, Stepper& stepper,
                                  FullState& scratch) {
  found_.passed.clear();
  found_.ends = -1;
  found_.time = std::numeric_limits<double>::infinity();
  bool any = false;
  for (int i = 0; i < count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    after_[k] = value(i, now);
    any = any || crosses(i, before_[k], after_[k]);
  }
  if (!any) return found_;
  for (int i = 0; i < count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!crosses(i, before_[k], after_[k])) continue;
    const double t = locate(i, start, now.t, before_[k], stepper, scratch);
    if (!ends_step(i))
      found_.passed.push_back({t, name(i)});
    else if (t < found_.time)
      found_.ends = i, found_.time = t;
  }
  std::erase_if(found_.passed, [&](const Occurrence& o) { return o.time > found_.time; });
  std::stable_sort(found_.passed.begin(), found_.passed.end(),
                   [](const Occurrence& x, const Occurrence& y) { return x.time < y.time; });
  return found_;
}

void Events::accept(const State& now, int fired) {
  for (int i = 0; i < count(); ++i)
    before_[static_cast<std::size_t>(i)] = i == fired ? 0 : value(i, now);
}

const Event* Events::event(int index) const {
  const auto i = static_cast<std::size_t>(index);
  return i < limits_.size() ? nullptr : &events_[i - limits_.size()];
}

bool Events::stops(int index) const {
  const Event* user = event(index);
  return user != nullptr ? user->then == Event::Then::stop : action_ == LimitAction::stop;
}

bool Events::ends_step(int index) const {
  const Event* user = event(index);
  return stops(index) || (user != nullptr && user->action);
}

std::string Events::name(int index) const {
  const Event* user = event(index);
  return user != nullptr ? user->name : limits_[static_cast<std::size_t>(index)].name;
}

bool Events::set_values(const std::vector<double>& values) {
  if (values.size() != before_.size()) return false;
  before_ = values;
  return true;
}

}  // namespace linkwright
