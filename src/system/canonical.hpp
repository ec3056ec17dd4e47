#pragma once
/// Chooses canonical frames: where a one-freedom joint's frame sits along and about its axis.
///
/// The axis must be the local z axis; the turn about it and the shift along it are free. They are
/// spent so that the child on the longest branch sees a constant rotation about x only and an
/// offset without y component, as in a modified Denavit–Hartenberg table.

#include "linkwright/spatial/spatial.hpp"

namespace linkwright::canonical {

/// A line through `point` along the unit vector `direction`.
struct Axis {
  Vector3 direction, point;
};

/// Any rotation that carries z to the unit vector n.
Matrix3 rotation_to(const Vector3& n);

/// Axes with z along `own` and x along the common normal from the line through the origin along
/// `own` to the line `next`.
Matrix3 axes_facing(const Vector3& own, const Axis& next);

/// How far to shift the child's origin along its axis so that its offset has no y component in a
/// frame whose x axis is perpendicular to `axis`; 0 where the lines are so nearly parallel that the
/// foot would lie far away.
double foot_of_common_normal(const Axis& axis);

/// Splits R into Rx(twist)·Rz(angle). Only meaningful when the x row of R's third column vanishes.
struct TwistSplit {
  double c, s;    // twist
  double angle;   // about z
  double misfit;  // how far R is from that form
};
TwistSplit split_twist(const Matrix3& R);

/// Splits any R into Rz·Rx·Rz(angle); `rotation` is the first two, with an exact zero in its last row
/// (spatial::Tilt).
struct TiltSplit {
  Matrix3 rotation;
  double angle;
};
TiltSplit split_tilt(const Matrix3& R);

}  // namespace linkwright::canonical
