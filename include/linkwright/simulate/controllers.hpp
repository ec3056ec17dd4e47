#pragma once
/// Ready controllers. Each drives the joints that it is told, after the reference of the simulation, and
/// gives no effort to any other; none of them allocates when it is asked.
///
///     simulation.set_reference(linkwright::to_source(motion));
///     simulation.add_controller(linkwright::pd(system, {.kp = {80}, .kd = {8}}));

#include <string>
#include <vector>

#include "linkwright/simulate/callbacks.hpp"

namespace linkwright {

/// Which joints are driven, and how hard.
struct ControlOptions {
  /// By the names of System::velocity_names; none: all that have a motor. Throws Error for an unknown or
  /// a passive one.
  std::vector<std::string> joints{};
  /// One number for all of them, or one for each.
  std::vector<double> kp{400}, kd{40};
  double period = 0;  ///< seconds between samples; 0: at every evaluation
};

/// tau = kp (q_ref ⊖ q) + kd (v_ref − v), gains in N·m/rad and N·m·s/rad (N/m, N·s/m where joints slide).
///
///     simulation.add_controller(linkwright::pd(system, {.joints = {"elbow"}, .kp = {80}, .kd = {8}}));
Controller pd(const System& system, const ControlOptions& options = {});

/// The same, and the efforts that hold the mechanism where it is against gravity, springs and loads of
/// the model.
///
///     simulation.add_controller(linkwright::pd_with_gravity(system, {.kp = {80}, .kd = {8}}));
Controller pd_with_gravity(const System& system, const ControlOptions& options = {});

/// The efforts that give the driven joints the accelerations a_ref + kd (v_ref − v) + kp (q_ref ⊖ q),
/// gains in 1/s and 1/s²: errors fade like those of a spring and damper, whatever the mechanism. Freedoms
/// that nothing drives move as they must. Dry friction of the driven joints is overcome in the direction
/// in which the reference moves, where that is faster than about 1e-3 per second; the rest, and the
/// friction of other joints, is left to the gains. Trees: inverse dynamics, O(N), with the mass matrix where not
/// all joints are driven; closed systems: one forward dynamics per driven joint, and where the motors are
/// more than the freedoms they share the work with least Σ tau².
///
///     simulation.add_controller(linkwright::computed_torque(system, {.kp = {400}, .kd = {40}}));
Controller computed_torque(const System& system, const ControlOptions& options = {});

/// Gains of `pd` that make each joint by itself, as heavy as it is at q, a spring and damper with these
/// gains of `computed_torque`: kp · inertia, kd · inertia.
///
///     linkwright::ControlOptions stiff = linkwright::scaled_by_inertia(system, start.q, {.kp = {900}, .kd = {60}});
ControlOptions scaled_by_inertia(const System& system, const ConstVectorRef& q,
                                 const ControlOptions& options);

}  // namespace linkwright
