#include "model/tree_growth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>
#include <unordered_set>

#include "linkwright/model/names.hpp"
#include "linkwright/model/network_words.hpp"

namespace linkwright {
namespace {

constexpr std::size_t none = TreeGrowth::none;

bool any_nonzero(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return x != 0; });
}

bool is_bounded(const Limits& limits) {
  return std::isfinite(limits.lower) || std::isfinite(limits.upper) ||
         std::isfinite(limits.velocity) || std::isfinite(limits.effort);
}

/// A joint that leads on, smallest first: the order in which the tree takes them.
struct Candidate {
  bool could_be_cut;
  int freedoms, depth;
  std::string_view name;
  std::size_t joint;

  [[nodiscard]] auto key() const { return std::tie(could_be_cut, freedoms, depth, name, joint); }
  friend bool operator>(const Candidate& a, const Candidate& b) { return a.key() > b.key(); }
};

class Grower {
 public:
  Grower(const Model& model, const NameIndex& bodies, const std::vector<std::string>& cut)
      : model_(model),
        leading_(model.bodies.size() + 1),
        child_(model.joints.size(), none),
        bound_(model.joints.size(), false) {
    const std::unordered_set<std::string_view> left_out(cut.begin(), cut.end());
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
      const Joint& joint = model.joints[j];
      const auto child = bodies.find(joint.child), parent = bodies.find(joint.parent);
      const bool on_world = joint.parent == world_name;
      if (child == bodies.end() || joint.parent == joint.child) continue;
      if (parent == bodies.end() && !on_world) continue;
      child_[j] = child->second;
      known_.push_back({j, on_world ? 0 : parent->second + 1});
      if (!left_out.contains(joint.name)) leading_[known_.back().from].push_back(j);
    }
  }

  TreeGrowth run() {
    if (!has_choice()) return grow();
    const std::vector<TreeBond> bonds = bonds_to_the_tree(model_);
    std::vector<bool> taken(model_.bodies.size(), false);
    for (const std::vector<std::size_t>& joints : leading_)
      for (const std::size_t j : joints) {
        bound_[j] = bonds[j].any();
        if (bound_[j]) taken[child_[j]] = true;
      }
    // A link that a bound joint can carry is left to it. Where that leads nowhere, all may lead.
    const auto all = leading_;
    for (std::vector<std::size_t>& joints : leading_)
      std::erase_if(joints, [&](std::size_t j) { return taken[child_[j]] && !bound_[j]; });
    TreeGrowth sparing = grow();
    if (count_loose(sparing) == 0) return sparing;
    leading_ = all;
    TreeGrowth whole = grow();
    return count_loose(whole) < count_loose(sparing) ? whole : sparing;
  }

 private:
  struct Known {
    std::size_t joint, from;  ///< the world is 0, body b is b + 1
  };

  /// Whether two joints lead to one link.
  [[nodiscard]] bool has_choice() const {
    std::vector<bool> led(model_.bodies.size(), false);
    for (const std::vector<std::size_t>& joints : leading_)
      for (const std::size_t j : joints) {
        if (led[child_[j]]) return true;
        led[child_[j]] = true;
      }
    return false;
  }

  [[nodiscard]] static std::ptrdiff_t count_loose(const TreeGrowth& tree) {
    return std::count(tree.carrier.begin(), tree.carrier.end(), none);
  }

  [[nodiscard]] TreeGrowth grow() const {
    TreeGrowth tree{std::vector<std::size_t>(model_.bodies.size(), none),
                    std::vector<bool>(model_.joints.size(), false)};
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> next;
    const auto lead_on = [&](std::size_t from, int depth) {
      for (const std::size_t j : leading_[from])
        next.push({!bound_[j], velocity_count(model_.joints[j]), depth, model_.joints[j].name, j});
    };
    lead_on(0, 1);
    while (!next.empty()) {
      const Candidate best = next.top();
      next.pop();
      const std::size_t body = child_[best.joint];
      if (tree.carrier[body] != none) continue;
      tree.carrier[body] = best.joint;
      lead_on(body + 1, best.depth + 1);
    }
    const auto is_reached = [&](std::size_t at) { return at == 0 || tree.carrier[at - 1] != none; };
    for (const auto& [j, from] : known_)
      tree.closes[j] =
          is_reached(from) && is_reached(child_[j] + 1) && tree.carrier[child_[j]] != j;
    return tree;
  }

  const Model& model_;
  std::vector<std::vector<std::size_t>>
      leading_;  // per body, the world first: joints it is parent of
  std::vector<std::size_t> child_;
  std::vector<Known> known_;
  std::vector<bool> bound_;
};

}  // namespace

TreeGrowth grow_tree(const Model& model, const NameIndex& bodies,
                     const std::vector<std::string>& cut) {
  return Grower(model, bodies, cut).run();
}

std::vector<TreeBond> bonds_to_the_tree(const Model& model) {
  std::vector<TreeBond> bonds(model.joints.size());
  NameIndex index;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    std::vector<std::string>& words = bonds[j].prefers;
    index.emplace(joint.name, j);
    if (any_nonzero(joint.damping)) words.emplace_back("damping");
    if (std::any_of(joint.friction.begin(), joint.friction.end(), has_friction))
      words.emplace_back("friction");
    if (any_nonzero(joint.rotor_inertia)) words.emplace_back("rotor inertia");
    if (std::any_of(joint.limits.begin(), joint.limits.end(), is_bounded))
      words.emplace_back("limits");
  }
  const auto note = [&](const std::string& joint, std::vector<std::string> TreeBond::*list,
                        const std::string& what) {
    const auto found = index.find(joint);
    if (found == index.end()) return;
    std::vector<std::string>& words = bonds[found->second].*list;
    if (std::find(words.begin(), words.end(), what) == words.end()) words.push_back(what);
  };
  const auto prefers = &TreeBond::prefers, needs = &TreeBond::needs;
  for (const JointSpring& spring : model.joint_springs) note(spring.joint, prefers, "a spring");
  for (const JointLoad& load : model.joint_loads) note(load.joint, prefers, "a load");
  for (const Actuator& actuator : model.actuators)
    for (const GearTerm& term : terms_of(actuator))
      note(term.joint, is_coupled(actuator) ? needs : prefers,
           "actuator " + in_quotes(actuator.name));
  for (const JointPort& port : used_joints(model)) note(port.joint, prefers, "a network");
  for (const FlexibleBase& base : model.flexible_bases) note(base.joint, needs, "a flexible base");
  for (const Closure& closure : model.closures) {
    if (closure.kind != Closure::Kind::gear) continue;
    note(closure.leader, needs, "gear " + in_quotes(closure.name));
    note(closure.follower, needs, "gear " + in_quotes(closure.name));
  }
  for (const std::string& name : model.coordinates) note(name, needs, "a place in `coordinates`");
  for (const auto& entry : model.initial.q) note(entry.joint, needs, "a position in `state`");
  for (const auto& entry : model.initial.v) note(entry.joint, needs, "a velocity in `state`");
  for (const std::string& name : model.initial.hold) note(name, needs, "a place in `hold`");
  return bonds;
}

}  // namespace linkwright
