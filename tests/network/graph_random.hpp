#pragma once
/// Random graphs with drivers and multi-ports, what makes a formulation tree of edges, and all of them by trial.

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "linkwright/error.hpp"
#include "linkwright/network/formulation_tree.hpp"

namespace linkwright::network::testing {

inline std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// What an Error says that f throws; "" where it throws none.
template <class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// Whether these edges form no loop, and how many parts they leave: by relabelling, not by the library's means.
struct Joined {
  bool loop_free = true;
  int parts = 0;
  std::vector<int> part;
};
inline Joined join(const LinearGraph& graph, const std::vector<char>& chosen) {
  Joined out;
  out.part.resize(graph.nodes().size());
  std::iota(out.part.begin(), out.part.end(), 0);
  out.parts = static_cast<int>(out.part.size());
  for (std::size_t e = 0; e < chosen.size(); ++e) {
    if (chosen[e] == 0) continue;
    const int a = out.part[index(graph.edges()[e].from)], b = out.part[index(graph.edges()[e].to)];
    if (a == b) {
      out.loop_free = false;
      continue;
    }
    std::replace(out.part.begin(), out.part.end(), b, a);
    --out.parts;
  }
  return out;
}

/// All conditions of a formulation tree; the one that fails, or "".
inline std::string broken_condition(const LinearGraph& graph, const std::vector<char>& is_branch) {
  const Joined tree = join(graph, is_branch);
  if (!tree.loop_free) return "a loop of branches";
  if (tree.parts != join(graph, std::vector<char>(is_branch.size(), 1)).parts)
    return "a part that no branch joins to the rest";
  for (std::size_t e = 0; e < is_branch.size(); ++e) {
    if (graph.edges()[e].driver == Driver::across && is_branch[e] == 0)
      return "an across driver among the chords";
    if (graph.edges()[e].driver == Driver::through && is_branch[e] != 0)
      return "a through driver among the branches";
  }
  for (const EdgeGroup& group : graph.groups()) {
    int branches = 0;
    for (const int e : group.edges) branches += is_branch[index(e)];
    if (branches != group.branches) return "a multi-port with too many or too few branches";
  }
  return "";
}
inline bool floats(const LinearGraph& graph) {
  const Joined all = join(graph, std::vector<char>(graph.edges().size(), 1));
  for (std::size_t k = 0; k < graph.nodes().size(); ++k) {
    bool held = false;
    for (std::size_t j = 0; j < graph.nodes().size(); ++j)
      held = held || (graph.nodes()[j].is_reference && all.part[j] == all.part[k]);
    if (!held) return true;
  }
  return false;
}

/// Every formulation tree, as sets of edges; none of a graph that floats.
inline std::vector<std::vector<char>> all_trees(const LinearGraph& graph) {
  std::vector<std::vector<char>> found;
  if (floats(graph)) return found;
  const std::size_t edges = graph.edges().size();
  for (unsigned set = 0; set < (1U << edges); ++set) {
    std::vector<char> chosen(edges);
    for (std::size_t e = 0; e < edges; ++e) chosen[e] = (set >> e & 1U) != 0 ? 1 : 0;
    if (broken_condition(graph, chosen).empty()) found.push_back(chosen);
  }
  return found;
}

class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed) : random_(seed) {}
  int integer(int a, int b) { return std::uniform_int_distribution<int>(a, b)(random_); }

  /// Edges between any nodes, mostly connected, with drivers and groups as they come.
  LinearGraph any(int nodes, int edges) {
    LinearGraph graph;
    add_edges(graph, nodes, edges, [&](int) { return integer(0, 5); });
    std::vector<int> free;
    for (std::size_t e = 0; e < graph.edges().size(); ++e)
      if (graph.edges()[e].driver == Driver::none) free.push_back(static_cast<int>(e));
    std::shuffle(free.begin(), free.end(), random_);
    for (int g = 0; free.size() >= 2 && integer(0, 4) > 0; ++g) {
      const auto size = index(std::min(static_cast<int>(free.size()), integer(2, 4)));
      std::vector<int> own(free.end() - static_cast<std::ptrdiff_t>(size), free.end());
      free.resize(free.size() - size);
      graph.add_group("m" + std::to_string(g), own,
                      integer(0, 3) > 0 ? static_cast<int>(size) - 1 : 1);
    }
    return graph;
  }

  /// A graph that has a formulation tree: drivers and groups keep to a random spanning tree.
  LinearGraph with_tree(int nodes, int edges) {
    LinearGraph bare;
    add_edges(bare, nodes, edges, [](int) { return 9; });
    std::vector<int> order(bare.edges().size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    std::vector<char> planted(bare.edges().size(), 0);
    std::vector<int> part(bare.nodes().size());
    std::iota(part.begin(), part.end(), 0);
    for (const int e : order) {
      const int a = part[index(bare.edges()[index(e)].from)],
                b = part[index(bare.edges()[index(e)].to)];
      if (a == b) continue;
      std::replace(part.begin(), part.end(), b, a);
      planted[index(e)] = 1;
    }
    LinearGraph graph;
    graph.reference(Domain::electrical);
    for (std::size_t k = 1; k < bare.nodes().size(); ++k)
      graph.add_node(bare.nodes()[k].name, Domain::electrical);
    for (std::size_t e = 0; e < bare.edges().size(); ++e) {
      const GraphEdge& edge = bare.edges()[e];
      const Driver driver = integer(0, 5) > 0 ? Driver::none
                            : planted[e] != 0 ? Driver::across
                                              : Driver::through;
      graph.add_edge(edge.name, edge.from, edge.to, driver);
    }
    for (int g = 0; order.size() >= 4 && g < nodes; ++g) {
      std::vector<int> own;
      int branches = 0;
      for (int i = integer(2, 4); i > 0 && !order.empty(); --i, order.pop_back()) {
        if (graph.edges()[index(order.back())].driver != Driver::none) continue;
        own.push_back(order.back());
        branches += planted[index(order.back())];
      }
      if (!own.empty()) graph.add_group("m" + std::to_string(g), own, branches);
    }
    return graph;
  }

  std::vector<int> some_edges(const LinearGraph& graph) {
    std::vector<int> edges(graph.edges().size());
    std::iota(edges.begin(), edges.end(), 0);
    std::shuffle(edges.begin(), edges.end(), random_);
    edges.resize(index(integer(0, static_cast<int>(edges.size()))));
    return edges;
  }

 private:
  template <class Draw>
  void add_edges(LinearGraph& graph, int nodes, int edges, const Draw& draw) {
    graph.reference(Domain::electrical);
    for (int k = 1; k < nodes; ++k) graph.add_node("n" + std::to_string(k), Domain::electrical);
    for (int e = 0; e < edges; ++e) {
      // The first ones mostly join a new node, so that few graphs float.
      const int from = e + 1 < nodes && integer(0, 30) > 0 ? e + 1 : integer(0, nodes - 1);
      const int to = integer(0, e + 1 < nodes ? e : nodes - 1);
      const int drawn = draw(e);
      graph.add_edge("e" + std::to_string(e), from, to,
                     drawn == 0   ? Driver::across
                     : drawn == 1 ? Driver::through
                                  : Driver::none);
    }
  }

  std::mt19937 random_;
};

}  // namespace linkwright::network::testing
