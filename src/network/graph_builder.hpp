#pragma once
/// Adds terminals and edges to a system graph, with what they are ports of, under names of their own.
///
///     GraphBuilder add(out);
///     add.edge("m1:rotor", shaft, housing, SystemGraph::Component::rotor);

#include <string>
#include <unordered_set>

#include "linkwright/network/system_graph.hpp"

namespace linkwright::network {

class GraphBuilder {
 public:
  explicit GraphBuilder(SystemGraph& out) : out_(out) {
    for (const GraphNode& node : out.graph.nodes()) nodes_.insert(node.name);
    for (const GraphEdge& edge : out.graph.edges()) edges_.insert(edge.name);
  }

  int node(const std::string& name, Domain domain) {
    return out_.graph.add_node(own(nodes_, name), domain);
  }
  int edge(const std::string& name, int from, int to, SystemGraph::Component component,
           Driver driver = Driver::none) {
    out_.components.push_back(component);
    return out_.graph.add_edge(own(edges_, name), from, to, driver);
  }
  int reference(Domain domain) {
    const int made = out_.graph.reference(domain);
    nodes_.insert(out_.graph.nodes()[static_cast<std::size_t>(made)].name);
    return made;
  }
  [[nodiscard]] SystemGraph& out() { return out_; }

 private:
  /// Bodies, joints and motors may bear each other's names.
  static std::string own(std::unordered_set<std::string>& taken, std::string name) {
    while (!taken.insert(name).second) name += '\'';
    return name;
  }

  SystemGraph& out_;
  std::unordered_set<std::string> nodes_, edges_;
};

}  // namespace linkwright::network
