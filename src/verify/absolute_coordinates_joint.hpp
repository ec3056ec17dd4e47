#pragma once
/// How a joint lets its child move: the pose that its coordinates mean, and the time derivatives of that
/// pose. Only the pose is written down per joint type; rates follow by differentiation.

#include <utility>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "linkwright/model/model.hpp"

namespace linkwright::verify::absolute {

using Number = long double;
using Vector = Eigen::Matrix<Number, 3, 1>;
using Matrix = Eigen::Matrix<Number, 3, 3>;

Vector to_numbers(const Vector3& x);
Matrix to_numbers(const Matrix3& x);
/// cross_matrix(a) b = a × b.
Matrix cross_matrix(const Vector& a);

/// The child seen from the joint frame, in its axes, while v is constant.
struct RelativeMotion {
  Matrix rotation;
  Vector translation;
  Vector angular_velocity, velocity;
  Vector angular_acceleration, acceleration;
};
RelativeMotion relative_motion(const Joint& joint, const Number* q, const Number* v);

/// The directions of a planar joint's first two coordinates, in the joint frame.
std::pair<Vector, Vector> axes_of_plane(const Vector3& normal);

/// Of a joint whose position is a quaternion: rotation vector and position (zero if it has none), and their
/// rates at v.
struct PoseCoordinates {
  Vector rotation, position, rotation_rate, position_rate;
};
PoseCoordinates pose_coordinates(const Joint& joint, const Number* q, const Number* v);

}  // namespace linkwright::verify::absolute
