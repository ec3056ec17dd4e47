#include "network/drawing/ladders.hpp"

#include <algorithm>

#include "network/drawing/measures.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

using Component = SystemGraph::Component;

class LadderMaker {
 public:
  explicit LadderMaker(const SystemGraph& graph)
      : graph_(graph.graph),
        components_(graph.components),
        placed_(graph_.nodes().size(), 0),
        drawn_(graph_.edges().size(), 0) {
    at_node_.resize(graph_.nodes().size());
    for (std::size_t e = 0; e < graph_.edges().size(); ++e) {
      if (graph_.edges()[e].domain == Domain::mechanical) continue;
      for (const int k : {graph_.edges()[e].from, graph_.edges()[e].to})
        if (!graph_.nodes()[at(k)].is_reference) at_node_[at(k)].push_back(static_cast<int>(e));
    }
  }

  /// Below the shafts of a joint all that hangs there and is not drawn yet.
  void add(int joint_edge, Ladder& ladder) {
    const int group = graph_.edges()[at(joint_edge)].group;
    if (group < 0) return;
    for (const int e : graph_.groups()[at(group)].edges) {
      if (e == joint_edge) continue;
      ladder.ties.push_back({-1, static_cast<int>(ladder.rungs.size())});
      visit(graph_.edges()[at(e)].from, ladder, e);
    }
  }
  /// Circuits and shafts that hang at no joint.
  void add_rest(Ladder& ladder) {
    for (std::size_t node = 0; node < placed_.size(); ++node)
      if (!at_node_[node].empty()) visit(static_cast<int>(node), ladder, -1);
  }

 private:
  /// A terminal: the rung by which we came first, then the others, then what follows along the rail, then the
  /// other ports of its multi-ports.
  void visit(int node, Ladder& ladder, int first) {
    if (placed_[at(node)] != 0) return;
    placed_[at(node)] = 1;
    std::vector<int> rungs, rail;
    for (const int e : at_node_[at(node)]) {
      const GraphEdge& edge = graph_.edges()[at(e)];
      const int other = edge.from == node ? edge.to : edge.from;
      if (graph_.nodes()[at(other)].is_reference)
        rungs.push_back(e);
      else if (drawn_[at(e)] == 0)
        rail.push_back(e);
    }
    std::stable_sort(rungs.begin(), rungs.end(),
                     [&](int a, int b) { return (a == first) > (b == first); });
    bool begins = first < 0 || graph_.nodes()[at(graph_.edges()[at(first)].to)].is_reference;
    const std::size_t own = ladder.rungs.size();
    for (const int e : rungs) {
      ladder.rungs.push_back({e, false, begins});
      begins = false;
    }
    // Edges to a terminal that has its place are rungs too, so that the rail stays a line.
    std::vector<int> further;
    for (const int e : rail) {
      const int other = far_end(e, node);
      const auto leads_there = [&](int f) { return far_end(f, node) == other; };
      if (placed_[at(other)] == 0 && std::none_of(further.begin(), further.end(), leads_there)) {
        further.push_back(e);
        continue;
      }
      drawn_[at(e)] = 1;
      ladder.rungs.push_back({e, false, begins, other});
      begins = false;
    }
    for (const int e : further) {
      if (drawn_[at(e)] != 0) continue;  // one before it came round to here
      if (e == further.front()) {
        drawn_[at(e)] = 1;
        ladder.rungs.push_back({e, true, begins});
        begins = false;
      }
      visit(far_end(e, node), ladder, e == further.front() ? e : -1);
    }
    if (own < ladder.rungs.size()) ladder.rungs[own].at = node;
    for (const int e : rungs) {
      const int group = graph_.edges()[at(e)].group;
      if (group < 0 || e == first || components_[at(e)] == Component::joint_shaft) continue;
      const int upper = row_of(ladder, e);
      for (const int port : graph_.groups()[at(group)].edges) {
        const int terminal = graph_.edges()[at(port)].from;
        if (port == e || components_[at(port)] == Component::joint_shaft ||
            hangs_at_joint(terminal) || placed_[at(terminal)] != 0)
          continue;
        const int lower = static_cast<int>(ladder.rungs.size());
        visit(terminal, ladder, port);
        ladder.ties.push_back({upper, std::max(lower, row_of(ladder, port))});
      }
    }
  }
  [[nodiscard]] int far_end(int edge, int node) const {
    const GraphEdge& e = graph_.edges()[at(edge)];
    return e.from == node ? e.to : e.from;
  }
  /// Terminals of another joint are drawn there.
  [[nodiscard]] bool hangs_at_joint(int node) const {
    return std::any_of(at_node_[at(node)].begin(), at_node_[at(node)].end(),
                       [&](int e) { return components_[at(e)] == Component::joint_shaft; });
  }
  static int row_of(const Ladder& ladder, int edge) {
    for (std::size_t i = 0; i < ladder.rungs.size(); ++i)
      if (ladder.rungs[i].edge == edge) return static_cast<int>(i);
    return -1;
  }

  const LinearGraph& graph_;
  const std::vector<Component>& components_;
  std::vector<char> placed_, drawn_;  // terminals, edges between terminals
  std::vector<std::vector<int>> at_node_;
};

}  // namespace

std::vector<double> rows_of(const Ladder& ladder) {
  std::vector<double> rows;
  double y = 0;
  for (const Rung& rung : ladder.rungs) {
    if (rung.on_rail)
      y += measures::on_rail - measures::rung;  // so that its line shows beside its sign
    rows.push_back(y);
    y += rung.on_rail ? measures::on_rail : measures::rung;
  }
  rows.push_back(y);
  return rows;
}

std::vector<Ladder> make_ladders(const SystemGraph& graph) {
  LadderMaker maker(graph);
  std::vector<Ladder> ladders(graph.bodies.size());
  for (const SystemGraph::Joint& joint : graph.joints)
    if (joint.from >= 0) maker.add(joint.edge, ladders[at(joint.from)]);
  if (!ladders.empty()) maker.add_rest(ladders.front());
  return ladders;
}

}  // namespace linkwright::network
