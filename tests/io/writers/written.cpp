#include "io/writers/written.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

// Every field by name: a new one does not compile here until somebody says how files hold it.

std::string of(double x) { return fmt::format("{}", x + 0.0); }  // -0 is 0
std::string of(bool x) { return x ? "true" : "false"; }
std::string of(const std::string& x) { return fmt::format("\"{}\"", x); }
std::string of(const Vector3& v) { return of(v.x) + ' ' + of(v.y) + ' ' + of(v.z); }
std::string of(const Symmetric3& s) {
  return of(Vector3{s.xx, s.yy, s.zz}) + ' ' + of(Vector3{s.xy, s.xz, s.yz});
}
std::string of(const Pose& p) {
  const Matrix3& R = p.rotation;
  return fmt::format("({} | {} | {} | {})", of(p.translation), of(R.column_x()), of(R.column_y()),
                     of(R.column_z()));
}
std::string of(const Friction& friction) {
  const auto& [forward, backward, breakaway] = friction;
  return of(Vector3{forward, backward, breakaway});
}
std::string of(const Limits& limits) {
  const auto& [lower, upper, velocity, effort, restitution, stiffness, damping] = limits;
  return fmt::format("{} {} {} {} {} {} {}", lower, upper, velocity, effort, restitution, stiffness,
                     damping);
}
std::string of(const std::array<double, 6>& x) { return fmt::format("{}", fmt::join(x, " ")); }
std::string of(const GearTerm& term);
std::string of(const Actuator::Motor& motor);
std::string of(const InitialState::Entry& entry);
std::string of(const InitialState::MotorEntry& entry);
template <class T>
std::string of(const std::optional<T>& x) {
  return x ? of(*x) : "none";
}
template <class T>
std::string of(const std::vector<T>& list) {
  std::string text = "[";
  for (const auto& x : list) text += of(static_cast<const T&>(x)) + ", ";
  return text + "]";
}

