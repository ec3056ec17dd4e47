#pragma once
/// Joints that close loops stay alive: where they stand, how fast they move, what acts on them.
///
///     linkwright::ClosedWorkspace work(system);
///     Eigen::VectorXd angles(system.closing_names().size());
///     linkwright::compute_closing_coordinates(work, state.q, angles);
///
/// One number per freedom, named by System::closing_names. A joint whose position is a pose (ball,
/// free) gives its rotation vector and its place. Angles count full turns where all joints between
/// their links turn about parallel axes (planar loops); elsewhere they lie within half a turn, and
/// those of screws follow from their way.

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright {

void compute_closing_coordinates(ClosedWorkspace& work, const ConstVectorRef& q,
                                 VectorRef coordinates);
void compute_closing_rates(ClosedWorkspace& work, const State& state, VectorRef rates);
/// Springs, damping, friction and loads of the model at these joints, as efforts.
void compute_closing_forces(ClosedWorkspace& work, const State& state, VectorRef efforts);

/// Of the mechanism: rotors and springs at closing joints included.
Energy compute_energy(ClosedWorkspace& work, const State& state);

}  // namespace linkwright
