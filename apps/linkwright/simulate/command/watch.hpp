#pragma once
/// What a controller saw and asked for during a run.

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "linkwright/simulate/motions.hpp"

namespace linkwright::app {

struct CommandWatch {
  explicit CommandWatch(std::size_t efforts) : largest(efforts, 0), when(efforts, 0) {}

  /// Efforts, by input: the largest, with its sign, and its time.
  std::vector<double> largest, when;
  /// The largest distance from the motion at the end of a step, of which coordinate, when.
  double distance = 0;
  std::size_t farthest = 0;
  double farthest_time = 0;

  void take_efforts(double t, const Eigen::VectorXd& input);
  void look(const CommandedMotion& motion, const State& state);
};

/// The controller, its efforts watched. Allocates nothing when it is asked.
Controller watched(Controller controller, std::shared_ptr<CommandWatch> watch);

}  // namespace linkwright::app
