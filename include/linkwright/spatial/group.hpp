#pragma once
/// The exponential and logarithm of rotations and rigid displacements, roll-pitch-yaw, and matrix
/// to quaternion. Used once per call or per file, not inside sweeps: branches on values are fine
/// here, except in the logarithm, which springs need for every scalar.

#include "linkwright/spatial/pose.hpp"

namespace linkwright::spatial {

/// Below this square of an angle (0.1 rad) the series used here are exact to rounding, and shorter
/// than a sine. Steps of a simulation rarely turn more.
inline constexpr double small_angle2 = 0.01;

/// exp of a rotation vector: turn by |r| about r/|r|.
LINKWRIGHT_INLINE Quaternion<double> exp_rotation(const Vector3<double>& r) {
  const double angle2 = dot(r, r);
  if (angle2 < small_angle2) {
    const double x = 0.25 * angle2;
    const double k =
        0.5 * (1 - x * (1.0 / 6) * (1 - x * 0.05 * (1 - x * (1.0 / 42) * (1 - x * (1.0 / 72)))));
    const double c =
        1 - x * 0.5 * (1 - x * (1.0 / 12) * (1 - x * (1.0 / 30) * (1 - x * (1.0 / 56))));
    return {c, k * r.x, k * r.y, k * r.z};
  }
  const double angle = std::sqrt(angle2), k = std::sin(0.5 * angle) / angle;
  return {std::cos(0.5 * angle), k * r.x, k * r.y, k * r.z};
}

/// The logarithm of a rotation with what its derivative needs.
template <class T>
struct RotationLog {
  T w;           // of the unit quaternion with w ≥ 0
  Vector3<T> u;  // its vector part
  T c;           // the rotation vector is c u, |c u| ≤ π
  T e;           // dc/dt = e u·ω for an angular velocity ω in the turned axes
};

/// Without a branch or a quotient that vanishes, so that any scalar may pass, at rest and at half a
/// turn too. With y = tan² of a quarter of the angle, halved twice more, two series remain:
///   h = atan(t)/t = 1 − y/3 + y²/5 − …,  g = (1 − h)/t² = 1/3 − y/5 + …
/// and the way back to the double angle is h ← (1 − y) h, g ← (1 − y)² (g + h)/4.
template <class T>
LINKWRIGHT_INLINE RotationLog<T> log_terms(const Quaternion<T>& q) {
  using B = Constant<T>;
  const T flip = sign_of(q.w);
  const T w = flip * q.w;
  const Vector3<T> u{flip * q.x, flip * q.y, flip * q.z};
  const T above_half = T(1) / (T(1) + w);
  const auto halve = [](const T& y) {
    const T r = T(1) / (T(1) + square_root(T(1) + y));
    return y * r * r;
  };
  const T y1 = dot(u, u) * (above_half * above_half), y2 = halve(y1), y3 = halve(y2);
  // y3 ≤ tan²(π/16) < 0.04: the first term left out is below 1e-18.
  T h(B(1.0 / 23)), g(B(1.0 / 25));
  for (int n = 21; n > 0; n -= 2) h = B(1.0 / n) - y3 * h, g = B(1.0 / (n + 2)) - y3 * g;
  for (const T& y : {y3, y2}) {
    const T x = T(1) - y;
    g = (x * x) * (B(0.25) * (g + h));
    h = x * h;
  }
  return {w, u, B(4) * (h * above_half), (g + h) * (above_half * above_half)};
}

/// The shortest rotation vector of a unit quaternion; |r| ≤ π.
template <class T>
LINKWRIGHT_INLINE Vector3<T> log_rotation(const Quaternion<T>& q) {
  const RotationLog<T> log = log_terms(q);
  return log.c * log.u;
}

/// (1 − sin(a)/a)/a², from a²: to rounding below small_angle2.
template <class T>
LINKWRIGHT_INLINE T small_turn_series(const T& a2) {
  using B = Constant<T>;
  const T inner = T(1) - B(1.0 / 72) * (a2 * (T(1) - B(1.0 / 110) * a2));
  return B(1.0 / 6) * (T(1) - B(0.05) * (a2 * (T(1) - B(1.0 / 42) * (a2 * inner))));
}

/// V(r) t of exp([r; t]) = (exp r, V(r) t): turns a body-fixed linear rate into a path.
LINKWRIGHT_INLINE Vector3<double> exp_coupling(const Vector3<double>& r, const Vector3<double>& t) {
  const double a2 = dot(r, r);
  double k1 = 0.5 * (1 - a2 * (1.0 / 12) *
                             (1 - a2 * (1.0 / 30) * (1 - a2 * (1.0 / 56) * (1 - a2 * (1.0 / 90)))));
  double k2 = small_turn_series(a2);
  if (a2 >= small_angle2) {
    const double a = std::sqrt(a2), half_sine = std::sin(0.5 * a);
    k1 = 2 * half_sine * half_sine / a2;
    k2 = (a - std::sin(a)) / (a2 * a);
  }
  const Vector3<double> rt = cross(r, t);
  return t + k1 * rt + k2 * cross(r, rt);
}

/// V(r)⁻¹ t without forming the inverse.
LINKWRIGHT_INLINE Vector3<double> solve_exp_coupling(const Vector3<double>& r,
                                                     const Vector3<double>& t) {
  const double a2 = dot(r, r), a = std::sqrt(a2);
  const double k = a2 < 1e-4 ? 1.0 / 12 + a2 / 720 + a2 * a2 / 30240
                             : (1 - 0.5 * a * std::cos(0.5 * a) / std::sin(0.5 * a)) / a2;
  const Vector3<double> rt = cross(r, t);
  return t - 0.5 * rt + k * cross(r, rt);
}

/// Unit quaternion of a rotation matrix (the largest component is found first, so no digits are
/// lost).
LINKWRIGHT_INLINE Quaternion<double> to_quaternion(const Matrix3<double>& R) {
  const double w = R.xx + R.yy + R.zz, x = R.xx - R.yy - R.zz, y = R.yy - R.xx - R.zz,
               z = R.zz - R.xx - R.yy;
  Quaternion<double> q;
  if (w >= x && w >= y && w >= z)
    q = {1 + w, R.zy - R.yz, R.xz - R.zx, R.yx - R.xy};
  else if (x >= y && x >= z)
    q = {R.zy - R.yz, 1 + x, R.xy + R.yx, R.xz + R.zx};
  else if (y >= z)
    q = {R.xz - R.zx, R.xy + R.yx, 1 + y, R.yz + R.zy};
  else
    q = {R.yx - R.xy, R.xz + R.zx, R.yz + R.zy, 1 + z};
  return normalized(q);
}

/// Fixed-axis roll, pitch, yaw as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll).
LINKWRIGHT_INLINE Matrix3<double> from_rpy(const Vector3<double>& rpy) {
  const auto [sr, cr] = sin_cos(rpy.x);
  const auto [sp, cp] = sin_cos(rpy.y);
  const auto [sy, cy] = sin_cos(rpy.z);
  return {cy * cp,
          cy * sp * sr - sy * cr,
          cy * sp * cr + sy * sr,
          sy * cp,
          sy * sp * sr + cy * cr,
          sy * sp * cr - cy * sr,
          -sp,
          cp * sr,
          cp * cr};
}

}  // namespace linkwright::spatial
