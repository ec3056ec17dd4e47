#include "linkwright/system/lockable_system.hpp"

#include <algorithm>

#include "spatial/index.hpp"

namespace linkwright {
namespace {

NodeKind with_rotor(NodeKind kind) {
  if (kind == NodeKind::revolute_twist) return NodeKind::revolute_twist_rotor;
  return kind == NodeKind::revolute ? NodeKind::revolute_rotor : kind;
}

/// The runs with a node that `is_lockable` names.
template <class Nodes>
void give_rotors(std::vector<Run>& runs, const Nodes& is_lockable) {
  for (Run& run : runs)
    for (int k = run.first; k <= run.last; ++k)
      if (is_lockable(k)) run.kind = with_rotor(run.kind);
}

template <class T>
auto& rotor_of(Tree<T>& tree, Node<T>& node, int freedom) {
  return node.modes < 0 ? node.rotor : tree.modes[at(node.modes)].rotor[freedom];
}

}  // namespace

LockableSystem::LockableSystem(const System& system, std::span<const int> entries)
    : system_(system), free_(system.rotor_inertia()) {
  locked_.reserve(entries.size());
  BundledTree& tree = system_.tree_;
  const auto is_lockable = [&](int k) {
    const Node<double>& n = tree.nodes[at(k)];
    return std::any_of(entries.begin(), entries.end(),
                       [&](int v) { return n.v <= v && v < n.v + n.d; });
  };
  give_rotors(tree.runs, is_lockable);
  give_rotors(tree.trunk, is_lockable);
  for (Bundle& bundle : tree.bundles)
    give_rotors(bundle.branch.runs, [&](int k) {
      const Bundle::Lanes& lanes = bundle.nodes[at(k)];
      return std::any_of(lanes.begin(), lanes.end(), is_lockable);
    });
  lock(entries);
}

void LockableSystem::lock(std::span<const int> entries) {
  for (const int entry : locked_) set_rotor(entry, free_[at(entry)]);
  locked_.assign(entries.begin(), entries.end());
  for (const int entry : locked_) set_rotor(entry, wall);
}

void LockableSystem::set_rotor(int entry, double inertia) {
  BundledTree& tree = system_.tree_;
  system_.rotor_inertia_[at(entry)] = inertia;
  for (Node<double>& n : tree.nodes)
    if (&n != tree.nodes.data() && n.v <= entry && entry < n.v + n.d)
      rotor_of(tree, n, entry - n.v) = inertia;
  for (Bundle& bundle : tree.bundles)
    for (std::size_t k = 2; k < bundle.branch.nodes.size(); ++k) {
      Node<Bundle::Number>& n = bundle.branch.nodes[k];
      for (int i = 0; i < n.d; ++i)
        for (std::size_t l = 0; l < Bundle::width; ++l)
          if (bundle.velocities[at(n.v + i)][l] == entry)
            rotor_of(bundle.branch, n, i).x[static_cast<int>(l)] = inertia;
    }
}

}  // namespace linkwright
