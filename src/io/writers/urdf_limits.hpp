#pragma once
/// What URDF has no words for.

#include <string>
#include <vector>

#include "linkwright/model/model.hpp"

namespace linkwright::writers {

struct Unsaid {
  std::vector<Mistake> dynamics;  ///< without it the mechanism moves otherwise
  std::vector<Warning> others;
};
/// Of a model without loops among its joints, each thing by name.
Unsaid find_unsaid_in_urdf(const Model& tree);

/// Whether URDF has a joint of that type.
bool is_urdf_type(JointType type);
/// Whether URDF says this gear as a <mimic> of its follower.
bool is_mimic(const Model& model, std::size_t closure);

}  // namespace linkwright::writers
