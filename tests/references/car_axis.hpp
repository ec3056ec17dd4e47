#pragma once
/// A car's axis on a road that shakes one of its wheels (test set for initial value problems): a bar of
/// length 1 turns about the left foot while its right foot goes up and down; two masses stand on feet of
/// springs, held at distance 1, the left one square to the bar.

#include <cmath>

#include "linkwright/dynamics/state.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright::testing {

inline Model car_axis() {
  constexpr double M = 10, eps = 0.01, L0 = 0.5, L = 1;
  Model model;
  model.gravity = {0, -1, 0};
  const auto slide = [&](const std::string& name, const std::string& parent,
                         const std::string& child, Vector3 axis) {
    Joint joint{.name = name, .type = JointType::prismatic, .parent = parent, .child = child};
    joint.axis = axis;
    model.joints.push_back(joint);
  };
  // Each mass on two slides.
  for (const std::string side : {"left", "right"}) {
    model.bodies.push_back({.name = side + "_across"});
    model.bodies.push_back({.name = side, .mass = M / 2, .inertia = {1, 1, 1, 0, 0, 0}});
    slide(side + "_x", "world", side + "_across", {1, 0, 0});
    slide(side + "_y", side + "_across", side, {0, 1, 0});
  }
  // What the road moves has no weight in what follows.
  model.bodies.push_back({.name = "foot", .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}});
  slide("road", "world", "foot", {0, 1, 0});
  model.bodies.push_back({.name = "bar", .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}});
  Joint turn{.name = "turn", .type = JointType::continuous, .parent = "world", .child = "bar"};
  turn.axis = {0, 0, 1};
  model.joints.push_back(turn);

  Closure tip{
      .name = "tip", .kind = Closure::Kind::point_on_plane, .body_a = "foot", .body_b = "bar"};
  tip.axis = {0, 1, 0}, tip.at_b.translation = {L, 0, 0};
  Closure square{
      .name = "square", .kind = Closure::Kind::point_on_plane, .body_a = "bar", .body_b = "left"};
  square.axis = {1, 0, 0};
  Closure apart{
      .name = "apart", .kind = Closure::Kind::distance, .body_a = "left", .body_b = "right"};
  apart.distance = L;
  model.closures = {tip, square, apart};
  const double stiffness = 1 / (eps * eps);
  model.line_springs = {{.name = "left_spring",
                         .body_a = "world",
                         .body_b = "left",
                         .stiffness = stiffness,
                         .rest_length = L0},
                        {.name = "right_spring",
                         .body_a = "bar",
                         .body_b = "right",
                         .at_a = {L, 0, 0},
                         .stiffness = stiffness,
                         .rest_length = L0}};
  return model;
}

inline State car_axis_start(const System& system) {
  constexpr double r = 0.1, w = 10;
  State state(system);
  const auto set = [&](const char* joint, double q, double v) {
    state.q[system.joint(joint).q] = q, state.v[system.joint(joint).v] = v;
  };
  set("left_x", 0, -0.5), set("left_y", 0.5, 0);
  set("right_x", 1, -0.5), set("right_y", 0.5, 0);
  set("road", 0, r * w), set("turn", 0, r * w);
  return state;
}

}  // namespace linkwright::testing
