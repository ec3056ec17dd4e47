#pragma once
/// What is open at a position that could not be closed.
///
///     if (!assemble(work, {}, q).assembled) fmt::print("{}\n", linkwright::describe_gaps(work, q));
///
/// Assembly shares gaps among all closures that cannot be kept: an arm that does not reach its grasp may
/// leave another closure open just as wide.

#include <string>

#include "linkwright/closure/kinematics.hpp"

namespace linkwright {

/// "grasp 'left' is open by 0.2 m and 0 rad: arm … does not reach object …; closure 'bench' is open by …":
/// those that are open by more than `tolerance`, the widest three first; the widest where none is.
std::string describe_gaps(ClosedWorkspace& work, const ConstVectorRef& q, double tolerance = 1e-8);

}  // namespace linkwright
