#pragma once
/// Closures and grasps of a model, as places on its compiled tree.

#include "linkwright/system/closure_place.hpp"
#include "linkwright/system/system.hpp"
#include "system/node_builder.hpp"
#include "system/spanning_tree.hpp"

namespace linkwright {

/// In the order closures, grasps; rows are numbered through. `system` has its joints and frames.
std::vector<ClosurePlace> place_closures(const System& system, const SpanningTree& bodies,
                                         const NodeBuilder& nodes);

}  // namespace linkwright
