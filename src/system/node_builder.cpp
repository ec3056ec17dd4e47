#include "system/node_builder.hpp"
#include "spatial/index.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace linkwright {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// In extents of the mechanism: an inertia then loses three digits at most.
constexpr double farthest_shift = 30;

/// Writes R0, p0 and a revolute joint's angle offset. True where a revolute joint has the twist form: a
/// turn about x only, and an offset without y component.
bool fit_twist(Node<double>& node, const Pose& at_zero, Element::Motion motion) {
  node.R0 = at_zero.rotation;
  node.p0 = at_zero.translation;
  if (motion != Element::Motion::rotate) return false;
  const canonical::TwistSplit split = canonical::split_twist(at_zero.rotation);
  const double reach = norm(at_zero.translation);
  if (split.misfit > 4 * epsilon || std::abs(node.p0.y) > 4 * epsilon * reach) {
    const canonical::TiltSplit tilt = canonical::split_tilt(at_zero.rotation);
    node.R0 = tilt.rotation;
    node.offset = tilt.angle;
    return false;
  }
  node.twist = {split.c, split.s};
  node.R0 = {1, 0, 0, 0, split.c, -split.s, 0, split.s, split.c};
  node.p0.y = 0;
  node.offset = split.angle;
  return true;
}

}  // namespace

NodeBuilder::NodeBuilder(const Model& model, const SpanningTree& bodies,
                         const CompileOptions& options, const std::vector<double>& rotor_inertia,
                         std::vector<JointPlace>& places, Tree<double>& tree)
    : node_of(model.bodies.size() + 1, 0),
      pose_of(model.bodies.size() + 1),
      model_(model),
      bodies_(bodies),
      options_(options),
      rotor_inertia_(rotor_inertia),
      places_(places),
      tree_(tree),
      random_(options.scatter_frames),
      extent_(extent_of(model)) {
  tree_.nodes.emplace_back();
  tree_.nodes[0].modes = -1;
  for (const int body : bodies.order) place_body(body);
  add_inertias();
}

/// The largest length that the bodies themselves have: where they stand in the world does not count.
double NodeBuilder::extent_of(const Model& model) {
  double extent = 0;
  for (const Body& body : model.bodies) extent = std::max(extent, norm(body.com));
  for (const Joint& joint : model.joints)
    if (joint.parent != world_name) extent = std::max(extent, norm(joint.pose.translation));
  return extent > 0 ? extent : 1;
}

/// Appends the nodes of the joint that carries `b` and notes where b's own frame sits.
void NodeBuilder::place_body(int b) {
  const std::size_t j = at(bodies_.joint_of[at(b)]);
  const Joint& joint = model_.joints[j];
  JointPlace& place = places_[j];
  int node = node_of[at(bodies_.parent_of[at(b)] + 1)];
  Pose user = pose_of[at(bodies_.parent_of[at(b)] + 1)] * joint.pose;
  const std::vector<Element> elements = elements_of(joint);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const bool last = i + 1 == elements.size();
    const canonical::Axis next = last ? next_axis(b) : canonical::Axis{elements[i + 1].axis, {}};
    node = add_node(joint, elements[i], node, user, next, place, static_cast<int>(i));
  }
  place.node = node;
  node_of[at(b + 1)] = node;
  pose_of[at(b + 1)] = user;
}

/// The axis that the canonical frame of b's node should face: the first moving joint on b's
/// longest branch, through welds, in b's frame. Direction zero: none.
canonical::Axis NodeBuilder::next_axis(int b) const {
  Pose pose;
  for (int parent = b; !bodies_.children[at(parent + 1)].empty();) {
    const int child = bodies_.children[at(parent + 1)].front();
    const Joint& joint = model_.joints[at(bodies_.joint_of[at(child)])];
    pose = pose * joint.pose;
    const std::vector<Element> elements = elements_of(joint);
    if (!elements.empty()) {
      if (!is_one_freedom(elements.front().motion)) return {};
      return {pose.rotation * elements.front().axis, pose.translation};
    }
    parent = child;
  }
  return {};
}

/// Adds one node; `user` comes in as the joint frame in the parent node's canonical frame and
/// leaves as the joint frame in the new node's canonical frame.
int NodeBuilder::add_node(const Joint& joint, const Element& element, int parent, Pose& user,
                          const canonical::Axis& next, const JointPlace& place, int freedom) {
  Node<double> node{};
  node.parent = parent;
  node.modes = -1;
  const bool single = is_one_freedom(element.motion);
  node.q = single ? place.q + freedom : place.q;
  node.v = single ? place.v + freedom : place.v;
  bool twist = false;
  Pose frame;  // canonical frame in the joint frame
  if (single) {
    node.rotor = rotor_inertia_[at(node.v)];
    frame = choose_frame(element, user, next);
    twist = fit_twist(node, user * frame, element.motion);
  } else {
    node.modes = static_cast<int>(tree_.modes.size());
    tree_.modes.push_back(modes_of(joint, rotor_inertia_.data() + node.v));
    node.R0 = user.rotation;
    node.p0 = user.translation;
  }
  node.d = single ? 1 : tree_.modes.back().d;
  kinds.push_back(kind_of(element.motion, twist, node.rotor != 0));
  body_of_node.push_back(place.child);
  user = inverse(frame);
  tree_.nodes.push_back(node);
  return tree_.count() - 1;
}

Pose NodeBuilder::choose_frame(const Element& element, const Pose& user,
                               const canonical::Axis& next) {
  Pose frame;
  if (options_.scatter_frames != 0) {
    std::uniform_real_distribution<double> anywhere(-1, 1);
    const auto [s, c] = spatial::sin_cos(std::numbers::pi * anywhere(random_));
    frame.rotation = canonical::rotation_to(element.axis) * Matrix3{c, -s, 0, s, c, 0, 0, 0, 1};
    frame.translation = anywhere(random_) * element.axis;
    return frame;
  }
  const Vector3 direction = user.rotation * element.axis;
  if (norm(next.direction) > 0) {
    frame.rotation = canonical::axes_facing(element.axis, next);
  } else {
    // A leaf: the turn that leaves the parent's x axis in place gives an angle offset of zero.
    const Vector3 parent_x = transpose_times(user.rotation, Vector3{1, 0, 0});
    frame.rotation = std::abs(dot(parent_x, element.axis)) < 1e-9
                         ? canonical::axes_facing(element.axis, {cross(parent_x, element.axis), {}})
                         : canonical::rotation_to(element.axis);
  }
  // Far from its body, an origin would make the inertia about it a difference of large numbers.
  const double along = canonical::foot_of_common_normal({direction, user.translation});
  if (std::abs(along) <= farthest_shift * extent_) frame.translation = along * element.axis;
  return frame;
}

void NodeBuilder::add_inertias() {
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    const Inertia own = spatial::inertia_from_com(body.mass, body.com, body.inertia);
    tree_.nodes[at(node_of[b + 1])].M += to_parent(pose_of[b + 1], own);
  }
  for (Node<double>& node : tree_.nodes) {
    const Symmetric3& I = node.M.rotational;
    const double half = 0.5 * (I.xx + I.yy + I.zz);
    node.J = {half - I.xx, half - I.yy, half - I.zz, -I.xy, -I.xz, -I.yz};
  }
}

}  // namespace linkwright
