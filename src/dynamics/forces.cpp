#include "linkwright/dynamics/forces.hpp"

#include <fmt/format.h>

#include "dynamics/body_forces.hpp"
#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"

namespace linkwright {
namespace {

/// Springs of a joint that carries a pose: potential ½ φᵀ K φ + ½ pᵀ K p in the rotation vector φ and
/// the position p of the child. The coordinate rates are φ̇ = J(φ)⁻¹ ω and ṗ = R v, so the efforts are
/// −J⁻ᵀ K φ and −Rᵀ K p.
void add_pose_spring(const PoseSpringPlace& spring, const State& state, VectorRef out) {
  const double* q = state.q.data() + spring.q;
  const Quaternion r = normalized(Quaternion{q[0], q[1], q[2], q[3]});
  const Vector3 phi = spatial::log_rotation(r);
  const auto& k = spring.stiffness;
  const Vector3 moment{k[0] * phi.x, k[1] * phi.y, k[2] * phi.z};
  // For a body-fixed ω, J(φ) = V(φ)ᵀ with V of exp_coupling, so J⁻ᵀ = V⁻¹.
  const Vector3 torque = spatial::solve_exp_coupling(phi, moment);
  out[spring.v] -= torque.x;
  out[spring.v + 1] -= torque.y;
  out[spring.v + 2] -= torque.z;
  if (!spring.has_position) return;
  const Vector3 force =
      transpose_times(to_matrix(r), Vector3{k[3] * q[4], k[4] * q[5], k[5] * q[6]});
  out[spring.v + 3] -= force.x;
  out[spring.v + 4] -= force.y;
  out[spring.v + 5] -= force.z;
}

/// Turns an external force at a user frame into one at the node's canonical frame.
void add_external(const ScratchD& s, const System& system, const ExternalForce& applied,
                  std::vector<Force>& f_ext) {
  const FramePlace& place = system.frame(applied.frame);
  if (place.node == 0) return;  // the world takes any force without moving
  const auto k = static_cast<std::size_t>(place.node);
  Force force = applied.force;
  if (applied.axes == Axes::world) {
    const Matrix3 R = s.pose[k].rotation * place.pose.rotation;
    force = {transpose_times(R, force.moment), transpose_times(R, force.force)};
  }
  f_ext[k] += to_parent(place.pose, force);
}

/// A force F, world axes, at the point `at` of node k.
void add_at_point(const ScratchD& s, std::size_t k, const Vector3& at, const Vector3& F,
                  std::vector<Force>& f_ext) {
  const Vector3 f = transpose_times(s.pose[k].rotation, F);
  f_ext[k] += Force{cross(at, f), f};
}

Vector3 point_velocity(const ScratchD& s, std::size_t k, const Vector3& at) {
  return s.pose[k].rotation * (s.V[k].linear + cross(s.V[k].angular, at));
}

void add_line_spring(const ScratchD& s, const LineSpringPlace& spring, std::vector<Force>& f_ext) {
  const auto a = static_cast<std::size_t>(spring.node_a), b = static_cast<std::size_t>(spring.node_b);
  const Vector3 d = s.pose[b] * spring.at_b - s.pose[a] * spring.at_a;
  const double length = norm(d);
  if (length == 0 && spring.rest_length != 0)
    throw Error("a spring's two ends coincide, so its force has no direction: move one attachment "
                "point or set rest_length to 0",
                Error::Kind::failed_computation);
  if (length == 0) return;
  const Vector3 u = (1 / length) * d;
  const double rate =
      dot(u, point_velocity(s, b, spring.at_b) - point_velocity(s, a, spring.at_a));
  const double tension =
      spring.stiffness * (length - spring.rest_length) + spring.damping * rate;
  if (a != 0) add_at_point(s, a, spring.at_a, tension * u, f_ext);
  if (b != 0) add_at_point(s, b, spring.at_b, -tension * u, f_ext);
}

void add_body_load(const ScratchD& s, const BodyLoadPlace& load, std::vector<Force>& f_ext) {
  if (load.node == 0) return;
  const auto k = static_cast<std::size_t>(load.node);
  Force force = load.force;
  if (load.in_world) {
    const Matrix3& R = s.pose[k].rotation;
    force = {transpose_times(R, force.moment), transpose_times(R, force.force)};
  }
  f_ext[k] += spatial::shift(load.at, force);
}

}  // namespace

const Force* gather_body_forces(Workspace& work, const State& state, ExternalForces forces) {
  const System& system = work.system();
  if (forces.empty() && !system.has_body_forces()) return nullptr;
  ScratchD& s = work.scratch();
  kernels().poses(system.tree(), s);
  std::fill(s.f_ext.begin(), s.f_ext.end(), Force{});
  for (const ExternalForce& applied : forces) add_external(s, system, applied, s.f_ext);
  if (!system.line_springs().empty()) kernels().velocities(system.tree(), s, state.v.data());
  for (const LineSpringPlace& spring : system.line_springs()) add_line_spring(s, spring, s.f_ext);
  for (const BodyLoadPlace& load : system.body_loads()) add_body_load(s, load, s.f_ext);
  return s.f_ext.data();
}

void check_forces(const System& system, ExternalForces forces) {
  for (std::size_t i = 0; i < forces.size(); ++i) {
    door::check_frame(system, forces[i].frame);
    const auto x = to_eigen(forces[i].force);
    if (!x.allFinite())
      throw Error(fmt::format("external force {} on '{}' is not finite: moment ({}, {}, {}), force "
                              "({}, {}, {})",
                              i, system.frame(forces[i].frame).name, x[0], x[1], x[2], x[3], x[4],
                              x[5]));
  }
}

void add_joint_forces(const System& system, const State& state, VectorRef out) {
  for (int i = 0; i < system.nv(); ++i) {
    const auto j = static_cast<std::size_t>(i);
    const double v = state.v[i];
    const Friction& friction = system.friction()[j];
    const double dry = v > 0 ? friction.forward : v < 0 ? -friction.backward : 0;
    out[i] += system.joint_loads()[j] - system.damping()[j] * v - dry;
  }
  for (const JointSpringPlace& spring : system.joint_springs())
    out[spring.v] -= spring.stiffness * (state.q[spring.q] - spring.rest);
  for (const PoseSpringPlace& spring : system.pose_springs()) add_pose_spring(spring, state, out);
}

void compute_joint_forces(Workspace& work, const State& state, VectorRef out) {
  door::check_state(work.system(), state);
  door::check_output(out.size(), work.system().nv(), "out");
  out.setZero();
  add_joint_forces(work.system(), state, out);
}

}  // namespace linkwright
