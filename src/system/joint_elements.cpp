#include "system/joint_elements.hpp"

#include <algorithm>

#include "system/canonical.hpp"

namespace linkwright {
namespace {

/// Finds the common axis of commuting modes. The mode with the largest rotation defines it.
void split_screws(Modes<double>& modes) {
  const auto* widest = std::max_element(
      modes.column, modes.column + modes.d,
      [](const Motion& a, const Motion& b) { return norm(a.angular) < norm(b.angular); });
  const double rate = norm(widest->angular);
  if (rate > 0) {
    modes.axis = (1 / rate) * widest->angular;
    const Vector3 linear = (1 / rate) * widest->linear;
    modes.moment = linear - dot(linear, modes.axis) * modes.axis;
  }
  for (int i = 0; i < modes.d; ++i) {
    modes.turn[i] = dot(modes.column[i].angular, modes.axis);
    modes.slide[i] = modes.column[i].linear - modes.turn[i] * modes.moment;
  }
}

}  // namespace

std::vector<Element> elements_of(const Joint& joint) {
  using M = Element::Motion;
  const Vector3 n = (1 / norm(joint.axis)) * joint.axis;
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::continuous:
      return {{M::rotate, n}};
    case JointType::prismatic:
      return {{M::slide, n}};
    case JointType::cylindrical:
      return {{M::rotate, n}, {M::slide, n}};
    case JointType::universal:
      return {{M::rotate, n}, {M::rotate, (1 / norm(joint.axis2)) * joint.axis2}};
    case JointType::planar: {
      const Matrix3 R = canonical::rotation_to(n);
      return {{M::slide, R.column_x()}, {M::slide, R.column_y()}, {M::rotate, n}};
    }
    case JointType::spherical:
      return {{M::spherical}};
    case JointType::free:
      return {{M::free}};
    case JointType::helical:
      return {{M::custom}};
    case JointType::custom:
      if (joint.modes.empty()) return {};
      return {{M::custom}};
  }
  return {};
}

NodeKind kind_of(Element::Motion motion, bool twist, bool rotor) {
  switch (motion) {
    case Element::Motion::rotate:
      if (twist) return rotor ? NodeKind::revolute_twist_rotor : NodeKind::revolute_twist;
      return rotor ? NodeKind::revolute_rotor : NodeKind::revolute;
    case Element::Motion::slide:
      return NodeKind::prismatic;
    case Element::Motion::spherical:
      return NodeKind::spherical;
    case Element::Motion::free:
      return NodeKind::free;
    case Element::Motion::custom:
      break;
  }
  return NodeKind::custom;
}

bool is_one_freedom(Element::Motion motion) {
  return motion == Element::Motion::rotate || motion == Element::Motion::slide;
}

Modes<double> modes_of(const Joint& joint, const double* rotor_inertia) {
  Modes<double> modes{};
  modes.d = velocity_count(joint);
  modes.plain =
      joint.type == JointType::helical || (joint.type == JointType::custom && modes_commute(joint));
  const Vector3 n =
      joint.type == JointType::helical ? (1 / norm(joint.axis)) * joint.axis : Vector3{};
  for (int i = 0; i < modes.d; ++i) {
    Motion& column = modes.column[i];
    double flat[6] = {};
    if (joint.type == JointType::custom)
      std::copy_n(joint.modes[static_cast<std::size_t>(i)].begin(), 6, flat);
    else
      flat[i] = 1;  // free, spherical: the identity, or its first three columns
    column = {{flat[0], flat[1], flat[2]}, {flat[3], flat[4], flat[5]}};
    if (joint.type == JointType::helical) column = {n, joint.pitch * n};
    modes.rotor[i] = rotor_inertia[i];
  }
  if (modes.plain) split_screws(modes);
  return modes;
}

}  // namespace linkwright
