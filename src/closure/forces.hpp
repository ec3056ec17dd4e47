#pragma once
/// What the last forward dynamics of a closed system left in its closures.

#include <string_view>

#include "linkwright/closure/workspace.hpp"

namespace linkwright::closure {

/// Makes the multipliers known; throws Error, in the name of the `reader`, where no forward dynamics was
/// computed last.
void find_forces(ClosedWorkspace& work, std::string_view reader);
/// After find_forces: force and moment that a applies to b, at b's closure frame.
Force force_of(const ClosedWorkspace& work, const ClosurePlace& place);

}  // namespace linkwright::closure
