#pragma once
/// The kinematics of a state, as compute_forward_kinematics and the sums over bodies begin.

#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/workspace.hpp"

namespace linkwright {

/// Checks the state, places the joints, computes poses and velocities, and keeps the state for the
/// readers that need more of it than the bodies' motion (Held::state).
void place_and_move(Workspace& work, const State& state);

}  // namespace linkwright
