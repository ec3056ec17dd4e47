#include "simulate/conservation.hpp"

#include <algorithm>
#include <cmath>

#include "linkwright/dynamics/kinematics.hpp"

namespace linkwright::app {
namespace {

/// Whether an entry of a joint's part of v is not zero.
bool any_nonzero(const std::vector<double>& values, const JointPlace& place) {
  const auto first = values.begin() + place.v;
  return std::any_of(first, first + place.nv, [](double x) { return x != 0; });
}
/// Damping of the joint, its motors and springs, or friction.
bool rubs(const System& system, const JointPlace& place) {
  const JointForces<double>& forces = system.tree().joint_forces;
  return any_nonzero(forces.damping, place) || any_nonzero(forces.friction_forward, place) ||
         any_nonzero(forces.friction_backward, place);
}

/// Whether a joint at the world passes a force on to what floats on it.
bool holds(const System& system, const JointPlace& place, const Joint& joint,
           const ConstVectorRef& tau) {
  const Model& model = system.model();
  const auto names_it = [&joint](const auto& part) { return part.joint == joint.name; };
  return joint.type != JointType::free || rubs(system, place) ||
         any_nonzero(system.rotor_inertia(), place) || tau.segment(place.v, place.nv).any() ||
         std::any_of(model.joint_springs.begin(), model.joint_springs.end(), names_it) ||
         std::any_of(model.joint_loads.begin(), model.joint_loads.end(), names_it) ||
         std::any_of(model.flexible_bases.begin(), model.flexible_bases.end(), names_it);
}

}  // namespace

bool keeps_energy(const System& system, const ConstVectorRef& tau) {
  const Model& model = system.model();
  const auto damps = [](const auto& spring) { return spring.damping != 0; };
  return !tau.any() && model.joint_loads.empty() && model.body_loads.empty() &&
         std::none_of(system.joints().begin(), system.joints().end(),
                      [&](const JointPlace& place) { return rubs(system, place); }) &&
         std::none_of(model.line_springs.begin(), model.line_springs.end(), damps);
}

bool keeps_momentum(const System& system, const ConstVectorRef& tau) {
  const Model& model = system.model();
  if (norm(model.gravity) != 0 || !model.body_loads.empty()) return false;
  for (const LineSpring& spring : model.line_springs)
    if (spring.body_a == world_name || spring.body_b == world_name) return false;
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    if (model.joints[j].parent == world_name &&
        holds(system, system.joints()[j], model.joints[j], tau))
      return false;
  return system.nv() > 0;
}

Conservation::Conservation(const System& system, const ConstVectorRef& tau)
    : system_(&system),
      energy_kept_(keeps_energy(system, tau)),
      momentum_kept_(keeps_momentum(system, tau)),
      no_acceleration_(Eigen::VectorXd::Zero(system.nv())) {}

void Conservation::look(Workspace& work, const State& state) {
  last_ = compute_energy(work, state);
  if (!started_) first_ = last_;
  const double now = last_.kinetic + last_.potential;
  energy_change_ = std::max(energy_change_, std::abs(now - energy_at_start()));
  kinetic_ = std::max(kinetic_, last_.kinetic);
  swing_ = std::max(swing_, std::abs(last_.potential - first_.potential));
  if (momentum_kept_) look_at_momentum(work, state);
  started_ = true;
}

void Conservation::look_at_momentum(Workspace& work, const State& state) {
  const Momentum now = compute_momentum(work, state);
  const Vector3 centre = compute_centre_of_mass(work, state).position;
  if (!started_) momentum_ = now;
  linear_.change = std::max(linear_.change, norm(now.linear - momentum_.linear));
  angular_.change = std::max(angular_.change, norm(now.angular - momentum_.angular));
  compute_forward_kinematics(work, state, no_acceleration_);
  double linear = 0, angular = 0;
  const auto& bodies = system_->model().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const FrameId frame{static_cast<int>(i) + 1};
    const Pose pose = frame_pose(work, frame);
    const Force h = spatial::inertia_from_com(bodies[i].mass, bodies[i].com, bodies[i].inertia) *
                    frame_velocity(work, frame, Axes::own);
    linear += norm(h.force);
    angular +=
        norm(pose.rotation * h.moment + cross(pose.translation - centre, pose.rotation * h.force));
  }
  linear_.scale = std::max(linear_.scale, linear);
  angular_.scale = std::max(angular_.scale, angular);
}

std::optional<Drift> Conservation::linear() const {
  return momentum_kept_ ? std::optional<Drift>(linear_) : std::nullopt;
}
std::optional<Drift> Conservation::angular() const {
  return momentum_kept_ ? std::optional<Drift>(angular_) : std::nullopt;
}

}  // namespace linkwright::app
