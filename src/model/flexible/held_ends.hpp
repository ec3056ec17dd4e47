#pragma once
/// A beam that cannot stretch cannot bend between two places that hold it rigidly.

#include "linkwright/model/flexible_links.hpp"

namespace linkwright {

/// Throws where links that move as one hold the beam rigidly at two places and it does not stretch.
void check_held_ends(const FlexibleLink& link, const Beam& beam, const Model& model);

}  // namespace linkwright
