#include "dynamics/positions/group_step.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace linkwright::group {
namespace {

/// The turn r of a displacement whose advance along a screw is known, with its whole turns.
Vector3 with_whole_turns(const PoseGroup& group, const Vector3& r, const Vector3& shift) {
  const double angle = dot(group.axis, r), turn = 2 * std::numbers::pi;
  const double turns = std::nearbyint((dot(group.axis, shift) / group.pitch - angle) / turn);
  return (angle + turn * turns) * group.axis;
}

}  // namespace

Motion pose_rate(const System& system, const JointPlace& joint, const double* v) {
  if (joint.type == JointType::free) return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
  const Node<double>& node = system.tree().nodes[static_cast<std::size_t>(joint.node)];
  const Modes<double>& modes = system.tree().modes[static_cast<std::size_t>(node.modes)];
  Motion rate{};
  for (int i = 0; i < modes.d; ++i) rate += v[i] * modes.column[i];
  return rate;
}

const PoseGroup* bound_group(const System& system, const JointPlace& joint) {
  for (const BoundPose& pose : system.tree().bound_poses)
    if (pose.q == joint.q) return &pose.group;
  return nullptr;
}

PoseMisfit pose_misfit(const BoundPose& pose, const double* q) {
  const double* x = q + pose.q;
  return misfit(pose.group, normalized(read_quaternion(x)), {x[4], x[5], x[6]});
}

void normalize(const System& system, double* q) {
  for (const int at : system.tree().quaternions)
    write_quaternion(normalized(read_quaternion(q + at)), q + at);
  for (const BoundPose& pose : system.tree().bound_poses) {
    double* x = q + pose.q;
    Quaternion r = read_quaternion(x);
    Vector3 p{x[4], x[5], x[6]};
    project(pose.group, r, p);
    write_quaternion(r, x);
    x[4] = p.x, x[5] = p.y, x[6] = p.z;
  }
}

Motion pose_difference(const System& system, const JointPlace& joint, const double* q0,
                       const double* q1) {
  const Quaternion from = normalized(read_quaternion(q0 + joint.quaternion));
  const Quaternion to = normalized(read_quaternion(q1 + joint.quaternion));
  Motion twist{spatial::log_rotation(conjugate(from) * to), {}};
  if (joint.nq == 7) {
    const double *a = q0 + joint.q + 4, *b = q1 + joint.q + 4;
    const Vector3 shift =
        transpose_times(to_matrix(from), Vector3{b[0] - a[0], b[1] - a[1], b[2] - a[2]});
    const PoseGroup* group = bound_group(system, joint);
    if (group != nullptr && group->pitch != 0)
      twist.angular = with_whole_turns(*group, twist.angular, shift);
    twist.linear = spatial::solve_exp_coupling(twist.angular, shift);
  }
  return twist;
}

void displace_pose(const JointPlace& joint, const double* q, const Motion& twist, double* out) {
  // What rests keeps its last bits, which a unit norm found anew would stir.
  if (dot(twist.angular, twist.angular) == 0 && dot(twist.linear, twist.linear) == 0) {
    std::copy_n(q + joint.q, joint.nq, out + joint.q);
    return;
  }
  const Quaternion from = read_quaternion(q + joint.quaternion);
  if (joint.nq == 7) {
    const Vector3 shift = to_matrix(from) * (spatial::exp_coupling(twist.angular, twist.linear));
    out[joint.q + 4] = q[joint.q + 4] + shift.x;
    out[joint.q + 5] = q[joint.q + 5] + shift.y;
    out[joint.q + 6] = q[joint.q + 6] + shift.z;
  }
  write_quaternion(normalized(from * spatial::exp_rotation(twist.angular)), out + joint.quaternion);
}

void displace(const System& system, const double* q, const double* v, double dt, double* out) {
  // Between two joints with quaternions, q and v run side by side.
  int i = 0, k = 0;
  const auto add_until = [&](int end) {
    for (; i < end; ++i, ++k) out[i] = q[i] + dt * v[k];
  };
  for (const int j : system.quaternion_joints()) {
    const JointPlace& joint = system.joints()[static_cast<std::size_t>(j)];
    add_until(joint.q);
    displace_pose(joint, q, dt * pose_rate(system, joint, v + joint.v), out);
    i = joint.q + joint.nq, k = joint.v + joint.nv;
  }
  add_until(system.nq());
}

void compute_position_rate(const System& system, const double* q, const double* v, double* q_rate) {
  for (const JointPlace& joint : system.joints()) {
    if (joint.quaternion < 0) {
      for (int i = 0; i < joint.nq; ++i) q_rate[joint.q + i] = v[joint.v + i];
      continue;
    }
    const Motion rate = pose_rate(system, joint, v + joint.v);
    const Quaternion r = read_quaternion(q + joint.quaternion);
    const Vector3& w = rate.angular;
    write_quaternion(r * Quaternion{0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z}, q_rate + joint.quaternion);
    if (joint.nq != 7) continue;
    const Vector3 rise = to_matrix(normalized(r)) * rate.linear;
    q_rate[joint.q + 4] = rise.x, q_rate[joint.q + 5] = rise.y, q_rate[joint.q + 6] = rise.z;
  }
}

}  // namespace linkwright::group
