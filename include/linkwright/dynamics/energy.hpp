#pragma once
/// Energy, momentum and centre of mass of everything that moves.
///
///     linkwright::Energy e = compute_energy(work, state);
///     double drift = (e.kinetic + e.potential) - start;

#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

struct Energy {
  double kinetic = 0;    ///< rotors included: ½ vᵀ M v
  double potential = 0;  ///< gravity (zero at the world's origin) and springs
};
struct Momentum {
  Vector3 angular{};  ///< about the centre of mass, world axes
  Vector3 linear{};   ///< world axes
};
struct CentreOfMass {
  double mass = 0;
  Vector3 position{}, velocity{};  ///< in the world
};

Energy compute_energy(Workspace& work, const State& state);
/// Momentum of the bodies; rotors behind gears are not bodies and carry none.
Momentum compute_momentum(Workspace& work, const State& state);
CentreOfMass compute_centre_of_mass(Workspace& work, const State& state);

}  // namespace linkwright
