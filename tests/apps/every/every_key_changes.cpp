#include "apps/every/every_key_changes.hpp"

namespace apps {

const std::string_view rod_urdf = R"(<robot name="rod"><link name="rod"><inertial>
  <origin xyz="0.5 0 0"/><mass value="2"/>
  <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.17" iyz="0" izz="0.18"/></inertial></link></robot>)";

const std::string_view open_system = R"(linkwright: 1
name: cell
gravity: [0, 0, -1.62]
models:
  - {file: rod.urdf, name: left, base: free, pose: {xyz: [0, 0.5, 0], rpy: [0, 0, 0.3]}}
  - {file: rod.urdf, name: soft, base: {flexible: {stiffness: [1, 2, 3, 4, 5, 6], damping: [6, 5, 4, 3, 2, 1]}}}
  - file: rod.urdf
    name: skew
    base:
      flexible:
        stiffness: [[1.5, 0.5, 0, 0, 0, 0], [0.5, 2.5, 0, 0, 0, 0], [0, 0, 3, 0, 0, 0], [0, 0, 0, 4, 0, 0], [0, 0, 0, 0, 5, 0], [0, 0, 0, 0, 0, 6]]
        damping: [[6, 0.25, 0, 0, 0, 0], [0.25, 5, 0, 0, 0, 0], [0, 0, 4, 0, 0, 0], [0, 0, 0, 3, 0, 0], [0, 0, 0, 0, 2, 0], [0, 0, 0, 0, 0, 1]]
dh:
  - name: wrist
    convention: standard
    base: planar
    base_link: {mass: 3.5, com: [0.11, 0, 0], inertia: [1.5, 2, 2.5, 0, 0, 0]}
    pose: {xyz: [0, 0, 2.5]}
    links:
      - {name: hub, joint: turn, theta: 0.21, d: 0.12, a: 0.22, alpha: 1.2, mass: 1.5, com: [0.15, 0, 0], inertia: [1, 1.1, 1.2, 0, 0, 0]}
      - {type: prismatic, offset: 0.31, mass: 1.25, gear: -10, rotor_inertia: 2.0e-3, damping: 1.0e-3,
         friction: {forward: 0.11, backward: 0.22}, limits: {lower: 0.1, upper: 1.1}}
bodies:
  - {name: b1, mass: 1.01, com: [0.51, 0, 0.1], inertia: [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]}
  - &rod {name: b2, mass: 1.02, com: [0.52, 0, 0.2], inertia: [0.2, 0.2, 0.25, 0.01, 0.02, 0.03]}
  - {<<: *rod, name: b3}
  - {<<: *rod, name: b4}
  - {<<: *rod, name: b5}
  - {<<: *rod, name: b6}
joints:
  - {name: j1, type: revolute, parent: world, child: b1, pose: {xyz: [1, 2, 3], quaternion: [0.8, 0.6, 0, 0]}, axis: [0, 0.6, 0.8],
     damping: 0.13, friction: {forward: 0.2, backward: 0.3, breakaway: 0.4}, rotor_inertia: 0.4,
     limits: {lower: -1, upper: 2, velocity: 3, effort: 4, restitution: 0.35}}
  - {name: j2, type: universal, parent: b1, child: b2, axis2: [0, 0.8, 0.6]}
  - {name: j3, type: helical, parent: b2, child: b3, pitch: 0.01}
  - {name: j4, type: custom, parent: b3, child: b4, modes: [[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]], passive: [true, false]}
  - {name: j5, type: prismatic, parent: tip, child: b5, friction: 0.5, limits: {lower: -3.5, upper: 3.5, stiffness: 700, damping: 9.5}}
  - {name: j6, type: cylindrical, parent: world, child: b6}
objects:
  - {name: box, mass: 2.03, com: [0.03, 0, 0], inertia: [1.3, 1.4, 1.5, 0, 0, 0], pose: {xyz: [0, 0, 5.3]}}
frames:
  - {name: tip, body: b1, pose: {xyz: [1.4, 0, 0]}}
springs:
  - {name: coil, between: [b1, world], at_a: {xyz: [1.5, 0, 0]}, at_b: [0, 1.5, 0], stiffness: 45, damping: 7, rest_length: 0.08}
  - {joint: j6, freedom: 1, stiffness: 10, damping: 1.1, rest: 0.5}
loads:
  - {joint: j6, freedom: 0, torque: 0.033}
  - {joint: j5, force: 2.2}
  - {body: b1, force: [0, 0, 1.7], moment: [0, 1.7, 0], at: [1.7, 0, 0], frame: world}
actuators:
  - {name: m1, joint: j2, freedom: 1, gear: 100, motor: {Ra: 1.6, La: 0.005, k: 0.19, rotor_inertia: 1.0e-3, damping: 2.0e-4, friction: 0.015, voltage_limit: 24, current_limit: 5}}
  - {name: m2, transmission: {j1: 80, j5: -41}, motor: {Ra: 1.1, La: 0.006, field_constant: 0.31, field_current: 0.51, rotor_inertia: 3.0e-4}}
  - {name: m3, joint: j2, freedom: 0, gear: 50, elastic: {stiffness: 12, damping: 0.12}, motor: {rotor_inertia: 4.0e-4}}
passive: [j3]
coordinates: [j1]
state: {q: {j1: 0.3}, v: {j1: 1.5}, hold: [j1], current: {m2: 0.55}, shaft_angle: {m3: 0.75}, shaft_speed: {m3: 0.85}}
)";

