// System files of closed mechanisms, for tests.

const pose = (xyz, rpy) => `{xyz: [${xyz}], rpy: [${rpy}]}`;

/** Every kind of closure once, each between two bodies of a chain that float; a pair of gears; grasps of every kind. */
export function everyClosure() {
  const kinds = [
    "joint: weld", "joint: revolute, axis: [1, 2, 2]", "joint: prismatic, axis: [0, 3, 4]", "joint: helical, axis: [2, 1, -2], pitch: 0.05",
    "joint: cylindrical, axis: [0, 0.6, 0.8]", "joint: universal, axis: [1, 0, 0], axis2: [0, 1, 0.3]", "joint: planar, axis: [1, 1, 0]",
    "joint: spherical", "joint: custom, modes: [[0, 0.6, 0.8, 0.1, 0.2, 0.3]]",
    "joint: custom, modes: [[1, 0, 0, 0, 0.2, 0], [0, 1, 0, 0, 0, 0]]", "joint: point_on_line, axis: [1, -1, 2]",
    "joint: point_on_plane, axis: [2, 1, 2]", "joint: distance, distance: 0.7", "joint: rolling, axis: [0, 0, 1], radius: 0.2",
    "joint: rolling, axis: [0, 1, 2], axle: [1, 0, 0.2], radius: 0.3",
  ];
  const contacts = ["contact: rigid", "contact: line, axis: [1, 1, 1]", "contact: point", "contact: soft_finger, normal: [0, 1, 1], friction: 0.5"];
  const count = kinds.length + contacts.length + 1;
  const bodies = Array.from({ length: count }, (_, i) => `  - {name: b${i}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}`);
  const joints = Array.from({ length: count }, (_, i) =>
    `  - {name: j${i}, type: free, parent: world, child: b${i}, pose: ${pose([0.3 * i - 2, 0.1 * (i % 4), 0.05 * i], [0.1 * (i % 5), -0.2, 0.3])}}`);
  const at = (i) => `at_a: ${pose([0.1, 0.05 * (i % 3), 0.1], [0.3, 0.1 * (i % 4), -0.2])}, at_b: ${pose([-0.1, 0.04, 0.02 * i], [0, 0.5, 0.1 * (i % 3)])}`;
  const closures = kinds.map((kind, i) => `  - {name: c${i}, between: [b${i}, b${i + 1}], ${kind}, ${at(i)}}`);
  const grasps = contacts.map((contact, i) => {
    const k = kinds.length + i;
    return `  - {name: g${i}, arm: b${k}, object: b${k + 1}, at: ${pose([-0.1, 0.02, 0.03], [0.4, 0, 0.2])}, ${contact}}`;
  });
  return `linkwright: 1
bodies:
${bodies.join("\n")}
  - {name: wheel, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: pinion, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
joints:
${joints.join("\n")}
  - {name: wheel, type: continuous, parent: b0, child: wheel, axis: [0, 0, 1]}
  - {name: pinion, type: continuous, parent: b0, child: pinion, pose: {xyz: [0.2, 0, 0]}, axis: [0, 0, 1]}
closures:
${closures.join("\n")}
  - {name: gears, joint: gear, joints: [wheel, pinion], ratio: -2.5, offset: 0.1}
grasps:
${grasps.join("\n")}
`;
}

/** A hand whose fingers mimic each other. */
export const mimicHand = `<robot name="hand">
  <link name="palm"/>
  ${["left", "right"].map((side) => `<link name="${side}"><inertial><mass value="0.1"/><origin xyz="0 0 0.05"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>`).join("\n  ")}
  <joint name="lead" type="revolute"><parent link="palm"/><child link="left"/><origin xyz="0.03 0 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="follow" type="revolute"><parent link="palm"/><child link="right"/><origin xyz="-0.03 0 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="lead" multiplier="-0.5" offset="0.1"/></joint>
</robot>
`;
