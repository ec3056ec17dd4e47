#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <unordered_map>

#include "linkwright/model/validation.hpp"
#include "linkwright/system/system.hpp"
#include "system/canonical.hpp"

namespace linkwright {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// One node of the tree to be: a joint's freedom (or all of them, for the wide kinds).
struct Element {
  enum class Motion { rotate, slide, spherical, free, custom } motion;
  Vector3 axis{0, 0, 1};  // rotate, slide: in the joint frame
};

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

NodeKind kind_of(Element::Motion motion, bool twist, bool rotor, int d) {
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
  return static_cast<NodeKind>(static_cast<int>(NodeKind::custom1) + d - 1);
}

bool is_one_freedom(Element::Motion motion) {
  return motion == Element::Motion::rotate || motion == Element::Motion::slide;
}

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

Modes<double> modes_of(const Joint& joint) {
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
    modes.rotor[i] = per_freedom(joint.rotor_inertia, i, 0.0);
  }
  if (modes.plain) split_screws(modes);
  return modes;
}

}  // namespace

/// Turns a Model into a System, in the order of the member functions.
class Compiler {
 public:
  Compiler(const Model& model, const CompileOptions& options)
      : model_(model), options_(options), random_(options.scatter_frames) {}

  System run() {
    system_.model_ = std::make_shared<Model>(model_);
    index_bodies();
    number_coordinates();
    order_bodies();
    system_.tree_.nodes.emplace_back();
    system_.tree_.nodes[0].wide = -1;
    system_.tree_.gravity = model_.gravity;
    for (const int body : order_) place_body(body);
    place_frames();
    index_frames();
    add_inertias();
    make_runs();
    order_freedoms();
    resolve_joint_forces();
    resolve_body_forces();
    system_.body_order_ = order_;
    system_.joint_of_body_ = joint_of_;
    return std::move(system_);
  }