const std::string_view closed_system = R"(linkwright: 1
bodies:
  - {name: a, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
joints:
  - {name: j1, type: revolute, parent: world, child: a}
  - {name: j2, type: revolute, parent: a, child: b}
  - {name: j3, type: spherical, parent: world, child: tip}
cut: [j3]
objects:
  - {name: box, mass: 2, inertia: [1, 1, 1, 0, 0, 0]}
frames:
  - {name: tip, body: b, pose: {xyz: [1, 0, 0]}}
closures:
  - {name: pin, between: [b, world], joint: revolute, axis: [0, 0.6, 0.8], at_a: {xyz: [1.1, 0, 0]}, at_b: {xyz: [2.1, 0, 0]}}
  - {name: cardan, between: [a, box], joint: universal, axis2: [0, 0.8, 0.6], passive: [true, false], damping: [0.3, 0.4],
     friction: 0.05, rotor_inertia: 0.06, limits: {lower: -1, upper: 1}}
  - {name: screw, between: [a, box], joint: helical, pitch: 0.02}
  - {name: own, between: [a, box], joint: custom, modes: [[0, 0, 1, 0, 0, 0]]}
  - {name: rope, between: [a, tip], joint: distance, distance: 0.7, at_a: {xyz: [1.2, 0, 0]}, at_b: {xyz: [1.3, 0, 0]}}
  - {name: slot, between: [a, box], joint: point_on_line, axis: [0.6, 0, 0.8], at_a: {xyz: [1.5, 0, 0]}, at_b: {xyz: [1.6, 0, 0]}}
  - {name: wheel, between: [world, box], joint: rolling, axis: [0.8, 0, 0.6], radius: 0.25, axle: [0, 1, 0], at_a: {xyz: [1.7, 0, 0]}, at_b: {xyz: [1.8, 0, 0]}}
  - {name: train, joint: gear, joints: [j1, j2], ratio: -3, offset: 0.1}
grasps:
  - {name: g1, arm: tip, object: box, at: {xyz: [0.1, 0, 0]}, contact: soft_finger, normal: [0, 0.6, 0.8], friction: 0.6, torsion: 0.02}
  - {name: g2, arm: b, object: box, contact: line, axis: [1, 0, 0]}
)";

const std::string_view flexible_system = R"(linkwright: 1
bodies: [{name: strip}, {name: rod}, {name: shaft}, {name: pipe}]
joints:
  - {name: j1, type: revolute, parent: world, child: strip}
  - {name: j2, type: revolute, parent: world, child: rod}
  - {name: j3, type: revolute, parent: world, child: shaft}
  - {name: j4, type: revolute, parent: world, child: pipe}
flexible_links:
  - {body: strip, from: [0.1, 0, 0], along: [1.3, 0, 0], up: [0, 0.6, 0.8], E: 2.1e5, G: 8.1e4, density: 2710,
     section: {rectangle: [0.11, 0.12]}, bending: y, axial: true, elements: 2, damping_ratio: 0.02}
  - {body: rod, along: [0, 1.4, 0], EI: [55, 56], GJ: 57, EA: 58, mass_per_length: 2.2, inertia_per_length: 0.3, modes: 1}
  - {body: shaft, along: [0, 0, 1.5], E: 2.2e5, density: 2720, section: {circle: 0.13}, elements: 1}
  - {body: pipe, along: [1.6, 0, 0], E: 2.3e5, density: 2730, section: {tube: [0.14, 0.1]}, elements: 1}
