#include "simulate/command/watch.hpp"

#include <cmath>
#include <utility>

namespace linkwright::app {

void CommandWatch::take(const CommandedMotion& motion, const FullState& now,
                        const Reference& reference, const Eigen::VectorXd& input) {
  for (std::size_t i = 0; i < largest.size(); ++i) {
    const double effort = input[static_cast<Eigen::Index>(i)];
    if (std::abs(effort) > std::abs(largest[i])) largest[i] = effort, when[i] = now.state.t;
  }
  const auto& coordinates = motion.coordinates();
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const double away = std::abs(reference.q[coordinates[i].q] - now.state.q[coordinates[i].q]);
    if (away > distance) distance = away, farthest = i, farthest_time = now.state.t;
  }
}

Controller watched(Controller controller, std::shared_ptr<const CommandedMotion> motion,
                   std::shared_ptr<CommandWatch> watch) {
  controller.compute = [inner = std::move(controller.compute), motion = std::move(motion),
                        watch = std::move(watch)](
                           const FullState& now, const Reference& reference,
                           Eigen::VectorXd& input) {
    inner(now, reference, input);
    watch->take(*motion, now, reference, input);
  };
  return controller;
}

}  // namespace linkwright::app
