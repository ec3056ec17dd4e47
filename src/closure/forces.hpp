#pragma once
/// What the last forward dynamics of a closed system left in its closures.

#include <string_view>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright::closure {

/// Multipliers of the last forward dynamics, one per row: where rows are redundant, some that are right.
void read_lambda(const ClosedWorkspace& work, VectorRef lambda);
/// Makes the multipliers known, the shortest where rows are redundant; throws Error, in the name of the `reader`, where no forward dynamics was
/// computed last.
void find_forces(ClosedWorkspace& work, std::string_view reader);
/// After find_forces: force and moment that a applies to b, at b's closure frame.
Force force_of(const ClosedWorkspace& work, const ClosurePlace& place);

}  // namespace linkwright::closure
