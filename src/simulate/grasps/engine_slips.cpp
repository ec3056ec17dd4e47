#include <fmt/format.h>

#include "simulate/engine.hpp"

namespace linkwright {

/// Events of contacts stand behind those of the equations. They let a run pass, stop it or, to release a
/// contact, end a step.
void Simulation::Engine::watch_slips() {
  for (int i = 0; i < slips.count(); ++i) {
    Event event{.name = fmt::format("contact '{}' lets go", slips.name(i)),
                .function = [this, i](const FullState& at) { return slips.value(i, at); },
                .direction = Event::Direction::falling};
    if (options.on_slip == OnSlip::stop) event.then = Event::Then::stop;
    if (options.on_slip == OnSlip::release) event.action = [](FullState&) {};
    const int index = events.add(std::move(event), now);
    if (i == 0) first_slip_ = index;
  }
}

int Simulation::Engine::slip_of(int event) const {
  const int i = event - first_slip_;
  return !slips.empty() && i >= 0 && i < slips.count() ? i : -1;
}

void Simulation::Engine::judge_start() {
  if (slips.empty() || slips.begun()) return;
  slips.begin();
  std::vector<int> outside;
  for (int i = 0; i < slips.count(); ++i)
    if (slips.value(i, now) < 0) outside.push_back(i);
  const auto tell = [this](const std::string& what) {
    tell_slip(now.state.t, "where the run starts, " + what);
  };
  if (options.on_slip == OnSlip::stop && !outside.empty()) {
    std::string all;
    for (const int i : outside) all += (all.empty() ? "" : "; ") + slips.note(i, now);
    throw Error(
        fmt::format("where the run starts, {}. Give efforts that squeeze harder, or let the run go "
                    "on (--on-slip warn) or the contact go (--on-slip release)",
                    all));
  }
  if (options.on_slip == OnSlip::warn)
    for (const int i : outside) tell(slips.note(i, now));
  if (options.on_slip == OnSlip::release && !outside.empty()) {
    release({}, tell);
    stepper->restart(now, true);
  }
  for (int i = 0; i < slips.count(); ++i) events.look_again(first_slip_ + i, now);
}

void Simulation::Engine::tell_slip(double time, const std::string& what) {
  if (!what.empty()) occurrences.push_back({time, what});
}

void Simulation::Engine::tell_passed(const Events::Found& found) {
  for (const Events::Passed& passed : found.passed) {
    const int slip = slip_of(passed.index);
    if (slip < 0) {
      occurrences.push_back(passed.told);
      continue;
    }
    stepper->interpolate(passed.told.time, scratch);
    tell_slip(passed.told.time, slips.note(slip, scratch));
  }
}

void Simulation::Engine::pass_slips(const std::vector<int>& fired, double time) {
  std::vector<int> let_go;
  for (const int index : fired) {
    const int slip = slip_of(index);
    if (slip < 0 || slips.is_released(slip)) continue;
    events.note(index, time);
    let_go.push_back(slip);
  }
  if (let_go.empty()) return;
  const auto tell = [this, time](const std::string& what) { tell_slip(time, what); };
  if (options.on_slip == OnSlip::release) return release(std::move(let_go), tell);
  for (const int slip : let_go) tell(slips.note(slip, now));
  stopped = true;
}

void Simulation::Engine::release(std::vector<int> fired, const SlipWatch::Tell& tell) {
  std::string last;
  try {
    slips.release(std::move(fired), now, [&](const std::string& what) {
      last = what;
      tell(what);
    });
  } catch (const Error& e) {
    throw Error(fmt::format("{}, and what is left at t = {:.9g} s cannot move: {}", last,
                            now.state.t, e.what()),
                Error::Kind::failed_computation);
  }
  let_go_ = true;
  if (contacts != nullptr) contacts->forget();
  rates.settle(now);
  watch.begin_again(now);
  if (options.measure_drift) drift.begin_again(now.state, stored(now));
}

}  // namespace linkwright
