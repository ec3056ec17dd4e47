#pragma once
/// A flyball governor whose lower arms are stiff springs with dampers (IFToMM library of benchmark
/// problems, A05): shaft, two rods with balls at their ends, a slider.

#include <numbers>

#include "linkwright/dynamics/state.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright::testing {

inline Model governor() {
  constexpr double density = 3000, thick = 0.01, length = 1, cube = 0.1, off_axis = 0.05;
  const double rod_mass = density * thick * thick * length,
               slider_mass = density * cube * cube * cube;
  const double across = rod_mass * (length * length + thick * thick) / 12,
               along = rod_mass * thick * thick / 6, J = slider_mass * cube * cube / 6;
  constexpr double ball = 5;
  Model model;
  model.gravity = {0, 0, -9.81};
  model.bodies.push_back({.name = "shaft",
                          .mass = rod_mass,
                          .com = {0, 0, -length / 2},
                          .inertia = {across, across, along, 0, 0, 0}});
  model.bodies.push_back({.name = "slider", .mass = slider_mass, .inertia = {J, J, J, 0, 0, 0}});
  Joint spin{.name = "spin", .type = JointType::continuous, .parent = "world", .child = "shaft"};
  spin.axis = {0, 0, 1};
  // s counts downwards from the top, where the rods hang.
  Joint slide{.name = "slide", .type = JointType::prismatic, .parent = "shaft", .child = "slider"};
  slide.axis = {0, 0, -1};
  model.joints = {spin, slide};
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "right" : "left";
    // Along the rod, a ball at its end: about their common centre of mass.
    const double mass = rod_mass + ball, com = (rod_mass * length / 2 + ball * length) / mass;
    const double turned =
        across + rod_mass * std::pow(com - length / 2, 2) + ball * std::pow(length - com, 2);
    model.bodies.push_back({.name = name,
                            .mass = mass,
                            .com = {side * com, 0, 0},
                            .inertia = {along, turned, turned, 0, 0, 0}});
    Joint hinge{
        .name = name + "_hinge", .type = JointType::continuous, .parent = "shaft", .child = name};
    hinge.pose.translation = {side * off_axis, 0, 0};
    hinge.axis = {0, side, 0};  // lowers the rod
    model.joints.push_back(hinge);
    model.line_springs.push_back({.name = name + "_arm",
                                  .body_a = name,
                                  .body_b = "slider",
                                  .at_a = {side * length / 2, 0, 0},
                                  .at_b = {side * off_axis, 0, 0},
                                  .stiffness = 8e5,
                                  .damping = 4e4,
                                  .rest_length = 0.5});
  }
  return model;
}

inline State governor_start(const System& system) {
  State state(system);
  state.v[system.joint("spin").v] = 2 * std::numbers::pi;
  state.q[system.joint("slide").q] = 0.5;
  for (const char* hinge : {"right_hinge", "left_hinge"})
    state.q[system.joint(hinge).q] = std::numbers::pi / 6;
  return state;
}

}  // namespace linkwright::testing
