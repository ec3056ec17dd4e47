#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "verify/absolute_coordinates_closure.hpp"

namespace linkwright::verify::absolute {
namespace {

using SixVector = Eigen::Matrix<Number, 6, 1>;

/// A displacement of b from where it is closed, in a's axes.
struct Displacement {
  Matrix rotation;
  Vector translation;
};

/// The rotation vector of a rotation.
Vector rotation_vector(const Matrix& R) {
  const Vector sine = Vector(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)) / 2;
  const Number s = sine.norm(), angle = std::atan2(s, (R.trace() - 1) / 2);
  return s > 0 ? Vector(angle / s * sine) : Vector(Vector::Zero());
}

/// Whether motions along the modes stay among them, however they are combined.
bool are_closed_under_bracket(const Modes& modes) {
  const Eigen::ColPivHouseholderQR<Equations> span{Equations(modes)};
  for (Eigen::Index i = 0; i < modes.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const Vector wi = modes.col(i).head<3>(), vi = modes.col(i).tail<3>();
      const Vector wj = modes.col(j).head<3>(), vj = modes.col(j).tail<3>();
      SixVector bracket;
      bracket << wi.cross(wj), wi.cross(vj) + vi.cross(wj);
      const SixVector left = bracket - modes * span.solve(bracket);
      if (left.norm() > 1e-8L * (1 + bracket.norm())) return false;
    }
  return true;
}

/// exp of a twist: Σ Xᵏ / k! of the 4×4 matrix.
Displacement exponential(const SixVector& twist) {
  Eigen::Matrix<Number, 4, 4> X = Eigen::Matrix<Number, 4, 4>::Zero();
  X.topLeftCorner<3, 3>() = cross_matrix(twist.head<3>());
  X.topRightCorner<3, 1>() = twist.tail<3>();
  Eigen::Matrix<Number, 4, 4> power = Eigen::Matrix<Number, 4, 4>::Identity(), sum = power;
  constexpr int terms = 60;  // enough for steps of several radians
  for (int k = 1; k <= terms; ++k) {
    power = power * X / Number(k);
    sum += power;
  }
  return {sum.topLeftCorner<3, 3>(), sum.topRightCorner<3, 1>()};
}

/// Newton's method: takes out of the displacement what the modes can, and tells what is left.
Gap gap_of_modes(const Modes& modes, Displacement left) {
  const Eigen::ColPivHouseholderQR<Equations> span{Equations(modes)};
  constexpr int most_steps = 50;
  SixVector rest;
  for (int step = 0; step < most_steps; ++step) {
    rest << rotation_vector(left.rotation), left.rotation.transpose() * left.translation;
    const SixVector along = modes * span.solve(rest);
    if (along.norm() < 1e-17L) break;
    const Displacement move = exponential(along);
    // left = left · exp(along)⁻¹
    left.rotation = left.rotation * move.rotation.transpose();
    left.translation -= left.rotation * move.translation;
  }
  return {rest.tail<3>().norm(), rest.head<3>().norm()};
}

Gap gap_of_custom(const Modes& modes, const Displacement& displacement) {
  return are_closed_under_bracket(modes) ? gap_of_modes(modes, displacement) : Gap{};
}

/// Of a screw, whose way tells its angle up to whole turns.
Gap gap_of_screw(const Vector& u, Number pitch, const Displacement& x) {
  const Number along = u.dot(x.translation);
  const Vector turned = rotation_vector(x.rotation);
  Gap gap{(x.translation - along * u).norm(), (x.rotation * u).cross(u).norm()};
  const Number whole = 2 * std::acos(Number(-1));
  const Number missed = along - pitch * u.dot(turned);
  const Number lead = whole * pitch;
  gap.distance += std::abs(lead == 0 ? missed : missed - lead * std::round(missed / lead));
  return gap;
}

Gap gap_of_pair(const Closure& closure, const Displacement& x) {
  const Vector u = to_numbers(closure.axis).normalized();
  const Vector &p = x.translation, across = p - u.dot(p) * u;
  const Number turned = rotation_vector(x.rotation).norm(),
               tilted = std::atan2((x.rotation * u).cross(u).norm(), (x.rotation * u).dot(u));
  switch (closure.joint) {
    case JointType::fixed:
      return {p.norm(), turned};
    case JointType::revolute:
    case JointType::continuous:
      return {p.norm(), tilted};
    case JointType::prismatic:
      return {across.norm(), turned};
    case JointType::helical:
      return gap_of_screw(u, closure.pitch, x);
    case JointType::cylindrical:
      return {across.norm(), tilted};
    case JointType::universal: {
      const Vector w = to_numbers(closure.axis2).normalized();
      return {p.norm(), std::abs(std::acos(u.dot(x.rotation * w)) - std::acos(u.dot(w)))};
    }
    case JointType::planar:
      return {std::abs(u.dot(p)), tilted};
    case JointType::spherical:
      return {p.norm(), 0};
    case JointType::custom:
      return gap_of_custom(modes_of(closure), x);
    case JointType::free:
      break;
  }
  return {};
}

}  // namespace

std::vector<Number> custom_position(const Closure& closure, const Matrix& rotation,
                                    const Vector& translation) {
  const Modes modes = modes_of(closure);
  if (!modes_commute(to_joint(closure))) return {1, 0, 0, 0, 0, 0, 0};
  const Eigen::ColPivHouseholderQR<Equations> span{Equations(modes)};
  Displacement left{rotation, translation};
  Unknowns q = Unknowns::Zero(modes.cols());
  constexpr int most_steps = 50;
  for (int step = 0; step < most_steps; ++step) {
    SixVector rest;
    rest << rotation_vector(left.rotation), left.rotation.transpose() * left.translation;
    const Unknowns more = span.solve(rest);
    if (more.norm() < 1e-17L) break;
    q += more;
    const Displacement move = exponential(modes * more);
    left.rotation = left.rotation * move.rotation.transpose();
    left.translation -= left.rotation * move.translation;
  }
  return {q.data(), q.data() + q.size()};
}

Gap closure_gap(const Closure& closure, const BodyMotion& a, const BodyMotion& b) {
  const ClosureFrame from = closure_frame(a, closure.at_a), to = closure_frame(b, closure.at_b);
  const Displacement x{from.axes.transpose() * to.axes,
                       from.axes.transpose() * (to.position - from.position)};
  const Vector u = to_numbers(closure.axis).normalized();
  const Number along = u.dot(x.translation), size = closure.distance;
  switch (closure.kind) {
    case Closure::Kind::point_on_line:
      return {(x.translation - along * u).norm(), 0};
    case Closure::Kind::point_on_plane:
      return {std::abs(along), 0};
    case Closure::Kind::distance:
      return {std::abs(x.translation.norm() - size), 0};
    case Closure::Kind::rolling: {
      const Vector axle = x.rotation * to_numbers(closure.axis2).normalized();
      const Number lowest = closure.disc ? size * u.cross(axle).norm() : size;
      return {std::abs(along - lowest), 0};
    }
    case Closure::Kind::joint:
    case Closure::Kind::gear:
    case Closure::Kind::shaft:
      break;
  }
  return gap_of_pair(closure, x);
}

}  // namespace linkwright::verify::absolute
