#pragma once
/// The external forces of a call, as the sweeps take them.

#include "linkwright/dynamics/forces.hpp"
#include "linkwright/dynamics/sweeps/acting_forces.hpp"

namespace linkwright {

/// An external force at a user's frame as a load on the frame's node.
BodyForces<double>::Load to_load(const System& system, const ExternalForce& applied);

/// What a call was given.
struct AppliedForces {
  const System& system;
  ExternalForces forces;
};
/// All of them; `applied` must outlive the list.
ExternalLoads<double> to_loads(const AppliedForces& applied);

/// Checks at the door.
void check_forces(const System& system, ExternalForces forces);
/// After the forces were gathered: throws, naming a spring between bodies whose ends meet, so that its
/// force has no direction.
void check_springs(const System& system, const Scratch<double>& s);

}  // namespace linkwright
