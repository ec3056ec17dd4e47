#include <numeric>

#include "model/checks.hpp"

namespace linkwright::checks {
namespace {

std::size_t root_of(std::vector<std::size_t>& parent, std::size_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

std::vector<std::size_t> weld_numbers(const Model& model, const Names& names) {
  const std::size_t world = model.bodies.size();
  std::vector<std::size_t> parent(world + 1);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  for (const Joint& joint : model.joints) {
    if (velocity_count(joint) != 0) continue;
    const auto child = names.bodies.find(joint.child), carrier = names.bodies.find(joint.parent);
    const bool on_world = joint.parent == world_name;
    if (child == names.bodies.end() || (carrier == names.bodies.end() && !on_world)) continue;
    parent[root_of(parent, child->second)] = root_of(parent, on_world ? world : carrier->second);
  }
  for (std::size_t i = 0; i <= world; ++i) parent[i] = root_of(parent, i);
  return parent;
}

}  // namespace linkwright::checks
