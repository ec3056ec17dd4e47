#pragma once
/// r × as a matrix of Eigen's.

#include <Eigen/Core>

#include "linkwright/spatial/spatial.hpp"

namespace linkwright::network {

inline Eigen::Matrix3d skew_of(const Vector3& r) { return to_eigen(spatial::skew(r)); }

}  // namespace linkwright::network