std::string of(const Body& body) {
  const auto& [name, mass, com, inertia, has_inertial, source, inertial_source] = body;
  return fmt::format("body {} {} ({}) ({}) {}\n", name, mass, of(com), of(inertia), has_inertial);
}
std::string of(const Joint& joint) {
  const auto& [name, type, parent, child, pose, at_child, axis, axis2, pitch, modes, passive,
               damping, friction, rotor_inertia, limits, implied, source] = joint;
  std::string text = fmt::format("joint {} {} {} {} {} {} {}", name, to_string(type), parent, child,
                                 of(pose), of(at_child), implied);
  if (has_axis(type)) text += " axis " + of(axis);
  if (type == JointType::universal) text += " axis2 " + of(axis2);
  if (type == JointType::helical) text += " pitch " + of(pitch);
  if (type == JointType::custom) text += " modes " + of(modes);
  if (type != JointType::fixed)
    text += of(passive) + of(damping) + of(friction) + of(rotor_inertia) + of(limits);
  return text + "\n";
}
std::string of(const Frame& frame) {
  const auto& [name, body, pose, source] = frame;
  return fmt::format("frame {} {} {}\n", name, body, of(pose));
}
std::string of(const Closure& closure) {
  const auto& [name, kind, body_a, body_b, at_a, at_b, joint, axis, axis2, disc, pitch, modes,
               distance, leader, follower, ratio, offset, terms, passive, damping, friction,
               rotor_inertia, limits, source] = closure;
  if (kind == Closure::Kind::shaft) return {};
  std::string text = fmt::format("closure {} {} ", name, to_string(kind));
  if (kind == Closure::Kind::gear)
    return text + fmt::format("{} {} {} {}\n", leader, follower, ratio, offset);
  text += fmt::format("{} {} {} {} {}", body_a, body_b, of(at_a), of(at_b), of(terms.empty()));
  if (has_axis(closure)) text += " axis " + of(axis);
  if (kind == Closure::Kind::distance || kind == Closure::Kind::rolling) text += of(distance);
  if (kind == Closure::Kind::rolling) text += of(disc) + (disc ? of(axis2) : "");
  if (kind != Closure::Kind::joint) return text + "\n";
  text += to_string(joint);
  if (joint == JointType::universal) text += " axis2 " + of(axis2);
  if (joint == JointType::helical) text += " pitch " + of(pitch);
  if (joint == JointType::custom) text += " modes " + of(modes);
  if (joint != JointType::fixed)
    text += of(passive) + of(damping) + of(friction) + of(rotor_inertia) + of(limits);
  return text + "\n";
}
std::string of(const Grasp& grasp) {
  const auto& [name, arm, object, at, contact, normal, axis, friction, torsion, source] = grasp;
  std::string text =
      fmt::format("grasp {} {} {} {} {}", name, arm, object, of(at), to_string(contact));
  if (contact != Grasp::Contact::rigid) text += of(normal) + of(friction) + of(torsion);
  if (contact == Grasp::Contact::line) text += of(axis);
  return text + "\n";
}
std::string of(const LineSpring& spring) {
  const auto& [name, body_a, body_b, at_a, at_b, stiffness, damping, rest_length, source] = spring;
  return fmt::format("spring {} {} {} {} {} {} {} {}\n", name, body_a, body_b, of(at_a), of(at_b),
                     stiffness, damping, rest_length);
}
std::string of(const JointSpring& spring) {
  const auto& [joint, freedom, stiffness, damping, rest, source] = spring;
  return fmt::format("spring {} {} {} {} {}\n", joint, freedom, stiffness, damping, rest);
}
std::string of(const JointLoad& load) {
  const auto& [joint, freedom, effort, source] = load;
  return fmt::format("load {} {} {}\n", joint, freedom, effort);
}
std::string of(const BodyLoad& load) {
  const auto& [body, force, at, in_world, source] = load;
  return fmt::format("load {} {} {} {} {}\n", body, of(force.moment), of(force.force), of(at),
                     in_world);
}
std::string of(const GearTerm& term) {
  const auto& [joint, freedom, ratio] = term;
  return fmt::format("{}:{} {}", joint, freedom, ratio);
}
std::string of(const Actuator::Motor& motor) {
  const auto& [rotor_inertia, damping, friction, Ra, La, k, field_constant, field_current,
               voltage_limit, current_limit] = motor;
  return fmt::format("{} {} {} {} {} {} {} {} {} {}", rotor_inertia, damping, of(friction), Ra, La,
                     k, field_constant, field_current, voltage_limit, current_limit);
}
std::string of(const Actuator& actuator) {
  const auto& [name, joint, freedom, motor, gear, transmission, elastic, source] = actuator;
  std::string text =
      fmt::format("actuator {} {} {} {} {}", name, joint, freedom, of(transmission), of(motor));
  if (transmission.empty()) text += of(gear);
  if (elastic) text += fmt::format(" elastic {} {}", elastic->stiffness, elastic->damping);
  return text + "\n";
}
std::string of(const NetworkComponent& component) {
  const auto& [name, kind, value, ratios, electrical, initial, wires, source] = component;
  std::string text = fmt::format("component {} {} {} {} {} {}", name, static_cast<int>(kind), value,
                                 of(ratios), electrical, of(initial));
  for (const auto& [from, to] : wires) text += fmt::format(" {}-{}", from, to);
  return text + "\n";
}
std::string of(const FlexibleBase& base) {
  const auto& [joint, stiffness, damping, source] = base;
  std::string text = "flexible base " + joint;
  for (const PoseMatrix* matrix : {&stiffness, &damping})
    for (const auto& row : matrix->rows) text += of(row) + '\n';
  return text;
}
std::string of(const InitialState::Entry& entry) {
  const auto& [joint, values, source] = entry;
  return joint + of(values);
}
std::string of(const InitialState::MotorEntry& entry) {
  const auto& [motor, value, source] = entry;
  return motor + of(value);
}
std::string of(const InitialState& initial) {
  const auto& [q, v, hold, hold_source, current, shaft_angle, shaft_speed] = initial;
  return "state " + of(q) + of(v) + of(hold) + of(current) + of(shaft_angle) + of(shaft_speed);
}
std::string of(const Visual& shape) {
  const auto& [body, pose, kind, size, file, name, rgba, source] = shape;
  std::string text = fmt::format("shape {} {} {} {} {} {}", body, of(pose), static_cast<int>(kind),
                                 of(size), file, name);
  if (rgba) text += fmt::format(" {}", fmt::join(*rgba, " "));
  return text + "\n";
}

