#pragma once
/// Where every frame is, how it moves, and how it moves per unit of each joint's velocity.
///
///     compute_forward_kinematics(work, state, a);
///     linkwright::Pose tip = frame_pose(work, system.frame("tip"));

#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

/// Fills poses, velocities and accelerations of all frames for the readers below. These speak of the
/// last computation on the workspace: where another compute_* has placed the joints since (all but
/// compute_joint_forces do) and has not computed what they read, at its own state, they throw Error.
void compute_forward_kinematics(Workspace& work, const State& state, const ConstVectorRef& a);

Pose frame_pose(const Workspace& work, FrameId frame);
/// [ω; v] of the frame's axes and origin.
Motion frame_velocity(const Workspace& work, FrameId frame, Axes axes);
/// [ω̇; v̇]: the true acceleration of axes and origin (what an ideal sensor would show with gravity
/// taken out).
Motion frame_acceleration(const Workspace& work, FrameId frame, Axes axes);

/// 6 × nv, [angular; linear]: velocity of the frame per unit of each freedom.
void compute_jacobian(Workspace& work, const ConstVectorRef& q, FrameId frame, Axes axes,
                      MatrixRef jacobian);
/// J̇ v: the frame's true acceleration while v̇ = 0.
Motion compute_jacobian_rate_times_velocity(Workspace& work, const State& state, FrameId frame,
                                            Axes axes);

}  // namespace linkwright
