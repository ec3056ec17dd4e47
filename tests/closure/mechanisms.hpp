#pragma once
/// Closed mechanisms that everybody knows, with figures of our own.

#include <numbers>

#include "linkwright/model/model.hpp"

namespace linkwright::testing {

inline Body rod(const std::string& name, double length, double mass) {
  const double J = mass * length * length / 12;
  return {
      .name = name, .mass = mass, .com = {length / 2, 0, 0}, .inertia = {1e-3 * J, J, J, 0, 0, 0}};
}
inline Joint hinge(const std::string& name, const std::string& parent, const std::string& child,
                   Vector3 at, Vector3 axis = {0, 0, 1}) {
  Joint joint{.name = name, .type = JointType::revolute, .parent = parent, .child = child};
  joint.pose.translation = at;
  joint.axis = axis;
  return joint;
}

/// Crank, coupler and rocker in the x, y plane; `pair` closes it.
inline Model four_bar(double crank, double coupler, double rocker, double ground,
                      JointType pair = JointType::revolute) {
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {rod("crank", crank, 1), rod("coupler", coupler, 2), rod("rocker", rocker, 1.5)};
  model.joints = {hinge("j1", "world", "crank", {0, 0, 0}),
                  hinge("j2", "crank", "coupler", {crank, 0, 0}),
                  hinge("j3", "world", "rocker", {ground, 0, 0})};
  Closure loop{.name = "loop", .body_a = "coupler", .body_b = "rocker"};
  loop.at_a.translation = {coupler, 0, 0}, loop.at_b.translation = {rocker, 0, 0};
  loop.joint = pair;
  model.closures = {loop};
  return model;
}

}  // namespace linkwright::testing
