#include "linkwright/model/loops.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "model/tree_growth.hpp"

namespace linkwright {
namespace {

std::vector<bool> find_closing(const Model& model) {
  NameIndex bodies;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) bodies.emplace(model.bodies[i].name, i);
  return grow_tree(model, bodies, model.cut).closes;
}

/// The pair between the joint frame on the parent and the one on the child.
Closure to_closure(Joint joint) {
  return {.name = std::move(joint.name),
          .kind = Closure::Kind::joint,
          .body_a = std::move(joint.parent),
          .body_b = std::move(joint.child),
          .at_a = joint.pose,
          .at_b = joint.at_child,
          .joint = joint.type,
          .axis = joint.axis,
          .axis2 = joint.axis2,
          .pitch = joint.pitch,
          .modes = std::move(joint.modes),
          .passive = joint.passive.empty() ? std::vector<bool>{false} : std::move(joint.passive),
          .damping = std::move(joint.damping),
          .friction = std::move(joint.friction),
          .rotor_inertia = std::move(joint.rotor_inertia),
          .limits = std::move(joint.limits),
          .source = std::move(joint.source)};
}

/// The shaft of a coupled transmission, with what of its motor it carries: behind an elastic gear nothing.
Closure to_shaft(const Actuator& actuator) {
  Closure shaft{.name = actuator.name,
                .kind = Closure::Kind::shaft,
                .terms = actuator.transmission,
                .passive = {false},
                .source = actuator.source};
  if (!actuator.motor || actuator.elastic) return shaft;
  shaft.damping = {actuator.motor->damping};
  shaft.friction = {actuator.motor->friction};
  shaft.rotor_inertia = {actuator.motor->rotor_inertia};
  return shaft;
}

bool has_shaft(const Model& model, const std::string& name) {
  return std::any_of(model.closures.begin(), model.closures.end(), [&](const Closure& closure) {
    return closure.kind == Closure::Kind::shaft && closure.name == name;
  });
}

bool is_identity(const Pose& pose) {
  const Matrix3& R = pose.rotation;
  return norm(pose.translation) == 0 && R.xx == 1 && R.yy == 1 && R.zz == 1;
}

/// Names that bodies and joints may still take.
class FreeNames {
 public:
  explicit FreeNames(const Model& model) {
    for (const Body& body : model.bodies) taken_.insert(body.name);
    for (const Frame& frame : model.frames) taken_.insert(frame.name);
    for (const Joint& joint : model.joints) taken_.insert(joint.name);
  }
  std::string take(const std::string& wanted) {
    std::string name = wanted;
    for (int i = 1; !taken_.insert(name).second; ++i) name = wanted + "_" + std::to_string(i);
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
};

/// A joint that sits elsewhere than in its child's frame moves a link without mass, which sits there
/// and which the child is welded to: from here on every joint's child frame is its own.
void add_link_at_child(Joint joint, FreeNames& names, Model& tree) {
  const std::string end = names.take(joint.name + ":end");
  tree.bodies.push_back({.name = end, .has_inertial = false, .source = joint.source});
  Joint weld{.name = end, .type = JointType::fixed, .parent = end, .child = std::move(joint.child)};
  weld.pose = inverse(joint.at_child);
  weld.implied = true;
  weld.source = joint.source;
  joint.child = end;
  joint.at_child = {};
  tree.joints.push_back(std::move(joint));
  tree.joints.push_back(std::move(weld));
}

}  // namespace

std::vector<std::string> compute_closing_joints(const Model& model) {
  const std::vector<bool> closes = find_closing(model);
  std::vector<std::string> names;
  for (std::size_t j = 0; j < closes.size(); ++j)
    if (closes[j]) names.push_back(model.joints[j].name);
  return names;
}

Model to_tree_with_closures(const Model& model) {
  const std::vector<bool> closes = find_closing(model);
  FreeNames names(model);
  Model tree = model;
  tree.cut.clear();
  tree.joints.clear();
  for (std::size_t j = 0; j < closes.size(); ++j) {
    const Joint& joint = model.joints[j];
    if (closes[j])
      tree.closures.push_back(to_closure(joint));
    else if (is_identity(joint.at_child))
      tree.joints.push_back(joint);
    else
      add_link_at_child(joint, names, tree);
  }
  for (const Actuator& actuator : model.actuators)
    if (is_coupled(actuator) && !has_shaft(model, actuator.name))
      tree.closures.push_back(to_shaft(actuator));
  return tree;
}

}  // namespace linkwright
