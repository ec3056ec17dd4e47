#include "linkwright/network/placement.hpp"

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/dynamics/sweeps/path_motion.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

/// Mode i of a node's joint, in the node's frame.
Motion mode_of(const TreeD& tree, int node, int i) {
  const Node<double>& n = tree.nodes[at(node)];
  if (n.modes >= 0) return tree.modes[at(n.modes)].column[i];
  if (sweeps::run_of(tree, node).kind == NodeKind::prismatic) return {{}, {0, 0, 1}};
  return {{0, 0, 1}, {}};
}

Motion turned(const Matrix3& R, const Motion& m) { return {R * m.angular, R * m.linear}; }

/// Of a body's node: mass centre and inertia about it; B is where the joint's child has its frame.
Placement::Origin origin_of(const System& system, const JointPlace& joint) {
  const Inertia& M = system.tree().nodes[at(joint.node)].M;
  const Vector3 B = system.frames()[at(joint.frame)].pose.translation;
  if (M.mass == 0) return {joint.node, B, B, M.rotational};
  const Vector3 G = (1 / M.mass) * M.first_moment;
  return {joint.node, B, G, M.rotational + spatial::point_inertia(-M.mass, G)};
}

void place_body(const ScratchD& s, const Placement::Origin& from, Placement::Body& body) {
  const Pose& X = s.pose[at(from.node)];
  body.B = X * from.B;
  body.G = X * from.G;
  body.arm_to_G = X.rotation * (from.G - from.B);
  body.J_G = congruence(X.rotation, from.J_G);
  body.x_B = turned(X.rotation, spatial::shift(from.B, s.V[at(from.node)]));
}

/// A mode moves with its node: about a fixed point at B, `arm` from the node's origin, its rate is the bracket of the
/// node's twist with it, and B moves away from that point. On the body's own node it does not, and the mode is given
/// at B.
void place_column(const ScratchD& s, const Placement::Freedom& from, bool is_own,
                  const Vector3& arm, const Placement::Body& body, Motion& column, Motion& rate) {
  const Matrix3& R = s.pose[at(from.node)].rotation;
  if (is_own) {
    column = turned(R, from.mode);
    const Vector3& omega = body.x_B.angular;
    rate = {cross(omega, column.angular), cross(omega, column.linear)};
    return;
  }
  column = spatial::shift(arm, turned(R, from.mode));
  rate = bracket(spatial::shift(arm, turned(R, s.V[at(from.node)])), column);
  rate.linear += cross(column.angular, body.x_B.linear);
}

/// Arm and joint map, over the nodes between a body and its parent.
void place_joint(const TreeD& tree, const ScratchD& s, std::size_t j, Placement& placement) {
  Placement::Body& body = placement.bodies[j];
  const Placement::Origin& own = placement.origins[j];
  const Placement::Origin* parent = body.parent < 0 ? nullptr : &placement.origins[at(body.parent)];
  const int last = parent == nullptr ? 0 : parent->node;
  Vector3 arm = s.pose[at(own.node)].rotation * own.B;  // from the node's origin to B
  for (int k = own.node; k != last; k = tree.nodes[at(k)].parent) {
    const Node<double>& n = tree.nodes[at(k)];
    for (int i = n.v; i < n.v + n.d; ++i)
      place_column(s, placement.freedoms[at(i)], k == own.node, arm, body, placement.Hstar[at(i)],
                   placement.Hstar_rate[at(i)]);
    arm += placement.steps[at(k)];
  }
  if (parent != nullptr) arm -= s.pose[at(last)].rotation * parent->B;
  body.arm = arm;
}

Force load_at_B(const ScratchD& s, const Placement::Origin& from, const Force& f) {
  const Matrix3& R = s.pose[at(from.node)].rotation;
  return {R * (f.moment - cross(from.B, f.force)), R * f.force};
}

}  // namespace

