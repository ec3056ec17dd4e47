#include "simulate/remedies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "simulate/arguments.hpp"

namespace linkwright::app {
namespace {

using Clock = std::chrono::steady_clock;

/// A cure that takes longer than this to get where the run failed is told as not finished.
constexpr std::chrono::seconds patience{3};
/// Tolerances below this are lost in rounding.
constexpr double tightest = 1e-13;

std::vector<SimulationOptions> remedies_for(const SimulationOptions& failed) {
  std::vector<SimulationOptions> all;
  const auto add = [&](auto change) { change(all.emplace_back(failed)); };
  if (has_fixed_step(failed.method)) {
    for (const double part : {4.0, 16.0, 64.0})
      add([&](SimulationOptions& o) { o.step = failed.step / part; });
    add([](SimulationOptions& o) { o.method = Method::bdf; });
    return all;
  }
  if (failed.relative_tolerance > 100 * tightest)
    add([](SimulationOptions& o) {
      o.relative_tolerance = std::max(tightest, 1e-3 * o.relative_tolerance);
      o.absolute_tolerance *= 1e-3;
    });
  if (failed.on_miss == OnMiss::stop) return all;  // no other method foretells it any better
  add([](SimulationOptions& o) {
    o.method = o.method == Method::adams ? Method::bdf : Method::adams;
  });
  add([](SimulationOptions& o) { o.method = Method::rk4; });
  return all;
}

enum class Outcome { passes, fails, unfinished };

/// How a trial ends, and when.
struct Trial {
  Outcome outcome;
  double time;
};

Trial run_trial(Simulation simulation, double goal, const Interrupt& interrupt) {
  const Clock::time_point end = Clock::now() + patience;
  try {
    while (simulation.time() < goal && !simulation.stopped()) {
      if (interrupt.requested() || Clock::now() > end)
        return {Outcome::unfinished, simulation.time()};
      simulation.step(goal);
    }
  } catch (const Error& e) {
    if (e.kind() != Error::Kind::failed_computation) throw;
    return {Outcome::fails, simulation.time()};
  }
  return {Outcome::passes, simulation.time()};
}

}  // namespace

std::string try_remedies(const SimulationOptions& failed, double reached,
                         const Interrupt& interrupt,
                         const std::function<Simulation(const SimulationOptions&)>& make) {
  std::string told;
  for (SimulationOptions options : remedies_for(failed)) {
    if (interrupt.requested()) break;
    options.measure_drift = false;
    Trial trial{Outcome::fails, 0};
    try {
      Simulation simulation = make(options);
      // A little farther than where the run came to grief: the tenth part of its way.
      const double goal = reached + 0.1 * (reached - simulation.time()) + 1e-6;
      trial = run_trial(std::move(simulation), goal, interrupt);
    } catch (const Error&) {
      continue;  // such options are not for this system
    }
    constexpr const char* words[]{"gets past it", "fails too", "had not got there in 3 s"};
    told +=
        fmt::format("{} {} {} (t = {:.6g} s)", told.empty() ? ". Tried from the same start:" : ";",
                    describe_method(options), words[static_cast<int>(trial.outcome)], trial.time);
    if (trial.outcome == Outcome::passes) break;
  }
  return told;
}

}  // namespace linkwright::app
