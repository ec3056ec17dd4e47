#include "system/tree_layout.hpp"

#include <algorithm>

namespace linkwright {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void make_runs(const std::vector<NodeKind>& kinds, Tree<double>& tree) {
  std::vector<int> children(tree.nodes.size(), 0);
  for (std::size_t k = 1; k < tree.nodes.size(); ++k) ++children[at(tree.nodes[k].parent)];
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const int k = static_cast<int>(i) + 1;
    const Node<double>& node = tree.nodes[i + 1];
    if (!tree.runs.empty() && tree.runs.back().kind == kinds[i] && node.parent == k - 1 &&
        children[i] == 1)
      tree.runs.back().last = k;
    else
      tree.runs.push_back({kinds[i], k, k, node.parent});
    if (kinds[i] <= NodeKind::revolute_rotor) tree.turning.push_back({k, node.q, node.offset});
  }
}

void order_freedoms(Tree<double>& tree) {
  int count = 0;
  for (std::size_t k = 1; k < tree.nodes.size(); ++k) {
    Node<double>& node = tree.nodes[k];
    node.freedom = count;
    count += node.d;
    auto& parts = tree.freedoms;
    if (!parts.empty() && node.v - node.freedom == parts.back().velocity - parts.back().first)
      parts.back().end = count;
    else
      parts.push_back({node.freedom, count, node.v});
    node.part = static_cast<int>(parts.size()) - 1;
    node.end = node.freedom + node.d;
  }
  for (std::size_t k = tree.nodes.size() - 1; k >= 1; --k) {
    Node<double>& parent = tree.nodes[at(tree.nodes[k].parent)];
    parent.end = std::max(parent.end, tree.nodes[k].end);
    tree.branches = tree.branches || tree.nodes[k].end != tree.nv;
  }
}

}  // namespace linkwright
