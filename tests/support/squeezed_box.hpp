#pragma once
/// A box between two fingers that slide towards each other along x, and press it with what their motors give.

#include <string>

#include "linkwright/io/system_file.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::testing {

struct SqueezedBox {
  double mass = 2, friction = 0.5, g = 9.81;
  double torsion = 0;  ///< of the left finger, if it is soft; 0: none is given
  double aside = 0;    ///< of the centre of mass from the line between the fingers, along y
  const char* left = "soft_finger";
  const char* right = "point";
  bool one_sided = true;
  double dry_friction = 0;  ///< at the fingers' slides

  [[nodiscard]] Model model() const {
    const auto number = [](double x) { return std::to_string(x); };
    const std::string holds = one_sided ? ", friction: " + number(friction) : "";
    const std::string twists = torsion > 0 ? ", torsion: " + number(torsion) : "";
    const auto axis = [](const std::string& contact) {
      return contact == "line" ? std::string(", axis: [0, 0, 1]") : std::string();
    };
    const std::string slide = "friction: " + number(dry_friction) + "}\n";
    return parse_system_file(
        "linkwright: 1\ngravity: [0, 0, " + number(-g) +
            "]\nbodies:\n"
            "  - {name: left_finger, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}\n"
            "  - {name: right_finger, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}\n"
            "joints:\n"
            "  - {name: left, type: prismatic, parent: world, child: left_finger, pose: {xyz: "
            "[-0.1, 0, 0]}, axis: "
            "[1, 0, 0], " +
            slide +
            "  - {name: right, type: prismatic, parent: world, child: right_finger, pose: {xyz: "
            "[0.1, 0, 0]}, axis: "
            "[-1, 0, 0], " +
            slide + "objects: [{name: box, mass: " + number(mass) + ", com: [0, " + number(aside) +
            ", 0], inertia: [0.02, 0.03, 0.025, 0, 0, 0]}]\n"
            "grasps:\n"
            "  - {name: l, arm: left_finger, object: box, at: {xyz: [-0.1, 0, 0]}, normal: [1, 0, "
            "0], contact: " +
            left + axis(left) + holds + twists +
            "}\n"
            "  - {name: r, arm: right_finger, object: box, at: {xyz: [0.1, 0, 0]}, normal: [-1, 0, "
            "0], contact: " +
            right + axis(right) + holds + "}\n",
        "squeezed_box.yaml");
  }
  /// The least squeeze under which the box does not slide down: friction · force = weight / 2 at each finger.
  [[nodiscard]] double least_squeeze() const { return mass * g / (2 * friction); }
};

/// Both motors push with `force`.
inline Eigen::VectorXd squeeze(const System& system, double force) {
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(system.effort_count());
  tau[system.joint("left").v] = tau[system.joint("right").v] = force;
  return tau;
}

}  // namespace linkwright::testing
