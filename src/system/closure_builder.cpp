#include "system/closure_builder.hpp"
#include "system/canonical.hpp"
#include "system/closing_freedoms.hpp"

#include <array>
#include <cmath>

#include <Eigen/Dense>

#include "linkwright/model/pose_group.hpp"

namespace linkwright {
namespace {

using Six = Eigen::Matrix<double, 6, 1>;

/// What is less of a unit vector, once others are taken out of it, is rounding.
constexpr double rounding = 1e-8;

Six to_six(const Motion& m) { return to_eigen(m); }
Motion to_motion(const Six& x) { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; }
Force to_force(const Six& x) { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; }

/// Two unit vectors that make a right-handed system with the unit vector u.
std::array<Vector3, 2> across(const Vector3& u) {
  const double x = std::abs(u.x), y = std::abs(u.y), z = std::abs(u.z);
  const Vector3 away = x <= y && x <= z ? Vector3{1, 0, 0}
                       : y <= z         ? Vector3{0, 1, 0}
                                        : Vector3{0, 0, 1};
  const Vector3 t = cross(u, away);
  const Vector3 first = (1 / norm(t)) * t;
  return {first, cross(u, first)};
}

Vector3 unit(const Vector3& v) { return (1 / norm(v)) * v; }

/// An orthonormal set that grows by what a vector adds to it.
struct Span {
  std::vector<Six> basis;