state: {q: {"strip:bend1": 0.11}}
)";

const std::string_view network_system = R"(linkwright: 1
bodies: [{name: a, mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}, {name: b, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}]
joints:
  - {name: j1, type: revolute, parent: world, child: a}
  - {name: j2, type: revolute, parent: a, child: b}
network:
  parts:
    - name: shunt
      ports: [hot, cold]
      components:
        - {name: left, type: resistor, resistance: 21, wires: [hot, tap]}
        - {name: right, type: resistor, resistance: 34, wires: [tap, cold]}
        - {name: leak, type: resistor, resistance: 55, wires: [tap]}
    - name: tee
      ports: [hot]
      components:
        - {name: only, type: resistor, resistance: 89, wires: [hot]}
  components:
    - {name: battery, type: voltage_source, voltage: 12, wires: [plus, ground]}
    - {name: shunted, part: shunt, wires: {hot: plus, cold: coil}}
    - {name: teed, part: tee, wires: {hot: coil}}
    - {name: winding, type: resistor, resistance: 1.5, wires: [plus, coil]}
    - {name: choke, type: inductor, inductance: 0.02, current: 0.4, wires: [coil, brush]}
    - {name: filter, type: capacitor, capacitance: 0.003, wires: [coil]}
    - {name: fan, type: current_source, wires: [brush]}
    - {name: turner, type: motor, k: 0.07, wires: {electrical: [brush], shaft: [rotor]}}
    - {name: rotor, type: inertia, inertia: 0.0011, speed: 3.1, wires: [rotor]}
    - {name: oil, type: damper, damping: 0.013, wires: [rotor]}
    - {name: belt, type: spring, stiffness: 14, twist: 0.21, wires: [rotor, pulley]}
    - {name: reducer, type: gear, ratio: 5, wires: {driving: [pulley], driven: ["joint:j1"]}}
    - {name: push, type: torque_source, torque: 0.35, wires: ["joint:j1"]}
    - {name: crank, type: speed_source, speed: 0.45, wires: [belt_end]}
    - {name: wrap, type: spring, stiffness: 16, wires: [belt_end, "joint:j2"]}
    - {name: split, type: transformer, ratios: [1, -2, 3], domain: shaft, wires: [[ring], ["joint:j1"], ["joint:j2"]]}
    - {name: ring, type: inertia, inertia: 0.5, wires: [ring]}
)";

namespace {
constexpr auto told = Shows::told;
}  // namespace

