#pragma once
/// Shapes for bodies to which the file gives none: rods from joint to joint, hubs at the joints, and
/// the uniform box that has the body's mass and inertia.

#include "viewer/shapes.hpp"
#include "viewer/skeleton.hpp"

namespace linkwright::viewer {

/// Lengths that make a drawing readable.
struct Proportions {
  double reach = 1;   ///< extent of the whole mechanism
  double rod = 0.01;  ///< radius of a rod
};

/// `reach` is the extent of the joints, centres of mass and shapes of the file.
Proportions choose_proportions(const Skeleton& skeleton, double reach);

/// Draws every body that has no shapes yet and is not welded to one that has. A lost shape among
/// those that are welded together makes the others be drawn.
void add_drawn_shapes(const Skeleton& skeleton, const Proportions& proportions,
                      const std::vector<Colour>& colours, Drawing& drawing);

}  // namespace linkwright::viewer
