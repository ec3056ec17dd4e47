#pragma once
/// Forces that act on the mechanism besides the joint efforts.
///
/// The equation of motion every function here agrees on:
///
///     M(q) v̇ + bias(q, v) = tau + joint_forces(q, v) + Σ Jᵀ f
///
/// joint_forces are what the model declares at its joints (springs, dampers, friction, loads). The
/// sum runs over the external forces given to the call and over what the model declares on its
/// bodies (springs between bodies, body loads). bias holds Coriolis, centrifugal and gravity terms.

#include <span>

#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/workspace.hpp"

namespace linkwright {

/// In whose axes a vector is written. Its point of reference is the frame's origin in both cases.
enum class Axes { own, world };

/// A moment and a force that act at a frame's origin.
///
///     linkwright::ExternalForce push{system.frame("tip"), {{0, 0, 0}, {0, 0, -5}},
///     linkwright::Axes::world};
struct ExternalForce {
  FrameId frame;
  Force force;
  Axes axes = Axes::own;
};
/// Any number of them; `{}` for none.
using ExternalForces = std::span<const ExternalForce>;

/// Springs, damping, Coulomb friction and constant loads at the joints, as efforts. Friction
/// vanishes at v = 0 exactly.
void compute_joint_forces(Workspace& work, const State& state, VectorRef out);

}  // namespace linkwright
