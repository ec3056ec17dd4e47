#include "simulate/command/watch.hpp"

#include <cmath>
#include <utility>

namespace linkwright::app {

void CommandWatch::take_efforts(double t, const Eigen::VectorXd& input) {
  for (std::size_t i = 0; i < largest.size(); ++i) {
    const double effort = input[static_cast<Eigen::Index>(i)];
    if (std::abs(effort) > std::abs(largest[i])) largest[i] = effort, when[i] = t;
  }
}

void CommandWatch::look(const CommandedMotion& motion, const State& state) {
  const auto& coordinates = motion.coordinates();
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const double away = std::abs(motion.value(i, state.t).position - state.q[coordinates[i].q]);
    if (away > distance) distance = away, farthest = i, farthest_time = state.t;
  }
}

Controller watched(Controller controller, std::shared_ptr<CommandWatch> watch) {
  controller.compute = [inner = std::move(controller.compute), watch = std::move(watch)](
                           const FullState& now, const Reference& reference,
                           Eigen::VectorXd& input) {
    inner(now, reference, input);
    watch->take_efforts(now.state.t, input);
  };
  return controller;
}

}  // namespace linkwright::app
