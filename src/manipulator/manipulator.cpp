#include "linkwright/manipulator/manipulator.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "manipulator/flexible_objects.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {

std::string_view to_string(BaseKind kind) {
  constexpr std::string_view names[] = {"fixed",  "free",    "flexible",
                                        "planar", "wheeled", "jointed"};
  return names[static_cast<int>(kind)];
}

/// Bodies by index into Model::bodies, −1 = world.
class ManipulatorBuilder {
 public:
  ManipulatorBuilder(Manipulator& out, const ManipulatorOptions& options)
      : out_(out), system_(*out.system_), options_(options) {}

  void build() {
    add_grasps();
    add_tips();
    if (out_.arms_.empty())
      throw Error(
          "a manipulator needs arms, and there is none: the model has no grasps, and "
          "ManipulatorOptions::tips names no frame");
    choose_base();
    for (Arm& arm : out_.arms_) arm.freedoms = freedoms_between(base_, body_of(arm.frame));
    for (HeldObject& object : out_.objects_) object.freedoms = freedoms_of_tree(object);
    check_closures();
    sort_freedoms();
    out_.base_.kind = kind_of_base();
  }

 private:
  [[nodiscard]] int body_of(FrameId frame) const { return system_.frame(frame).body; }
  [[nodiscard]] const JointPlace& joint_of(int body) const {
    return system_.joints()[at(system_.joint_of_body(body))];
  }
  [[nodiscard]] int parent_of(int body) const { return joint_of(body).parent; }
  [[nodiscard]] std::string name_of(int body) const {
    return body < 0 ? std::string(world_name) : system_.model().bodies[at(body)].name;
  }
  /// The body on the world that carries it; −1 for the world itself.
  [[nodiscard]] int root_of(int body) const {
    while (body >= 0 && parent_of(body) >= 0) body = parent_of(body);
    return body;
  }
  [[nodiscard]] bool carries(int inner, int outer) const {
    while (outer != inner && outer >= 0) outer = parent_of(outer);
    return outer == inner;
  }
  /// Entries of v of the joints between two bodies, outward.
  [[nodiscard]] std::vector<int> freedoms_between(int inner, int outer) const {
    std::vector<int> found;
    for (int body = outer; body >= 0 && body != inner; body = parent_of(body))
      for (int i = joint_of(body).nv; i-- > 0;) found.push_back(joint_of(body).v + i);
    std::reverse(found.begin(), found.end());
    return found;
  }

  void add_grasps() {
    const std::vector<Grasp>& grasps = system_.model().grasps;
    const std::size_t first = system_.closures().size() - grasps.size();
    for (std::size_t i = 0; i < grasps.size(); ++i) {
      Arm arm{.tip = grasps[i].arm, .frame = system_.frame(grasps[i].arm)};
      arm.grasp = static_cast<int>(first + i);
      arm.object = object_of(grasps[i].object);
      arm.held = system_.frame(grasps[i].object);
      out_.arms_.push_back(std::move(arm));
    }
  }
  int object_of(const std::string& body) {
    auto& objects = out_.objects_;
    const std::string name = whole_object(system_.model(), body);
    const auto known = std::ranges::find(objects, name, &HeldObject::name);
    if (known != objects.end()) return static_cast<int>(known - objects.begin());
    objects.push_back({.name = name, .frame = system_.frame(name), .freedoms = {}});
    return static_cast<int>(objects.size()) - 1;
  }
  void add_tips() {
    for (const std::string& name : options_.tips) {
      const FrameId frame = system_.frame(name);
      const int root = root_of(body_of(frame));
      if (system_.frame(frame).node == 0)
        throw Error(fmt::format(
            "tip '{}' is not on the manipulator: it is fixed to the world. Name a frame or body "
            "that joints move",
            name));
      for (const HeldObject& object : out_.objects_)
        if (root == root_of(body_of(object.frame)))
          throw Error(fmt::format(
              "tip '{}' is not on the manipulator: it is on '{}', which the grasps hold", name,
              object.name));
      const auto named = [&](const Arm& arm) { return arm.frame.index == frame.index; };
      if (std::ranges::none_of(out_.arms_, named))
        out_.arms_.push_back({.tip = name, .frame = frame});
    }
  }

