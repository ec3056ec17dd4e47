#pragma once
/// The tree that grows from the world along the joints of a model, and the joints left over.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "linkwright/model/model.hpp"

namespace linkwright {

/// Where each name sits in its list of the Model; the world is in none.
using NameIndex = std::unordered_map<std::string_view, std::size_t>;

struct TreeGrowth {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::vector<std::size_t> carrier;  ///< per body: the joint that carries it; none: not reached
  std::vector<bool> closes;          ///< per joint: both ends are reached without it
};

/// By the rule of loops.hpp. Joints whose ends are not known are passed over. `cut` stands for
/// Model::cut.
TreeGrowth grow_tree(const Model& model, const NameIndex& bodies,
                     const std::vector<std::string>& cut);

/// What ties a joint to the tree, in words ("damping", "a spring").
struct TreeBond {
  std::vector<std::string> prefers;  ///< acts on a joint that closes a loop too
  std::vector<std::string> needs;    ///< has a meaning in the tree alone
  [[nodiscard]] bool any() const { return !prefers.empty() || !needs.empty(); }
};
/// One per joint.
std::vector<TreeBond> bonds_to_the_tree(const Model& model);

}  // namespace linkwright
