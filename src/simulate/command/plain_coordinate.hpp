#pragma once
/// Coordinates that are plain numbers.

#include "linkwright/system/system.hpp"

namespace linkwright {

/// The entry of q whose rate is the entry `velocity` of v; throws Error, naming the joint, where its
/// position is a quaternion.
int plain_position(const System& system, int velocity);

}  // namespace linkwright
