#pragma once
/// Why a graph has no formulation tree, in names.

#include <vector>

#include "linkwright/network/formulation_tree.hpp"
#include "network/graph/intersection.hpp"

namespace linkwright::network {

/// Parts without a reference, loops of across drivers, cut sets of through drivers.
std::vector<TreeConflict> find_driver_conflicts(const LinearGraph& graph);

/// After the groups' own edges could not fill them: multi-ports that need more branches than they have edges that
/// close no loop among themselves and with the across drivers.
TreeConflict too_many_branches(const LinearGraph& graph, const Intersection& search);
/// After a set with full groups could not be enlarged to a tree: multi-ports that leave more terminals apart than
/// the edges between them can join, through drivers being none of these.
TreeConflict too_few_branches(const LinearGraph& graph, const Intersection& search);

}  // namespace linkwright::network
