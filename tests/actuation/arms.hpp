#pragma once
/// Small arms with motors, for the tests of drives.

#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {

/// A chain of rods that hang under gravity and turn about axes of their own.
inline Model arm_of(int links) {
  Model model;
  for (int i = 0; i < links; ++i) {
    const std::string number = std::to_string(i + 1);
    model.bodies.push_back({.name = "rod" + number,
                            .mass = 1.0 + 0.3 * i,
                            .com = {0.05, 0.02 * i, -0.25},
                            .inertia = {0.03, 0.03, 0.01, 0.001, 0, 0.002}});
    model.joints.push_back({.name = "j" + number,
                            .type = JointType::revolute,
                            .parent = i == 0 ? "world" : "rod" + std::to_string(i),
                            .child = "rod" + number,
                            .pose = {.translation = {0, 0.1 * i, i == 0 ? 0 : -0.5}},
                            .axis = i % 2 == 0 ? Vector3{0, 1, 0} : Vector3{1, 0, 0},
                            .damping = {0.05 * i}});
  }
  return model;
}

inline Actuator::Motor small_motor() {
  return {.rotor_inertia = 2e-4, .damping = 3e-4, .Ra = 1.5, .La = 4e-3, .k = 0.2};
}

/// Four links: a plain gear, one shaft on two joints and another on three, which is enough for a wrist.
inline Model coupled_arm() {
  Model model = arm_of(4);
  model.actuators = {
      {.name = "base", .joint = "j1", .motor = small_motor(), .gear = 60},
      {.name = "pair", .motor = small_motor(), .transmission = {{"j2", 0, 40}, {"j3", 0, -25}}},
      {.name = "three",
       .motor = small_motor(),
       .transmission = {{"j2", 0, 10}, {"j3", 0, 30}, {"j4", 0, -20}}},
      {.name = "last", .motor = small_motor(), .transmission = {{"j3", 0, 15}, {"j4", 0, 35}}}};
  return model;
}

}  // namespace linkwright::testing
