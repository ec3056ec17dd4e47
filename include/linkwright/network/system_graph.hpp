#pragma once
/// The system graph of a compiled System: bodies as multi-ports, joints, closures and grasps between them, motors
/// and their circuits beside.
///
///     const SystemGraph graph = make_system_graph(system);
///     const FormulationTree tree = make_formulation_tree(graph.graph, graph.preferred);
///
/// Bodies are the moving bodies after welding; the world is the reference O. Every body is a star of edges to O:
/// one from its inboard terminal B, one from every outboard terminal A (one per joint, closure or grasp that it
/// carries, where that one's other side is), one from its mass centre G; all but one of them are in the tree. A
/// joint is the edge from its child's B to its parent's A; a closure or grasp the edge between two terminals A.
/// Joints of several freedoms are one edge. What acts inside a joint (its own spring, damper, friction) belongs to
/// its terminal equations and is no edge.
///
/// A freedom that a motor or a gear turns has a shaft besides: the joint is then a multi-port between the
/// mechanism and its shafts, with one edge of them in the tree. A gear, a coupled transmission and a motor
/// (between its shaft and its coil) are multi-ports of which one edge is in the tree.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/dynamics/state.hpp"
#include "linkwright/network/graph.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::network {

/// The port of every body at which its inertia and weight act as an active one-port, so that its edge is the
/// chord: Tokad's cases (i), (ii), (iii) with his equations (1), (5), (6). What closes loops is a through driver
/// in all of them.
enum class ActivePort {
  /// (i): mass centres are across drivers, joints and loads through drivers. (The paper calls the load an across
  /// driver here, which would close a loop with the branch a_m; its equations (8) have it as a chord.)
  centre,
  inboard,  ///< (ii): joints are across drivers, mass centres and loads through drivers
  /// (iii): loads and all joints but those on the world are across drivers, these and mass centres through
  /// drivers; of chains only
  outboard
};

struct SystemGraphOptions {
  /// Drivers at joints, mass centres and loads as the case says, as if the mechanism were a component whose
  /// terminal equations are asked for: the joints' edges are the drivers themselves, inertia and weight are inside
  /// the bodies, motors are left out. Bodies that carry no joint have a terminal for a load. Nothing: no drivers
  /// but those below; inertia and weight of a body are an edge from G to O.
  std::optional<ActivePort> drivers{};
  /// Joints and closures driven from outside, by name, in graphs without the drivers of a case: an across driver
  /// gives the twist of the joint, a through driver its wrench. The driver is the joint's own edge, or, where a
  /// shaft turns with the joint, an edge beside it.
  std::vector<std::string> across{}, through{};
};

struct SystemGraph {
  struct Body {
    std::string name{};
    int node = 0;                ///< of the compiled tree
    int parent = -1;             ///< index into bodies; −1: the world
    int joint = 0;               ///< index into joints: its inboard joint
    int b = 0, g = 0;            ///< edges from its terminals B and G to O
    std::vector<int> a{};        ///< edges from its terminals A to O, those of its children first
    std::vector<int> springs{};  ///< edges to O from where line springs are fastened
    int tip = -1;                ///< edge from its load terminal to O; −1: it has none
    int inertia = -1;  ///< edge of its inertia and weight, from G to O; −1: inside the body
    int centre_driver = -1, tip_driver = -1;  ///< of graphs with the drivers of a case
    int group = 0;
  };
  struct Joint {
    std::string name{};
    enum class Kind { joint, closure, grasp } kind = Kind::joint;
    int index = 0;  ///< into System::joints or System::closures
    int edge = 0;
    int from = -1, to = -1;            ///< bodies on both sides; −1: the world
    int from_edge = -1, to_edge = -1;  ///< edges to O of the terminals on both sides; −1: the world
  };
  /// What an edge is a port of.
  enum class Component {
    body,
    inertia,
    joint,
    closure,
    grasp,
    spring,        ///< on a line between two bodies
    driver,        ///< beside what it drives; joints that are drivers are joints
    joint_shaft,   ///< a freedom of a joint as a shaft
    gear,          ///< also of a gear between joints and of a coupled transmission
    elastic_gear,  ///< what gives way between a motor's shaft and its gear
    rotor,
    bearing,  ///< damping and friction of a motor's shaft
    torque_source,
    motor_shaft,
    motor_coil,
    voltage_source,
    resistor,
    inductor,
    capacitor,
    current_source,
    speed_source
  };

  LinearGraph graph{};
  std::vector<Component> components{};  ///< per edge
  std::vector<Body> bodies{};           ///< parents before children
  std::vector<Joint>
      joints{};  ///< those of the spanning tree, in the order of bodies, then what closes loops
  /// For make_formulation_tree: the joints of the spanning tree before everything else; then rotors, whose speeds
  /// are states, and resistors, so that inductors, whose currents are states, are chords.
  std::vector<int> preferred{};
};
/// "body", "inertia", …, "voltage source".
std::string_view to_string(SystemGraph::Component component);

/// Throws Error for a joint that is not there or is driven twice, with its name.
SystemGraph make_system_graph(const System& system, const SystemGraphOptions& options = {});

/// Where the graph leaves drivers independent, the mechanism at its position need not: throws Error, naming them,
/// where the velocities of these joints cannot be given together, with the rank that closure/ decides there.
void require_compatible_drivers(const System& system, const State& state,
                                const std::vector<std::string>& across);

}  // namespace linkwright::network
