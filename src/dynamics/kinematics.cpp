#include "linkwright/dynamics/kinematics.hpp"

#include <algorithm>

#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "dynamics/placing.hpp"

namespace linkwright {
namespace {

/// A frame's motion from its node's: `at_node` in the node's axes, result as asked.
Motion turn(const Workspace& work, FrameId frame, Axes axes, const Motion& at_origin) {
  const FramePlace& place = work.system().frame(frame);
  if (axes == Axes::own)
    return {transpose_times(place.pose.rotation, at_origin.angular),
            transpose_times(place.pose.rotation, at_origin.linear)};
  const Matrix3& R = work.scratch().pose[static_cast<std::size_t>(place.node)].rotation;
  return {R * at_origin.angular, R * at_origin.linear};
}

}  // namespace

void place_and_move(Workspace& work, const State& state) {
  const System& system = work.system();
  door::check_state(system, state);
  ScratchD& s = work.scratch();
  kernels().place(system.tree(), s, state.q.data());
  kernels().poses(system.tree(), s);
  kernels().velocities(system.tree(), s, state.v.data());
  const auto behind_q = std::copy(state.q.begin(), state.q.end(), work.placed().begin());
  std::copy(state.v.begin(), state.v.end(), behind_q);
  s.stamp.add(Held::state);
}

void compute_forward_kinematics(Workspace& work, const State& state, const ConstVectorRef& a) {
  door::check_velocity_like(work.system(), a, "a");
  place_and_move(work, state);
  kernels().accelerations(work.system().tree(), work.scratch(), state.v.data(), a.data());
}

Pose frame_pose(const Workspace& work, FrameId frame) {
  door::check_frame(work.system(), frame);
  door::check_held(work, Held::poses, "frame_pose");
  const FramePlace& place = work.system().frame(frame);
  return work.scratch().pose[static_cast<std::size_t>(place.node)] * place.pose;
}

Motion frame_velocity(const Workspace& work, FrameId frame, Axes axes) {
  door::check_frame(work.system(), frame);
  door::check_held(work, Held::velocities, "frame_velocity");
  if (axes == Axes::world) door::check_held(work, Held::poses, "frame_velocity");
  const FramePlace& place = work.system().frame(frame);
  const Motion& V = work.scratch().V[static_cast<std::size_t>(place.node)];
  return turn(work, frame, axes, spatial::shift(place.pose.translation, V));
}

Motion frame_acceleration(const Workspace& work, FrameId frame, Axes axes) {
  door::check_frame(work.system(), frame);
  door::check_held(work, Held::accelerations, "frame_acceleration");
  if (axes == Axes::world) door::check_held(work, Held::poses, "frame_acceleration");
  const FramePlace& place = work.system().frame(frame);
  const auto k = static_cast<std::size_t>(place.node);
  const Vector3& w = work.scratch().V[k].angular;
  const Vector3& l = place.pose.translation;
  Motion alpha = spatial::shift(l, work.scratch().alpha[k]);
  alpha.linear += cross(w, cross(w, l));
  return turn(work, frame, axes, alpha);
}

void compute_jacobian(Workspace& work, const ConstVectorRef& q, FrameId frame, Axes axes,
                      MatrixRef jacobian) {
  const System& system = work.system();
  door::check_position(system, q);
  door::check_frame(system, frame);
  door::check_output(jacobian, 6, system.nv(), "jacobian");
  ScratchD& s = work.scratch();
  kernels().place(system.tree(), s, q.data());
  kernels().poses_from_root(system.tree(), s);
  kernels().motion_columns(system.tree(), s);
  jacobian.setZero();
  const FramePlace& place = system.frame(frame);
  const auto& nodes = system.tree().nodes;
  const Pose tip = s.pose[static_cast<std::size_t>(place.node)] * place.pose;
  for (int k = place.node; k != 0; k = nodes[static_cast<std::size_t>(k)].parent) {
    const Node<double>& node = nodes[static_cast<std::size_t>(k)];
    for (int i = 0; i < node.d; ++i) {
      Motion column = spatial::shift(tip.translation, s.column(node.freedom + i));
      if (axes == Axes::own)
        column = {transpose_times(tip.rotation, column.angular),
                  transpose_times(tip.rotation, column.linear)};
      jacobian.col(node.v + i) = to_eigen(column);
    }
  }
}

Motion compute_jacobian_rate_times_velocity(Workspace& work, const State& state, FrameId frame,
                                            Axes axes) {
  const ScratchD& s = work.scratch();
  compute_forward_kinematics(work, state,
                             Eigen::Map<const Eigen::VectorXd>(s.zero.data(), work.system().nv()));
  return frame_acceleration(work, frame, axes);
}

}  // namespace linkwright
