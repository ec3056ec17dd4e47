#include "io/writers/urdf_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/writers/sections.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::writers {
namespace {

const Joint* find_joint(const Model& model, const std::string& name) {
  for (const Joint& joint : model.joints)
    if (joint.name == name) return &joint;
  return nullptr;
}

class Search {
 public:
  explicit Search(const Model& model) : model_(model) {}

  Unsaid run() {
    const ReflectedFreedoms felt = to_reflected(model_);
    for (std::size_t j = 0; j < model_.joints.size(); ++j)
      search_joint(model_.joints[j], felt.joints[j]);
    search_closures();
    search_forces();
    search_motors();
    search_start();
    return std::move(found_);
  }

 private:
  void refuse(const Source& where, const std::string& message) {
    found_.dynamics.push_back({where, message});
  }
  void tell(const Source& where, const std::string& message, std::string_view kind) {
    found_.others.push_back({where, message, std::string(kind)});
  }

  void search_joint(const Joint& joint, const std::vector<Reflected>& felt) {
    const std::string thing = "joint " + in_quotes(joint.name);
    if (!is_urdf_type(joint.type))
      refuse(joint.source,
             fmt::format("{} is {}; URDF has fixed, revolute, continuous, prismatic, planar and "
                         "floating joints",
                         thing, to_string(joint.type)));
    search_resistance(joint, thing, felt);
    for (const bool passive : joint.passive)
      if (passive) {
        tell(joint.source, thing + ": URDF does not say that it is passive", "passive");
        break;
      }
    search_limits(joint, thing);
  }

  void search_resistance(const Joint& joint, const std::string& thing,
                         const std::vector<Reflected>& felt) {
    const auto any = [&](auto is) { return std::any_of(felt.begin(), felt.end(), is); };
    if (any([](const Reflected& f) { return f.rotor_inertia != 0; }))
      refuse(joint.source, thing + " carries rotor inertia, which URDF has no place for");
    if (any([](const Reflected& f) { return f.friction.forward != f.friction.backward; }))
      refuse(joint.source,
             thing + ": its friction differs by direction; URDF has one number for both");
    if (any([&](const Reflected& f) {
          return f.damping != felt.front().damping ||
                 f.friction.forward != felt.front().friction.forward;
        }))
      refuse(joint.source, thing +
                               ": its freedoms differ in damping or friction; URDF has one "
                               "number for all of them");
    if (any([](const Reflected& f) { return f.friction.breakaway != 0; }))
      tell(joint.source, thing + ": URDF does not say its breakaway friction", "breakaway");
  }

  void search_limits(const Joint& joint, const std::string& thing) {
    const auto stops = [](const Limits& l) {
      return l.restitution != 0 || std::isfinite(l.stiffness) || l.damping != 0;
    };
    if (std::any_of(joint.limits.begin(), joint.limits.end(), stops))
      tell(joint.source, thing + ": URDF does not say how it stops at its limits", "stops");
    const auto is_range = [](const Limits& l) {
      return std::isfinite(l.lower) || std::isfinite(l.upper);
    };
    if (velocity_count(joint) > 1 &&
        (joint.limits.size() > 1 ||
         std::any_of(joint.limits.begin(), joint.limits.end(), is_range)))
      tell(joint.source, thing + " has several freedoms; URDF does not say their limits",
           "limits of several freedoms");
    if (joint.type == JointType::continuous &&
        std::any_of(joint.limits.begin(), joint.limits.end(), is_range))
      tell(joint.source, thing + " is continuous; URDF gives it no lower and upper limit",
           "limits of a continuous joint");
  }

