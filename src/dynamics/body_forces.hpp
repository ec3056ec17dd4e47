#pragma once
/// Collects everything that pushes on bodies and joints for the sweeps.

#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

/// External forces of the call and the model's springs and loads on bodies, per node. Null when there
/// are none. The joints must have been placed.
const Force* gather_body_forces(Workspace& work, const State& state, ExternalForces forces);
/// Checks at the door.
void check_forces(const System& system, ExternalForces forces);
/// out += what the model declares at its joints.
void add_joint_forces(const System& system, const State& state, VectorRef out);

}  // namespace linkwright