  /// Whether a joint lets a body float or drive about.
  [[nodiscard]] static bool is_mobile(const JointPlace& joint) {
    return joint.type == JointType::free || joint.type == JointType::planar;
  }
  void choose_base() {
    if (!options_.base.empty()) {
      base_ = options_.base == world_name ? -1 : body_named(options_.base);
      for (const Arm& arm : out_.arms_)
        if (body_of(arm.frame) >= 0 && !carries(base_, body_of(arm.frame)))
          throw Error(fmt::format(
              "arm '{}' has no common base with the others: it does not stand on '{}', which "
              "ManipulatorOptions::base names, but on '{}'",
              arm.tip, options_.base, name_of(root_of(body_of(arm.frame)))));
    } else {
      base_ = common_base();
    }
    for (const HeldObject& object : out_.objects_)
      for (const Arm& arm : out_.arms_)
        if (root_of(body_of(arm.frame)) == root_of(body_of(object.frame)) &&
            body_of(arm.frame) >= 0)
          throw Error(fmt::format(
              "object '{}' is part of the manipulator: joints lead from it to the hand '{}'. "
              "Describe the bond as a closure",
              object.name, arm.tip));
    out_.base_.body = name_of(base_);
    out_.base_.frame = system_.frame(out_.base_.body);
    out_.base_.freedoms = freedoms_between(-1, base_);
  }
  [[nodiscard]] int body_named(const std::string& name) const {
    const FramePlace& frame = system_.frame(system_.frame(name));
    if (name_of(frame.body) != name)
      throw Error(fmt::format("ManipulatorOptions::base names '{}', a frame on '{}'; name the body",
                              name, name_of(frame.body)));
    return frame.body;
  }
  /// The body on the world under all arms where it is mobile; otherwise the world.
  [[nodiscard]] int common_base() const {
    const Arm* mobile = nullptr;
    for (const Arm& arm : out_.arms_) {
      const int root = root_of(body_of(arm.frame));
      if (root >= 0 && is_mobile(joint_of(root))) mobile = &arm;
    }
    if (mobile == nullptr) return -1;
    const int base = root_of(body_of(mobile->frame));
    for (const Arm& arm : out_.arms_) {
      const int root = root_of(body_of(arm.frame));
      if (root >= 0 && root != base)
        throw Error(fmt::format(
            "arms '{}' and '{}' have no common base: one stands on '{}', the other on '{}', and "
            "these move apart. Describe one of them as an object that is held",
            mobile->tip, arm.tip, name_of(base), name_of(root)));
    }
    return base;
  }

