#pragma once
/// Closed mechanisms that everybody knows, with figures of our own.

#include <cmath>
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

/// Two hinges side by side whose bodies a slide across them holds to one attitude: they can turn together to first order
/// alone, since the way between their ends turns with them. Where the slide is askew by an angle, by a tenth of
/// that not even so.
inline Model two_hinges_and_slide(double angle) {
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {rod("one", 0.5, 1), rod("other", 0.5, 1.5)};
  model.joints = {hinge("j1", "world", "one", {0, 0, 0}),
                  hinge("j2", "world", "other", {0, -0.1, 0})};
  Closure slide{.name = "slide", .body_a = "one", .body_b = "other"};
  slide.at_a.translation = {0.5, 0, 0}, slide.at_b.translation = {0.5, 0.1, 0};
  slide.joint = JointType::prismatic;
  slide.axis = {std::cos(angle), std::sin(angle), 0};
  model.closures = {slide};
  return model;
}

}  // namespace linkwright::testing
