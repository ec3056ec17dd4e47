#pragma once
/// The system graph of a compiled System: bodies as multi-ports, joints, closures and grasps between them.
///
///     const SystemGraph graph = make_system_graph(system);
///     const FormulationTree tree = make_formulation_tree(graph.graph, graph.preferred);
///
/// Bodies are the moving bodies after welding. Every body is a star of edges to the reference O: one from its
/// inboard terminal B, one from every outboard terminal A (one per joint, closure or grasp that it carries, where
/// that one's other side is), one from its mass centre G. A joint is the edge from its child's B to its parent's A;
/// a closure or grasp the edge between two terminals A. Joints of several freedoms are one edge.

#include <optional>
#include <string>
#include <vector>

#include "linkwright/network/graph.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::network {

/// The port of every body at which its inertia and weight act as an active one-port, so that its edge is the
/// chord: Tokad's cases (i), (ii), (iii) with his equations (1), (5), (6).
enum class ActivePort {
  centre,   ///< (i): joints are through drivers, mass centres and the loads' ports across drivers
  inboard,  ///< (ii): joints are across drivers, mass centres and the loads' ports through drivers
  outboard  ///< (iii): every joint but the first and the load's port are across drivers; of chains only
};

struct SystemGraphOptions {
  /// Drivers at joints, mass centres and the tips of chains as the case says, as if the mechanism were a component
  /// whose terminal equations are asked for. Nothing: no drivers; joints take what the tree leaves them.
  std::optional<ActivePort> drivers{};
  /// Joints driven from outside, by name, in graphs without the drivers of a case.
  std::vector<std::string> across{}, through{};
};

struct SystemGraph {
  struct Body {
    std::string name{};
    int node = 0;          ///< of the compiled tree
    int parent = -1;       ///< index into bodies; −1: the world
    int joint = 0;         ///< index into joints: its inboard joint
    int b = 0, g = 0;      ///< edges from its terminals B and G to O
    std::vector<int> a{};  ///< edges from its terminals A to O
    int group = 0;
  };
  struct Joint {
    std::string name{};
    enum class Kind { joint, closure, grasp } kind = Kind::joint;
    int index = 0;  ///< into System::joints or System::closures
    int edge = 0;
    int from = -1, to = -1;  ///< bodies on both sides; −1: the world
  };
  LinearGraph graph{};
  std::vector<Body> bodies{};  ///< parents before children
  std::vector<Joint>
      joints{};  ///< those of the spanning tree, in the order of bodies, then what closes loops
  /// For make_formulation_tree: the joints of the spanning tree before everything else.
  std::vector<int> preferred{};
};

/// Throws Error for a joint that is not there or is driven twice, with its name.
SystemGraph make_system_graph(const System& system, const SystemGraphOptions& options = {});

}  // namespace linkwright::network
