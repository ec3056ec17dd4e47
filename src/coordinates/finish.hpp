#pragma once
/// The second of the two transfers, the same for loops taken at once and leg by leg.

#include "linkwright/coordinates/mechanism.hpp"

namespace linkwright::coordinates {

/// y → q (4-37)–(4-41).
Mechanism finish(const Constrained& first, const Influence& q_by_phi);

}  // namespace linkwright::coordinates
