#pragma once
/// Joints that hardly anything with inertia resists at a position: their accelerations are few
/// digits of truth and large numbers.
///
///     for (const linkwright::WeakJoint& weak : compute_weak_joints(work, q))
///       std::cerr << system.describe_node(weak.node) << ": " << weak.resistance << '\n';

#include <string>
#include <string_view>
#include <vector>

#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/workspace.hpp"

namespace linkwright {

struct WeakJoint {
  int node = 0;  ///< for System::describe_node
  /// What is left of the inertia around the joint once all outboard of it is free to move (D), as a
  /// part of the inertia that it is left of. At no_resistance and below there is no acceleration,
  /// and forward dynamics throws.
  double resistance = 0;
};

/// Below this D is rounding.
inline constexpr double no_resistance = 64 * 0x1.0p-52;
/// Below this D has lost most of its digits: the accelerations of the joint have fewer than eight
/// left, and are as a rule the mark of a wrong inertia.
inline constexpr double weak_resistance = 1e6 * no_resistance;

/// The joints with less resistance than weak_resistance, tips first. The list ends with a joint that
/// nothing resists at all: what lies inboard of it cannot be judged.
std::vector<WeakJoint> compute_weak_joints(Workspace& work, const ConstVectorRef& q);

/// A warning about the weakest joint at q, with how many there are; empty when all is well. `where` begins it:
/// "where the run starts,". A joint that nothing resists at all is left to the computation, which refuses it.
std::string describe_weak_joints(Workspace& work, const ConstVectorRef& q, std::string_view where);

}  // namespace linkwright
