#pragma once
/// Accelerations, their rates and coordinates of a closed system.

#include <string>
#include <vector>

#include "compute/quantities.hpp"
#include "shell/state/closed_start.hpp"

namespace linkwright::app {

/// What the user says about a closed system.
struct ClosedArguments : ClosedStart {
  std::string coordinates{};  ///< "", "independent", "full" or names
};

/// Completes the first `count` of accelerations, jerk, snap and crackle: those of the independent coordinates decide
/// the others. Throws Error naming a joint for which another number was given.
void complete_derivatives(ClosedWorkspace& work, int count, Input& input);

/// Entries of v for --coordinates at a state; none for all.
std::vector<int> choose_coordinates(ClosedWorkspace& work, const ClosedArguments& arguments,
                                    const Quantity& quantity, const State& state);

}  // namespace linkwright::app
