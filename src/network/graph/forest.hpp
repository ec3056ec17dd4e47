#pragma once
/// A spanning forest of some edges of a graph, and the paths in it.
///
///     const Forest forest(graph, is_branch);
///     forest.walk(chord.from, chord.to, [&](int edge, int sign) { … });   // sign +1: along the edge

#include <vector>

#include "linkwright/network/graph.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {

struct Forest {
  /// Breadth first, from the reference of every domain and then from every node not reached.
  Forest(const LinearGraph& graph, const std::vector<char>& chosen);

  // Per node.
  std::vector<int> parent;  // −1: a root
  std::vector<int> edge;    // to the parent; −1: a root
  std::vector<int> depth;
  std::vector<int> root;
  // Chosen edges that are in no tree: they close loops.
  std::vector<int> closing;

  /// Calls f(edge, sign) for the edges between two nodes of one tree, in any order; sign is +1 where the way
  /// from `u` to `v` passes the edge from its first node to its second.
  template <class F>
  void walk(int u, int v, const F& f) const {
    while (u != v) {
      const bool up = depth[at(u)] >= depth[at(v)];
      int& end = up ? u : v;
      const int e = edge[at(end)];
      f(e, ((*edges_)[at(e)].from == end) == up ? 1 : -1);
      end = parent[at(end)];
    }
  }

 private:
  const std::vector<GraphEdge>* edges_;
};

/// How many edges a spanning forest of the chosen ones has.
int rank_of(const LinearGraph& graph, const std::vector<char>& chosen);
/// Per node the number of its connected part, counted from 0, over the chosen edges.
std::vector<int> parts_of(const LinearGraph& graph, const std::vector<char>& chosen);

}  // namespace linkwright::network
