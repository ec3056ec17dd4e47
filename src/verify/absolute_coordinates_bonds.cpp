#include <algorithm>
#include <cmath>

#include "linkwright/model/names.hpp"
#include "verify/absolute_coordinates_mechanism.hpp"

namespace linkwright::verify {

void AbsoluteCoordinates::Mechanism::add_bonds() {
  const auto place_in_v = [this](const std::string& joint) {
    for (const Member& member : members)
      if (member.joint.joint->name == joint) return member.v;
    throw Error("there is no joint " + in_quotes(joint));
  };
  add_shafts();
  for (const Closure& closure : model.closures) {
    if (closure.kind == Closure::Kind::shaft) continue;  // written by add_shafts
    Bond bond{closure};
    if (bond.is_gear())
      bond.leader = place_in_v(closure.leader), bond.follower = place_in_v(closure.follower);
    bonds.push_back(std::move(bond));
  }
  for (const Grasp& grasp : model.grasps) {
    const auto [body, pose] = frame(grasp.arm);
    bonds.push_back({to_closure(
        grasp, body < 0 ? std::string(world_name) : model.bodies[at(body)].name, pose)});
  }
  for (Bond& bond : bonds) {
    if (bond.is_gear()) continue;
    bond.a = body_index(model, bond.closure.body_a);
    bond.b = body_index(model, bond.closure.body_b);
  }
}

void AbsoluteCoordinates::Mechanism::add_shafts() {
  const auto add = [this](const Actuator::Motor& motor, const std::vector<GearTerm>& terms) {
    Shaft shaft{.motor = motor};
    for (const GearTerm& term : terms)
      for (const Member& member : members)
        if (member.joint.joint->name == term.joint)
          shaft.turns.push_back({member.v + term.freedom, Number(term.ratio)});
    shafts.push_back(std::move(shaft));
  };
  for (const Actuator& actuator : model.actuators)
    if (is_coupled(actuator) && actuator.motor && !actuator.elastic)
      add(*actuator.motor, actuator.transmission);
  // Inertias of networks, which no actuator names.
  for (const Closure& closure : model.closures) {
    const bool has_actuator =
        std::any_of(model.actuators.begin(), model.actuators.end(),
                    [&](const Actuator& actuator) { return actuator.name == closure.name; });
    if (closure.kind != Closure::Kind::shaft || has_actuator) continue;
    Actuator::Motor rotor;
    rotor.rotor_inertia = per_freedom(closure.rotor_inertia, 0, 0.0);
    rotor.damping = per_freedom(closure.damping, 0, 0.0);
    rotor.friction = per_freedom(closure.friction, 0, Friction{});
    add(rotor, closure.terms);
  }
}

/// What turns the rotor and what resists it is felt at every joint that turns it.
void AbsoluteCoordinates::Mechanism::write_shaft(const Shaft& shaft, const ConstNumbers& v) {
  Number rate = 0;
  for (const Shaft::Turn& turn : shaft.turns) rate += turn.ratio * Number(v[turn.place]);
  const Number torque = resisting_torque(shaft.motor, rate);
  for (const Shaft::Turn& felt : shaft.turns) {
    const int row = unknown_of[at(felt.place)];
    b[row] += felt.ratio * torque / unit;
    for (const Shaft::Turn& turning : shaft.turns)
      A(row, unknown_of[at(turning.place)]) +=
          felt.ratio * turning.ratio * shaft.motor.rotor_inertia / unit;
  }
}

/// The longest way from a joint to the next, or to a closure; 1 where there is none.
Number AbsoluteCoordinates::Mechanism::length() const {
  Number longest = 0;
  for (const Member& member : members)
    if (member.parent >= 0)
      longest = std::max<Number>(longest, norm(member.joint.joint->pose.translation));
  for (const Bond& bond : bonds) {
    if (bond.a >= 0) longest = std::max<Number>(longest, norm(bond.closure.at_a.translation));
    if (bond.b >= 0) longest = std::max<Number>(longest, norm(bond.closure.at_b.translation));
  }
  return longest > 0 ? longest : 1;
}

/// J of all closures over the joints' velocities, from the velocities that each of them alone gives the
/// bodies.
void AbsoluteCoordinates::Mechanism::add_velocity_columns(Equations& rows) const {
  using Columns = Eigen::Matrix<Number, 6, Eigen::Dynamic>;
  std::vector<Columns> velocities(bodies.size() + 1, Columns::Zero(6, nv));  // the world's last
  const auto of = [&](int body) -> Columns& {
    return body < 0 ? velocities.back() : velocities[at(body)];
  };
  for (const Member& member : members) {
    Columns& mine = of(member.body);
    mine = of(member.parent);
    mine.bottomRows(3) -=
        cross_matrix(motion(member.body).origin - motion(member.parent).origin) * mine.topRows(3);
    mine.block(0, member.v, 3, member.turns.cols()) += member.turns;
    mine.block(3, member.v, 3, member.turns.cols()) += member.slides;
  }
  int row = 0;
  for (const Bond& bond : bonds) {
    if (bond.is_gear()) {
      rows(row, bond.follower) += 1;
      rows(row, bond.leader) -= bond.closure.ratio;
    } else {
      rows.block(row, 0, bond.rows(), nv) =
          bond.equations.on_a * of(bond.a) + bond.equations.on_b * of(bond.b);
    }
    row += bond.rows();
  }
}

/// Lengths measured by the mechanism's size: columns of slides, rows that bind points, gears in units of their followers.
void AbsoluteCoordinates::Mechanism::scale(Equations& rows) const {
  const Number size = length();
  Unknowns columns = Unknowns::Ones(rows.cols());
  for (const Member& member : members)
    for (Eigen::Index i = 0; i < member.turns.cols(); ++i)
      if (member.turns.col(i).norm() == 0) columns[member.v + i] = size;
  int row = 0, column = nv;
  for (const Bond& bond : bonds) {
    for (int i = 0; i < bond.freedoms(); ++i)
      if (bond.equations.own.col(i).norm() > 0 && bond.equations.own.col(i).head(3).norm() == 0)
        columns[column + i] = size;
    column += bond.freedoms();
    if (bond.is_gear()) rows.row(row) /= columns[bond.follower];
    for (int i = 0; i < bond.rows() && !bond.is_gear(); ++i)
      if (bond.equations.on_b.row(i).tail(3).norm() > 0) rows.row(row + i) /= size;
    row += bond.rows();
  }
  rows = rows * columns.asDiagonal();
}

/// Keeps equations that do not follow from those of the joints and of each other, and counts the unknowns.
void AbsoluteCoordinates::Mechanism::choose_bond_rows() {
  int count = 0, freedoms = 0;
  for (Bond& bond : bonds) {
    if (!bond.is_gear())
      bond.equations = closure_equations(bond.closure, motion(bond.a), motion(bond.b));
    count += bond.rows(), freedoms += bond.freedoms();
  }
  Equations rows = Equations::Zero(count, nv + freedoms);
  add_velocity_columns(rows);
  int row = 0, column = nv;
  for (const Bond& bond : bonds) {
    if (bond.freedoms() > 0) {
      rows.block(row, column, bond.rows(), bond.freedoms()) = -bond.equations.own;
    }
    row += bond.rows(), column += bond.freedoms();
  }
  scale(rows);
  const std::vector<bool> needed = independent_rows(rows, nv);
  unknowns = tree_unknowns;
  row = 0;
  for (Bond& bond : bonds) {
    bond.first = unknowns;
    bond.kept.clear();
    for (int i = 0; i < bond.rows(); ++i)
      if (needed[at(row + i)]) bond.kept.push_back(i);
    row += bond.rows();
    unknowns += static_cast<int>(bond.kept.size()) + bond.freedoms();
  }
}

/// A closure's equations for one of its bodies, and their forces on it.
void AbsoluteCoordinates::Mechanism::write_bond_to_body(const Bond& bond, int body,
                                                        const Equations& on) {
  if (body < 0) return;
  const Member& member = members[at(member_of[at(body)])];
  const Vector& omega = bodies[at(body)].omega;
  int row = bond.first;
  for (const int i : bond.kept) {
    // The frame's origin accelerates as the centre of mass does, less α × com + ω × (ω × com).
    const Vector linear = on.block<1, 3>(i, 3).transpose();
    const Vector angular = on.block<1, 3>(i, 0).transpose() - member.com.cross(linear);
    A.block<1, 3>(row, member.first) += angular.transpose();
    A.block<1, 3>(row, member.first + 3) += linear.transpose();
    A.block<3, 1>(member.first, row) -= angular;
    A.block<3, 1>(member.first + 3, row) -= linear;
    b[row++] += linear.dot(omega.cross(omega.cross(member.com)));
  }
}

/// A closure's multipliers are forces on its bodies; on its own freedoms they meet what acts there.
void AbsoluteCoordinates::Mechanism::write_bond(const Bond& bond) {
  if (bond.is_gear()) {
    if (bond.kept.empty()) return;
    const auto tie = [&](int place, Number coefficient) {
      A(bond.first, unknown_of[at(place)]) += coefficient;
      A(unknown_of[at(place)], bond.first) -= coefficient;
    };
    tie(bond.follower, 1);
    return tie(bond.leader, -Number(bond.closure.ratio));
  }
  const int count = static_cast<int>(bond.kept.size());
  for (int k = 0; k < count; ++k) {
    const int row = bond.first + k, from = bond.kept[at(k)];
    b[row] += bond.equations.rest[from];
    for (int i = 0; i < bond.freedoms(); ++i) {
      const Number own = bond.equations.own(from, i);
      A(row, bond.first + count + i) = -own;
      A(bond.first + count + i, row) = own;
    }
  }
  write_bond_efforts(bond);
  write_bond_to_body(bond, bond.a, bond.equations.on_a);
  write_bond_to_body(bond, bond.b, bond.equations.on_b);
}

std::vector<ClosureGap> AbsoluteCoordinates::closure_gaps() const {
  const Mechanism& m = *mechanism_;
  m.require_solution("closure_gaps");
  const auto position = [&m](int place) {
    for (const Member& member : m.members)
      if (member.v == place && !member.joint.v.empty()) return member.joint.q.front();
    return Number(0);
  };
  std::vector<ClosureGap> gaps;
  for (const Bond& bond : m.bonds) {
    const Closure& closure = bond.closure;
    Gap gap;
    if (bond.is_gear())
      gap.angle = std::abs(position(bond.follower) - closure.ratio * position(bond.leader) -
                           Number(closure.offset));
    else
      gap = closure_gap(closure, m.motion(bond.a), m.motion(bond.b));
    gaps.push_back(
        {closure.name, static_cast<double>(gap.distance), static_cast<double>(gap.angle)});
  }
  return gaps;
}

}  // namespace linkwright::verify