  void search_closures() {
    for (std::size_t i = 0; i < model_.closures.size(); ++i) {
      const Closure& closure = model_.closures[i];
      if (is_lone_shaft(model_, closure)) {
        refuse(closure.source, fmt::format("shaft {} turns with several joints; URDF has none",
                                           in_quotes(closure.name)));
        continue;
      }
      if (closure.kind == Closure::Kind::shaft || is_mimic(model_, i)) continue;
      const bool gear = closure.kind == Closure::Kind::gear;
      refuse(closure.source,
             fmt::format("closure {} {}", in_quotes(closure.name),
                         gear ? "is a second gear of its follower; URDF gives a joint one <mimic>"
                              : "closes a loop; URDF describes trees"));
    }
    for (const Grasp& grasp : model_.grasps)
      refuse(grasp.source,
             fmt::format("grasp {} closes a loop; URDF describes trees", in_quotes(grasp.name)));
  }

  void search_forces() {
    const auto place = [](const std::string& name) { return in_quotes(name); };
    for (const LineSpring& s : model_.line_springs)
      refuse(s.source, fmt::format("the spring between {} and {}: URDF has none", place(s.body_a),
                                   place(s.body_b)));
    for (const JointSpring& s : model_.joint_springs)
      refuse(s.source, fmt::format("the spring on joint {}: URDF has none", place(s.joint)));
    for (const JointLoad& load : model_.joint_loads)
      refuse(load.source, fmt::format("the load on joint {}: URDF has none", place(load.joint)));
    for (const BodyLoad& load : model_.body_loads)
      refuse(load.source, fmt::format("the load on link {}: URDF has none", place(load.body)));
    for (const FlexibleBase& base : model_.flexible_bases)
      refuse(base.source,
             fmt::format("the flexible base on joint {}: URDF has none", place(base.joint)));
    for (const NetworkComponent& component : model_.network.components)
      refuse(component.source, fmt::format("component {} of the network: URDF has no circuits",
                                           place(component.name)));
  }

  void search_motors() {
    for (const Actuator& actuator : model_.actuators) {
      const std::string thing = "actuator " + in_quotes(actuator.name);
      if (is_coupled(actuator) || actuator.elastic)
        refuse(actuator.source,
               thing + (actuator.elastic ? " has an elastic gear, which URDF cannot say"
                                         : " turns several joints, which URDF cannot say"));
      else
        tell(actuator.source,
             thing + ": URDF says the damping and friction that its joint feels, and no motor",
             "motor");
    }
  }

  void search_start() {
    const Vector3 usual = Model{}.gravity, &g = model_.gravity;
    if (g.x != usual.x || g.y != usual.y || g.z != usual.z)
      tell({},
           fmt::format("gravity is [{}, {}, {}]; URDF does not say it, and readers take theirs",
                       g.x, g.y, g.z),
           "gravity");
    const InitialState& initial = model_.initial;
    if (!initial.q.empty() || !initial.v.empty() || !initial.hold.empty() ||
        !initial.current.empty() || !initial.shaft_angle.empty() || !initial.shaft_speed.empty())
      tell({}, "URDF does not say the state to start from", "state");
    if (!model_.objects.empty())
      tell({}, fmt::format("URDF does not say that {} are objects", list_in_quotes(model_.objects)),
           "objects");
    if (!model_.coordinates.empty())
      tell(model_.coordinates_source, "URDF does not say the independent coordinates",
           "coordinates");
  }

  const Model& model_;
  Unsaid found_;
};

}  // namespace

Unsaid find_unsaid_in_urdf(const Model& tree) { return Search(tree).run(); }

bool is_urdf_type(JointType type) {
  return type == JointType::fixed || type == JointType::revolute || type == JointType::continuous ||
         type == JointType::prismatic || type == JointType::planar || type == JointType::free;
}

bool is_mimic(const Model& model, std::size_t closure) {
  const Closure& gear = model.closures[closure];
  if (gear.kind != Closure::Kind::gear || find_joint(model, gear.follower) == nullptr) return false;
  for (std::size_t i = 0; i < closure; ++i)
    if (model.closures[i].kind == Closure::Kind::gear &&
        model.closures[i].follower == gear.follower)
      return false;
  return true;
}

}  // namespace linkwright::writers
