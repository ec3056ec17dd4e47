#pragma once
/// Positions as dual numbers, for derivatives along a motion.

#include "linkwright/dynamics/dual_position.hpp"

namespace linkwright::testing {

using linkwright::dual_position;

}  // namespace linkwright::testing
