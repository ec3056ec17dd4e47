#pragma once
/// The ways to forward dynamics that `verify` sets side by side. A new one is a function that makes
/// a Formulation, and an entry in the list at the end of verify_formulations.cpp.

#include <functional>
#include <string>
#include <vector>

#include "linkwright/dynamics/forces.hpp"
#include "linkwright/spatial/counting.hpp"

namespace linkwright::verify {

/// What a formulation is given: a state, efforts, and a push on the tip.
struct Sample {
  State state;
  Eigen::VectorXd tau;
  ExternalForce push;

  [[nodiscard]] ExternalForces forces() const { return {&push, 1}; }
};

/// State number `number` of a series: positions from compute_random, velocities uniform in ±2, efforts
/// and the components of the push in ±5; passive freedoms have no effort. The same on every machine.
Sample make_sample(const System& system, FrameId tip, int seed, int number);

/// What a formulation finds.
struct Accelerations {
  Eigen::VectorXd joints;
  /// True acceleration of the tip in its own axes, where the formulation yields it by itself;
  /// otherwise empty, and it follows from the joints'.
  Eigen::VectorXd tip;
};

/// Of everything from state and efforts to the joints' accelerations, on a tree without external
/// forces and without those that the model declares.
struct Cost {
  int sweeps = 0;  ///< passes over all joints
  spatial::Operations operations{};
};

struct Formulation {
  std::string name;
  std::function<void(const Sample&, Accelerations&)> solve;
  Cost cost{};
};

/// Everything that is built, the trunk first. The System must outlive them. Throws Error for a system
/// with closures or grasps unless told to leave them out.
std::vector<Formulation> make_formulations(const System& system, FrameId tip,
                                           Closures closures = Closures::refuse);

}  // namespace linkwright::verify
