#pragma once
/// What a Model declares to push on its joints and bodies, computed from the Model itself.

#include <string_view>
#include <vector>

#include "verify/absolute_coordinates_joint.hpp"

namespace linkwright::verify::absolute {

/// Where a body is and how it moves: its frame, in the world.
struct BodyMotion {
  Matrix rotation = Matrix::Identity();
  Vector origin = Vector::Zero();
  Vector omega = Vector::Zero(), velocity = Vector::Zero();
  Vector omega_rate = Vector::Zero(), acceleration = Vector::Zero();  ///< once solved
};

/// A moment and a force in world axes, the moment about the origin of the body's frame.
struct BodyForce {
  Vector moment = Vector::Zero(), force = Vector::Zero();
};

/// A joint with its own coordinates and efforts.
struct JointState {
  const Joint* joint = nullptr;
  std::vector<Number> q, v;
  std::vector<Number> rotor;  ///< inertia on each freedom's own acceleration
};

/// Index into Model::bodies; −1 for the world. Throws Error for an unknown name.
int body_index(const Model& model, std::string_view name);

/// Springs, dampers, friction, loads, motors and flexible bases, as efforts on the freedoms of one joint.
std::vector<Number> declared_efforts(const Model& model, const JointState& state);
/// Damping and dry friction of a motor whose shaft turns at that rate.
Number resisting_torque(const Actuator::Motor& motor, Number rate);
/// Rotor inertias of the joint and of its motor, on each freedom.
std::vector<Number> rotor_inertias(const Model& model, const Joint& joint);

/// Adds springs between bodies and loads on bodies; forces[i] is that of Model::bodies[i].
void add_declared_forces(const Model& model, const std::vector<BodyMotion>& bodies,
                         std::vector<BodyForce>& forces);
/// Adds a force that acts at a point given from the body's origin, in world axes.
void add_force(BodyForce& sum, const Vector& point, const Vector& moment, const Vector& force);

}  // namespace linkwright::verify::absolute
