#include "system/tree_layout.hpp"
#include "spatial/index.hpp"

#include <algorithm>

namespace linkwright {
std::vector<Run> runs_of(const std::vector<NodeKind>& kinds, const std::vector<int>& parents) {
  std::vector<int> children(parents.size(), 0);
  for (std::size_t k = 1; k < parents.size(); ++k) ++children[at(parents[k])];
  std::vector<Run> runs;
  int k = static_cast<int>(parents.size() - kinds.size());
  for (const NodeKind kind : kinds) {
    const int parent = parents[at(k)];
    if (!runs.empty() && runs.back().kind == kind && parent == k - 1 && children[at(parent)] == 1)
      runs.back().last = k;
    else
      runs.push_back({kind, false, k, k, parent});
    ++k;
  }
  std::vector<bool> reached(parents.size(), false);
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    run->joins = reached[at(run->parent)];
    reached[at(run->parent)] = true;
  }
  return runs;
}

void make_runs(const std::vector<NodeKind>& kinds, Tree<double>& tree) {
  std::vector<int> parents;
  for (const Node<double>& node : tree.nodes) parents.push_back(node.parent);
  tree.runs = runs_of(kinds, parents);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Node<double>& node = tree.nodes[i + 1];
    if (kinds[i] <= NodeKind::revolute_rotor)
      tree.turning.push_back({static_cast<int>(i) + 1, node.q, node.offset});
  }
}

void order_freedoms(Tree<double>& tree) {
  int count = 0;
  for (std::size_t k = 1; k < tree.nodes.size(); ++k) {
    Node<double>& node = tree.nodes[k];
    node.freedom = count;
    count += node.d;
    for (int i = 0; i < node.d; ++i) tree.velocity_of.push_back(node.v + i);
    node.end = node.freedom + node.d;
    node.neighbours = true;
  }
  for (std::size_t k = tree.nodes.size() - 1; k >= 1; --k) {
    Node<double>& parent = tree.nodes[at(tree.nodes[k].parent)];
    const Node<double>& node = tree.nodes[k];
    parent.end = std::max(parent.end, node.end);
    tree.branches = tree.branches || node.end != tree.nv;
    if (node.parent == 0) continue;
    parent.neighbours =
        parent.neighbours && node.neighbours && node.v - node.freedom == parent.v - parent.freedom;
    tree.outward = tree.outward && parent.v < node.v;
  }
}

}  // namespace linkwright