std::string describe(const Model& model) {
  const auto& [name, gravity, bodies, joints, cut, cut_source, frames, closures, grasps, objects,
               line_springs, joint_springs, joint_loads, body_loads, actuators, network,
               flexible_bases, coordinates, coordinates_source, initial, visuals, collisions,
               warnings, sources] = model;
  std::string text = name + '\n' + of(gravity) + '\n';
  const auto add = [&](const auto& list) {
    for (const auto& thing : list) text += of(thing);
  };
  add(bodies), add(joints), add(frames), add(closures), add(grasps);
  text += of(cut) + of(objects) + of(coordinates) + '\n';
  add(line_springs), add(joint_springs), add(joint_loads), add(body_loads), add(actuators);
  const auto& [components, is_reflected, source] = network;
  add(components), add(flexible_bases);
  text += of(is_reflected) + of(initial) + '\n';
  add(visuals);
  text += "collisions\n";
  add(collisions);
  return text;
}

/// What the equations of motion are made of, at one state.
Eigen::VectorXd dynamics_of(const System& system, const State& state, const Eigen::VectorXd& a) {
  Workspace work(system, Closures::leave_out);
  Eigen::VectorXd tau(system.nv());
  compute_inverse_dynamics(work, state, a, {}, tau);
  return tau;
}

Eigen::VectorXd closures_of(const System& system, const State& state) {
  ClosedWorkspace work(system);
  Eigen::MatrixXd rows(work.rows(), system.nv());
  Eigen::VectorXd residual(work.rows());
  compute_closure_residual(work, state.q, residual);
  compute_closure_jacobian(work, state.q, rows);
  Eigen::VectorXd all(residual.size() + rows.size());
  all << residual, rows.reshaped();
  return all;
}

void expect_near(const Eigen::VectorXd& a, const Eigen::VectorXd& b, double bound,
                 const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  if (a.size() == 0) return;
  const double size = std::max(1e-300, a.cwiseAbs().maxCoeff());
  EXPECT_LE((a - b).cwiseAbs().maxCoeff() / size, bound) << what;
}

}  // namespace

void expect_same_model(const Model& a, const Model& b, const std::string& what) {
  EXPECT_EQ(describe(a), describe(b)) << what;
}

void expect_same_dynamics(const Model& a, const Model& b, const std::string& what, double bound,
                          int states) {
  const System one = compile(network::reflect_inertias(a)),
               two = compile(network::reflect_inertias(b));
  ASSERT_EQ(one.position_names(), two.position_names()) << what;
  ASSERT_EQ(one.velocity_names(), two.velocity_names()) << what;
  RandomModel random(7);
  for (int i = 0; i < states; ++i) {
    State at(one), same(two);
    at = random.state(one);
    same.q = at.q, same.v = at.v;
    const Eigen::VectorXd acceleration = random.numbers(one.nv());
    expect_near(dynamics_of(one, at, acceleration), dynamics_of(two, same, acceleration), bound,
                what + ": efforts");
    if (!one.closures().empty())
      expect_near(closures_of(one, at), closures_of(two, same), bound, what + ": closures");
  }
}

}  // namespace linkwright::testing
