#pragma once
/// Roll, pitch and yaw of a rotation, as URDF and SDF write them.
///
///     const Vector3 rpy = linkwright::spatial::to_rpy(pose.rotation);   // from_rpy(rpy) is the rotation

#include <cmath>

#include "linkwright/spatial/vector3.hpp"

namespace linkwright::spatial {

/// R = Rz(yaw) Ry(pitch) Rx(roll). Roll and pitch come from what is left when yaw is undone, so
/// that R is reproduced even at pitch = ±90°, where yaw is arbitrary.
inline Vector3<double> to_rpy(const Matrix3<double>& R) {
  const double yaw = std::atan2(R.yx, R.xx), c = std::cos(yaw), s = std::sin(yaw);
  const double pitch = std::atan2(-R.zx, c * R.xx + s * R.yx);
  const double roll = std::atan2(s * R.xz - c * R.yz, c * R.yy - s * R.xy);
  return {roll, pitch, yaw};
}

}  // namespace linkwright::spatial