std::vector<Change> changes_of_the_open_system() {
  struct Short {
    std::string_view section, word, from, to;
    Shows shows = Shows::numbers;
  };
  static const std::vector<Short> all{
      {"top level", "linkwright", "linkwright: 1", "linkwright: 2"},
      {"top level", "name", "name: cell", "name: shop", told},
      {"top level", "gravity", "gravity: [0, 0, -1.62]", "gravity: [0, 0, -1.63]"},
      {"top level", "models", "models:\n  - {file: rod.urdf, name: left",
       "models:\n  - {file: rod.urdf, name: l"},
      {"top level", "dh", "dh:\n  - name: wrist", "dh:\n  - name: arm"},
      {"top level", "bodies", "bodies:\n  - {name: b1, mass: 1.01",
       "bodies:\n  - {name: b1, mass: 1.2"},
      {"top level", "joints", "joints:\n  - {name: j1,", "joints:\n  - {name: k1,"},
      {"top level", "objects", "objects:\n  - {name: box", "objects:\n  - {name: ball"},
      {"top level", "frames", "frames:\n  - {name: tip, body: b1",
       "frames:\n  - {name: tip, body: b2"},
      {"top level", "springs", "springs:\n  - {name: coil", "springs:\n  - {name: loop", told},
      {"top level", "loads", "loads:\n  - {joint: j6, freedom: 0, torque: 0.033}", "loads:"},
      {"top level", "actuators", "actuators:\n  - {name: m1, joint: j2",
       "actuators:\n  - {name: m1, joint: j6"},
      {"top level", "passive", "\npassive: [j3]", "\npassive: [j5]"},
      {"top level", "coordinates", "coordinates: [j1]", "coordinates: [j5]"},
      {"top level", "state", "state: {q: {j1: 0.3}", "state: {q: {j1: 0.4}"},
      {"model", "file", "file: rod.urdf, name: left", "file: other.urdf, name: left"},
      {"model", "name", "name: left", "name: right"},
      {"model", "base", "base: free", "base: planar"},
      {"model", "pose", "pose: {xyz: [0, 0.5, 0]", "pose: {xyz: [0, 0.6, 0]"},
      {"base", "flexible", "flexible: {stiffness: [1,", "flexible: {stiffness: [9,"},
      {"flexible", "stiffness", "stiffness: [1, 2", "stiffness: [1, 3"},
      {"flexible", "damping", "damping: [6, 5", "damping: [6, 4"},
      {"flexible", "stiffness", "stiffness: [[1.5, 0.5, 0, 0, 0, 0], [0.5,",
       "stiffness: [[1.5, 0.75, 0, 0, 0, 0], [0.75,"},
      {"flexible", "damping", "damping: [[6, 0.25, 0, 0, 0, 0], [0.25,",
       "damping: [[6, 0.5, 0, 0, 0, 0], [0.5,"},
      {"body", "name", "name: b6}", "name: b7}"},
      {"body", "mass", "mass: 1.01", "mass: 1.1"},
      {"body", "com", "com: [0.51", "com: [0.41"},
      {"body", "inertia", "inertia: [0.1, 0.2, 0.25", "inertia: [0.1, 0.2, 0.26"},
      {"joint", "name", "name: j6", "name: j7"},
      {"joint", "type", "type: cylindrical", "type: universal"},
      {"joint", "parent", "parent: b2", "parent: b1"},
      {"joint", "child", "child: b6", "child: b5"},
      {"joint", "pose", "pose: {xyz: [1, 2, 3]", "pose: {xyz: [1, 2, 4]"},
      {"joint", "axis", "axis: [0, 0.6, 0.8]", "axis: [0, 0.8, 0.6]"},
      {"joint", "axis2", "axis2: [0, 0.8, 0.6]", "axis2: [0, 0.6, 0.8]"},
      {"joint", "pitch", "pitch: 0.01", "pitch: 0.02"},
      {"joint", "modes", "modes: [[0, 0, 1, 0, 0, 0]", "modes: [[0, 1, 0, 0, 0, 0]"},
      {"joint", "passive", "passive: [true, false]", "passive: [false, true]"},
      {"joint", "damping", "damping: 0.13", "damping: 0.14"},
      {"joint", "friction", "friction: 0.5", "friction: 0.6"},
      {"joint", "rotor_inertia", "rotor_inertia: 0.4", "rotor_inertia: 0.5"},
      {"joint", "limits", "limits: {lower: -1,", "limits: {lower: -2,"},
      {"object", "name", "name: box", "name: ball"},
      {"object", "mass", "mass: 2.03", "mass: 2.04"},
      {"object", "com", "com: [0.03", "com: [0.04"},
      {"object", "inertia", "inertia: [1.3", "inertia: [1.35"},
      {"object", "pose", "pose: {xyz: [0, 0, 5.3]}", "pose: {xyz: [0, 0, 5.4]}"},
      {"frame", "name", "name: tip", "name: top"},
      {"frame", "body", "body: b1, pose", "body: b2, pose"},
      {"frame", "pose", "pose: {xyz: [1.4", "pose: {xyz: [1.3"},
      {"pose", "xyz", "xyz: [1, 2, 3]", "xyz: [1.1, 2, 3]"},
      {"pose", "rpy", "rpy: [0, 0, 0.3]", "rpy: [0, 0, 0.4]"},
      {"pose", "quaternion", "quaternion: [0.8, 0.6", "quaternion: [0.6, 0.8"},
      {"point", "xyz", "xyz: [1.5, 0, 0]", "xyz: [1.6, 0, 0]"},
      {"friction", "forward", "forward: 0.2,", "forward: 0.25,"},
      {"friction", "backward", "backward: 0.3", "backward: 0.35"},
      {"friction", "breakaway", "breakaway: 0.4", "breakaway: 4000"},
      {"limits", "lower", "lower: -1, upper: 2", "lower: -1.5, upper: 2"},
      {"limits", "upper", "upper: 2", "upper: 2.5"},
      {"limits", "velocity", "velocity: 3", "velocity: 4", told},
      {"limits", "effort", "effort: 4", "effort: 5", told},
      {"limits", "restitution", "restitution: 0.35", "restitution: 0.45"},
      {"limits", "stiffness", "stiffness: 700", "stiffness: 800"},
      {"limits", "damping", "damping: 9.5", "damping: 9.6"},
      {"dh table", "name", "name: wrist", "name: hand"},
      {"dh table", "convention", "convention: standard", "convention: modified"},
      {"dh table", "base", "base: planar", "base: free"},
      {"dh table", "base_link", "base_link: {mass: 3.5", "base_link: {mass: 3.6"},
      {"dh table", "pose", "pose: {xyz: [0, 0, 2.5]}", "pose: {xyz: [0, 0, 2.6]}"},
      {"dh table", "links", "links:\n      - {name: hub", "links:\n      - {name: nave"},
      {"dh base_link", "mass", "mass: 3.5", "mass: 3.6"},
      {"dh base_link", "com", "com: [0.11", "com: [0.12"},
      {"dh base_link", "inertia", "inertia: [1.5, 2, 2.5", "inertia: [1.5, 2, 2.6"},
      {"dh row", "name", "name: hub", "name: nave"},
      {"dh row", "joint", "joint: turn", "joint: spin"},
      {"dh row", "type", "type: prismatic, offset", "type: revolute, offset"},
      {"dh row", "theta", "theta: 0.21", "theta: 0.22"},
      {"dh row", "d", "d: 0.12", "d: 0.13"},
      {"dh row", "a", " a: 0.22", " a: 0.23"},
      {"dh row", "alpha", "alpha: 1.2", "alpha: 1.3"},
      {"dh row", "offset", "offset: 0.31", "offset: 0.32"},
      {"dh row", "mass", "mass: 1.5", "mass: 1.6"},
      {"dh row", "com", "com: [0.15", "com: [0.16"},
      {"dh row", "inertia", "inertia: [1, 1.1, 1.2", "inertia: [1, 1.1, 1.3"},
      {"dh row", "rotor_inertia", "rotor_inertia: 2.0e-3", "rotor_inertia: 3.0e-3"},
      {"dh row", "damping", "damping: 1.0e-3", "damping: 2.0e-3"},
      {"dh row", "friction", "friction: {forward: 0.11", "friction: {forward: 0.12"},
      {"dh row", "gear", "gear: -10", "gear: -11"},
      {"dh row", "limits", "limits: {lower: 0.1", "limits: {lower: 0.2"},
      {"spring (line)", "name", "name: coil", "name: loop", told},
      {"spring (line)", "between", "between: [b1, world]", "between: [b2, world]"},
      {"spring (line)", "at_a", "at_a: {xyz: [1.5", "at_a: {xyz: [1.6"},
      {"spring (line)", "at_b", "at_b: [0, 1.5", "at_b: [0, 1.6"},
      {"spring (line)", "stiffness", "stiffness: 45", "stiffness: 46"},
      {"spring (line)", "damping", "damping: 7", "damping: 8"},
      {"spring (line)", "rest_length", "rest_length: 0.08", "rest_length: 0.09"},
      {"spring (joint)", "joint", "joint: j6, freedom: 1", "joint: j2, freedom: 1"},
      {"spring (joint)", "freedom", "freedom: 1, stiffness", "freedom: 0, stiffness"},
      {"spring (joint)", "stiffness", "stiffness: 10", "stiffness: 11"},
      {"spring (joint)", "damping", "damping: 1.1", "damping: 1.2"},
      {"spring (joint)", "rest", "rest: 0.5", "rest: 0.6"},
      {"load (joint)", "joint", "joint: j6, freedom: 0", "joint: j2, freedom: 0"},
      {"load (joint)", "freedom", "freedom: 0, torque", "freedom: 1, torque"},
      {"load (joint)", "torque", "torque: 0.033", "torque: 0.034"},
      {"load (joint)", "force", "force: 2.2", "force: 2.3"},
      {"load (body)", "body", "body: b1, force", "body: b2, force"},
      {"load (body)", "force", "force: [0, 0, 1.7]", "force: [0, 0, 1.8]"},
      {"load (body)", "moment", "moment: [0, 1.7", "moment: [0, 1.8"},
      {"load (body)", "at", "at: [1.7", "at: [1.8"},
      {"load (body)", "frame", "frame: world", "frame: body"},
      {"actuator", "name", "name: m1", "name: m2", told},
      {"actuator", "joint", "joint: j2, freedom: 1, gear", "joint: j6, freedom: 1, gear"},
      {"actuator", "freedom", "freedom: 1, gear", "freedom: 0, gear"},
      {"actuator", "gear", "gear: 100", "gear: 90"},
      {"actuator", "motor", "motor: {Ra: 1.6, La: 0.005, k: 0.19, rotor_inertia: 1.0e-3",
       "motor: {rotor_inertia: 2.0e-3, Ra: 1, k: 1"},
      {"actuator", "transmission", "transmission: {j1: 80", "transmission: {j1: 81"},
      {"actuator", "elastic", "elastic: {stiffness: 12, damping: 0.12}, motor", "motor"},
      {"elastic gear", "stiffness", "stiffness: 12,", "stiffness: 13,"},
      {"elastic gear", "damping", "damping: 0.12}", "damping: 0.125}"},
      {"motor", "Ra", "Ra: 1.6", "Ra: 1.7"},
      {"motor", "La", "La: 0.005", "La: 0.007"},
      {"motor", "k", "k: 0.19", "k: 0.18"},
      {"motor", "field_constant", "field_constant: 0.31", "field_constant: 0.32"},
      {"motor", "field_current", "field_current: 0.51", "field_current: 0.52"},
      {"motor", "friction", "friction: 0.015", "friction: 0.016"},
      {"motor", "rotor_inertia", "rotor_inertia: 1.0e-3", "rotor_inertia: 1.1e-3"},
      {"motor", "damping", "damping: 2.0e-4", "damping: 2.1e-4"},
      {"motor", "voltage_limit", "voltage_limit: 24", "voltage_limit: 25"},
      {"motor", "current_limit", "current_limit: 5", "current_limit: 6"},
      {"state", "q", "q: {j1: 0.3}", "q: {j1: 0.4}"},
      {"state", "v", "v: {j1: 1.5}", "v: {j1: 1.6}"},
      {"state", "hold", "hold: [j1]", "hold: [j5]"},
      {"state", "current", "current: {m2: 0.55}", "current: {m2: 0.56}"},
      {"state", "shaft_angle", "shaft_angle: {m3: 0.75}", "shaft_angle: {m3: 0.76}"},
      {"state", "shaft_speed", "shaft_speed: {m3: 0.85}", "shaft_speed: {m3: 0.86}"},
  };
  std::vector<Change> changes;
  for (const Short& s : all)
    changes.push_back({"open.yaml", s.section, s.word, s.from, s.to, s.shows});
  return changes;
}

