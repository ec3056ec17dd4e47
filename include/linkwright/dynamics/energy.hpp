#pragma once
/// Energy, momentum and centre of mass of everything that moves.
///
///     linkwright::Energy e = compute_energy(work, state);
///     double drift = (e.kinetic + e.potential) - start;
///
/// Several of them at one state cost one placement when they are read after the kinematics:
///
///     compute_forward_kinematics(work, state, a);
///     linkwright::Energy same = system_energy(work);
///     linkwright::Momentum h = system_momentum(work);
///     linkwright::CentreOfMass c = system_centre_of_mass(work);

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

/// The same, read after compute_forward_kinematics, at the state that it was given.
Energy system_energy(const Workspace& work);
Momentum system_momentum(const Workspace& work);
CentreOfMass system_centre_of_mass(const Workspace& work);

}  // namespace linkwright
