#include "system/bundles.hpp"

#include <algorithm>
#include <map>

#include "spatial/index.hpp"
#include "system/each_number.hpp"
#include "system/tree_layout.hpp"

namespace linkwright {
namespace {

/// Times of forward dynamics as multiples of a node on its own: a node in packs, and what it takes to
/// load a bundle and to sum its lanes.
constexpr double node_in_packs = 0.65, start_of_bundle = 1.5;

/// Joints that one pack can carry: twists are turns about z and x too, and no rotor is one of zero.
NodeKind family(NodeKind kind) {
  return kind <= NodeKind::revolute_rotor ? NodeKind::revolute_rotor : kind;
}
/// The least general kind of a family that covers both.
NodeKind cover(NodeKind a, NodeKind b) {
  if (a > NodeKind::revolute_rotor) return a;
  const auto is_twist = [](NodeKind k) {
    return k == NodeKind::revolute_twist || k == NodeKind::revolute_twist_rotor;
  };
  const auto has_rotor = [](NodeKind k) { return k >= NodeKind::revolute_twist_rotor; };
  const bool twist = is_twist(a) && is_twist(b);
  if (has_rotor(a) || has_rotor(b))
    return twist ? NodeKind::revolute_twist_rotor : NodeKind::revolute_rotor;
  return twist ? NodeKind::revolute_twist : NodeKind::revolute;
}

/// The first nodes of branches of one shape on one body.
using Siblings = std::vector<int>;

class Bundler {
 public:
  Bundler(const std::vector<NodeKind>& kinds, BundledTree& tree)
      : kinds_(kinds), tree_(tree), size_(tree.nodes.size(), 1), cost_(size_.size(), 0) {}

  void run() {
    number_shapes();
    std::vector<char> bundled(size_.size(), 0);
    for (int k = 0; k < tree_.count(); ++k) {
      if (bundled[at(k)] != 0) continue;
      for (const auto& [shape, siblings] : children_[at(k)]) {
        if (!pays(siblings)) continue;
        for (const Siblings& group : to_groups(siblings)) add_bundle(k, group);
        for (const int first : siblings)
          std::fill_n(bundled.begin() + first, size_[at(first)], char{1});
      }
    }
    for (Run run : tree_.runs) {
      if (bundled[at(run.first)] != 0) continue;
      const auto is_parent = [&](const Bundle& bundle) { return bundle.carrier == run.parent; };
      run.joins = run.joins || std::any_of(tree_.bundles.begin(), tree_.bundles.end(), is_parent);
      tree_.trunk.push_back(run);
    }
  }

 private:
  /// Two branches have the same number where their joints and their branchings are the same, node by
  /// node. From the tips: the children of a node are complete before it.
  void number_shapes() {
    std::map<std::vector<int>, int> numbers;
    children_.resize(size_.size());
    std::vector<std::vector<int>> shape(size_.size());
    for (int k = tree_.count() - 1; k >= 0; --k) {
      cost_[at(k)] = 1;
      for (const auto& [number, siblings] : children_[at(k)])
        cost_[at(k)] += std::min(cost_alone(siblings), cost_in_bundles(siblings));
      if (k == 0) break;
      const Node<double>& n = tree_.nodes[at(k)];
      std::vector<int> key = shape[at(k)];
      key.push_back(n.d);
      key.push_back(static_cast<int>(family(kinds_[at(k - 1)])));
      const int number = numbers.emplace(key, static_cast<int>(numbers.size())).first->second;
      shape[at(n.parent)].push_back(number);
      children_[at(n.parent)][number].push_back(k);
      size_[at(n.parent)] += size_[at(k)];
    }
  }