/// Until loops are enforced nothing computes with them: the file is refused, or cut open in words.
std::vector<Change> changes_of_the_closed_system() {
  struct Short {
    std::string_view section, word, from, to;
  };
  static const std::vector<Short> all{
      {"top level", "cut", "cut: [j3]", "cut: [j2]"},
      {"top level", "closures", "closures:\n  - {name: pin", "closures:\n  - {name: bolt"},
      {"top level", "grasps", "grasps:\n  - {name: g1", "grasps:\n  - {name: grip"},
      {"closure (joint)", "name", "name: pin", "name: bolt"},
      {"closure (joint)", "joint", "joint: revolute, axis", "joint: prismatic, axis"},
      {"closure (joint)", "between", "between: [b, world]", "between: [a, world]"},
      {"closure (joint)", "at_a", "at_a: {xyz: [1.1", "at_a: {xyz: [1.4"},
      {"closure (joint)", "at_b", "at_b: {xyz: [2.1", "at_b: {xyz: [2.4"},
      {"closure (joint)", "axis", "axis: [0, 0.6, 0.8], at_a", "axis: [0, 0.8, 0.6], at_a"},
      {"closure (joint)", "axis2", "axis2: [0, 0.8, 0.6]", "axis2: [0, 0.6, 0.8]"},
      {"closure (joint)", "pitch", "pitch: 0.02", "pitch: 0.03"},
      {"closure (joint)", "modes", "modes: [[0, 0, 1", "modes: [[0, 1, 1"},
      {"closure (joint)", "passive", "passive: [true, false]", "passive: [false, true]"},
      {"closure (joint)", "damping", "damping: [0.3, 0.4]", "damping: [0.3, 0.5]"},
      {"closure (joint)", "friction", "friction: 0.05", "friction: 0.07"},
      {"closure (joint)", "rotor_inertia", "rotor_inertia: 0.06", "rotor_inertia: 0.07"},
      {"closure (joint)", "limits", "limits: {lower: -1", "limits: {lower: -2"},
      {"closure (line or plane)", "name", "name: slot", "name: groove"},
      {"closure (line or plane)", "joint", "joint: point_on_line", "joint: point_on_plane"},
      {"closure (line or plane)", "between", "between: [a, box], joint: point_on_line",
       "between: [b, box], joint: point_on_line"},
      {"closure (line or plane)", "at_a", "at_a: {xyz: [1.5", "at_a: {xyz: [1.4"},
      {"closure (line or plane)", "at_b", "at_b: {xyz: [1.6", "at_b: {xyz: [1.4"},
      {"closure (line or plane)", "axis", "point_on_line, axis: [0.6, 0, 0.8]",
       "point_on_line, axis: [0.8, 0, 0.6]"},
      {"closure (rolling)", "name", "name: wheel", "name: tyre"},
      {"closure (rolling)", "joint",
       "joint: rolling, axis: [0.8, 0, 0.6], radius: 0.25, axle: [0, 1, 0]", "joint: weld"},
      {"closure (rolling)", "between", "between: [world, box]", "between: [world, a]"},
      {"closure (rolling)", "at_a", "at_a: {xyz: [1.7", "at_a: {xyz: [1.4"},
      {"closure (rolling)", "at_b", "at_b: {xyz: [1.8", "at_b: {xyz: [1.4"},
      {"closure (rolling)", "axis", "rolling, axis: [0.8, 0, 0.6]", "rolling, axis: [0.6, 0, 0.8]"},
      {"closure (rolling)", "radius", "radius: 0.25", "radius: 0.3"},
      {"closure (rolling)", "axle", "axle: [0, 1, 0]", "axle: [1, 0, 0]"},
      {"closure (distance)", "name", "name: rope", "name: rod"},
      {"closure (distance)", "joint", "joint: distance, distance: 0.7,", "joint: weld,"},
      {"closure (distance)", "between", "between: [a, tip]", "between: [b, a]"},
      {"closure (distance)", "at_a", "at_a: {xyz: [1.2", "at_a: {xyz: [1.4"},
      {"closure (distance)", "at_b", "at_b: {xyz: [1.3", "at_b: {xyz: [1.4"},
      {"closure (distance)", "distance", "distance: 0.7", "distance: 0.8"},
      {"closure (gear)", "name", "name: train", "name: wheels"},
      {"closure (gear)", "joint", "joint: gear", "joint: weld"},
      {"closure (gear)", "joints", "joints: [j1, j2]", "joints: [j2, j1]"},
      {"closure (gear)", "ratio", "ratio: -3", "ratio: -4"},
      {"closure (gear)", "offset", "offset: 0.1", "offset: 0.2"},
      {"grasp", "name", "name: g1", "name: grip"},
      {"grasp", "arm", "arm: tip", "arm: a"},
      {"grasp", "object", "object: box, at", "object: b, at"},
      {"grasp", "at", "at: {xyz: [0.1", "at: {xyz: [0.2"},
      {"grasp", "contact", "contact: soft_finger", "contact: point"},
      {"grasp", "normal", "normal: [0, 0.6, 0.8]", "normal: [0, 0.8, 0.6]"},
      {"grasp", "axis", "contact: line, axis: [1, 0, 0]", "contact: line, axis: [0, 1, 0]"},
      {"grasp", "friction", "friction: 0.6", "friction: 0.7"},
      {"grasp", "torsion", "torsion: 0.02", "torsion: 0.03"},
  };
  std::vector<Change> changes;
  for (const Short& s : all)
    changes.push_back({"closed.yaml", s.section, s.word, s.from, s.to, told});
  return changes;
}

