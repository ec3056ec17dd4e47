#pragma once
/// States of a closed system: they keep the closures, or are brought to do so.

#include <optional>
#include <string>
#include <vector>

#include "compute/quantities.hpp"

namespace linkwright::app {

/// What the user says about a closed system.
struct ClosedArguments {
  bool assemble = false;
  std::string coordinates;  ///< "", "independent", "full" or names
  /// Joints whose q and v were given: --assemble moves the others.
  std::vector<std::string> given_q, given_v;
};

/// Joints that a list such as "elbow=0.3,base:0=1" names; all of them for a list without names.
std::vector<std::string> joints_given(const System& system, const std::optional<std::string>& text);

/// Throws Error naming the worst closure unless the state keeps every closure to 1e-8; with `assemble`
/// it is moved first.
void keep_closed(ClosedWorkspace& work, const ClosedArguments& arguments, State& state);

/// Completes accelerations: those of the independent coordinates decide the others. Throws Error naming
/// a joint for which another one was given.
void complete_accelerations(ClosedWorkspace& work, const State& state, Eigen::VectorXd& a);

/// Entries of v for --coordinates at a state; none for all.
std::vector<int> choose_coordinates(ClosedWorkspace& work, const ClosedArguments& arguments,
                                    const Quantity& quantity, const State& state);

}  // namespace linkwright::app
