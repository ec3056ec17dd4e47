#include "system/canonical.hpp"

#include <cmath>

namespace linkwright::canonical {

Matrix3 rotation_to(const Vector3& n) {
  if (n.x == 0 && n.y == 0 && n.z > 0) return Matrix3::identity();
  // The coordinate axis least aligned with n gives the best-conditioned cross product.
  const double ax = std::abs(n.x), ay = std::abs(n.y), az = std::abs(n.z);
  const Vector3 other = ax <= ay && ax <= az ? Vector3{1, 0, 0}
                        : ay <= az           ? Vector3{0, 1, 0}
                                             : Vector3{0, 0, 1};
  Vector3 x = cross(other, n);
  x = (1 / norm(x)) * x;
  const Vector3 y = cross(n, x);
  return {x.x, y.x, n.x, x.y, y.y, n.y, x.z, y.z, n.z};
}

Matrix3 axes_facing(const Vector3& own, const Axis& next) {
  Vector3 x = cross(own, next.direction);
  if (norm(x) < 1e-9) x = next.point - dot(next.point, own) * own;
  const double size = norm(x);
  if (size < 1e-9) return rotation_to(own);
  x = (1 / size) * x;
  // For nearly parallel lines the cross product is mostly rounding and leans towards `own`.
  x = x - dot(x, own) * own;
  x = (1 / norm(x)) * x;
  const Vector3 y = cross(own, x);
  return {x.x, y.x, own.x, x.y, y.y, own.y, x.z, y.z, own.z};
}

double foot_of_common_normal(const Axis& axis) {
  if (std::abs(axis.direction.y) < 1e-9) return -axis.point.z * axis.direction.z;
  const double shift = -axis.point.y / axis.direction.y;
  return std::abs(shift) > 2 * norm(axis.point) ? 0 : shift;
}

TwistSplit split_twist(const Matrix3& R) {
  // Rx(t) Rz(a) = [ca −sa 0; ct·sa ct·ca −st; st·sa st·ca ct]
  TwistSplit split{};
  const double size = std::hypot(R.yz, R.zz);
  split.c = R.zz / size;
  split.s = -R.yz / size;
  split.angle = std::atan2(-R.xy, R.xx);
  split.misfit = std::abs(R.xz);
  return split;
}

TiltSplit split_tilt(const Matrix3& R) {
  // The third column of R is that of Rz(a) Rx(b): (sin a sin b, −cos a sin b, cos b).
  const double sb = std::hypot(R.xz, R.yz), cb = R.zz, size = std::hypot(sb, cb);
  const double ca = sb > 0 ? -R.yz / sb : 1, sa = sb > 0 ? R.xz / sb : 0;
  const double s = sb / size, c = cb / size;
  TiltSplit split{{ca, -sa * c, sa * s, sa, ca * c, -ca * s, 0, s, c}, 0};
  const Vector3 x{R.xx, R.yx, R.zx};
  split.angle = std::atan2(dot(split.rotation.column_y(), x), dot(split.rotation.column_x(), x));
  return split;
}

}  // namespace linkwright::canonical
