#pragma once
/// A system file that exercises everything a tree can have.

#include <string_view>

namespace apps {

/// Every joint type in one tree, and everything that can push.
inline constexpr std::string_view every_joint_type = R"(linkwright: 1
bodies:
  - {name: b1, mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b2, mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b3, mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b4, mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b5, mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b6, mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b7, mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b8, mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b9, mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b10, mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b11, mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
joints:
  - {name: j1, type: free, parent: world, child: b1}
  - {name: j2, type: revolute, parent: b1, child: b2, axis: [0, 1, 0], damping: 0.1, friction: 0.2}
  - {name: j3, type: continuous, parent: b2, child: b3, axis: [0, 0.6, 0.8], rotor_inertia: 0.1}
  - {name: j4, type: prismatic, parent: b3, child: b4, axis: [1, 0, 0]}
  - {name: j5, type: helical, parent: b1, child: b5, axis: [1, 0, 0], pitch: 0.1}
  - {name: j6, type: cylindrical, parent: b5, child: b6, axis: [0, 0, 1]}
  - {name: j7, type: universal, parent: b6, child: b7, axis: [1, 0, 0], axis2: [0, 1, 0]}
  - {name: j8, type: planar, parent: b7, child: b8, axis: [0, 0, 1]}
  - {name: j9, type: spherical, parent: b1, child: b9, pose: {xyz: [0, 0.3, 0]}}
  - {name: j10, type: custom, parent: b9, child: b10, modes: [[1, 0, 0, 0, 0.2, 0], [0, 1, 0, 0, 0, 1]]}
  - {name: j11, type: fixed, parent: b10, child: b11, pose: {xyz: [0.1, 0, 0]}}
springs:
  - {between: [b1, b8], at_a: {xyz: [0, 0, 0]}, at_b: {xyz: [0, 0, 0]}, stiffness: 4, damping: 1, rest_length: 0.08}
  - {joint: j2, stiffness: 10, damping: 1, rest: 0}
loads:
  - {body: b4, force: [0, 0, 1], moment: [0, 0, 0], at: [0, 0, 0], frame: world}
)";

}  // namespace apps