std::vector<Change> changes_of_the_flexible_system() {
  struct Short {
    std::string_view section, word, from, to;
  };
  static const std::vector<Short> all{
      {"top level", "flexible_links", "flexible_links:\n  - {body: strip, from: [0.1",
       "flexible_links:\n  - {body: strip, from: [0.2"},
      {"flexible link", "body", "body: pipe", "body: shaft"},
      {"flexible link", "from", "from: [0.1", "from: [0.3"},
      {"flexible link", "along", "along: [1.3", "along: [1.4"},
      {"flexible link", "up", "up: [0, 0.6, 0.8]", "up: [0, 0.8, 0.6]"},
      {"flexible link", "E", "E: 2.1e5", "E: 2.2e5"},
      {"flexible link", "G", "G: 8.1e4", "G: 8.2e4"},
      {"flexible link", "density", "density: 2710", "density: 2711"},
      {"flexible link", "section", "section: {rectangle: [0.11, 0.12]}", "section: {circle: 0.1}"},
      {"flexible link", "EI", "EI: [55, 56]", "EI: [55, 55]"},
      {"flexible link", "GJ", "GJ: 57", "GJ: 58"},
      {"flexible link", "EA", "EA: 58", "EA: 59"},
      {"flexible link", "mass_per_length", "mass_per_length: 2.2", "mass_per_length: 2.3"},
      {"flexible link", "inertia_per_length", "inertia_per_length: 0.3", "inertia_per_length: 0.4"},
      {"flexible link", "bending", "bending: y", "bending: z"},
      {"flexible link", "axial", "axial: true", "axial: false"},
      {"flexible link", "elements", "elements: 2", "elements: 3"},
      {"flexible link", "modes", "modes: 1", "modes: 2"},
      {"flexible link", "damping_ratio", "damping_ratio: 0.02", "damping_ratio: 0.03"},
      {"beam section", "rectangle", "rectangle: [0.11", "rectangle: [0.12"},
      {"beam section", "circle", "circle: 0.13", "circle: 0.14"},
      {"beam section", "tube", "tube: [0.14, 0.1]", "tube: [0.14, 0.11]"},
  };
  std::vector<Change> changes;
  for (const Short& s : all) changes.push_back({"flexible.yaml", s.section, s.word, s.from, s.to});
  return changes;
}

