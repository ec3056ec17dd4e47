#pragma once
/// States of a closed system: they keep the closures, or are brought to do so.

#include <optional>
#include <string>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "shell/state/coordinates.hpp"

namespace linkwright::app {

/// What the user says about the state of a closed system.
struct ClosedStart {
  bool assemble = false;
  /// Joints whose q and v were given: --assemble moves the others.
  std::vector<std::string> given_q{}, given_v{};
};

/// Names between commas.
std::vector<std::string> split_names(const std::string& text);

/// Joints that a list such as "elbow=0.3,base:0=1" names; all of them for a list without names.
std::vector<std::string> joints_given(const System& system, const std::optional<std::string>& text);

/// Throws Error naming the worst closure unless the state keeps every closure to 1e-8; with `assemble`
/// it is moved first.
void keep_closed(ClosedWorkspace& work, const ClosedStart& start, State& state);

}  // namespace linkwright::app
