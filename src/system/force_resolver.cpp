#include "system/force_resolver.hpp"
#include "spatial/index.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace linkwright {
namespace {

/// Joints that close loops: what is attached to them acts there (closing_freedoms.hpp).
std::unordered_set<std::string_view> closing_joints(const Model& model) {
  std::unordered_set<std::string_view> names;
  for (const Closure& closure : model.closures)
    if (closure.kind == Closure::Kind::joint) names.insert(closure.name);
  return names;
}

/// The springs on the pose of that joint, found or made.
JointForces<double>::PoseSpring& pose_springs_at(const JointPlace& place,
                                                 JointForces<double>& forces) {
  auto found = std::find_if(forces.pose_springs.begin(), forces.pose_springs.end(),
                            [&](const auto& s) { return s.v == place.v; });
  if (found == forces.pose_springs.end())
    found = forces.pose_springs.insert(found, {place.q, place.v, {}, place.nq == 7});
  return *found;
}

void add_spring(const System& system, const JointSpring& spring, JointForces<double>& forces) {
  const JointPlace& place = system.joint(spring.joint);
  forces.damping[at(place.v + spring.freedom)] += spring.damping;
  if (place.quaternion < 0) {
    forces.springs.push_back(
        {place.q + spring.freedom, place.v + spring.freedom, spring.stiffness, spring.rest});
    return;
  }
  if (place.type == JointType::custom || spring.rest != 0)
    throw Error(
        spring.source,
        "spring on joint '" + spring.joint +
            "': a joint that carries a quaternion takes springs on its rotation vector and "
            "position with rest 0 only; a custom joint whose modes do not commute takes none");
  pose_springs_at(place, forces).stiffness[spring.freedom] += spring.stiffness;
}

/// The diagonals count as springs and dampers of their own. A damping matrix without negative
/// eigenvalues is zero where its diagonal is: `damping` alone tells what is damped.
void add_base(const System& system, const FlexibleBase& base, JointForces<double>& forces) {
  const JointPlace& place = system.joint(base.joint);
  const PoseMatrix &K = base.stiffness, &D = base.damping;
  auto& springs = pose_springs_at(place, forces);
  for (int i = 0; i < 6; ++i) {
    springs.stiffness[i] += K(i, i);
    forces.damping[at(place.v + i)] += D(i, i);
  }
  if (K.is_diagonal() && D.is_diagonal()) return;
  if (springs.coupling < 0) {
    springs.coupling = static_cast<int>(forces.couplings.size());
    forces.couplings.push_back({});
  }
  auto& coupling = forces.couplings[at(springs.coupling)];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      if (i == j) continue;
      // Their two halves agree to rounding (checks/flexible_base.cpp); their mean has a potential.
      coupling.stiffness[i][j] += 0.5 * (K(i, j) + K(j, i));
      coupling.damping[i][j] += 0.5 * (D(i, j) + D(j, i));
    }
}

}  // namespace

JointForces<double> resolve_joint_forces(const System& system,
                                         const std::vector<std::vector<Reflected>>& reflected) {
  const Model& model = system.model();
  JointForces<double> forces;
  const auto nv = at(system.nv());
  for (auto* list :
       {&forces.damping, &forces.load, &forces.friction_forward, &forces.friction_backward})
    list->assign(nv, 0);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const JointPlace& place = system.joints()[j];
    for (int i = 0; i < place.nv; ++i) {
      const Friction& friction = reflected[j][at(i)].friction;
      forces.damping[at(place.v + i)] = reflected[j][at(i)].damping;
      forces.friction_forward[at(place.v + i)] = friction.forward;
      forces.friction_backward[at(place.v + i)] = friction.backward;
    }
  }
  const auto closing = closing_joints(model);
  for (const JointLoad& load : model.joint_loads)
    if (!closing.contains(load.joint))
      forces.load[at(system.joint(load.joint).v + load.freedom)] += load.effort;
  for (const JointSpring& spring : model.joint_springs)
    if (!closing.contains(spring.joint)) add_spring(system, spring, forces);
  for (const FlexibleBase& base : model.flexible_bases) add_base(system, base, forces);
  forces.any = !forces.springs.empty() || !forces.pose_springs.empty();
  for (const auto* list :
       {&forces.damping, &forces.load, &forces.friction_forward, &forces.friction_backward})
    forces.any =
        forces.any || std::any_of(list->begin(), list->end(), [](double x) { return x != 0; });
  return forces;
}

BodyForces<double> resolve_body_forces(const Model& model, const SpanningTree& bodies,
                                       const NodeBuilder& nodes) {
  BodyForces<double> forces;
  for (const LineSpring& spring : model.line_springs) {
    const int a = bodies.body(spring.body_a), b = bodies.body(spring.body_b);
    forces.line_springs.push_back({nodes.node_of[at(a + 1)], nodes.node_of[at(b + 1)],
                                   nodes.pose_of[at(a + 1)] * spring.at_a,
                                   nodes.pose_of[at(b + 1)] * spring.at_b, spring.stiffness,
                                   spring.damping, spring.rest_length, a, b});
  }
  for (const BodyLoad& load : model.body_loads) {
    const int b = bodies.body(load.body);
    const Pose& pose = nodes.pose_of[at(b + 1)];
    Force force = load.force;
    if (!load.in_world) force = {pose.rotation * force.moment, pose.rotation * force.force};
    forces.loads.push_back({nodes.node_of[at(b + 1)], pose * load.at, force, load.in_world, b});
  }
  return forces;
}

}  // namespace linkwright
