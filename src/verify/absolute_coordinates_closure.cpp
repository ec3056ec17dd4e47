#include "verify/absolute_coordinates_closure.hpp"

namespace linkwright::verify::absolute {
namespace {

/// b as an observer on a sees it, in world axes: its acceleration there is
/// on_a · x_a + on_b · x_b + drift.
struct Sight {
  Matrix axes_a, axes_b;
  Vector away;      // from a's origin to b's
  Vector omega, v;  // of b
  Equations on_a = Equations::Zero(6, 6), on_b = Equations::Zero(6, 6);
  Unknowns drift = Unknowns::Zero(6);
};

/// Seen from a the point d away moves with v = ḋ − ω_a × d, and
/// v̇ = d̈ − α_a × d − ω_a × (ω_a × d) − 2 ω_a × v.
Sight look(const Closure& closure, const BodyMotion& a, const BodyMotion& b) {
  const ClosureFrame from = closure_frame(a, closure.at_a), to = closure_frame(b, closure.at_b);
  Sight sight{from.axes, to.axes, to.position - from.position, b.omega - a.omega, Vector::Zero()};
  const Vector &d = sight.away, &omega_a = a.omega;
  sight.v = to.velocity - from.velocity - omega_a.cross(d);
  const auto carry = [](Equations& on, Number sign, const Vector& arm) {
    on = sign * Equations::Identity(6, 6);
    on.block<3, 3>(3, 0) = -sign * cross_matrix(arm);
  };
  carry(sight.on_a, -1, from.arm + d);
  carry(sight.on_b, 1, to.arm);
  sight.drift.head<3>() = -omega_a.cross(sight.omega);
  sight.drift.tail<3>() = to.centripetal - from.centripetal - omega_a.cross(omega_a.cross(d)) -
                          2 * omega_a.cross(sight.v);
  return sight;
}

/// combine · (acceleration seen from a) + rate = own · ṡ.
ClosureEquations demand(const Sight& sight, const Equations& combine, const Unknowns& rate,
                        const Equations& own) {
  return {combine * sight.on_a, combine * sight.on_b, own, -combine * sight.drift - rate};
}

/// Rows that look at b's origin alone.
Equations of_origin(const Equations& directions) {
  Equations combine = Equations::Zero(directions.rows(), 6);
  combine.rightCols(3) = directions;
  return combine;
}

Modes turn_about(const Vector& u) { return (Modes(6, 1) << u, Vector::Zero()).finished(); }
Modes slide_along(const Vector& u) { return (Modes(6, 1) << Vector::Zero(), u).finished(); }
/// Modes of one freedom each, side by side.
Modes all_of(std::initializer_list<Modes> columns) {
  Modes modes(6, static_cast<Eigen::Index>(columns.size()));
  Eigen::Index i = 0;
  for (const Modes& column : columns) modes.col(i++) = column;
  return modes;
}

/// b's velocity is constant modes times s in b's axes, which turn with ω: its rate is modes times ṡ, and
/// ω × v besides.
ClosureEquations constant_modes(const Sight& sight, const Modes& modes) {
  Equations own(6, modes.cols());
  own << sight.axes_b * modes.topRows(3), sight.axes_b * modes.bottomRows(3);
  Unknowns rate = Unknowns::Zero(6);
  rate.tail<3>() = -sight.omega.cross(sight.v);
  return demand(sight, Equations::Identity(6, 6), rate, own);
}

/// ω = s₁ u + s₂ w, u fixed in a and w in b, which turns: ω̇ = ṡ₁ u + ṡ₂ w + s₁ s₂ u × w.
ClosureEquations universal(const Closure& closure, const Sight& sight) {
  const Vector u = sight.axes_a * to_numbers(closure.axis).normalized();
  const Vector w = sight.axes_b * to_numbers(closure.axis2).normalized();
  const Number c = u.dot(w), along_u = u.dot(sight.omega), along_w = w.dot(sight.omega);
  const Number s1 = (along_u - c * along_w) / (1 - c * c),
               s2 = (along_w - c * along_u) / (1 - c * c);
  Equations own = Equations::Zero(6, 2);
  own.block<3, 1>(0, 0) = u, own.block<3, 1>(0, 1) = w;
  Unknowns rate(6);
  rate << -s1 * s2 * u.cross(w), -sight.omega.cross(sight.v);
  return demand(sight, Equations::Identity(6, 6), rate, own);
}

/// The way between the origins keeps its length: e · v = 0 for its direction e, ė = v across e / length.
ClosureEquations distance(const Sight& sight) {
  const Number length = sight.away.norm();
  const Vector e = sight.away / length;
  const Number along = e.dot(sight.v), rate = (sight.v.squaredNorm() - along * along) / length;
  return demand(sight, of_origin(e.transpose()), Unknowns::Constant(1, rate), Equations(1, 0));
}

/// The point that touches, `arm` away from b's origin, stands still: v + ω × arm = 0. A ball's lies
/// below its centre; a disc's is the one of its rim that reaches lowest.
ClosureEquations rolling(const Closure& closure, const Sight& sight) {
  const Vector n = sight.axes_a * to_numbers(closure.axis).normalized();
  const Number radius = closure.distance;
  Vector arm = -radius * n, arm_rate = Vector::Zero();
  if (closure.disc) {
    const Vector axle = sight.axes_b * to_numbers(closure.axis2).normalized();
    const Vector axle_rate = sight.omega.cross(axle);
    const Vector up = n - n.dot(axle) * axle;
    const Vector up_rate = -n.dot(axle_rate) * axle - n.dot(axle) * axle_rate;
    const Number size = up.norm();
    arm = -radius / size * up;
    arm_rate = -radius / size * (up_rate - up.dot(up_rate) / (size * size) * up);
  }
  Equations combine = of_origin(Matrix::Identity());
  combine.leftCols(3) = -cross_matrix(arm);
  return demand(sight, combine, sight.omega.cross(arm_rate), Equations(3, 0));
}

}  // namespace

ClosureFrame closure_frame(const BodyMotion& body, const Pose& pose) {
  const Vector arm = body.rotation * to_numbers(pose.translation);
  return {body.rotation * to_numbers(pose.rotation), arm, body.origin + arm,
          body.velocity + body.omega.cross(arm), body.omega.cross(body.omega.cross(arm))};
}

Modes modes_of(const Closure& closure) {
  const Vector u = to_numbers(closure.axis).normalized(), x = u.unitOrthogonal(), y = u.cross(x);
  switch (closure.joint) {
    case JointType::revolute:
    case JointType::continuous:
      return turn_about(u);
    case JointType::prismatic:
      return slide_along(u);
    case JointType::helical:
      return turn_about(u) + Number(closure.pitch) * slide_along(u);
    case JointType::cylindrical:
      return all_of({turn_about(u), slide_along(u)});
    case JointType::planar:
      return all_of({slide_along(x), slide_along(y), turn_about(u)});
    case JointType::spherical:
      return Modes::Identity(6, 3);
    case JointType::free:
      return Modes::Identity(6, 6);
    case JointType::custom: {
      Modes modes(6, static_cast<Eigen::Index>(closure.modes.size()));
      for (Eigen::Index i = 0; i < modes.cols(); ++i)
        for (int k = 0; k < 6; ++k)
          modes(k, i) = closure.modes[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
      return modes;
    }
    case JointType::fixed:
    case JointType::universal:
      break;
  }
  return Modes(6, 0);
}

namespace {

/// b slides along directions fixed in a and turns about their normal.
ClosureEquations planar(const Closure& closure, const Sight& sight) {
  const auto [x, y] = axes_of_plane(closure.axis);
  Equations own = Equations::Zero(6, 3);
  own.block<3, 1>(3, 0) = sight.axes_a * x, own.block<3, 1>(3, 1) = sight.axes_a * y;
  own.block<3, 1>(0, 2) = sight.axes_a * to_numbers(closure.axis).normalized();
  return demand(sight, Equations::Identity(6, 6), Unknowns::Zero(6), own);
}

ClosureEquations pair(const Closure& closure, const Sight& sight) {
  ClosureEquations equations = closure.joint == JointType::universal ? universal(closure, sight)
                               : closure.joint == JointType::planar
                                   ? planar(closure, sight)
                                   : constant_modes(sight, modes_of(closure));
  equations.velocity.resize(6);
  equations.velocity << sight.omega, sight.v;
  return equations;
}

}  // namespace

ClosureEquations closure_equations(const Closure& closure, const BodyMotion& a,
                                   const BodyMotion& b) {
  const Sight sight = look(closure, a, b);
  const Vector axis = sight.axes_a * to_numbers(closure.axis).normalized();
  switch (closure.kind) {
    case Closure::Kind::point_on_line:
      return demand(sight, of_origin(Matrix::Identity()), Vector::Zero(), axis);
    case Closure::Kind::point_on_plane:
      return demand(sight, of_origin(axis.transpose()), Unknowns::Zero(1), Equations(1, 0));
    case Closure::Kind::distance:
      return distance(sight);
    case Closure::Kind::rolling:
      return rolling(closure, sight);
    case Closure::Kind::joint:
    case Closure::Kind::gear:
    case Closure::Kind::shaft:
      break;
  }
  return pair(closure, sight);
}

/// The contact frame is the arm's own frame, and `at` on the object, which is b.
Closure to_closure(const Grasp& grasp, const std::string& arm_body, const Pose& at_arm) {
  Closure pair{.name = grasp.name,
               .body_a = arm_body,
               .body_b = grasp.object,
               .at_a = at_arm,
               .at_b = grasp.at,
               .axis = grasp.axis};
  switch (grasp.contact) {
    case Grasp::Contact::rigid:
      break;
    case Grasp::Contact::line:
      pair.joint = JointType::revolute;
      break;
    case Grasp::Contact::point:
      pair.joint = JointType::spherical;
      break;
    case Grasp::Contact::soft_finger: {
      pair.joint = JointType::custom;
      const Eigen::Vector3d n =
          Eigen::Vector3d(grasp.normal.x, grasp.normal.y, grasp.normal.z).normalized();
      const Eigen::Vector3d s = n.unitOrthogonal(), t = n.cross(s);
      pair.modes = {{s.x(), s.y(), s.z(), 0, 0, 0}, {t.x(), t.y(), t.z(), 0, 0, 0}};
      break;
    }
  }
  return pair;
}

}  // namespace linkwright::verify::absolute
