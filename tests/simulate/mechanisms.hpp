#pragma once
/// Small mechanisms whose motion is known, for the tests of the integrators.

#include "linkwright/simulate/simulation.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {

/// A point mass of 1 kg on a rod of 1 m that turns about −y: q = 0 is horizontal (x = +1), and
/// gravity turns it down.
inline Model point_pendulum() {
  Model model;
  model.name = "pendulum";
  model.bodies.push_back({.name = "rod", .mass = 1, .com = {1, 0, 0}});
  model.joints.push_back({.name = "hinge",
                          .type = JointType::revolute,
                          .parent = "world",
                          .child = "rod",
                          .axis = {0, -1, 0}});
  model.frames.push_back({.name = "mass", .body = "rod", .pose = {.translation = {1, 0, 0}}});
  return model;
}

/// A mass on a vertical slider, q its height.
inline Model slider(double mass = 1) {
  Model model;
  model.name = "slider";
  model.bodies.push_back({.name = "ball", .mass = mass, .inertia = {1, 1, 1, 0, 0, 0}});
  model.joints.push_back({.name = "rail",
                          .type = JointType::prismatic,
                          .parent = "world",
                          .child = "ball",
                          .axis = {0, 0, 1}});
  return model;
}

/// A floating body with two arms of three joints each, without gravity.
inline Model floating_robot(RandomModel& random) {
  Model model;
  model.name = "floating";
  model.gravity = {};
  model.bodies.push_back(random.body("hull"));
  model.joints.push_back(
      {.name = "base", .type = JointType::free, .parent = "world", .child = "hull"});
  for (const std::string arm : {"left", "right"}) {
    std::string parent = "hull";
    for (int i = 1; i <= 3; ++i) {
      const std::string name = arm + std::to_string(i);
      model.bodies.push_back(random.body(name));
      model.joints.push_back(random.joint(name + "_joint", JointType::revolute, parent, name));
      parent = name;
    }
  }
  return model;
}

/// Takes away the rotors that the method `symplectic` refuses: on poses, where freedoms do not
/// commute.
inline void leave_out_rotors_of_poses(Model& model) {
  for (Joint& joint : model.joints)
    if (joint.type == JointType::free || (joint.type == JointType::custom && !modes_commute(joint)))
      joint.rotor_inertia.clear();
}

/// The state after `t` seconds.
inline State after(const System& system, const State& start, double t,
                   const SimulationOptions& options) {
  Simulation simulation(system, start, options);
  simulation.advance_to(start.t + t);
  return simulation.state();
}

/// Largest difference of two states, positions compared on the group.
inline double distance(const System& system, const State& a, const State& b) {
  Eigen::VectorXd d(system.nv());
  compute_difference(system, a.q, b.q, d);
  return std::max(d.cwiseAbs().maxCoeff(), (a.v - b.v).cwiseAbs().maxCoeff());
}

}  // namespace linkwright::testing
