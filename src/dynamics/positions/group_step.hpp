#pragma once
/// Steps on the group without checks at the door, for callers that have checked already.

#include "linkwright/system/system.hpp"

namespace linkwright::group {

/// [w x y z] in q.
inline Quaternion read_quaternion(const double* q) { return {q[0], q[1], q[2], q[3]}; }
inline void write_quaternion(const Quaternion& r, double* q) {
  q[0] = r.w, q[1] = r.x, q[2] = r.y, q[3] = r.z;
}

/// out = q ⊕ dt·v: the constant velocity v acts for dt. Quaternions must have unit norm and come
/// out with it; `out` may be q itself.
void displace(const System& system, const double* q, const double* v, double dt, double* out);

/// q̇ for velocity v: v itself for plain coordinates, ½ q ⊗ ω for quaternions, R v for positions.
void compute_position_rate(const System& system, const double* q, const double* v, double* q_rate);

/// The relative velocity [ω; v] in the child's frame of a joint that carries a quaternion.
Motion pose_rate(const System& system, const JointPlace& joint, const double* v);
/// The twist that carries the pose of such a joint from q0 to q1 in unit time, by less than half a
/// turn; where a screw says how often the joint has turned, by as many turns as it says.
Motion pose_difference(const System& system, const JointPlace& joint, const double* q0,
                       const double* q1);
/// out = the pose of such a joint in q, moved by a twist that acts for unit time.
void displace_pose(const JointPlace& joint, const double* q, const Motion& twist, double* out);

/// The group that the modes of such a joint keep its pose in; null: all poses.
const PoseGroup* bound_group(const System& system, const JointPlace& joint);
/// Where it says so: how far the pose in q is from it.
PoseMisfit pose_misfit(const BoundPose& pose, const double* q);
/// Moves quaternions of non-zero length to unit norm and poses onto their groups.
void normalize(const System& system, double* q);
}  // namespace linkwright::group