 private:
  void index_bodies() {
    const std::size_t n = model_.bodies.size();
    for (std::size_t i = 0; i < n; ++i) body_index_[model_.bodies[i].name] = static_cast<int>(i);
    joint_of_.assign(n, -1);
    parent_of_.assign(n, -1);
    children_.assign(n + 1, {});
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const int child = body(model_.joints[j].child), parent = body(model_.joints[j].parent);
      joint_of_[at(child)] = static_cast<int>(j);
      parent_of_[at(child)] = parent;
      children_[at(parent + 1)].push_back(child);
    }
  }

  /// q and v follow the joints as the file lists them, whatever the tree looks like.
  void number_coordinates() {
    for (const Joint& joint : model_.joints) {
      JointPlace place{.name = joint.name, .type = joint.type};
      place.q = system_.tree_.nq, place.nq = position_count(joint);
      place.v = system_.tree_.nv, place.nv = velocity_count(joint);
      place.child = body(joint.child);
      place.parent = body(joint.parent);
      place.frame = place.child + 1;
      if (place.nq == 4 || place.nq == 7) {
        place.quaternion = place.q;
        system_.tree_.quaternions.push_back(place.q);
        system_.quaternion_joints_.push_back(static_cast<int>(system_.joints_.size()));
      }
      system_.tree_.nq += place.nq;
      system_.tree_.nv += place.nv;
      add_names(system_.position_names_, joint.name, place.nq);
      add_names(system_.velocity_names_, joint.name, place.nv);
      system_.joint_index_.emplace(joint.name, static_cast<int>(system_.joints_.size()));
      system_.joints_.push_back(std::move(place));
    }
  }

  static void add_names(std::vector<std::string>& names, const std::string& joint, int count) {
    for (int i = 0; i < count; ++i)
      names.push_back(count == 1 ? joint : joint + ":" + std::to_string(i));
  }

  /// Depth first, the branch with most bodies in line first, so that parent[k] = k − 1 where
  /// possible.
  void order_bodies() {
    std::vector<int> breadth_first = children_[0];
    for (std::size_t i = 0; i < breadth_first.size(); ++i)
      for (const int child : children_[at(breadth_first[i] + 1)]) breadth_first.push_back(child);
    std::vector<int> height(model_.bodies.size() + 1, 0);
    for (auto it = breadth_first.rbegin(); it != breadth_first.rend(); ++it) {
      int& above = height[at(parent_of_[at(*it)] + 1)];
      above = std::max(above, height[at(*it + 1)] + 1);
    }
    for (auto& siblings : children_)
      std::stable_sort(siblings.begin(), siblings.end(),
                       [&](int a, int b) { return height[at(a + 1)] > height[at(b + 1)]; });
    std::vector<int> stack(children_[0].rbegin(), children_[0].rend());
    while (!stack.empty()) {
      const int b = stack.back();
      stack.pop_back();
      order_.push_back(b);
      const auto& next = children_[at(b + 1)];
      stack.insert(stack.end(), next.rbegin(), next.rend());
    }
    body_node_.assign(model_.bodies.size() + 1, 0);
    body_pose_.assign(model_.bodies.size() + 1, Pose{});
  }

  /// Appends the nodes of the joint that carries `b` and notes where b's own frame sits.
  void place_body(int b) {
    const std::size_t j = at(joint_of_[at(b)]);
    const Joint& joint = model_.joints[j];
    JointPlace& place = system_.joints_[j];
    int node = body_node_[at(parent_of_[at(b)] + 1)];
    Pose user = body_pose_[at(parent_of_[at(b)] + 1)] * joint.pose;
    const std::vector<Element> elements = elements_of(joint);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const bool last = i + 1 == elements.size();
      const canonical::Axis next = last ? next_axis(b) : next_axis(elements[i + 1]);
      node = add_node(joint, elements[i], node, user, next, place, static_cast<int>(i));
    }
    place.node = node;
    body_node_[at(b + 1)] = node;
    body_pose_[at(b + 1)] = user;
  }

  static canonical::Axis next_axis(const Element& element) { return {element.axis, {}}; }

  /// The axis that the canonical frame of b's node should face: the first moving joint on b's
  /// longest branch, through welds, in b's frame. Direction zero: none.
  canonical::Axis next_axis(int b) const {
    Pose pose;
    for (int parent = b; !children_[at(parent + 1)].empty();) {
      const int child = children_[at(parent + 1)].front();
      const Joint& joint = model_.joints[at(joint_of_[at(child)])];
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
  int add_node(const Joint& joint, const Element& element, int parent, Pose& user,
               const canonical::Axis& next, const JointPlace& place, int freedom) {
    Node<double> node{};
    node.parent = parent;
    node.wide = -1;
    const bool single = is_one_freedom(element.motion);
    node.q = single ? place.q + freedom : place.q;
    node.v = single ? place.v + freedom : place.v;
    bool twist = false;
    Pose frame;  // canonical frame in the joint frame
    if (single) {
      node.rotor = per_freedom(joint.rotor_inertia, freedom, 0.0);
      frame = choose_frame(element, user, next);
      twist = fit_twist(node, user * frame, element.motion);
    } else {
      node.wide = static_cast<int>(system_.tree_.modes.size());
      system_.tree_.modes.push_back(modes_of(joint));
      node.R0 = user.rotation;
      node.p0 = user.translation;
    }
    node.d = single ? 1 : system_.tree_.modes.back().d;
    kinds_.push_back(kind_of(element.motion, twist, node.rotor != 0, node.d));
    system_.node_body_.push_back(place.child);
    user = inverse(frame);
    system_.tree_.nodes.push_back(node);
    return system_.tree_.count() - 1;
  }

  Pose choose_frame(const Element& element, const Pose& user, const canonical::Axis& next) {
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
      frame.rotation =
          std::abs(dot(parent_x, element.axis)) < 1e-9
              ? canonical::axes_facing(element.axis, {cross(parent_x, element.axis), {}})
              : canonical::rotation_to(element.axis);
    }
    const double along = canonical::foot_of_common_normal({direction, user.translation});
    frame.translation = along * element.axis;
    return frame;
  }

  /// Writes R0, p0 and, where the geometry allows it, the twist form. True if it does.
  static bool fit_twist(Node<double>& node, const Pose& at_zero, Element::Motion motion) {
    node.R0 = at_zero.rotation;
    node.p0 = at_zero.translation;
    if (motion != Element::Motion::rotate) return false;
    const canonical::TwistSplit split = canonical::split_twist(at_zero.rotation);
    const double reach = norm(at_zero.translation);
    if (split.misfit > 4 * epsilon || std::abs(node.p0.y) > 4 * epsilon * reach) return false;
    node.twist = {split.c, split.s};
    node.R0 = {1, 0, 0, 0, split.c, -split.s, 0, split.s, split.c};
    node.p0.y = 0;
    node.offset = split.angle;
    return true;
  }

  void place_frames() {
    system_.frames_.push_back({std::string(world_name), 0, {}, -1});
    for (std::size_t b = 0; b < model_.bodies.size(); ++b)
      system_.frames_.push_back(
          {model_.bodies[b].name, body_node_[b + 1], body_pose_[b + 1], static_cast<int>(b)});
    for (const Frame& frame : model_.frames) {
      const std::size_t b = at(body(frame.body) + 1);
      system_.frames_.push_back(
          {frame.name, body_node_[b], body_pose_[b] * frame.pose, static_cast<int>(b) - 1});
    }
  }

  void index_frames() {
    for (std::size_t i = 0; i < system_.frames_.size(); ++i)
      system_.frame_index_.emplace(system_.frames_[i].name, static_cast<int>(i));
  }

  void add_inertias() {
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const Body& body = model_.bodies[b];
      const Inertia own = spatial::inertia_from_com(body.mass, body.com, body.inertia);
      system_.tree_.nodes[at(body_node_[b + 1])].M += to_parent(body_pose_[b + 1], own);
    }
    for (Node<double>& node : system_.tree_.nodes) {
      const Symmetric3& I = node.M.rotational;
      const double half = 0.5 * (I.xx + I.yy + I.zz);
      node.J = {half - I.xx, half - I.yy, half - I.zz, -I.xy, -I.xz, -I.yz};
    }
  }

  void make_runs() {
    Tree<double>& tree = system_.tree_;
    std::vector<int> children(tree.nodes.size(), 0);
    for (std::size_t k = 1; k < tree.nodes.size(); ++k) ++children[at(tree.nodes[k].parent)];
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      const int k = static_cast<int>(i) + 1;
      const Node<double>& node = tree.nodes[i + 1];
      if (!tree.runs.empty() && tree.runs.back().kind == kinds_[i] && node.parent == k - 1 &&
          children[i] == 1)
        tree.runs.back().last = k;
      else
        tree.runs.push_back({kinds_[i], k, k, node.parent});
      if (kinds_[i] <= NodeKind::revolute_rotor) tree.turning.push_back({k, node.q, node.offset});
    }
  }

  void order_freedoms() {
    Tree<double>& tree = system_.tree_;
    int count = 0;
    for (std::size_t k = 1; k < tree.nodes.size(); ++k) {
      Node<double>& node = tree.nodes[k];
      node.freedom = count;
      count += node.d;
      auto& parts = tree.freedoms;
      if (!parts.empty() && node.v - node.freedom == parts.back().velocity - parts.back().first)
        parts.back().end = count;
      else
        parts.push_back({node.freedom, count, node.v});
      node.part = static_cast<int>(parts.size()) - 1;
      node.end = node.freedom + node.d;
    }
    for (std::size_t k = tree.nodes.size() - 1; k >= 1; --k) {
      Node<double>& parent = tree.nodes[at(tree.nodes[k].parent)];
      parent.end = std::max(parent.end, tree.nodes[k].end);
      tree.branches = tree.branches || tree.nodes[k].end != tree.nv;
    }
  }

  void resolve_joint_forces() {
    JointForces<double>& forces = system_.tree_.joint_forces;
    const auto nv = at(system_.tree_.nv);
    for (auto* list :
         {&forces.damping, &forces.load, &forces.friction_forward, &forces.friction_backward})
      list->assign(nv, 0);
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const JointPlace& place = system_.joints_[j];
      for (int i = 0; i < place.nv; ++i) {
        const Friction friction = per_freedom(model_.joints[j].friction, i, Friction{});
        forces.damping[at(place.v + i)] = per_freedom(model_.joints[j].damping, i, 0.0);
        forces.friction_forward[at(place.v + i)] = friction.forward;
        forces.friction_backward[at(place.v + i)] = friction.backward;
      }
    }
    for (const JointLoad& load : model_.joint_loads)
      forces.load[at(system_.joint(load.joint).v + load.freedom)] += load.effort;
    for (const JointSpring& spring : model_.joint_springs) add_spring(spring);
    for (const FlexibleBase& base : model_.flexible_bases)
      for (int i = 0; i < 6; ++i)
        add_spring({base.joint, i, base.stiffness[at(i)], base.damping[at(i)], 0, base.source});
    forces.any = !forces.springs.empty() || !forces.pose_springs.empty();
    for (const auto* list :
         {&forces.damping, &forces.load, &forces.friction_forward, &forces.friction_backward})
      forces.any =
          forces.any || std::any_of(list->begin(), list->end(), [](double x) { return x != 0; });
  }

  void add_spring(const JointSpring& spring) {
    JointForces<double>& forces = system_.tree_.joint_forces;
    const JointPlace& place = system_.joint(spring.joint);
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
    auto found = std::find_if(forces.pose_springs.begin(), forces.pose_springs.end(),
                              [&](const auto& s) { return s.v == place.v; });
    if (found == forces.pose_springs.end())
      found = forces.pose_springs.insert(found, {place.q, place.v, {}, place.nq == 7});
    found->stiffness[spring.freedom] += spring.stiffness;
  }

  void resolve_body_forces() {
    BodyForces<double>& forces = system_.tree_.body_forces;
    for (const LineSpring& spring : model_.line_springs) {
      const int a = body(spring.body_a), b = body(spring.body_b);
      forces.line_springs.push_back({body_node_[at(a + 1)], body_node_[at(b + 1)],
                                     body_pose_[at(a + 1)] * spring.at_a,
                                     body_pose_[at(b + 1)] * spring.at_b, spring.stiffness,
                                     spring.damping, spring.rest_length, a, b});
    }
    for (const BodyLoad& load : model_.body_loads) {
      const int b = body(load.body);
      const Pose& pose = body_pose_[at(b + 1)];
      Force force = load.force;
      if (!load.in_world) force = {pose.rotation * force.moment, pose.rotation * force.force};
      forces.loads.push_back({body_node_[at(b + 1)], pose * load.at, force, load.in_world, b});
    }
  }

  [[nodiscard]] int body(const std::string& name) const {
    return name == world_name ? -1 : body_index_.at(name);
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const Model& model_;
  const CompileOptions& options_;
  std::mt19937 random_;
  System system_;
  std::unordered_map<std::string, int> body_index_;
  // Per body; lists over "world, then bodies" are shifted by one.
  std::vector<int> joint_of_, parent_of_, order_;
  std::vector<std::vector<int>> children_;
  std::vector<int> body_node_;
  std::vector<Pose> body_pose_;  // body frame in its node's canonical frame
  std::vector<NodeKind> kinds_;
};

System compile(const Model& model, const CompileOptions& options) {
  validate(model);
  return Compiler(model, options).run();
}

}  // namespace linkwright
