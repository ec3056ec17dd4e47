#pragma once
/// The ways to forward dynamics that `verify` sets side by side. A new one is a function that makes
/// a Formulation, and an entry in the list of src/verify/formulations.cpp, for trees, or of
/// src/verify/closed_formulations.cpp.
///
///     using namespace linkwright::verify;
///     const ForwardDynamicsProblem problem = make_random_problem(system, tip, 1, 1);
///     Accelerations found;
///     for (const Formulation& f : make_formulations(system, tip)) f.solve(problem, found);

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/forces.hpp"
#include "linkwright/spatial/counting.hpp"
#include "linkwright/verify/absolute_coordinates.hpp"

namespace linkwright::verify {

/// What a formulation is given: a state, efforts, and a push on the tip.
struct ForwardDynamicsProblem {
  State state;
  Eigen::VectorXd tau;
  ExternalForce push;

  [[nodiscard]] ExternalForces forces() const { return {&push, 1}; }
};

/// Problem number `number` of a series: positions from compute_random, velocities uniform in ±2, efforts
/// and the components of the push in ±5; passive freedoms have no effort. The same on every machine.
ForwardDynamicsProblem make_random_problem(const System& system, FrameId tip, int seed, int number);

/// The same of a closed system, at a position and velocity that keep every closure closed: the nearest to
/// what was drawn, or where that leads nowhere, to a point on the way from there to the model's own start.
/// Throws Error (failed_computation) naming the closure that stays open.
ForwardDynamicsProblem make_closed_problem(ClosedWorkspace& work, FrameId tip, int seed,
                                           int number);

/// What a formulation finds.
struct Accelerations {
  Eigen::VectorXd joints;
  /// True acceleration of the tip in its own axes, where the formulation yields it by itself;
  /// otherwise empty, and it follows from the joints'.
  Eigen::VectorXd tip;
  /// How far each closure is open, where the formulation looks by itself; otherwise empty.
  std::vector<ClosureGap> gaps{};
  /// By how much rounding may grow through coordinates that the formulation itself chose.
  double magnification = 1;
};

/// Of everything from state and efforts to the joints' accelerations, on a tree without external
/// forces and without those that the model declares.
struct OperationsOfCall {
  int sweeps = 0;  ///< passes over all joints
  spatial::Operations operations{};
};

struct Formulation {
  std::string name;
  std::function<void(const ForwardDynamicsProblem&, Accelerations&)> solve;
  std::optional<OperationsOfCall> count{};  ///< nothing: not counted
};

/// Everything that is built and fits the model: for a tree, or with loops left out, the trunk first; for
/// a closed system the recursion first. The System must outlive them.
std::vector<Formulation> make_formulations(const System& system, FrameId tip,
                                           Loops loops = Loops::keep);
/// One sentence for each formulation that make_formulations leaves out, with the reason.
std::vector<std::string> formulations_left_out(const System& system, Loops loops = Loops::keep);

/// The formulation that shares nothing with the others but the Model. `tip` is what the push acts on, a
/// body or frame of the model.
Formulation make_absolute_coordinates(const Model& model, const std::string& tip,
                                      Loops loops = Loops::keep);

}  // namespace linkwright::verify
