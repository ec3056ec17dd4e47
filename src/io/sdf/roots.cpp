#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "io/sdf/element_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::sdf {
namespace {

class Roots {
 public:
  Roots(const Gathered& gathered, const Poses& poses, Base base, Model& model, Told& told)
      : gathered_(gathered), poses_(poses), base_(base), model_(model), told_(told) {
    for (const Item& link : gathered.links) item_of_.emplace(link.full_name(), &link);
    for (const Joint& joint : model.joints) taken_.insert(joint.name);
  }

  void run() {
    leave_out_joints_of_static_links();
    for (const Item& link : gathered_.links)
      if (link.is_static) attach(link.full_name(), Base::fixed);
    for (Joint& joint : model_.joints)
      if (joint.child == world_name) turn_round(joint);
    reach_from(std::string(world_name));
    bool floats = false;
    for (const Body& body : model_.bodies) {
      while (!reached_.contains(body.name) && turn_one_round()) continue;
      if (reached_.contains(body.name)) continue;
      const std::string root = root_of(component_of(body.name));
      tell_floating(root);
      attach(root, base_);
      reach_from(root);
      floats = true;
    }
    while (turn_one_round()) continue;
    if (!floats && base_ != Base::fixed)
      throw Error(gathered_.links.front().element.source(),
                  fmt::format("every link hangs from the world by joints or is static, so nothing "
                              "here can be {}",
                              base_ == Base::free ? "free" : "planar"));
    model_.joints.insert(model_.joints.begin(), added_.begin(), added_.end());
  }

 private:
  [[nodiscard]] bool is_static(const std::string& body) const {
    const auto found = item_of_.find(body);
    return body == world_name || (found != item_of_.end() && found->second->is_static);
  }

  void leave_out_joints_of_static_links() {
    std::erase_if(model_.joints, [&](const Joint& joint) {
      if (!is_static(joint.parent) || !is_static(joint.child)) return false;
      told_.note(joint.source, "joint between static links, which cannot move; left out",
                 joint.name);
      std::erase_if(model_.joint_springs,
                    [&](const JointSpring& spring) { return spring.joint == joint.name; });
      return true;
    });
  }

  /// Of the model that the link stands in: "base", "a::base", "a::base_1".
  std::string free_name(const std::string& link) {
    const std::string start = item_of_.at(link)->scope->prefix() + "base";
    std::string name = start;
    for (int i = 1; !taken_.insert(name).second; ++i) name = fmt::format("{}_{}", start, i);
    return name;
  }

  void attach(const std::string& link, Base base) {
    Joint joint;
    joint.name = free_name(link);
    joint.type = base == Base::fixed  ? JointType::fixed
                 : base == Base::free ? JointType::free
                                      : JointType::planar;
    joint.parent = world_name;
    joint.child = link;
    joint.pose = poses_.at(link);
    joint.axis = {0, 0, 1};
    joint.implied = true;
    joint.source = item_of_.at(link)->element.source();
    added_.push_back(std::move(joint));
    reached_.insert(link);
  }

  void reach_from(const std::string& start) {
    reached_.insert(start);
    bool grows = true;
    while (grows) {
      grows = false;
      for (const Joint& joint : model_.joints)
        if (reached_.contains(joint.parent) && reached_.insert(joint.child).second) grows = true;
    }
  }

  void turn_round(Joint& joint) {
    told_.note(joint.source,
               joint.type == JointType::spherical
                   ? "ball joint whose parent hangs on its child: its quaternion is that of the "
                     "parent seen from the child"
                   : "joint whose parent hangs on its child, turned round; its positions keep "
                     "their meaning",
               joint.name);
    joint = turned_round(joint);
    if (joint.type == JointType::universal)
      for (JointSpring& spring : model_.joint_springs)
        if (spring.joint == joint.name) spring.freedom = 1 - spring.freedom;
  }

  /// A joint that leads from a link that is reached to a parent that is not.
  bool turn_one_round() {
    for (Joint& joint : model_.joints) {
      if (!reached_.contains(joint.child) || reached_.contains(joint.parent)) continue;
      turn_round(joint);
      reach_from(joint.child);
      return true;
    }
    return false;
  }

  [[nodiscard]] std::unordered_set<std::string> component_of(const std::string& start) const {
    std::unordered_set<std::string> found{start};
    bool grows = true;
    while (grows) {
      grows = false;
      for (const Joint& joint : model_.joints)
        if (joint.parent != world_name && joint.child != world_name &&
            found.contains(joint.parent) != found.contains(joint.child)) {
          found.insert(joint.parent), found.insert(joint.child);
          grows = true;
        }
    }
    return found;
  }

  /// The first link that no joint carries; where all are carried, in a circle, the first one.
  [[nodiscard]] std::string root_of(const std::unordered_set<std::string>& links) const {
    if (links.size() == 1) return *links.begin();
    std::unordered_set<std::string_view> carried;
    for (const Joint& joint : model_.joints) carried.insert(joint.child);
    std::string first;
    for (const Body& body : model_.bodies) {
      if (!links.contains(body.name)) continue;
      if (!carried.contains(body.name)) return body.name;
      if (first.empty()) first = body.name;
    }
    return first;
  }

  void tell_floating(const std::string& root) {
    if (base_ != Base::fixed) return;
    told_.note(item_of_.at(root)->element.source(),
               "link that no joint ties to the world, so that its model falls in SDF; fixed to the "
               "world here, unless the base is to be free",
               root);
  }

  const Gathered& gathered_;
  const Poses& poses_;
  Base base_;
  Model& model_;
  Told& told_;
  std::unordered_map<std::string, const Item*> item_of_;
  std::unordered_set<std::string> taken_, reached_;
  std::vector<Joint> added_;
};

}  // namespace

Joint turned_round(const Joint& joint) {
  Joint turned = joint;
  std::swap(turned.parent, turned.child);
  turned.pose = joint.at_child;
  turned.at_child = joint.pose;
  turned.axis = -joint.axis;
  if (joint.type != JointType::universal) return turned;
  // R(a1, q1) R(a2, q2) backwards is R(−a2, q2) R(−a1, q1): the freedoms change places.
  turned.axis = -joint.axis2, turned.axis2 = -joint.axis;
  std::reverse(turned.damping.begin(), turned.damping.end());
  std::reverse(turned.friction.begin(), turned.friction.end());
  std::reverse(turned.limits.begin(), turned.limits.end());
  std::reverse(turned.passive.begin(), turned.passive.end());
  return turned;
}

void attach_roots(const Gathered& gathered, const Poses& poses, Base base, Model& model,
                  Told& told) {
  Roots(gathered, poses, base, model, told).run();
}

}  // namespace linkwright::sdf
