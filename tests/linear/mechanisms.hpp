#pragma once
/// Mechanisms of the textbooks, whose linear models are known.

#include "closure/mechanisms.hpp"
#include "linkwright/linear/analysis.hpp"
#include "linkwright/linear/equilibrium.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::testing {

/// A point mass on a massless rod about y, hanging down at q = 0.
inline Model pendulum(double mass, double length, double damping = 0) {
  Model model;
  model.bodies = {{.name = "bob", .mass = mass, .com = {0, 0, -length}}};
  model.joints = {hinge("pivot", "world", "bob", {0, 0, 0}, {0, 1, 0})};
  model.joints.back().damping = {damping};
  return model;
}

/// A cart along x with a point mass on a rod; upright at q = 0. The pole is passive.
inline Model cart_pole(double cart, double mass, double length) {
  Model model;
  model.bodies = {{.name = "cart", .mass = cart},
                  {.name = "bob", .mass = mass, .com = {0, 0, length}}};
  Joint slide{.name = "slide", .type = JointType::prismatic, .parent = "world", .child = "cart"};
  slide.axis = {1, 0, 0};
  model.joints = {slide, hinge("pole", "cart", "bob", {0, 0, 0}, {0, 1, 0})};
  model.joints.back().passive = {true};
  return model;
}

/// Two point masses on rods, hanging down.
inline Model double_pendulum(double m1, double l1, double m2, double l2) {
  Model model;
  model.bodies = {{.name = "first", .mass = m1, .com = {0, 0, -l1}},
                  {.name = "second", .mass = m2, .com = {0, 0, -l2}}};
  model.joints = {hinge("shoulder", "world", "first", {0, 0, 0}, {0, 1, 0}),
                  hinge("elbow", "first", "second", {0, 0, -l1}, {0, 1, 0})};
  return model;
}

/// A mass on a spring and a damper along x.
inline Model oscillator(double mass, double stiffness, double damping) {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {{.name = "mass", .mass = mass}};
  Joint slide{.name = "slide", .type = JointType::prismatic, .parent = "world", .child = "mass"};
  slide.axis = {1, 0, 0};
  model.joints = {slide};
  model.joint_springs = {{"slide", 0, stiffness, damping, 0.1, {}}};
  return model;
}

}  // namespace linkwright::testing
