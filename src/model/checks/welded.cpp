#include "model/checks/checks.hpp"
#include "spatial/groups.hpp"

namespace linkwright::checks {
Welded::Welded(const Model& model, const Names& names) : names_(names) {
  const std::size_t world = model.bodies.size();
  Groups groups(world + 1);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    if (velocity_count(joint) != 0 || names.tree.closes[j]) continue;
    const auto child = names.bodies.find(joint.child), carrier = names.bodies.find(joint.parent);
    const bool on_world = joint.parent == world_name;
    if (child == names.bodies.end() || (carrier == names.bodies.end() && !on_world)) continue;
    groups.join(child->second, on_world ? world : carrier->second);
  }
  for (std::size_t i = 0; i <= world; ++i) numbers_.push_back(groups.root(i));
}

bool Welded::together(const std::string& a, const std::string& b) const {
  const auto first = number(a), second = number(b);
  return first && second && *first == *second;
}

std::optional<std::size_t> Welded::number(const std::string& body) const {
  if (body == world_name) return numbers_.back();
  const auto found = names_.bodies.find(body);
  if (found == names_.bodies.end()) return std::nullopt;
  return numbers_[found->second];
}

}  // namespace linkwright::checks
