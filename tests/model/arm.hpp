#pragma once
/// A small model with one of everything attached, for tests of `validate`.

#include "linkwright/model/model.hpp"

namespace linkwright::testing {

inline Body body(const std::string& name) {
  return {.name = name, .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}};
}

inline Joint joint(const std::string& name, JointType type, const std::string& parent,
                   const std::string& child) {
  return {.name = name, .type = type, .parent = parent, .child = child};
}

/// world -hinge- upper -slide- lower -ball- hand, with one of everything attached.
inline Model arm() {
  Model model;
  model.bodies = {body("upper"), body("lower"), body("hand")};
  model.joints = {joint("hinge", JointType::revolute, "world", "upper"),
                  joint("slide", JointType::prismatic, "upper", "lower"),
                  joint("ball", JointType::spherical, "lower", "hand")};
  model.frames = {{.name = "tip", .body = "hand"}};
  model.closures = {
      {.name = "loop", .body_a = "hand", .body_b = "world"},
      {.name = "gear", .kind = Closure::Kind::gear, .leader = "hinge", .follower = "slide"}};
  model.grasps = {{.name = "grip", .arm = "tip", .object = "upper"}};
  model.line_springs = {{.name = "coil", .body_a = "world", .body_b = "upper", .stiffness = 3}};
  model.joint_springs = {{.joint = "ball", .freedom = 2, .stiffness = 3}};
  model.joint_loads = {{.joint = "hinge", .effort = 1}};
  model.body_loads = {{.body = "hand", .force = {{}, {0, 0, 1}}}};
  model.actuators = {{.name = "m", .joint = "hinge", .motor = Actuator::Motor{1e-3, 2e-3}}};
  model.initial.q = {{.joint = "ball", .values = {1, 0, 0, 0}, .source = {}}};
  model.initial.v = {{.joint = "ball", .values = {0, 0, 0}, .source = {}}};
  return model;
}

}  // namespace linkwright::testing
