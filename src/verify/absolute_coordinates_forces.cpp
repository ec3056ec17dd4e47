#include "verify/absolute_coordinates_forces.hpp"

#include <algorithm>
#include <cmath>

#include "linkwright/model/names.hpp"
#include "verify/absolute_coordinates_index.hpp"

namespace linkwright::verify::absolute {
namespace {

/// Stiffness, damping and rest of all springs on one freedom.
struct FreedomSpring {
  int freedom;
  double stiffness, damping, rest;
};

std::vector<FreedomSpring> springs_of(const Model& model, const Joint& joint) {
  std::vector<FreedomSpring> springs;
  for (const JointSpring& spring : model.joint_springs)
    if (spring.joint == joint.name)
      springs.push_back({spring.freedom, spring.stiffness, spring.damping, spring.rest});
  return springs;
}

/// −∂/∂(freedom i) of ½ Σ k φ² or ½ Σ k p², φ the rotation vector and p the position: the first three
/// springs act on φ, the others on p.
void add_pose_springs(const std::vector<FreedomSpring>& springs, const JointState& state,
                      std::vector<Number>& efforts) {
  for (std::size_t i = 0; i < efforts.size(); ++i) {
    std::vector<Number> along(efforts.size(), 0);
    along[i] = 1;
    const PoseCoordinates x = pose_coordinates(*state.joint, state.q.data(), along.data());
    for (const FreedomSpring& spring : springs) {
      const int k = spring.freedom;
      efforts[i] -= spring.stiffness * (k < 3 ? x.rotation[k] * x.rotation_rate[k]
                                              : x.position[k - 3] * x.position_rate[k - 3]);
    }
  }
}

/// −∂/∂(freedom i) of ½ xᵀ K x, x = [rotation vector; position], and −D v.
void add_base(const FlexibleBase& base, const JointState& state, std::vector<Number>& efforts) {
  for (int i = 0; i < 6; ++i) {
    std::vector<Number> along(6, 0);
    along[at(i)] = 1;
    const PoseCoordinates x = pose_coordinates(*state.joint, state.q.data(), along.data());
    for (int j = 0; j < 6; ++j) {
      efforts[at(i)] -= base.damping(i, j) * state.v[at(j)];
      const Number rate = j < 3 ? x.rotation_rate[j] : x.position_rate[j - 3];
      for (int k = 0; k < 6; ++k)
        efforts[at(i)] -= rate * base.stiffness(j, k) * (k < 3 ? x.rotation[k] : x.position[k - 3]);
    }
  }
}

void add_springs(const Model& model, const JointState& state, std::vector<Number>& efforts) {
  for (const FlexibleBase& base : model.flexible_bases)
    if (base.joint == state.joint->name) add_base(base, state, efforts);
  const auto springs = springs_of(model, *state.joint);
  if (springs.empty()) return;
  for (const FreedomSpring& spring : springs)
    efforts[at(spring.freedom)] -= spring.damping * state.v[at(spring.freedom)];
  if (state.q.size() != state.v.size()) return add_pose_springs(springs, state, efforts);
  for (const FreedomSpring& spring : springs)
    efforts[at(spring.freedom)] -=
        spring.stiffness * (state.q[at(spring.freedom)] - Number(spring.rest));
}

Number dry_friction(const Friction& friction, Number v) {
  if (v > 0) return -Number(friction.forward);
  if (v < 0) return Number(friction.backward);
  return 0;
}

/// The motors on a joint, which turn with gear times the rate of their freedom; those behind elastic gears
/// turn by themselves, and shafts that several joints turn are written apart.
template <class F>
void for_each_motor(const Model& model, const Joint& joint, F use) {
  for (const Actuator& actuator : model.actuators) {
    const GearTerm term = terms_of(actuator).front();
    if (term.joint == joint.name && actuator.motor && !actuator.elastic && !is_coupled(actuator))
      use(*actuator.motor, at(term.freedom), Number(term.ratio));
  }
}

/// A point of a body, from its frame's origin and in world axes.
Vector arm(const BodyMotion& body, const Vector3& point) {
  return body.rotation * to_numbers(point);
}

/// The end of a spring.
struct End {
  Vector arm, position, velocity;
};
End end_of(const BodyMotion& body, const Vector3& point) {
  const Vector r = arm(body, point);
  return {r, body.origin + r, body.velocity + body.omega.cross(r)};
}

void add_spring(const LineSpring& spring, const Model& model, const std::vector<BodyMotion>& bodies,
                std::vector<BodyForce>& forces) {
  const int a = body_index(model, spring.body_a), b = body_index(model, spring.body_b);
  const BodyMotion world;
  const End from = end_of(a < 0 ? world : bodies[at(a)], spring.at_a),
            to = end_of(b < 0 ? world : bodies[at(b)], spring.at_b);
  const Vector d = to.position - from.position;
  const Number length = d.norm();
  if (length == 0) return;
  const Vector direction = d / length;
  const Number tension = spring.stiffness * (length - Number(spring.rest_length)) +
                         spring.damping * direction.dot(to.velocity - from.velocity);
  const Vector pull = tension * direction;
  if (a >= 0) add_force(forces[at(a)], from.arm, Vector::Zero(), pull);
  if (b >= 0) add_force(forces[at(b)], to.arm, Vector::Zero(), -pull);
}

}  // namespace

int body_index(const Model& model, std::string_view name) {
  if (name == world_name) return -1;
  const auto found = std::find_if(model.bodies.begin(), model.bodies.end(),
                                  [name](const Body& body) { return body.name == name; });
  if (found == model.bodies.end()) throw Error("there is no body " + in_quotes(name));
  return static_cast<int>(found - model.bodies.begin());
}

Number resisting_torque(const Actuator::Motor& motor, Number rate) {
  return dry_friction(motor.friction, rate) - motor.damping * rate;
}

std::vector<Number> rotor_inertias(const Model& model, const Joint& joint) {
  std::vector<Number> rotors;
  for (int i = 0; i < velocity_count(joint); ++i)
    rotors.push_back(per_freedom(joint.rotor_inertia, i, 0.0));
  for_each_motor(model, joint, [&](const Actuator::Motor& motor, std::size_t i, Number gear) {
    rotors[i] += gear * gear * motor.rotor_inertia;
  });
  return rotors;
}

std::vector<Number> declared_efforts(const Model& model, const JointState& state) {
  const Joint& joint = *state.joint;
  std::vector<Number> efforts(state.v.size(), 0);
  for (std::size_t i = 0; i < efforts.size(); ++i) {
    const int freedom = static_cast<int>(i);
    efforts[i] -= per_freedom(joint.damping, freedom, 0.0) * state.v[i];
    efforts[i] += dry_friction(per_freedom(joint.friction, freedom, Friction{}), state.v[i]);
  }
  for_each_motor(model, joint, [&](const Actuator::Motor& motor, std::size_t i, Number gear) {
    efforts[i] += gear * resisting_torque(motor, gear * state.v[i]);
  });
  for (const JointLoad& load : model.joint_loads)
    if (load.joint == joint.name) efforts[at(load.freedom)] += load.effort;
  add_springs(model, state, efforts);
  return efforts;
}

void add_force(BodyForce& sum, const Vector& point, const Vector& moment, const Vector& force) {
  sum.moment += moment + point.cross(force);
  sum.force += force;
}

void add_declared_forces(const Model& model, const std::vector<BodyMotion>& bodies,
                         std::vector<BodyForce>& forces) {
  for (const LineSpring& spring : model.line_springs) add_spring(spring, model, bodies, forces);
  for (const BodyLoad& load : model.body_loads) {
    const int i = body_index(model, load.body);
    if (i < 0) continue;
    const BodyMotion& body = bodies[at(i)];
    const Matrix axes = load.in_world ? Matrix(Matrix::Identity()) : body.rotation;
    add_force(forces[at(i)], arm(body, load.at), axes * to_numbers(load.force.moment),
              axes * to_numbers(load.force.force));
  }
}

}  // namespace linkwright::verify::absolute
