#pragma once
/// Velocity, acceleration and jerk of a frame or point as products: what [G], [H] and [D] say, without
/// building them.
///
///     FrameMotion tool = compute_frame_motion(system, state, a, jerk, system.frame("tool"), linkwright::Axes::world);
///     linkwright::Vector3 jolt = tool.jerk.linear;
///
/// Closed mechanisms: complete the motion first (compute_dependent_motion, closure/independent.hpp).
/// Cost     O(depth) of the frame, besides looking through the numbers that are given. Allocates nothing.

#include "linkwright/dynamics/forces.hpp"

namespace linkwright::coordinates {

/// The six numbers of compute_frame_influence and their rates: in Axes::world the true motion of axes and
/// origin, in Axes::own the rates of numbers in turning axes (frame_acceleration turns the true one).
struct FrameMotion {
  Motion velocity;        ///< [G] v
  Motion acceleration;    ///< [G] a + vᵀ[H] v
  Motion jerk;            ///< [G] v̈ + aᵀ(2 [H] + [H]ᵀ) v + (vᵀ[D] v) v
  Motion quadratic;       ///< vᵀ[H] v: the acceleration while a = 0
  Motion quadratic_rate;  ///< its rate: aᵀ([H] + [H]ᵀ) v + (vᵀ[D] v) v
};

/// `jerk`: v̈ of the joints.
FrameMotion compute_frame_motion(const System& system, const State& state, const ConstVectorRef& a,
                                 const ConstVectorRef& jerk, FrameId frame, Axes axes);
/// Of a point fixed in the frame, at `point` in its axes.
FrameMotion compute_point_motion(const System& system, const State& state, const ConstVectorRef& a,
                                 const ConstVectorRef& jerk, FrameId frame, const Vector3& point,
                                 Axes axes);

}  // namespace linkwright::coordinates