  double cost_alone(const Siblings& siblings) const {
    return static_cast<double>(siblings.size()) * cost_[at(siblings.front())];
  }
  double cost_in_bundles(const Siblings& siblings) const {
    if (siblings.size() < 2) return cost_alone(siblings);
    return static_cast<double>(group_count(siblings)) *
           (start_of_bundle + node_in_packs * size_[at(siblings.front())]);
  }
  bool pays(const Siblings& siblings) const {
    return cost_in_bundles(siblings) < cost_alone(siblings);
  }
  static std::size_t group_count(const Siblings& siblings) {
    return (siblings.size() + Bundle::width - 1) / Bundle::width;
  }
  /// As even as can be: five are three and two.
  static std::vector<Siblings> to_groups(const Siblings& siblings) {
    const std::size_t count = group_count(siblings);
    std::vector<Siblings> groups(count);
    for (std::size_t i = 0; i < siblings.size(); ++i)
      groups[i * count / siblings.size()].push_back(siblings[i]);
    return groups;
  }

  void add_bundle(int carrier, const Siblings& siblings) {
    Bundle& bundle = tree_.bundles.emplace_back();
    bundle.carrier = carrier;
    bundle.lanes = static_cast<int>(siblings.size());
    bundle.branch.gravity = {tree_.gravity.x, tree_.gravity.y, tree_.gravity.z};
    bundle.branch.nodes.resize(2);
    bundle.branch.nodes[0].modes = bundle.branch.nodes[1].modes = -1;
    Bundle::Lanes carriers;
    carriers.fill(carrier);
    bundle.nodes = {Bundle::Lanes{}, carriers};
    std::vector<NodeKind> kinds;
    for (int i = 0; i < size_[at(siblings.front())]; ++i)
      kinds.push_back(add_node(bundle, siblings, i));
    std::vector<int> parents;
    for (const auto& node : bundle.branch.nodes) parents.push_back(node.parent);
    bundle.branch.runs = runs_of(kinds, parents);
  }

  /// Node i of the branches.
  NodeKind add_node(Bundle& bundle, const Siblings& siblings, int i) {
    constexpr int first = 2;
    const Node<double>& model = tree_.nodes[at(siblings.front() + i)];
    NodeKind kind = kinds_[at(siblings.front() + i - 1)];
    Node<Bundle::Number> node{};
    node.parent = i == 0 ? 1 : model.parent - siblings.front() + first;
    node.q = -1;
    node.v = bundle.branch.nv;
    node.d = model.d;
    node.freedom = node.v;
    node.end = node.freedom + model.end - model.freedom;
    node.modes = -1;
    if (model.modes >= 0) {
      node.modes = static_cast<int>(bundle.branch.modes.size());
      Modes<Bundle::Number> modes{};
      modes.d = model.d;
      bundle.branch.modes.push_back(modes);
    }
    Bundle::Lanes nodes{};
    for (int l = 0; l < Bundle::width; ++l) {
      const int k = siblings[at(std::min(l, bundle.lanes - 1))] + i;
      const Node<double>& own = tree_.nodes[at(k)];
      const auto to_lane = [l](Bundle::Number& to, double from) { to.x[l] = from; };
      each_number(node, own, to_lane);
      if (own.modes >= 0)
        each_number(bundle.branch.modes.back(), tree_.modes[at(own.modes)], to_lane);
      kind = cover(kind, kinds_[at(k - 1)]);
      nodes[at(l)] = k;
    }
    for (int j = 0; j < node.d; ++j) {
      Bundle::Lanes entries{};
      for (int l = 0; l < Bundle::width; ++l) entries[at(l)] = tree_.nodes[at(nodes[at(l)])].v + j;
      bundle.velocities.push_back(entries);
    }
    bundle.branch.nv += node.d;
    bundle.branch.nodes.push_back(node);
    bundle.nodes.push_back(nodes);
    return kind;
  }

  const std::vector<NodeKind>& kinds_;
  BundledTree& tree_;
  std::vector<int> size_;                          // nodes of the branch that starts here
  std::vector<double> cost_;                       // of that branch, with bundles where they pay
  std::vector<std::map<int, Siblings>> children_;  // by shape
};

}  // namespace

void bundle_equal_branches(const std::vector<NodeKind>& kinds, BundledTree& tree) {
  Bundler(kinds, tree).run();
}

}  // namespace linkwright
