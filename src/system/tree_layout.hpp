#pragma once
/// How the sweeps will walk the finished nodes: stretches of one kind, and freedoms in tree order.

#include "linkwright/system/tree.hpp"

namespace linkwright {

/// The runs of the last nodes of a tree: `kinds` has one entry for each of them, `parents` one for every
/// node from 0 on.
std::vector<Run> runs_of(const std::vector<NodeKind>& kinds, const std::vector<int>& parents);
/// Writes Tree::runs and Tree::turning; `kinds` has one entry per node, without the world.
void make_runs(const std::vector<NodeKind>& kinds, Tree<double>& tree);
/// Writes Tree::freedoms, Tree::branches and the nodes' places among the freedoms.
void order_freedoms(Tree<double>& tree);

}  // namespace linkwright
