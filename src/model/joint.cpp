#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "linkwright/model/model.hpp"
#include "linkwright/model/network_words.hpp"

namespace linkwright {
namespace {

constexpr std::array<std::pair<JointType, std::string_view>, 11> type_names{{
    {JointType::fixed, "fixed"},
    {JointType::revolute, "revolute"},
    {JointType::continuous, "continuous"},
    {JointType::prismatic, "prismatic"},
    {JointType::helical, "helical"},
    {JointType::cylindrical, "cylindrical"},
    {JointType::universal, "universal"},
    {JointType::planar, "planar"},
    {JointType::spherical, "spherical"},
    {JointType::free, "free"},
    {JointType::custom, "custom"},
}};

using Mode = std::array<double, 6>;

Vector3 angular(const Mode& m) { return {m[0], m[1], m[2]}; }
Vector3 linear(const Mode& m) { return {m[3], m[4], m[5]}; }

double length(const Mode& m) {
  return std::hypot(spatial::norm(angular(m)), spatial::norm(linear(m)));
}

bool commute(const Mode& a, const Mode& b) {
  const Vector3 turn = cross(angular(a), angular(b));
  const Vector3 slide = cross(angular(a), linear(b)) - cross(angular(b), linear(a));
  const double rounding = 1e-12 * length(a) * length(b);
  return std::hypot(spatial::norm(turn), spatial::norm(slide)) <= rounding;
}

}  // namespace

std::string_view to_string(JointType type) {
  for (const auto& [known, name] : type_names)
    if (known == type) return name;
  return "unknown";
}

std::optional<JointType> to_joint_type(std::string_view name) {
  for (const auto& [type, known] : type_names)
    if (known == name) return type;
  return std::nullopt;
}

bool has_axis(JointType type) {
  switch (type) {
    case JointType::fixed:
    case JointType::spherical:
    case JointType::free:
    case JointType::custom:
      return false;
    default:
      return true;
  }
}

std::string_view to_string(Closure::Kind kind) {
  switch (kind) {
    case Closure::Kind::joint:
      return "joint";
    case Closure::Kind::point_on_line:
      return "point_on_line";
    case Closure::Kind::point_on_plane:
      return "point_on_plane";
    case Closure::Kind::distance:
      return "distance";
    case Closure::Kind::rolling:
      return "rolling";
    case Closure::Kind::shaft:
      return "shaft";
    case Closure::Kind::gear:
      break;
  }
  return "gear";
}

std::string_view to_string(Grasp::Contact contact) {
  switch (contact) {
    case Grasp::Contact::rigid:
      return "rigid";
    case Grasp::Contact::line:
      return "line";
    case Grasp::Contact::point:
      return "point";
    case Grasp::Contact::soft_finger:
      break;
  }
  return "soft_finger";
}

bool has_axis(const Closure& closure) {
  switch (closure.kind) {
    case Closure::Kind::joint:
      return has_axis(closure.joint);
    case Closure::Kind::point_on_line:
    case Closure::Kind::point_on_plane:
    case Closure::Kind::rolling:
      return true;
    case Closure::Kind::distance:
    case Closure::Kind::shaft:
    case Closure::Kind::gear:
      break;
  }
  return false;
}

bool modes_commute(const Joint& joint) {
  for (std::size_t i = 0; i < joint.modes.size(); ++i)
    for (std::size_t j = i + 1; j < joint.modes.size(); ++j)
      if (!commute(joint.modes[i], joint.modes[j])) return false;
  return true;
}

int velocity_count(const Joint& joint) {
  switch (joint.type) {
    case JointType::fixed:
      return 0;
    case JointType::revolute:
    case JointType::continuous:
    case JointType::prismatic:
    case JointType::helical:
      return 1;
    case JointType::cylindrical:
    case JointType::universal:
      return 2;
    case JointType::planar:
    case JointType::spherical:
      return 3;
    case JointType::free:
      return 6;
    case JointType::custom:
      return static_cast<int>(joint.modes.size());
  }
  return 0;
}

int position_count(const Joint& joint) {
  switch (joint.type) {
    case JointType::spherical:
      return 4;
    case JointType::free:
      return 7;
    case JointType::custom:
      return modes_commute(joint) ? velocity_count(joint) : 7;
    default:
      return velocity_count(joint);
  }
}

bool slides(const Joint& joint, int freedom) {
  switch (joint.type) {
    case JointType::prismatic:
      return true;
    case JointType::cylindrical:
      return freedom == 1;
    case JointType::planar:
      return freedom < 2;
    case JointType::free:
      return freedom >= 3;
    case JointType::custom:
      return spatial::norm(angular(joint.modes[static_cast<std::size_t>(freedom)])) == 0;
    default:
      return false;
  }
}

namespace {

/// A motor as felt through a rigid gear. A shaft that turns the other way turns its friction round.
void reflect(const Actuator::Motor& motor, double gear, Reflected& felt) {
  felt.rotor_inertia += gear * gear * motor.rotor_inertia;
  felt.damping += gear * gear * motor.damping;
  const double size = std::abs(gear);
  const Friction& f = motor.friction;
  felt.friction.forward += size * (gear > 0 ? f.forward : f.backward);
  felt.friction.backward += size * (gear > 0 ? f.backward : f.forward);
  felt.friction.breakaway += size * f.breakaway;
}

}  // namespace

ReflectedFreedoms to_reflected(const Model& model) {
  ReflectedFreedoms reflected{std::vector<std::vector<Reflected>>(model.joints.size()),
                              std::vector<std::vector<Reflected>>(model.closures.size())};
  std::unordered_map<std::string_view, std::vector<Reflected>*> index;
  const auto add = [&](const Joint& joint, const std::string& name, std::vector<Reflected>& felt) {
    index.emplace(name, &felt);
    for (int i = 0; i < velocity_count(joint); ++i)
      felt.push_back({per_freedom(joint.rotor_inertia, i, 0.0), per_freedom(joint.damping, i, 0.0),
                      per_freedom(joint.friction, i, Friction{})});
  };
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    add(model.joints[j], model.joints[j].name, reflected.joints[j]);
  for (std::size_t c = 0; c < model.closures.size(); ++c)
    add(to_joint(model.closures[c]), model.closures[c].name, reflected.closures[c]);
  for (const Actuator& actuator : model.actuators) {
    // Behind an elastic gear the rotor is not the joint's; that of a coupled one sits on its shaft.
    if (!actuator.motor || actuator.elastic || is_coupled(actuator)) continue;
    const GearTerm term = terms_of(actuator).front();
    reflect(*actuator.motor, term.ratio,
            index.at(term.joint)->at(static_cast<std::size_t>(term.freedom)));
  }
  return reflected;
}

std::vector<GearTerm> terms_of(const Actuator& actuator) {
  if (!actuator.transmission.empty()) return actuator.transmission;
  return {{actuator.joint, actuator.freedom, actuator.gear}};
}

bool is_coupled(const Actuator& actuator) { return actuator.transmission.size() > 1; }

bool has_electrical_side(const Actuator& actuator) {
  if (!actuator.motor) return false;
  const Actuator::Motor& motor = *actuator.motor;
  return motor.Ra != 0 || motor.La != 0 || motor.k != 0 || motor.field_constant != 0 ||
         motor.field_current != 0 || std::isfinite(motor.voltage_limit) ||
         std::isfinite(motor.current_limit);
}

double torque_constant(const Actuator::Motor& motor) {
  const bool excited = motor.field_constant != 0 || motor.field_current != 0;
  return excited ? motor.field_constant * motor.field_current : motor.k;
}

int row_count(const Closure& closure) {
  if (closure.kind == Closure::Kind::point_on_line) return 2;
  if (closure.kind == Closure::Kind::rolling) return 3;
  if (closure.kind == Closure::Kind::shaft) return 0;
  if (closure.kind != Closure::Kind::joint) return 1;
  return 6 - velocity_count(to_joint(closure));
}

Joint to_joint(const Closure& closure) {
  Joint joint{.name = closure.name, .source = closure.source};
  const bool shaft = closure.kind == Closure::Kind::shaft;
  if (closure.kind != Closure::Kind::joint && !shaft) return joint;
  joint.type = shaft ? JointType::continuous : closure.joint;
  joint.parent = closure.body_a, joint.child = closure.body_b;
  joint.pose = closure.at_a, joint.at_child = closure.at_b;
  joint.axis = closure.axis, joint.axis2 = closure.axis2;
  joint.pitch = closure.pitch, joint.modes = closure.modes;
  joint.passive = closure.passive, joint.damping = closure.damping;
  joint.friction = closure.friction, joint.rotor_inertia = closure.rotor_inertia;
  joint.limits = closure.limits;
  return joint;
}

bool is_passive(const Model& model, const Closure& closure, int freedom) {
  if (!closure.passive.empty()) return per_freedom(closure.passive, freedom, true);
  const bool has_motor =
      std::any_of(model.actuators.begin(), model.actuators.end(), [&](const Actuator& motor) {
        const GearTerm term = terms_of(motor).front();
        return !is_coupled(motor) && term.joint == closure.name && term.freedom == freedom;
      });
  const std::vector<JointPort> wired = used_joints(model);
  return !has_motor && std::none_of(wired.begin(), wired.end(), [&](const JointPort& port) {
    return port.joint == closure.name && port.freedom == freedom;
  });
}

int row_count(const Grasp& grasp) {
  switch (grasp.contact) {
    case Grasp::Contact::rigid:
      return 6;
    case Grasp::Contact::line:
      return 5;
    case Grasp::Contact::soft_finger:
      return 4;
    case Grasp::Contact::point:
      break;
  }
  return 3;
}

}  // namespace linkwright
