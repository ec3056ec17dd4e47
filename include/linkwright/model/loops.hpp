#pragma once
/// Loops among the joints of a model: which joints close them, and the same mechanism as a tree with
/// closures.
///
///     for (const std::string& name : linkwright::compute_closing_joints(model))
///       fmt::print("{} closes a loop\n", name);
///     linkwright::Model tree = linkwright::to_tree_with_closures(model);

#include <string>
#include <vector>

#include "linkwright/model/model.hpp"

namespace linkwright {

/// Names of the joints that close loops, in the order of the model.
///
/// The tree grows from the world, along joints from parent to child. Of the joints that lead to a link
/// that is not reached yet, it takes the one with the fewest freedoms, of those the one nearest to the
/// world, of those the first by name; what is left over closes loops. A joint with something of its own
/// (damping, friction, rotor inertia, limits, a spring, a load, an actuator, a gear, a place among the
/// coordinates or in the start) stays in the tree where the loops can be cut elsewhere.
/// Joints of Model::cut are never taken. So the choice does not depend on the order of anything.
std::vector<std::string> compute_closing_joints(const Model& model);

/// The same mechanism without loops among its joints: each joint that closes one has become a closure
/// of its name, after those of the model. A joint of the tree that sits elsewhere than in its child's
/// own frame (Joint::at_child) moves a link "JOINT:end" without mass there, which the child is welded
/// to. For a model that `validate` accepts.
Model to_tree_with_closures(const Model& model);

}  // namespace linkwright
