#pragma once
/// What a closure of the Model demands of the accelerations of the two bodies that it ties together,
/// written straight from its description.

#include "verify/absolute_coordinates_elimination.hpp"
#include "verify/absolute_coordinates_forces.hpp"

namespace linkwright::verify::absolute {

/// A closure frame in the world.
struct ClosureFrame {
  Matrix axes;
  Vector arm;  ///< from the origin of its body's frame
  Vector position, velocity, centripetal;
};
ClosureFrame closure_frame(const BodyMotion& body, const Pose& pose);

/// How a pair of a joint type but universal lets b move: columns [angular; linear] in b's axes.
using Modes = Eigen::Matrix<Number, 6, Eigen::Dynamic>;
Modes modes_of(const Closure& closure);

/// How far a closure is open, in metres and radians.
struct Gap {
  Number distance = 0, angle = 0;
};
/// Of any kind but a gear. A custom pair whose modes generate motions beyond their own span binds
/// velocities, and is never open.
Gap closure_gap(const Closure& closure, const BodyMotion& a, const BodyMotion& b);

/// Equations on_a · x_a + on_b · x_b − own · ṡ = rest: x the [angular; linear] acceleration of a body's
/// frame in world axes, s the rates of the freedoms that a joint leaves. Forces that the equations pass
/// on are their transposes.
struct ClosureEquations {
  Equations on_a, on_b;  ///< rows × 6
  Equations own;         ///< rows × freedoms of the pair
  Unknowns rest;
  Unknowns velocity{};  ///< of a pair: b's [angular; linear] seen from a, own · s
};

/// Where a custom pair stands: a number per mode where they commute, and nothing to speak of elsewhere.
std::vector<Number> custom_position(const Closure& closure, const Matrix& rotation,
                                    const Vector& translation);

/// Of any kind but a gear, which ties joints and not bodies. Positions and velocities must keep it closed.
ClosureEquations closure_equations(const Closure& closure, const BodyMotion& a,
                                   const BodyMotion& b);

/// The pair that a grasp is while it holds, from the arm's body and the place of the arm's frame on it.
Closure to_closure(const Grasp& grasp, const std::string& arm_body, const Pose& at_arm);

}  // namespace linkwright::verify::absolute
