#pragma once
/// Shapes for bodies to which the file gives none, within the room that their joints leave: rods from
/// joint to joint and hubs at the joints. And for every body the uniform box that has its mass and
/// inertia, which the page shows as a layer of its own.

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

/// Draws every body that has no shapes yet and is not welded to one that has, and all inertias. A lost shape among
/// those that are welded together makes the others be drawn.
void add_drawn_shapes(const Skeleton& skeleton, const Proportions& proportions,
                      const std::vector<Colour>& colours, Drawing& drawing);

}  // namespace linkwright::viewer
