#pragma once
/// How far a closure is open, and the coordinates of a closing joint.
///
///     linkwright::closure::Opening open = linkwright::closure::opening(place, X);
///     double metres = open.distance, radians = open.angle;
///
/// A lower pair's pose is taken apart into X = E exp(ξ): E what its own freedoms do, ξ what is left,
/// along the complement of its modes. The entries of ξ are the residual; where they vanish their rates
/// are the rows applied to the relative velocity. Nothing is parametrised by angles, and no residual
/// vanishes anywhere but where the pair is closed.

#include "linkwright/system/closure_place.hpp"

namespace linkwright::closure {

struct Opening {
  double residual[6]{};  ///< position_rows of them
  double angle = 0;      ///< radians
  double distance = 0;   ///< metres
  Pose joint{};          ///< E: lower pairs
  double q[6]{};  ///< lower pairs whose modes commute, universal: coordinates, angles within half a
                  ///< turn (a screw's way tells its whole turns)
};

/// For b's closure frame at X in a's. Not for gears.
Opening opening(const ClosurePlace& place, const Pose& X);

}  // namespace linkwright::closure
