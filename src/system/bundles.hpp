#pragma once
/// Finds the equal branches of a tree.

#include "linkwright/system/bundle.hpp"

namespace linkwright {

/// Writes BundledTree::bundles and BundledTree::trunk; the nodes and runs are there, and `kinds` has
/// one entry per node, without the world.
void bundle_equal_branches(const std::vector<NodeKind>& kinds, BundledTree& tree);

}  // namespace linkwright