std::vector<Change> changes_of_the_network() {
  struct Short {
    std::string_view word, from, to;
  };
  static const std::vector<Short> all{
      {"name", "name: fan", "name: blower"},
      {"type", "type: torque_source, torque: 0.35", "type: speed_source, speed: 0.35"},
      {"wires", "wires: [coil]", "wires: [plus]"},
      {"resistance", "resistance: 1.5", "resistance: 1.6"},
      {"inductance", "inductance: 0.02", "inductance: 0.03"},
      {"capacitance", "capacitance: 0.003", "capacitance: 0.004"},
      {"voltage", "voltage: 12", "voltage: 13"},
      {"current", "current: 0.4", "current: 0.5"},
      {"inertia", "inertia: 0.0011", "inertia: 0.0012"},
      {"damping", "damping: 0.013", "damping: 0.014"},
      {"stiffness", "stiffness: 14", "stiffness: 15"},
      {"speed", "speed: 0.45", "speed: 0.46"},
      {"torque", "torque: 0.35", "torque: 0.36"},
      {"twist", "twist: 0.21", "twist: 0.22"},
      {"k", "k: 0.07", "k: 0.08"},
      {"ratio", "ratio: 5", "ratio: 6"},
      {"ratios", "ratios: [1, -2", "ratios: [1, -2.5"},
      {"domain", "domain: shaft", "domain: electrical"},
  };
  std::vector<Change> changes{
      {"network.yaml", "top level", "network", "network:\n  parts:\n    - name: shunt",
       "network:\n  parts:\n    - name: bypass"},
      {"network.yaml", "network", "parts", "parts:\n    - name: shunt",
       "parts:\n    - name: bypass"},
      {"network.yaml", "network", "components", "components:\n    - {name: battery",
       "components:\n    - {name: cell"},
      {"network.yaml", "network part", "name", "name: tee\n", "name: toe\n"},
      {"network.yaml", "network part", "ports", "ports: [hot, cold]", "ports: [cold, hot, tap]"},
      {"network.yaml", "network part", "components",
       "components:\n        - {name: left, type: resistor, resistance: 21",
       "components:\n        - {name: left, type: resistor, resistance: 22"},
      {"network.yaml", "network component", "part", "part: tee", "part: shunt"}};
  for (const Short& s : all)
    changes.push_back({"network.yaml", "network component", s.word, s.from, s.to});
  return changes;
}

}  // namespace apps