Placement make_placement(const System& system, const SystemGraph& graph) {
  const TreeD& tree = system.tree();
  Placement placement(static_cast<int>(graph.bodies.size()), system.nv());
  placement.gravity = tree.gravity;
  placement.rotor = system.rotor_inertia();
  placement.freedoms.resize(at(system.nv()));
  placement.steps.resize(tree.nodes.size());
  for (int k = 1; k < tree.count(); ++k)
    for (int i = 0; i < tree.nodes[at(k)].d; ++i)
      placement.freedoms[at(tree.nodes[at(k)].v + i)] = {k, mode_of(tree, k, i)};
  for (std::size_t j = 0; j < graph.bodies.size(); ++j) {
    const SystemGraph::Body& from = graph.bodies[j];
    const JointPlace& joint = system.joints()[at(graph.joints[at(from.joint)].index)];
    Placement::Body& body = placement.bodies[j];
    body.parent = from.parent;
    body.v = joint.v, body.d = joint.nv;
    body.mass = tree.nodes[at(joint.node)].M.mass;
    const Placement::Origin origin = origin_of(system, joint);
    placement.origins.push_back(origin);
    for (int i = joint.v; i < joint.v + joint.nv; ++i)
      if (Placement::Freedom& own = placement.freedoms[at(i)]; own.node == joint.node)
        own.mode = spatial::shift(origin.B, own.mode);
  }
  return placement;
}

void place(Workspace& work, const State& state, ExternalForces forces, Placement& placement) {
  const System& system = work.system();
  door::check_state(system, state);
  check_forces(system, forces);
  ScratchD& s = work.scratch();
  const AppliedForces applied{system, forces};
  const Force* pushed = kernels().place_and_gather(system.tree(), s, state.q.data(), state.v.data(),
                                                   to_loads(applied));
  check_springs(system, s);
  kernels().poses_from_root(system.tree(), s);
  kernels().velocities(system.tree(), s, state.v.data());
  sweeps::outward(system.tree(), [&](auto joint, int k) {
    const Node<double>& n = system.tree().nodes[at(k)];
    placement.steps[at(k)] = s.pose[at(n.parent)].rotation * joint.offset(n, s.place[at(k)]);
  });
  for (std::size_t j = 0; j < placement.bodies.size(); ++j) {
    Placement::Body& body = placement.bodies[j];
    const Placement::Origin& from = placement.origins[j];
    place_body(s, from, body);
    body.load = pushed == nullptr ? Force{} : load_at_B(s, from, pushed[from.node]);
    place_joint(system.tree(), s, j, placement);
  }
  kernels().poses(system.tree(), s);
  for (std::size_t j = 0; j < placement.bodies.size(); ++j) {
    Placement::Body& body = placement.bodies[j];
    body.root = body.parent >= 0
                    ? placement.bodies[at(body.parent)].root
                    : s.pose[at(placement.origins[j].node)] * placement.origins[j].B - body.B;
  }
}

void move(Placement& placement, const ConstVectorRef& v) {
  door::check_output(v.size(), placement.nv(), "v");
  for (std::size_t j = 0; j < placement.bodies.size(); ++j) {
    Placement::Body& body = placement.bodies[j];
    if (body.parent < -1 || body.parent >= static_cast<int>(j) || body.v < 0 || body.d < 0 ||
        body.v + body.d > placement.nv())
      throw Error(fmt::format(
          "body {} of the placement has parent {} and entries {} to {} of v; expected a parent "
          "before it, or -1, and entries below {}",
          j, body.parent, body.v, body.v + body.d - 1, placement.nv()));
    const bool on_world = body.parent < 0;
    const Placement::Body* parent = on_world ? nullptr : &placement.bodies[at(body.parent)];
    body.arm = on_world ? body.B : body.B - parent->B;
    body.arm_to_G = body.G - body.B;
    body.x_B = on_world ? Motion{} : spatial::shift(body.arm, parent->x_B);
    for (int i = body.v; i < body.v + body.d; ++i) body.x_B += v[i] * placement.Hstar[at(i)];
    const Vector3 around[]{body.x_B.angular, on_world ? Vector3{} : parent->x_B.angular};
    for (int i = body.v; i < body.v + body.d; ++i) {
      const Motion& column = placement.Hstar[at(i)];
      const Vector3& omega = around[static_cast<int>(placement.fixed_in[at(i)])];
      placement.Hstar_rate[at(i)] = {cross(omega, column.angular), cross(omega, column.linear)};
    }
  }
}

}  // namespace linkwright::network
