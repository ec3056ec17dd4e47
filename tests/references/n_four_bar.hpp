#pragma once
/// N four-bars side by side, all links 1 m and 1 kg, upright (IFToMM library of benchmark problems, A02).
/// Every time it lies flat each loop could turn into the other of its two ways of moving.

#include "linkwright/dynamics/state.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright::testing {

/// Rods A_i B_i stand on the ground, links B_i B_i+1 lie on them.
inline Model n_four_bar(int loops) {
  constexpr double J = 1.0 / 12;
  Model model;
  model.gravity = {0, -9.81, 0};
  const auto add = [&](const std::string& name, const std::string& parent, Vector3 at,
                       Vector3 com) {
    model.bodies.push_back({.name = name, .mass = 1, .com = com, .inertia = {J, J, J, 0, 0, 0}});
    Joint joint{
        .name = "to_" + name, .type = JointType::continuous, .parent = parent, .child = name};
    joint.pose.translation = at;
    joint.axis = {0, 0, 1};
    model.joints.push_back(joint);
  };
  for (int i = 0; i <= loops; ++i)
    add("rod" + std::to_string(i), "world", {static_cast<double>(i), 0, 0}, {0, 0.5, 0});
  for (int i = 0; i < loops; ++i) {
    const std::string link = "link" + std::to_string(i);
    add(link, "rod" + std::to_string(i), {0, 1, 0}, {0.5, 0, 0});
    Closure pin{.name = "pin" + std::to_string(i + 1), .body_a = link};
    pin.body_b = "rod" + std::to_string(i + 1);
    pin.at_a.translation = {1, 0, 0}, pin.at_b.translation = {0, 1, 0};
    pin.joint = JointType::revolute, pin.axis = {0, 0, 1};
    model.closures.push_back(pin);
  }
  return model;
}

/// B0 moves to the right with 1 m/s.
inline State n_four_bar_start(const System& system) {
  State state(system);
  for (const JointPlace& joint : system.joints())
    state.v[joint.v] = joint.name.starts_with("to_rod") ? -1 : 1;
  return state;
}

}  // namespace linkwright::testing
