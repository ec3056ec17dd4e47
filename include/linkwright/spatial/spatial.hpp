#pragma once
/// The value types as users meet them: double precision, under short names, with Eigen at the
/// border.
///
///     linkwright::Pose tip = ...;
///     Eigen::Vector3d where = linkwright::to_eigen(tip.translation);

#include <Eigen/Core>

#include "linkwright/spatial/articulated_inertia.hpp"
#include "linkwright/spatial/group.hpp"

namespace linkwright {

using Vector3 = spatial::Vector3<double>;
using Matrix3 = spatial::Matrix3<double>;
using Symmetric3 = spatial::Symmetric3<double>;
using Quaternion = spatial::Quaternion<double>;
using Pose = spatial::Pose<double>;
using Motion = spatial::Motion<double>;
using Force = spatial::Force<double>;
using Inertia = spatial::Inertia<double>;

inline Eigen::Vector3d to_eigen(const Vector3& v) { return {v.x, v.y, v.z}; }
inline Eigen::Matrix3d to_eigen(const Matrix3& m) {
  return (Eigen::Matrix3d() << m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz).finished();
}
inline Eigen::Matrix<double, 6, 1> to_eigen(const Motion& v) {
  return (Eigen::Matrix<double, 6, 1>() << v.angular.x, v.angular.y, v.angular.z, v.linear.x,
          v.linear.y, v.linear.z)
      .finished();
}
inline Eigen::Matrix<double, 6, 1> to_eigen(const Force& f) {
  return (Eigen::Matrix<double, 6, 1>() << f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y,
          f.force.z)
      .finished();
}
inline Vector3 to_vector3(const Eigen::Ref<const Eigen::Vector3d>& v) { return {v[0], v[1], v[2]}; }

}  // namespace linkwright
