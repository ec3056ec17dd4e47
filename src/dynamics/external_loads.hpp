#pragma once
/// Collects everything that pushes on bodies for the sweeps.

#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

/// An external force at a user's frame as a load on the frame's node.
BodyForces<double>::Load to_load(const System& system, const ExternalForce& applied);
/// External forces of the call and the model's springs and loads on bodies, per node. Null when
/// there are none. The joints must have been placed.
const Force* gather_body_forces(const System& system, Scratch<double>& s, const State& state,
                                ExternalForces forces);
/// Checks at the door.
void check_forces(const System& system, ExternalForces forces);

}  // namespace linkwright
