#include "system/spanning_tree.hpp"
#include "spatial/index.hpp"

#include <algorithm>

namespace linkwright {
SpanningTree::SpanningTree(const Model& model) {
  connect(model);
  put_longest_branches_first();
  walk_depth_first();
}

void SpanningTree::connect(const Model& model) {
  const std::size_t n = model.bodies.size();
  for (std::size_t i = 0; i < n; ++i) index_[model.bodies[i].name] = static_cast<int>(i);
  joint_of.assign(n, -1);
  parent_of.assign(n, -1);
  children.assign(n + 1, {});
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const int child = body(model.joints[j].child), parent = body(model.joints[j].parent);
    joint_of[at(child)] = static_cast<int>(j);
    parent_of[at(child)] = parent;
    children[at(parent + 1)].push_back(child);
  }
}

/// So that parent[k] = k − 1 for as many nodes as possible: long runs make quick sweeps.
void SpanningTree::put_longest_branches_first() {
  std::vector<int> breadth_first = children[0];
  for (std::size_t i = 0; i < breadth_first.size(); ++i)
    for (const int child : children[at(breadth_first[i] + 1)]) breadth_first.push_back(child);
  std::vector<int> height(parent_of.size() + 1, 0);
  for (auto it = breadth_first.rbegin(); it != breadth_first.rend(); ++it) {
    int& above = height[at(parent_of[at(*it)] + 1)];
    above = std::max(above, height[at(*it + 1)] + 1);
  }
  for (auto& siblings : children)
    std::stable_sort(siblings.begin(), siblings.end(),
                     [&](int a, int b) { return height[at(a + 1)] > height[at(b + 1)]; });
}

void SpanningTree::walk_depth_first() {
  std::vector<int> stack(children[0].rbegin(), children[0].rend());
  while (!stack.empty()) {
    const int b = stack.back();
    stack.pop_back();
    order.push_back(b);
    const auto& next = children[at(b + 1)];
    stack.insert(stack.end(), next.rbegin(), next.rend());
  }
}

}  // namespace linkwright
