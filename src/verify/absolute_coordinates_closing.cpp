#include <cmath>

#include <Eigen/QR>

#include "verify/absolute_coordinates_mechanism.hpp"

namespace linkwright::verify {
namespace {

/// The angle about u of a turn about it.
Number angle_about(const Vector& u, const Matrix& R) {
  const Vector sine = Vector(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)) / 2;
  return std::atan2(u.dot(sine), (R.trace() - 1) / 2);
}
/// The angle about u from x to y.
Number angle_between(const Vector& u, const Vector& x, const Vector& y) {
  return std::atan2(u.dot(x.cross(y)), x.dot(y) - u.dot(x) * u.dot(y));
}

/// Which of a joint's coordinates turns it about one axis, where it does nothing but that and slides.
struct Turn {
  bool is_plain = true;
  int coordinate = -1;  // −1: it does not turn
};
Turn turn_of(JointType type) {
  switch (type) {
    case JointType::fixed:
    case JointType::prismatic:
      return {};
    case JointType::revolute:
    case JointType::continuous:
    case JointType::cylindrical:
      return {true, 0};
    case JointType::planar:
      return {true, 2};
    default:
      return {false, -1};
  }
}

}  // namespace

/// In planar loops the joints' own angles tell full turns of the one that closes them.
Number AbsoluteCoordinates::Mechanism::count_turns(const Bond& bond, Number angle) const {
  const Matrix from_a = motion(bond.a).rotation * to_numbers(bond.closure.at_a.rotation);
  const Vector axis = from_a * to_numbers(bond.closure.axis).normalized();
  Matrix neutral[2]{to_numbers(bond.closure.at_a.rotation), to_numbers(bond.closure.at_b.rotation)};
  int body[2]{bond.a, bond.b};
  Number told = 0;
  while (body[0] != body[1]) {
    const auto place = [this](int i) { return i < 0 ? -1 : member_of[at(i)]; };
    const int outer = place(body[1]) > place(body[0]) ? 1 : 0;
    const Member& member = members[at(place(body[outer]))];
    const Joint& joint = *member.joint.joint;
    const Turn turn = turn_of(joint.type);
    if (!turn.is_plain) return angle;
    if (turn.coordinate >= 0) {
      const Vector own = bodies[at(member.body)].rotation * to_numbers(joint.axis).normalized();
      if (own.cross(axis).norm() > 1e-9L) return angle;
      told += (outer == 1 ? 1 : -1) * (own.dot(axis) > 0 ? 1 : -1) *
              member.joint.q[at(turn.coordinate)];
    }
    neutral[outer] = to_numbers(joint.pose.rotation) * neutral[outer];
    body[outer] = member.parent;
  }
  told +=
      angle_about(to_numbers(bond.closure.axis).normalized(), neutral[0].transpose() * neutral[1]);
  const Number whole = 2 * std::acos(Number(-1));
  return angle + whole * std::round((told - angle) / whole);
}

/// Where the pair of a closure stands, as a joint of its type counts it.
std::vector<Number> AbsoluteCoordinates::Mechanism::pair_position(const Bond& bond) const {
  const ClosureFrame from = closure_frame(motion(bond.a), bond.closure.at_a),
                     to = closure_frame(motion(bond.b), bond.closure.at_b);
  const Matrix R = from.axes.transpose() * to.axes;
  const Vector p = from.axes.transpose() * (to.position - from.position);
  const Vector u = to_numbers(bond.closure.axis).normalized();
  switch (bond.closure.joint) {
    case JointType::revolute:
    case JointType::continuous:
      return {count_turns(bond, angle_about(u, R))};
    case JointType::prismatic:
      return {u.dot(p)};
    case JointType::helical:
      return {bond.closure.pitch == 0 ? angle_about(u, R) : u.dot(p) / Number(bond.closure.pitch)};
    case JointType::cylindrical:
      return {count_turns(bond, angle_about(u, R)), u.dot(p)};
    case JointType::universal: {
      const Vector w = to_numbers(bond.closure.axis2).normalized();
      return {angle_between(u, w, R * w), angle_between(w, R.transpose() * u, u)};
    }
    case JointType::planar: {
      const auto [x, y] = axes_of_plane(bond.closure.axis);
      return {x.dot(p), y.dot(p), count_turns(bond, angle_about(u, R))};
    }
    case JointType::spherical:
    case JointType::free: {
      const Eigen::Quaternion<Number> r(R);
      std::vector<Number> q{r.w(), r.x(), r.y(), r.z()};
      if (bond.closure.joint == JointType::free) q.insert(q.end(), {p[0], p[1], p[2]});
      return q;
    }
    case JointType::custom:
    case JointType::fixed:
      break;
  }
  return custom_position(bond.closure, R, p);
}

/// Efforts that act on the freedoms of a closure's pair, and its rotors.
void AbsoluteCoordinates::Mechanism::write_bond_efforts(const Bond& bond) {
  if (bond.closure.kind != Closure::Kind::joint || bond.freedoms() == 0) return;
  const Joint pair = to_joint(bond.closure);
  const Eigen::ColPivHouseholderQR<Equations> own(bond.equations.own);
  const Unknowns seen = bond.equations.velocity;
  const Unknowns rates = own.solve(seen);
  JointState state{&pair,
                   pair_position(bond),
                   {rates.data(), rates.data() + rates.size()},
                   rotor_inertias(model, pair)};
  const std::vector<Number> efforts = declared_efforts(model, state);
  const int first = bond.first + static_cast<int>(bond.kept.size());
  for (int i = 0; i < bond.freedoms(); ++i) {
    A(first + i, first + i) += state.rotor[at(i)] / unit;
    b[first + i] += efforts[at(i)] / unit;
  }
}

}  // namespace linkwright::verify
