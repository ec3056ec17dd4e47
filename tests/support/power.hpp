#pragma once
/// The power of what a model declares, term by term from the Model and the velocities of its bodies.

#include "linkwright/dynamics/forces.hpp"
#include "linkwright/dynamics/kinematics.hpp"

namespace linkwright::testing {

/// Position and velocity, in the world, of a point given in a body's frame.
struct MovingPoint {
  Vector3 position{}, velocity{};
};
inline MovingPoint point_of(const Workspace& work, const std::string& body, const Vector3& at) {
  if (body == world_name) return {at, {}};
  const FrameId frame = work.system().frame(body);
  const Pose pose = frame_pose(work, frame);
  const Motion V = frame_velocity(work, frame, Axes::world);
  return {pose * at, V.linear + cross(V.angular, pose.rotation * at)};
}

/// Of dampers and dry friction; never positive.
inline double dissipation(const System& system, const State& state) {
  const Model& model = system.model();
  double power = 0;
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    for (int i = 0; i < system.joints()[j].nv; ++i) {
      const double v = state.v[system.joints()[j].v + i];
      const Friction dry = per_freedom(model.joints[j].friction, i, Friction{});
      power -= per_freedom(model.joints[j].damping, i, 0.0) * v * v;
      power -= std::abs(v) * (v > 0 ? dry.forward : dry.backward);
    }
  const auto damp = [&](const std::string& joint, int freedom, double damping) {
    const double v = state.v[system.joint(joint).v + freedom];
    power -= damping * v * v;
  };
  for (const JointSpring& spring : model.joint_springs)
    damp(spring.joint, spring.freedom, spring.damping);
  for (const FlexibleBase& base : model.flexible_bases)
    for (int i = 0; i < 36; ++i) {
      const auto v = state.v.segment<6>(system.joint(base.joint).v);
      power -= v[i / 6] * base.damping(i / 6, i % 6) * v[i % 6];
    }
  Workspace work(system);
  compute_forward_kinematics(work, state, Eigen::VectorXd::Zero(system.nv()));
  for (const LineSpring& spring : model.line_springs) {
    const MovingPoint a = point_of(work, spring.body_a, spring.at_a),
                      b = point_of(work, spring.body_b, spring.at_b);
    const Vector3 d = b.position - a.position;
    const double rate = dot(d, b.velocity - a.velocity) / norm(d);
    power -= spring.damping * rate * rate;
  }
  return power;
}

/// Of constant loads on joints and bodies.
inline double power_of_loads(const System& system, const State& state) {
  const Model& model = system.model();
  double power = 0;
  for (const JointLoad& load : model.joint_loads)
    power += load.effort * state.v[system.joint(load.joint).v + load.freedom];
  Workspace work(system);
  compute_forward_kinematics(work, state, Eigen::VectorXd::Zero(system.nv()));
  for (const BodyLoad& load : model.body_loads) {
    const FrameId frame = system.frame(load.body);
    const Matrix3 axes = load.in_world ? Matrix3::identity() : frame_pose(work, frame).rotation;
    power += dot(axes * load.force.moment, frame_velocity(work, frame, Axes::world).angular) +
             dot(axes * load.force.force, point_of(work, load.body, load.at).velocity);
  }
  return power;
}

}  // namespace linkwright::testing
