#pragma once
/// The linear graph of a network: terminals are nodes, ports of components are edges.
///
///     using namespace linkwright::network;
///     LinearGraph graph;
///     const int ground = graph.reference(Domain::electrical), plus = graph.add_node("plus", Domain::electrical);
///     graph.add_edge("battery", plus, ground, Driver::across);
///     graph.add_edge("lamp", plus, ground);
///
/// Every edge carries an across variable x (a twist, a speed, a voltage), that of its first node relative to its
/// second, and a through variable y (a wrench, a torque, a current) that flows through the component from the
/// first node to the second; y·x is the power that the component takes.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace linkwright::network {

/// What flows. Terminals of different domains are never joined.
enum class Domain {
  mechanical,  ///< twist [ω; v] and wrench [N; F], six numbers, world axes
  shaft,       ///< speed and torque of a joint's freedom or a motor's shaft (or speed and force)
  electrical   ///< voltage and current
};
/// "mechanical", "shaft", "electrical".
std::string_view to_string(Domain domain);
/// Numbers of one across or through variable: 6, 1, 1.
int dimension(Domain domain);

/// What is given of an edge from outside, whatever the network does.
enum class Driver {
  none,
  across,  ///< its across variable: in every formulation tree
  through  ///< its through variable: in none
};

struct GraphNode {
  std::string name{};
  Domain domain = Domain::mechanical;
  bool is_reference = false;
};
struct GraphEdge {
  std::string name{};
  int from = 0, to = 0;
  Domain domain = Domain::mechanical;
  Driver driver = Driver::none;
  int group = -1;  ///< index into LinearGraph::groups; −1: of none
};
/// The edges of one ideal transformer of several ports (an ideal rigid body, a gear, a motor): of its terminal
/// equations exactly `branches` are solved for across variables, so just as many of its edges are in the tree.
struct EdgeGroup {
  std::string name{};
  std::vector<int> edges{};
  int branches = 0;
};

class LinearGraph {
 public:
  /// The node against which across variables of a domain are measured ("O" of mechanisms, "housing" of shafts,
  /// "ground" of circuits); made when first asked for.
  int reference(Domain domain);
  /// Throws Error for a name that a node has already.
  int add_node(std::string name, Domain domain);
  /// Throws Error for a name that an edge has already and for nodes of two domains.
  int add_edge(std::string name, int from, int to, Driver driver = Driver::none);
  /// Throws Error for an edge that belongs to another group or to a driver, and for a number of branches that it
  /// cannot have.
  int add_group(std::string name, std::vector<int> edges, int branches);

  [[nodiscard]] const std::vector<GraphNode>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<GraphEdge>& edges() const { return edges_; }
  [[nodiscard]] const std::vector<EdgeGroup>& groups() const { return groups_; }
  /// The node or edge of that name; throws Error with the closest name.
  [[nodiscard]] int node(std::string_view name) const;
  [[nodiscard]] int edge(std::string_view name) const;

 private:
  std::vector<GraphNode> nodes_;
  std::vector<GraphEdge> edges_;
  std::vector<EdgeGroup> groups_;
  std::unordered_map<std::string, int> node_index_, edge_index_;
};

}  // namespace linkwright::network
