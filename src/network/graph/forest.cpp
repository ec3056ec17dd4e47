#include "network/graph/forest.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>

#include "spatial/groups.hpp"

namespace linkwright::network {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                                    boost::no_property, boost::property<boost::edge_index_t, int>>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;
using Edge = boost::graph_traits<Graph>::edge_descriptor;

Graph graph_of(const LinearGraph& graph, const std::vector<char>& chosen) {
  Graph out(graph.nodes().size());
  for (std::size_t e = 0; e < graph.edges().size(); ++e)
    if (chosen[e] != 0)
      boost::add_edge(at(graph.edges()[e].from), at(graph.edges()[e].to), static_cast<int>(e), out);
  return out;
}

/// Writes down how the search came to each node.
struct Recorder : boost::default_bfs_visitor {
  Forest* forest;
  std::vector<char>* in_tree;
  explicit Recorder(Forest& f, std::vector<char>& in) : forest(&f), in_tree(&in) {}

  void tree_edge(const Edge& e, const Graph& graph) const {
    const Vertex from = boost::source(e, graph), to = boost::target(e, graph);
    const int index = boost::get(boost::edge_index, graph, e);
    forest->parent[to] = static_cast<int>(from);
    forest->edge[to] = index;
    forest->depth[to] = forest->depth[from] + 1;
    forest->root[to] = forest->root[from];
    (*in_tree)[at(index)] = 1;
  }
};

}  // namespace

Forest::Forest(const LinearGraph& graph, const std::vector<char>& chosen)
    : parent(graph.nodes().size(), -1),
      edge(graph.nodes().size(), -1),
      depth(graph.nodes().size(), 0),
      root(graph.nodes().size(), 0),
      edges_(&graph.edges()) {
  const Graph view = graph_of(graph, chosen);
  std::vector<boost::default_color_type> colour(graph.nodes().size(), boost::white_color);
  std::vector<char> in_tree(graph.edges().size(), 0);
  boost::queue<Vertex> queue;
  const auto grow_from = [&](std::size_t k) {
    root[k] = static_cast<int>(k);
    boost::breadth_first_visit(view, k, queue, Recorder(*this, in_tree), colour.data());
  };
  for (std::size_t k = 0; k < graph.nodes().size(); ++k)
    if (graph.nodes()[k].is_reference) grow_from(k);
  for (std::size_t k = 0; k < graph.nodes().size(); ++k)
    if (colour[k] == boost::white_color) grow_from(k);
  for (std::size_t e = 0; e < in_tree.size(); ++e)
    if (chosen[e] != 0 && in_tree[e] == 0) closing.push_back(static_cast<int>(e));
}

std::vector<int> parts_of(const LinearGraph& graph, const std::vector<char>& chosen) {
  std::vector<int> part(graph.nodes().size(), 0);
  boost::connected_components(graph_of(graph, chosen), part.data());
  return part;
}

int rank_of(const LinearGraph& graph, const std::vector<char>& chosen) {
  Groups joined(graph.nodes().size());
  int rank = 0;
  for (std::size_t e = 0; e < chosen.size(); ++e) {
    if (chosen[e] == 0) continue;
    const std::size_t a = joined.root(at(graph.edges()[e].from));
    const std::size_t b = joined.root(at(graph.edges()[e].to));
    if (a == b) continue;
    joined.join(a, b);
    ++rank;
  }
  return rank;
}

}  // namespace linkwright::network
