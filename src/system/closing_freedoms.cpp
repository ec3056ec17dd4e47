#include "system/closing_freedoms.hpp"

#include <cmath>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

void add_spring(const JointSpring& spring, ClosurePlace& place) {
  const bool scattered = place.joint == JointType::custom && !place.commutes;
  if (scattered || (place.carries_pose() && spring.rest != 0))
    throw Error(
        spring.source,
        fmt::format("spring on closing joint {}: a joint that turns about several axes takes "
                    "springs on its rotation vector and position with rest 0 only; a custom "
                    "joint whose modes do not commute takes none",
                    in_quotes(place.name)));
  ClosingFreedom& freedom = place.freedom[spring.freedom];
  freedom.stiffness += spring.stiffness;
  freedom.pull += spring.stiffness * spring.rest;
  freedom.stored += 0.5 * spring.stiffness * spring.rest * spring.rest;
  freedom.damping += spring.damping;
}

bool pushes(const ClosingFreedom& f) {
  return f.damping != 0 || f.friction_forward != 0 || f.friction_backward != 0 || f.load != 0 ||
         f.stiffness != 0;
}

bool is_parallel(const Vector3& a, const Vector3& b) { return norm(cross(a, b)) < 1e-9; }

}  // namespace

void attach_forces(const Model& model, const Closure& closure,
                   const std::vector<Reflected>& reflected, ClosurePlace& place) {
  for (int i = 0; i < place.freedoms; ++i) {
    ClosingFreedom& freedom = place.freedom[i];
    const Friction& friction = reflected[at(i)].friction;
    freedom.rotor = reflected[at(i)].rotor_inertia, freedom.damping = reflected[at(i)].damping;
    freedom.friction_forward = friction.forward, freedom.friction_backward = friction.backward;
    freedom.breakaway = friction.breakaway;
    freedom.limits = per_freedom(closure.limits, i, Limits{});
    freedom.passive = is_passive(model, closure, i);
  }
  for (const JointLoad& load : model.joint_loads)
    if (load.joint == closure.name && place.freedoms > 0)
      place.freedom[load.freedom].load += load.effort;
  for (const JointSpring& spring : model.joint_springs)
    if (spring.joint == closure.name && place.freedoms > 0) add_spring(spring, place);
  for (int i = 0; i < place.freedoms; ++i) {
    place.acts = place.acts || pushes(place.freedom[i]);
    place.has_springs = place.has_springs || place.freedom[i].stiffness != 0;
    if (place.freedom[i].rotor != 0) place.rotor_freedom[place.rotors++] = i;
  }
}

TurnCounter::TurnCounter(const Tree<double>& tree)
    : tree_(tree), kinds_(tree.nodes.size()), neutral_(tree.nodes.size(), Matrix3::identity()) {
  for (const Run& run : tree.runs)
    for (int k = run.first; k <= run.last; ++k) {
      const Node<double>& n = tree.nodes[at(k)];
      kinds_[at(k)] = run.kind;
      neutral_[at(k)] = neutral_[at(n.parent)] * n.R0;
      if (n.modes < 0 && run.kind != NodeKind::prismatic)
        neutral_[at(k)] =
            neutral_[at(k)] * to_matrix(spatial::exp_rotation(Vector3{0, 0, n.offset}));
    }
}

void TurnCounter::count(ClosurePlace& place) const {
  const bool turns = place.kind == PairKind::lower_pair &&
                     (place.joint == JointType::revolute || place.joint == JointType::continuous ||
                      place.joint == JointType::cylindrical || place.joint == JointType::planar);
  if (!turns) return;
  const Matrix3 R_a = neutral_[at(place.node_a)] * place.at_a.rotation,
                R_b = neutral_[at(place.node_b)] * place.at_b.rotation;
  const Vector3 axis = R_a * place.axis;
  std::vector<TurnedBy> by;
  // The joint farther out first, until both ways have met.
  for (int a = place.node_a, b = place.node_b; a != b;) {
    const double side = b > a ? 1 : -1;
    int& outer = b > a ? b : a;
    const Node<double>& n = tree_.nodes[at(outer)];
    if (n.modes >= 0) return;
    if (kinds_[at(outer)] != NodeKind::prismatic) {
      const Vector3 z = neutral_[at(outer)].column_z();
      if (!is_parallel(z, axis)) return;
      by.push_back({n.q, dot(z, axis) > 0 ? side : -side});
    }
    outer = n.parent;
  }
  if (norm(R_b * place.axis - axis) > 1e-9) return;
  const Vector3 turned = spatial::log_rotation(spatial::to_quaternion(transpose(R_a) * R_b));
  place.turned_by = std::move(by);
  place.turned_from = dot(turned, place.axis);
}

}  // namespace linkwright
