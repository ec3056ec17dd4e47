#pragma once
/// States at rest: where gravity, springs, loads and constant efforts balance.
///
///     linkwright::linear::OperatingPoint point(system);
///     Equilibrium found = find_equilibrium(work, point);            // moves point.state to rest
///     if (!found.found) throw linkwright::Error(describe(found));
///
/// Newton's method on the accelerations at rest, along the group and along the closures, with the exact
/// derivatives of the linear model; steps are shortened until they come nearer, and where none does, the
/// mechanism is let to sink a little, as it would by itself. So stable and unstable rests are found, whichever
/// is near. Where rests are not isolated (nothing decides a coordinate) that coordinate stays where it is.
/// Dry friction is zero at rest: what it alone would hold is not at rest here.

#include <string>
#include <vector>

#include "linkwright/linear/linear_model.hpp"

namespace linkwright::linear {

struct EquilibriumOptions {
  enum class Find {
    positions,  ///< efforts (and voltages) stay as they are; joints move
    efforts     ///< freedoms with a motor stay where they are; passive ones move; motors hold
  } find = Find::positions;
  int steps = 200;  ///< at most
  /// As in LinearOptions: currents and shafts are at rest too; with Find::efforts, voltages hold.
  const actuation::Drives* drives = nullptr;
};

struct Equilibrium {
  bool found = false;
  int steps = 0;
  double residual = 0;               ///< largest acceleration that is left, rad/s² or m/s²
  std::string worst{};               ///< the state that it belongs to
  std::vector<std::string> moved{};  ///< joints that stand elsewhere than before
};

/// Sets the velocities of `point` to zero and moves its state, or its efforts, to where it stays at rest; the
/// nearest point found otherwise. Positions must keep the closures.
Equilibrium find_equilibrium(ClosedWorkspace& work, OperatingPoint& point,
                             const EquilibriumOptions& options = {});

/// "no state at rest was found near the given one: after 200 steps 'v:elbow' still changes by 3 per second …".
std::string describe(const Equilibrium& equilibrium);

}  // namespace linkwright::linear
