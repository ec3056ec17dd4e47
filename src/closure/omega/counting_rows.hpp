#pragma once
/// Which rows of a closure count, whatever the position: decided once, from the joints between its frames.

#include <vector>

#include "linkwright/system/system.hpp"

namespace linkwright::closure {

/// Every node at zero: the pose that its constants give it.
std::vector<Pose> zero_poses(const Tree<double>& tree);
/// H* of freedom i of node k, in its own frame.
Motion mode_of(const Tree<double>& tree, NodeKind kind, int k, int i);

/// Of a closure whose rows are constant on node b, as few rows as say the same as all of them. The motion
/// of b relative to a is one of the algebra that the joints between them span: the rows are compared
/// on it. A loop of parallel hinges in one plane keeps three of a weld's six rows. Length: the
/// mechanism's size.
std::vector<int> counting_rows(const Tree<double>& tree, const std::vector<NodeKind>& kinds,
                               const std::vector<Pose>& zero, const ClosurePlace& c, double length);

}  // namespace linkwright::closure
