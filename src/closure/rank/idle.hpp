#pragma once
/// Freedoms that move one body, or a chain of bodies as one, and leave everything else at rest.

#include "linkwright/closure/mobility.hpp"

namespace linkwright::closure {

/// At the position that the workspace was last placed at by compute_row_space.
std::vector<Mobility::Idle> find_idle(ClosedWorkspace& work);

}  // namespace linkwright::closure
