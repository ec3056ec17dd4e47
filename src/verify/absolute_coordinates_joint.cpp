#include "verify/absolute_coordinates_joint.hpp"

#include <cmath>

namespace linkwright::verify::absolute {
namespace {

using Matrix4 = Eigen::Matrix<Number, 4, 4>;

/// A function of time: its value now, and its first and second derivative.
template <class T>
struct Derivatives {
  T x, d, dd;
};
template <class T>
Derivatives<T> operator+(const Derivatives<T>& a, const Derivatives<T>& b) {
  return {a.x + b.x, a.d + b.d, a.dd + b.dd};
}
template <class T>
Derivatives<T> operator-(const Derivatives<T>& a, const Derivatives<T>& b) {
  return {a.x - b.x, a.d - b.d, a.dd - b.dd};
}
template <class T>
Derivatives<T> operator*(const Derivatives<T>& a, const Derivatives<T>& b) {
  return {a.x * b.x, a.d * b.x + a.x * b.d, a.dd * b.x + 2 * a.d * b.d + a.x * b.dd};
}
template <class T>
Derivatives<T> operator*(Number s, const Derivatives<T>& a) {
  return {s * a.x, s * a.d, s * a.dd};
}

using Scalar = Derivatives<Number>;

struct MovingPose {
  Derivatives<Matrix> rotation;
  Derivatives<Vector> translation;
};

Derivatives<Matrix> no_rotation() { return {Matrix::Identity(), Matrix::Zero(), Matrix::Zero()}; }
Derivatives<Vector> no_translation() { return {Vector::Zero(), Vector::Zero(), Vector::Zero()}; }

/// A coordinate that is a plain number: q̇ = v.
Scalar plain(Number q, Number v) { return {q, v, 0}; }

/// Rodrigues: 1 + sin θ K + (1 − cos θ) K².
Derivatives<Matrix> turn(const Vector& axis, const Scalar& angle) {
  const Number s = std::sin(angle.x), c = std::cos(angle.x);
  const Matrix K = cross_matrix(axis), K2 = K * K;
  const Matrix slope = c * K + s * K2, curvature = c * K2 - s * K;
  return {Matrix::Identity() + s * K + (1 - c) * K2, angle.d * slope,
          angle.dd * slope + angle.d * angle.d * curvature};
}
Derivatives<Vector> slide(const Vector& axis, const Scalar& way) {
  return {way.x * axis, way.d * axis, way.dd * axis};
}

Vector unit(const Vector3& axis) { return to_numbers(axis).normalized(); }

/// The first axis of a planar joint: e × n, e the coordinate axis that n leans to least; the x axis
/// itself when n is z.
Vector first_axis_of_plane(const Vector3& n) {
  if (n.x == 0 && n.y == 0 && n.z > 0) return Vector::UnitX();
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  const int least = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
  return Vector::Unit(least).cross(unit(n)).normalized();
}

struct MovingQuaternion {
  Scalar w, x, y, z;
};

/// From ṙ = ½ r (0, ω) with constant ω in the child's axes.
MovingQuaternion moving_quaternion(const Number* q, const Vector& omega) {
  using Four = Eigen::Matrix<Number, 4, 1>;
  const auto rate = [&omega](const Four& r) -> Four {
    const Vector u = r.tail<3>();
    Four out;
    out << -u.dot(omega), r[0] * omega + u.cross(omega);
    return out / 2;
  };
  const Four r = Four(q[0], q[1], q[2], q[3]).normalized(), dr = rate(r), ddr = rate(dr);
  const auto at = [&](int i) { return Scalar{r[i], dr[i], ddr[i]}; };
  return {at(0), at(1), at(2), at(3)};
}

Derivatives<Matrix> to_rotation(const MovingQuaternion& r) {
  const auto& [w, x, y, z] = r;
  const Scalar xx = x * x, yy = y * y, zz = z * z, ww = w * w;
  const Scalar entries[3][3] = {{ww + xx - yy - zz, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                {2 * (x * y + w * z), ww - xx + yy - zz, 2 * (y * z - w * x)},
                                {2 * (x * z - w * y), 2 * (y * z + w * x), ww - xx - yy + zz}};
  Derivatives<Matrix> R = no_rotation();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      R.x(i, j) = entries[i][j].x, R.d(i, j) = entries[i][j].d, R.dd(i, j) = entries[i][j].dd;
  return R;
}

/// Angular and linear velocity in the child's axes.
struct Twist {
  Vector angular = Vector::Zero(), linear = Vector::Zero();
};

/// modes · x; free and spherical joints have unit modes.
Twist twist_of(const Joint& joint, const Number* x) {
  Twist sum;
  if (joint.type != JointType::custom) {
    sum.angular = {x[0], x[1], x[2]};
    if (joint.type == JointType::free) sum.linear = {x[3], x[4], x[5]};
    return sum;
  }
  for (std::size_t i = 0; i < joint.modes.size(); ++i) {
    const auto& mode = joint.modes[i];
    sum.angular += x[i] * Vector(mode[0], mode[1], mode[2]);
    sum.linear += x[i] * Vector(mode[3], mode[4], mode[5]);
  }
  return sum;
}

/// q holds a quaternion and, where it has seven numbers, a position p with ṗ = R · linear velocity.
MovingPose pose_of_quaternion(const Joint& joint, const Number* q, const Number* v) {
  const Twist twist = twist_of(joint, v);
  MovingPose pose{to_rotation(moving_quaternion(q, twist.angular)), no_translation()};
  if (position_count(joint) == 7)
    pose.translation = {Vector(q[4], q[5], q[6]), pose.rotation.x * twist.linear,
                        pose.rotation.d * twist.linear};
  return pose;
}

Matrix4 twist_matrix(const Twist& twist) {
  Matrix4 out = Matrix4::Zero();
  out.topLeftCorner<3, 3>() = cross_matrix(twist.angular);
  out.topRightCorner<3, 1>() = twist.linear;
  return out;
}

/// exp(modes · q) of the 4×4 matrix by its power series, halved until that converges fast.
MovingPose pose_of_exponential(const Joint& joint, const Number* q, const Number* v) {
  Derivatives<Matrix4> X{twist_matrix(twist_of(joint, q)), twist_matrix(twist_of(joint, v)),
                         Matrix4::Zero()};
  int halvings = 0;
  for (; X.x.norm() > Number(0.25); ++halvings) X = Number(0.5) * X;
  Derivatives<Matrix4> power{Matrix4::Identity(), Matrix4::Zero(), Matrix4::Zero()}, sum = power;
  constexpr int terms = 18;  // 0.25¹⁸ / 18! is far below the last digit
  for (int k = 1; k <= terms; ++k) {
    power = (1 / Number(k)) * (power * X);
    sum = sum + power;
  }
  for (; halvings > 0; --halvings) sum = sum * sum;
  const auto rotation = [](const Matrix4& m) -> Matrix { return m.topLeftCorner<3, 3>(); };
  const auto translation = [](const Matrix4& m) -> Vector { return m.topRightCorner<3, 1>(); };
  return {{rotation(sum.x), rotation(sum.d), rotation(sum.dd)},
          {translation(sum.x), translation(sum.d), translation(sum.dd)}};
}

/// What each type means (NOTATION.md, "Coordinates of a joint").
MovingPose moving_pose(const Joint& joint, const Number* q, const Number* v) {
  const auto coordinate = [q, v](int i) { return plain(q[i], v[i]); };
  switch (joint.type) {
    case JointType::fixed:
      return {no_rotation(), no_translation()};
    case JointType::revolute:
    case JointType::continuous:
      return {turn(unit(joint.axis), coordinate(0)), no_translation()};
    case JointType::prismatic:
      return {no_rotation(), slide(unit(joint.axis), coordinate(0))};
    case JointType::helical:
      return {turn(unit(joint.axis), coordinate(0)),
              slide(Number(joint.pitch) * unit(joint.axis), coordinate(0))};
    case JointType::cylindrical:
      return {turn(unit(joint.axis), coordinate(0)), slide(unit(joint.axis), coordinate(1))};
    case JointType::universal:
      return {turn(unit(joint.axis), coordinate(0)) * turn(unit(joint.axis2), coordinate(1)),
              no_translation()};
    case JointType::planar: {
      const Vector n = unit(joint.axis);
      const auto [x, y] = axes_of_plane(joint.axis);
      return {turn(n, coordinate(2)), slide(x, coordinate(0)) + slide(y, coordinate(1))};
    }
    case JointType::spherical:
    case JointType::free:
      return pose_of_quaternion(joint, q, v);
    case JointType::custom:
      return modes_commute(joint) ? pose_of_exponential(joint, q, v)
                                  : pose_of_quaternion(joint, q, v);
  }
  return {no_rotation(), no_translation()};
}

/// The vector of the skew part.
Vector skew_part(const Matrix& m) {
  return Vector(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)) / 2;
}

}  // namespace

Vector to_numbers(const Vector3& x) { return {x.x, x.y, x.z}; }
Matrix to_numbers(const Matrix3& x) {
  return (Matrix() << x.xx, x.xy, x.xz, x.yx, x.yy, x.yz, x.zx, x.zy, x.zz).finished();
}
Matrix cross_matrix(const Vector& a) {
  return (Matrix() << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0).finished();
}

/// ω is the vector of Ṙ Rᵀ; in its derivative R̈ Rᵀ + Ṙ Ṙᵀ the second term is symmetric.
std::pair<Vector, Vector> axes_of_plane(const Vector3& normal) {
  const Vector x = first_axis_of_plane(normal);
  return {x, unit(normal).cross(x)};
}

RelativeMotion relative_motion(const Joint& joint, const Number* q, const Number* v) {
  const auto [R, t] = moving_pose(joint, q, v);
  return {R.x, t.x, skew_part(R.d * R.x.transpose()), t.d, skew_part(R.dd * R.x.transpose()), t.dd};
}

/// φ = k u with k = 2 h / |u|, h = atan2(|u|, w) half the angle, u the vector part of ±r, w ≥ 0. Since
/// |u|² = 1 − w², k̇ = −2 ẇ (1 − w h / |u|) / |u|².
PoseCoordinates pose_coordinates(const Joint& joint, const Number* q, const Number* v) {
  const MovingPose pose = pose_of_quaternion(joint, q, v);
  const MovingQuaternion r = moving_quaternion(q, twist_of(joint, v).angular);
  const Number sign = r.w.x < 0 ? -1 : 1;
  const Vector u = sign * Vector(r.x.x, r.y.x, r.z.x), du = sign * Vector(r.x.d, r.y.d, r.z.d);
  const Number w = sign * r.w.x, dw = sign * r.w.d, s = u.norm();
  Number k = 2, dk = 0;
  if (s > 0) {
    const Number ratio = std::atan2(s, w) / s;
    k = 2 * ratio;
    dk = -2 * dw * (1 - w * ratio) / (s * s);
  }
  return {k * u, pose.translation.x, dk * u + k * du, pose.translation.d};
}

}  // namespace linkwright::verify::absolute
