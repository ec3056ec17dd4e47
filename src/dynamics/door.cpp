#include "dynamics/door.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/positions/group_step.hpp"
#include "linkwright/dynamics/sweeps/resistance.hpp"

namespace linkwright::door {
namespace {

/// Four running sums keep the test short and free of branches: x − x is 0 for finite x, else NaN.
bool all_finite(const double* x, Eigen::Index n) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (; n >= 4; n -= 4, x += 4) {
    s0 += x[0] - x[0];
    s1 += x[1] - x[1];
    s2 += x[2] - x[2];
    s3 += x[3] - x[3];
  }
  if (n > 0) s0 += x[0] - x[0];
  if (n > 1) s1 += x[1] - x[1];
  if (n > 2) s2 += x[2] - x[2];
  return (s0 + s1) + (s2 + s3) == 0;
}

[[noreturn]] void throw_not_finite(const ConstVectorRef& x, const char* name,
                                   const std::vector<std::string>& names) {
  Eigen::Index i = 0;
  while (std::isfinite(x[i])) ++i;
  throw Error(fmt::format("{}[{}] of joint '{}' is {}; expected a finite number", name, i,
                          names[static_cast<std::size_t>(i)], x[i]));
}

[[noreturn]] void throw_size(Eigen::Index got, Eigen::Index expected, const char* name) {
  throw Error(fmt::format("{} has {} entries; this system needs {}", name, got, expected));
}

void check_quaternions(const System& system, const ConstVectorRef& q, const char* name) {
  for (const int j : system.quaternion_joints()) {
    const JointPlace& joint = system.joints()[static_cast<std::size_t>(j)];
    const double size = q.segment<4>(joint.quaternion).norm();
    if (std::abs(size - 1) > 1e-3)
      throw Error(
          fmt::format("{} of joint '{}' holds a quaternion [w x y z] of norm {}; expected 1 "
                      "(normalize it, or start from the neutral position)",
                      name, joint.name, size));
  }
}

}  // namespace

void check_position(const System& system, const ConstVectorRef& q, const char* name) {
  if (q.size() != system.nq()) throw_size(q.size(), system.nq(), name);
  if (!all_finite(q.data(), q.size())) throw_not_finite(q, name, system.position_names());
  if (!system.quaternion_joints().empty()) check_quaternions(system, q, name);
  for (const BoundPose& pose : system.tree().bound_poses) check_bound_pose(system, pose, q, name);
}

void check_bound_pose(const System& system, const BoundPose& pose, const ConstVectorRef& q,
                      const char* name) {
  const PoseMisfit off = group::pose_misfit(pose, q.data());
  if (off.passes()) return;
  const auto joint = std::find_if(system.joints().begin(), system.joints().end(),
                                  [&](const JointPlace& j) { return j.nq > 0 && j.q == pose.q; });
  throw Error(
      fmt::format("{} of joint '{}' is a pose {:.3g} rad and {:.3g} m away from those that "
                  "its modes can reach: {} (start from the neutral position or a random one)",
                  name, joint->name, off.angle, off.distance, describe(pose.group)));
}

void check_velocity_like(const System& system, const ConstVectorRef& x, const char* name) {
  if (x.size() != system.nv()) throw_size(x.size(), system.nv(), name);
  if (!all_finite(x.data(), x.size())) throw_not_finite(x, name, system.velocity_names());
}

void check_efforts(const System& system, const ConstVectorRef& tau) {
  check_velocity_like(system, tau, "tau");
  for (const int i : system.passive_freedoms())
    if (tau[i] != 0) throw_passive(system, i, fmt::format("tau[{}] is {}", i, tau[i]));
}

void throw_passive(const System& system, int freedom, const std::string& given) {
  throw Error(fmt::format(
      "{}, but joint '{}' is passive: it has no motor. Give it 0, or remove the joint's `passive` "
      "mark; what is not a motor's effort is a load",
      given, system.velocity_names()[static_cast<std::size_t>(freedom)]));
}

void check_state(const System& system, const State& state) {
  check_position(system, state.q, "state.q");
  check_velocity_like(system, state.v, "state.v");
}

void check_output(Eigen::Index got, Eigen::Index expected, const char* name) {
  if (got != expected) throw_size(got, expected, name);
}

void check_output(const MatrixRef& m, Eigen::Index rows, Eigen::Index cols, const char* name) {
  if (m.rows() != rows || m.cols() != cols)
    throw Error(
        fmt::format("{} is {}x{}; this system needs {}x{}", name, m.rows(), m.cols(), rows, cols));
}

void check_frame(const System& system, FrameId frame) {
  const auto count = static_cast<int>(system.frames().size());
  if (frame.index < 0 || frame.index >= count)
    throw Error(
        fmt::format("frame index {} does not exist; this system has {} frames (use "
                    "System::frame with a name)",
                    frame.index, count));
}

void check_held(const Workspace& work, Held what, const char* reader) {
  const Stamp& stamp = work.scratch().stamp;
  if (stamp.holds(what)) return;
  const char* name = "the poses of the frames";
  if (what == Held::velocities) name = "velocities";
  if (what == Held::accelerations) name = "accelerations";
  if (what == Held::state) name = "the state of the kinematics";
  throw Error(fmt::format(
      "{} reads {}, and {}: call compute_forward_kinematics first, and read before "
      "the next compute_* on this workspace",
      reader, name,
      stamp.placements() == 0 ? "nothing has been computed on this workspace yet"
                              : "the last computation on this workspace left none of its state"));
}

void check_articulated(const System& system, const Scratch<double>& s, const char* otherwise) {
  const auto& tree = system.tree();
  // From the tips: a joint that nothing resists spoils every number between it and the base.
  for (std::size_t k = tree.nodes.size() - 1; k >= 1; --k) {
    if (!sweeps::is_resisted(tree, s, static_cast<int>(k)))
      throw Error(
          fmt::format("{}: nothing with inertia resists {}. Give the link mass and inertia, add "
                      "rotor inertia, or fix the joint",
                      otherwise, system.describe_node(static_cast<int>(k))),
          Error::Kind::failed_computation);
  }
}

}  // namespace linkwright::door
