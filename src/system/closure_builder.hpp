#pragma once
/// Closures and grasps of a model, as places on its compiled tree.

#include "linkwright/system/closure_place.hpp"
#include "linkwright/system/system.hpp"
#include "system/node_builder.hpp"
#include "system/spanning_tree.hpp"

namespace linkwright {

/// In the order closures, grasps; rows are numbered through. `system` has its joints and frames;
/// `reflected` is that of the closures.
std::vector<ClosurePlace> place_closures(const System& system, const SpanningTree& bodies,
                                         const NodeBuilder& nodes,
                                         const std::vector<std::vector<Reflected>>& reflected);

}  // namespace linkwright
