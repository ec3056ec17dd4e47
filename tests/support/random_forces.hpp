#pragma once
/// External forces for many states: some alike on all of them, others each state's own.

#include "linkwright/batch/forces.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {

template <class B = double>
class RandomForces {
 public:
  using Wrench = Eigen::Matrix<B, Eigen::Dynamic, Eigen::Dynamic>;

  /// One of either kind in either kind of axes, on frames that chance decides.
  RandomForces(const System& system, RandomModel& random, Eigen::Index states) {
    const int frames = static_cast<int>(system.frames().size());
    for (const Axes axes : {Axes::own, Axes::world}) {
      alike.push_back(
          {{random.integer(0, frames - 1)}, {random.vector(3), random.vector(3)}, axes});
      wrenches.emplace_back(states, 6);
      for (B& number : wrenches.back().reshaped()) number = static_cast<B>(random.between(-3, 3));
    }
    for (std::size_t i = 0; i < wrenches.size(); ++i)
      own.push_back({{random.integer(1, frames - 1)}, wrenches[i], alike[i].axes});
  }
  RandomForces(const RandomForces&) = delete;
  RandomForces& operator=(const RandomForces&) = delete;

  [[nodiscard]] BasicBatchForces<B> all() const { return {alike, own}; }
  /// As the functions for one state take those on state s, spelt out once more.
  [[nodiscard]] std::vector<ExternalForce> on(Eigen::Index s) const {
    std::vector<ExternalForce> forces = alike;
    for (std::size_t i = 0; i < own.size(); ++i) {
      Eigen::Matrix<double, 6, 1> w = wrenches[i].row(s).transpose().template cast<double>();
      forces.push_back({own[i].frame, {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}, own[i].axes});
    }
    return forces;
  }

  std::vector<ExternalForce> alike;
  std::vector<Wrench> wrenches{};
  std::vector<BasicStateForce<B>> own;
};

}  // namespace linkwright::testing
