#pragma once
/// Energy, momentum and centre of mass of everything that moves.
///
///     linkwright::Energy e = compute_energy(work, state);
///     double drift = (e.kinetic + e.potential) - start;
///
/// Several of them at one state cost one placement when they are read after the kinematics:
///
///     compute_forward_kinematics(work, state, a);
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

/// The same, read after compute_forward_kinematics. Rotors and springs on joints have no place in
/// the kinematics: the energy asks for the state again, which must be the one that was placed.
Energy system_energy(const Workspace& work, const State& placed);
Momentum system_momentum(const Workspace& work);
CentreOfMass system_centre_of_mass(const Workspace& work);

}  // namespace linkwright
