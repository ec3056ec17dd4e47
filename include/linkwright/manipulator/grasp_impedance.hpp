#pragma once
/// What an object that hands hold feels like when it is pushed: the inertia of the whole system, damping and
/// stiffness of the hands' joints, all at the object's frame.
///
///     auto felt = linkwright::manipulator::compute_object_impedance(work, q, "box", {.stiffness = servo});
///     Eigen::MatrixXd inertia = felt.inertia.view();       // force = inertia · acceleration, 6 × 6
///
/// Each is the energy of the mechanism for a motion x of the object, least over everything else that may
/// move meanwhile: with v = N y all motions that the closures allow and S = J_object N,
///     ½ xᵀ Λ x = min ½ yᵀ Nᵀ M N y,  S y = x
/// so that Λ⁻¹ = S (NᵀMN)⁻¹ Sᵀ where the object can move in all directions: the operational-space inertia of
/// hands and object together. Directions in which it cannot move have none.

#include <string>
#include <vector>

#include "linkwright/manipulator/grasp.hpp"

namespace linkwright::manipulator {

/// Servo stiffness and damping of each entry of v, besides springs and damping of the joints in the model;
/// none: zero.
struct ServoGains {
  std::vector<double> stiffness{}, damping{};
};

struct ObjectImpedance {
  /// 6 × 6, [angular; linear] at the object's frame, in its axes. Springs between bodies are not counted, nor
  /// is what contact forces add to the stiffness as they turn with the contacts.
  Matrix inertia{}, damping{}, stiffness{};
  int rank = 0;  ///< directions in which the object can move while every closure holds
  /// Where rank < 6, in words: a motion that the closures do not allow.
  std::vector<std::string> immovable{};
};

ObjectImpedance compute_object_impedance(ClosedWorkspace& work, const ConstVectorRef& q,
                                         const std::string& object, const ServoGains& gains = {});

}  // namespace linkwright::manipulator
