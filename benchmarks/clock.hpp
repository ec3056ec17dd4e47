#pragma once
/// Medians of interleaved timings.

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace bench {

inline double median(std::vector<double> x) {
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

/// A piece of work that handles `states` states per call.
struct Racer {
  std::function<void()> call;
  int states;
};

/// Nanoseconds per state of each racer in each round, the racers taking turns so that whatever
/// disturbs the machine disturbs all alike.
inline std::vector<std::vector<double>> race_rounds(const std::vector<Racer>& racers,
                                                    double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto nanoseconds = [](const Racer& racer, int passes) {
    const auto start = Clock::now();
    for (int i = 0; i < passes; ++i) racer.call();
    const std::chrono::duration<double, std::nano> taken = Clock::now() - start;
    return taken.count() / (static_cast<double>(passes) * racer.states);
  };
  std::vector<int> passes;
  double round = 0;
  for (const Racer& racer : racers) {
    nanoseconds(racer, 1);
    const double pass = racer.states * nanoseconds(racer, 1);
    passes.push_back(std::max(1, static_cast<int>(50e3 / pass)));
    round += pass * passes.back();
  }
  const double budget = seconds * 1e9 * static_cast<double>(racers.size());
  const int rounds = std::clamp(static_cast<int>(budget / round), 5, 2001);
  std::vector<std::vector<double>> times(racers.size());
  for (int r = 0; r < rounds; ++r)
    for (std::size_t k = 0; k < racers.size(); ++k) {
      const std::size_t turn = (k + static_cast<std::size_t>(r)) % racers.size();
      times[turn].push_back(nanoseconds(racers[turn], passes[turn]));
    }
  return times;
}
/// The medians.
inline std::vector<double> race(const std::vector<Racer>& racers, double seconds) {
  std::vector<double> medians;
  for (auto& times : race_rounds(racers, seconds)) medians.push_back(median(std::move(times)));
  return medians;
}

}  // namespace bench