  bool add(Six x) {
    const double size = x.norm();
    if (!(size > 0)) return false;
    x /= size;
    for (int pass = 0; pass < 2; ++pass)
      for (const Six& e : basis) x -= e.dot(x) * e;
    if (x.norm() <= rounding) return false;
    basis.push_back(x.normalized());
    return true;
  }
};

/// Modes of a lower pair in b's axes, `u` the unit axis there.
std::vector<Motion> modes_of(const Closure& closure, const Vector3& u) {
  const Motion turn{u, {}}, slide{{}, u};
  switch (closure.joint) {
    case JointType::revolute:
    case JointType::continuous:
      return {turn};
    case JointType::prismatic:
      return {slide};
    case JointType::helical:
      return {{u, closure.pitch * u}};
    case JointType::cylindrical:
      return {turn, slide};
    case JointType::planar: {
      const Matrix3 R = canonical::rotation_to(u);  // as in the tree
      return {{{}, R.column_x()}, {{}, R.column_y()}, turn};
    }
    case JointType::spherical:
      return {{{1, 0, 0}, {}}, {{0, 1, 0}, {}}, {{0, 0, 1}, {}}};
    case JointType::free:
      return {{{1, 0, 0}, {}}, {{0, 1, 0}, {}}, {{0, 0, 1}, {}},
              {{}, {1, 0, 0}}, {{}, {0, 1, 0}}, {{}, {0, 0, 1}}};
    case JointType::custom: {
      std::vector<Motion> modes;
      for (const auto& m : closure.modes) modes.push_back({{m[0], m[1], m[2]}, {m[3], m[4], m[5]}});
      return modes;
    }
    case JointType::fixed:
    case JointType::universal:
      break;
  }
  return {};
}

/// The modes' own span, and what brackets add to it: poses reach those directions too.
Span close_under_bracket(const std::vector<Motion>& modes) {
  Span algebra;
  for (const Motion& mode : modes) algebra.add(to_six(mode));
  for (std::size_t i = 1; i < algebra.basis.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Six x =
          to_six(spatial::bracket(to_motion(algebra.basis[i]), to_motion(algebra.basis[j])));
      if (x.norm() > rounding) algebra.add(x);
    }
  return algebra;
}

/// Rows of a lower pair: what is orthogonal to the modes, angular ones first. Those orthogonal to all
/// that the modes generate bind positions, the others velocities alone.
void make_lower_pair(ClosurePlace& place, const std::vector<Motion>& modes, const Vector3& u) {
  const auto [s, t] = across(u);
  const std::array<Motion, 6> candidates{{{s, {}}, {t, {}}, {u, {}}, {{}, s}, {{}, t}, {{}, u}}};
  place.freedoms = static_cast<int>(modes.size());
  Eigen::Matrix<double, 6, 6> all;
  int count = 0;
  for (const Motion& mode : modes) all.col(count++) = to_six(mode);
  Span taken = close_under_bracket(modes);
  const std::size_t generated = taken.basis.size();
  const auto take = [&](Span& span) {
    for (const Motion& candidate : candidates)
      if (count < 6 && span.add(to_six(candidate))) all.col(count++) = span.basis.back();
  };
  take(taken);
  place.position_rows = static_cast<int>(6 - generated);
  if (count < 6) {  // the modes generate more than they span
    Span rest;
    for (int i = 0; i < count; ++i) rest.add(all.col(i));
    take(rest);
  }
  place.rows = 6 - place.freedoms;
  const Eigen::Matrix<double, 6, 6> dual = all.inverse();
  for (int i = 0; i < place.freedoms; ++i) {
    place.mode[i] = to_motion(all.col(i));
    place.dual[i] = to_force(dual.row(i).transpose());
  }
  for (int i = 0; i < place.rows; ++i) {
    place.complement[i] = to_motion(all.col(place.freedoms + i));
    place.W[i] = to_force(dual.row(place.freedoms + i).transpose());
  }
  for (std::size_t i = 0; i < modes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      place.commutes =
          place.commutes && to_six(spatial::bracket(modes[i], modes[j])).norm() <= rounding;
}

/// Rows that hold b's origin, constant in a's axes.
void make_point(ClosurePlace& place, std::initializer_list<Vector3> directions) {
  place.kind = PairKind::point;
  for (const Vector3& n : directions) place.W[place.rows++] = {{}, n};
  place.position_rows = place.rows;
}

class ClosureBuilder {
 public:
  ClosureBuilder(const System& system, const SpanningTree& bodies, const NodeBuilder& nodes)
      : system_(system), bodies_(bodies), nodes_(nodes), turns_(system.tree()) {}

  void add(const Closure& closure, const std::vector<Reflected>& reflected) {
    ClosurePlace place{.name = closure.name, .source = closure.source};
    if (closure.kind == Closure::Kind::gear)
      make_gear(place, closure);
    else if (closure.kind == Closure::Kind::shaft)
      make_shaft(place, closure);
    else
      make_pair(place, closure);
    attach_forces(system_.model(), closure, reflected, place);
    turns_.count(place);
    place.row = places_.empty() ? 0 : places_.back().row + places_.back().rows;
    places_.push_back(std::move(place));
  }
  /// A contact rolls freely, and nothing drives it.
  void add(const Grasp& grasp) { add(to_closure(grasp), std::vector<Reflected>(6)); }

  std::vector<ClosurePlace> take() { return std::move(places_); }

 private:
  void make_gear(ClosurePlace& place, const Closure& closure) {
    place.kind = PairKind::gear;
    place.terms = {to_tree({closure.leader, 0, -closure.ratio}), to_tree({closure.follower, 0, 1})};
    place.offset = closure.offset;
    place.rows = place.position_rows = 1;
  }

  void make_shaft(ClosurePlace& place, const Closure& closure) {
    place.kind = PairKind::shaft;
    for (const GearTerm& term : closure.terms) place.terms.push_back(to_tree(term));
    place.freedoms = 1;
  }

  [[nodiscard]] TreeTerm to_tree(const GearTerm& term) const {
    const JointPlace& joint = system_.joint(term.joint);
    TreeTerm place{.joint = static_cast<int>(&joint - system_.joints().data()),
                   .node = joint.node,
                   .q = joint.q + term.freedom,
                   .v = joint.v + term.freedom,
                   .ratio = term.ratio};
    // A joint with several freedoms may be a chain of nodes.
    const auto& nodes = system_.tree().nodes;
    while (nodes[static_cast<std::size_t>(place.node)].v > place.v)
      place.node = nodes[static_cast<std::size_t>(place.node)].parent;
    return place;
  }

  void make_pair(ClosurePlace& place, const Closure& closure) {
    place.body_a = bodies_.body(closure.body_a), place.body_b = bodies_.body(closure.body_b);
    const auto a = static_cast<std::size_t>(place.body_a + 1),
               b = static_cast<std::size_t>(place.body_b + 1);
    place.node_a = nodes_.node_of[a], place.node_b = nodes_.node_of[b];
    place.at_a = nodes_.pose_of[a] * closure.at_a, place.at_b = nodes_.pose_of[b] * closure.at_b;
    place.joint = closure.joint;
    place.axis = unit(closure.axis), place.axis2 = unit(closure.axis2);
    place.length = closure.distance, place.disc = closure.disc;
    const auto [s, t] = across(place.axis);
    switch (closure.kind) {
      case Closure::Kind::point_on_line:
        return make_point(place, {s, t});
      case Closure::Kind::point_on_plane:
        return make_point(place, {place.axis});
      case Closure::Kind::distance:
        place.kind = PairKind::distance;
        place.rows = place.position_rows = 1;
        return;
      case Closure::Kind::rolling:
        place.kind = PairKind::rolling;
        place.rows = 3, place.position_rows = 1;
        return;
      case Closure::Kind::joint:
      case Closure::Kind::gear:
      case Closure::Kind::shaft:
        break;
    }
    if (closure.joint == JointType::universal) {
      place.kind = PairKind::universal;
      place.rows = place.position_rows = 4;
      place.freedoms = 2;
      return;
    }
    const bool axial = has_axis(closure.joint);
    make_lower_pair(place, modes_of(closure, place.axis), axial ? place.axis : Vector3{0, 0, 1});
  }

  /// The contact frame is `at` on the object and the arm's own frame; the object is b.
  [[nodiscard]] Closure to_closure(const Grasp& grasp) const {
    const FramePlace& arm = system_.frame(system_.frame(grasp.arm));
    const auto body = static_cast<std::size_t>(arm.body + 1);
    Closure closure{.name = grasp.name, .source = grasp.source};
    closure.body_a = arm.body < 0 ? std::string(world_name) : system_.model().bodies[body - 1].name;
    closure.at_a = inverse(nodes_.pose_of[body]) * arm.pose;
    closure.body_b = grasp.object;
    closure.at_b = grasp.at;
    closure.axis = grasp.axis;
    if (grasp.contact == Grasp::Contact::line) closure.joint = JointType::revolute;
    if (grasp.contact == Grasp::Contact::point) closure.joint = JointType::spherical;
    if (grasp.contact == Grasp::Contact::soft_finger) {
      closure.joint = JointType::custom;
      for (const Vector3& n : across(unit(grasp.normal)))
        closure.modes.push_back({n.x, n.y, n.z, 0, 0, 0});
    }
    return closure;
  }

  const System& system_;
  const SpanningTree& bodies_;
  const NodeBuilder& nodes_;
  TurnCounter turns_;
  std::vector<ClosurePlace> places_;
};

}  // namespace

std::vector<ClosurePlace> place_closures(const System& system, const SpanningTree& bodies,
                                         const NodeBuilder& nodes,
                                         const std::vector<std::vector<Reflected>>& reflected) {
  ClosureBuilder builder(system, bodies, nodes);
  const std::vector<Closure>& closures = system.model().closures;
  for (std::size_t i = 0; i < closures.size(); ++i) builder.add(closures[i], reflected[i]);
  for (const Grasp& grasp : system.model().grasps) builder.add(grasp);
  return builder.take();
}

}  // namespace linkwright
