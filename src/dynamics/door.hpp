#pragma once
/// Checks at the door of every public function: sizes, finiteness, quaternion norms.

#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/dynamics/workspace.hpp"

namespace linkwright::door {

/// q has nq finite entries and its quaternions have unit norm to within 1e-3 (the sweeps
/// normalise).
void check_position(const System& system, const ConstVectorRef& q, const char* name = "q");
/// A pose of a custom joint is one that its modes can reach, to within 1e-3.
void check_bound_pose(const System& system, const BoundPose& pose, const ConstVectorRef& q,
                      const char* name);
/// A vector in velocity space: nv finite entries.
void check_velocity_like(const System& system, const ConstVectorRef& x, const char* name);
/// Efforts of the motors: nv finite entries, none of them on a freedom that has no motor.
void check_efforts(const System& system, const ConstVectorRef& tau);
/// Of an effort where there is no motor; `given` says where it stands and what it is: "tau[2] is 5".
[[noreturn]] void throw_passive(const System& system, int freedom, const std::string& given);
void check_state(const System& system, const State& state);
/// A result to be written has the right size.
void check_output(Eigen::Index got, Eigen::Index expected, const char* name);
void check_output(const MatrixRef& m, Eigen::Index rows, Eigen::Index cols, const char* name);
void check_frame(const System& system, FrameId frame);
/// Throws unless the last computation on the workspace left `what`, which `reader` is about to read.
///
///     door::check_held(work, Held::velocities, "frame_velocity");
void check_held(const Workspace& work, Held what, const char* reader);

/// After a factorisation: throws, naming the joint, where D vanished relative to the inertia it
/// came from.
void check_articulated(const System& system, const Scratch<double>& s,
                       const char* otherwise = "forward dynamics has no answer");

}  // namespace linkwright::door
