#pragma once
/// What the model declares to push on joints and bodies, in indices and frames of the tree.

#include "linkwright/system/system.hpp"
#include "system/node_builder.hpp"
#include "system/spanning_tree.hpp"

namespace linkwright {

/// Springs, dampers, friction and loads at joints. Throws Error for a spring that its joint cannot
/// carry.
JointForces<double> resolve_joint_forces(const System& system,
                                         const std::vector<std::vector<Reflected>>& reflected);
/// Springs between bodies and loads on bodies.
BodyForces<double> resolve_body_forces(const Model& model, const SpanningTree& bodies,
                                       const NodeBuilder& nodes);

}  // namespace linkwright
