#pragma once
/// Whether a system loses energy by itself: by damping or by dry friction.
///
///     if (!linkwright::drains_energy(system)) drift = total_energy - total_energy_at_start;

#include "linkwright/system/system.hpp"

namespace linkwright {

/// Damping or friction of one joint; the dampers of its springs and motors are among them.
bool drains_energy(const System& system, const JointPlace& joint);
/// Of any joint, or a damper between two bodies. Forces without a potential that depend on the
/// velocity: there are no others in a model.
bool drains_energy(const System& system);

}  // namespace linkwright
