#pragma once
/// Colours where the file gives none: one per arm, with neighbours a shade apart.

#include "viewer/shapes.hpp"
#include "viewer/skeleton.hpp"

namespace linkwright::viewer {

/// Joints and what belongs to the ground.
inline constexpr Colour hub_colour{0.27, 0.30, 0.34, 1}, ground_colour{0.58, 0.60, 0.62, 1};

/// The colour with that share of white in it.
Colour lighter(const Colour& colour, double share);

/// One colour per body. An arm begins at the world and wherever a body carries several chains.
std::vector<Colour> choose_colours(const Skeleton& skeleton);

}  // namespace linkwright::viewer