  [[nodiscard]] std::vector<int> freedoms_of_tree(const HeldObject& object) const {
    std::vector<int> found;
    const int root = root_of(body_of(object.frame));
    for (int body = 0; body < static_cast<int>(system_.model().bodies.size()); ++body)
      if (root >= 0 && root_of(body) == root)
        for (int i = 0; i < joint_of(body).nv; ++i) found.push_back(joint_of(body).v + i);
    std::ranges::sort(found);
    return found;
  }
  /// Roots of base and arms.
  [[nodiscard]] std::set<int> own_roots() const {
    std::set<int> roots;
    if (base_ >= 0) roots.insert(root_of(base_));
    for (const Arm& arm : out_.arms_)
      if (body_of(arm.frame) >= 0) roots.insert(root_of(body_of(arm.frame)));
    return roots;
  }
  /// Closures may tie the manipulator, its objects and the world to each other, and bystanders to the world.
  void check_closures() {
    const std::set<int> own = own_roots();
    std::set<int> known = own;
    for (const HeldObject& object : out_.objects_) known.insert(root_of(body_of(object.frame)));
    const auto& closures = system_.closures();
    for (std::size_t i = 0; i < closures.size(); ++i) {
      const ClosurePlace& c = closures[i];
      std::vector<int> roots;
      if (is_among_joints(c.kind))
        for (const TreeTerm& term : c.terms)
          roots.push_back(root_of(system_.joints()[at(term.joint)].child));
      else
        roots = {root_of(c.body_a), root_of(c.body_b)};
      const auto is_known = [&](int root) { return root >= 0 && known.contains(root); };
      const auto is_stranger = [&](int root) { return root >= 0 && !known.contains(root); };
      const auto stranger = std::ranges::find_if(roots, is_stranger);
      if (stranger != roots.end() && std::ranges::any_of(roots, is_known))
        throw Error(fmt::format(
            "closure '{}' ties the manipulator to '{}', which is neither on its base nor held by a "
            "grasp",
            c.name, name_of(*stranger)));
      const auto is_own = [&](int root) { return root < 0 || own.contains(root); };
      if (std::ranges::all_of(roots, is_own) && std::ranges::any_of(roots, is_known))
        out_.own_closures_.push_back(static_cast<int>(i));
    }
  }
  void sort_freedoms() {
    const std::set<int> own = own_roots();
    std::set<int> without_motor(system_.passive_freedoms().begin(),
                                system_.passive_freedoms().end());
    if (options_.base_freedoms == ManipulatorOptions::BaseFreedoms::passive)
      for (const int root : own)
        if (is_mobile(joint_of(root)))
          for (int i = 0; i < joint_of(root).nv; ++i) without_motor.insert(joint_of(root).v + i);
    std::set<int> held;
    for (const HeldObject& object : out_.objects_)
      held.insert(object.freedoms.begin(), object.freedoms.end());
    out_.of_objects_.assign(held.begin(), held.end());
    for (int body = 0; body < static_cast<int>(system_.model().bodies.size()); ++body) {
      if (!own.contains(root_of(body))) continue;
      for (int v = joint_of(body).v; v < joint_of(body).v + joint_of(body).nv; ++v)
        (without_motor.contains(v) ? out_.passive_ : out_.active_).push_back(v);
    }
    std::ranges::sort(out_.active_);
    std::ranges::sort(out_.passive_);
  }

  [[nodiscard]] BaseKind kind_of_base() const {
    if (out_.base_.freedoms.empty()) return BaseKind::fixed;
    const JointPlace& joint = joint_of(root_of(base_));
    // A wheel hangs on the base, not on an arm: a finger may roll on a table.
    const auto is_wheel = [&](int body) {
      if (body < 0 || body == base_ || !carries(base_, body)) return false;
      while (parent_of(body) != base_) body = parent_of(body);
      return std::ranges::none_of(
          out_.arms_, [&](const Arm& arm) { return carries(body, body_of(arm.frame)); });
    };
    const auto rolls = [&](const ClosurePlace& c) {
      return c.kind == PairKind::rolling && (is_wheel(c.body_a) || is_wheel(c.body_b));
    };
    if (std::ranges::any_of(system_.closures(), rolls)) return BaseKind::wheeled;
    if (root_of(base_) != base_ || !is_mobile(joint)) return BaseKind::jointed;
    const auto holds = [&](const FlexibleBase& b) { return b.joint == joint.name; };
    if (std::ranges::any_of(system_.model().flexible_bases, holds)) return BaseKind::flexible;
    return joint.type == JointType::free ? BaseKind::free : BaseKind::planar;
  }

  Manipulator& out_;
  const System& system_;
  const ManipulatorOptions& options_;
  int base_ = -1;
};

Manipulator::Manipulator(const System& system, const ManipulatorOptions& options)
    : system_(&system) {
  ManipulatorBuilder(*this, options).build();
}

}  // namespace linkwright::manipulator
