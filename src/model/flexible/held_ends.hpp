#pragma once
/// A beam that cannot stretch cannot bend between two places that keep their distance.

#include "linkwright/model/flexible_links.hpp"

namespace linkwright {

/// Throws where links that move as one hold two places of the beam's axis as far apart as they are on the
/// straight beam (clamped, hinged, grasped, …) and it does not stretch: to first order the closure that holds
/// the second place feels nothing then, and beyond that nothing can move.
void check_held_ends(const FlexibleLink& link, const Beam& beam, const Model& model);

}  // namespace linkwright
