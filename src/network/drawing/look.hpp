#pragma once
/// Colours, letters and words of the edges in a drawing. Okabe and Ito's colours, darkened for thin lines: they stay
/// apart for colour-blind readers.

#include <string>
#include <string_view>

#include "linkwright/network/system_graph.hpp"

namespace linkwright::network {

struct Look {
  std::string_view colour;
  std::string meaning;
  std::string_view letter{};  // in a small box on the line; none: a bare line
};

inline Look look_of(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::continuous:
      return {"#0067a3", "revolute joint"};
    case JointType::prismatic:
      return {"#00805d", "prismatic joint"};
    case JointType::spherical:
      return {"#c24d00", "spherical joint"};
    case JointType::free:
      return {"#8a6a2b", "free joint"};
    default:
      return {"#7a3fa0", std::string(to_string(type)) + " joint"};
  }
}

inline Look look_of(SystemGraph::Component component) {
  using Component = SystemGraph::Component;
  switch (component) {
    case Component::inertia:
      return {"#4a5560", "inertia and weight of a body", "W"};
    case Component::closure:
      return {"#b0327a", "closure"};
    case Component::grasp:
      return {"#a87400", "grasp"};
    case Component::spring:
      return {"#4b7f17", "line spring"};
    case Component::driver:
      return {"#b3261e", "driver"};
    case Component::joint_shaft:
      return {"#0f6f7d", "freedom of a joint as a shaft", "θ"};
    case Component::gear:
      return {"#0f6f7d", "gear", "n"};
    case Component::elastic_gear:
      return {"#0f6f7d", "spring between shafts", "k"};
    case Component::rotor:
      return {"#0f6f7d", "rotor", "J"};
    case Component::bearing:
      return {"#0f6f7d", "damping and friction of a shaft", "c"};
    case Component::motor_shaft:
    case Component::torque_source:
    case Component::speed_source:
      return {"#0f6f7d", "motor, its shaft and its coil", "M"};
    case Component::motor_coil:
    case Component::voltage_source:
    case Component::current_source:
      return {"#5a35a8", "motor, its shaft and its coil", "M"};
    case Component::resistor:
      return {"#5a35a8", "resistor", "R"};
    case Component::inductor:
      return {"#5a35a8", "inductor", "L"};
    case Component::capacitor:
      return {"#5a35a8", "capacitor", "C"};
    case Component::body:
    case Component::joint:
      break;
  }
  return {"#4a5560", "body: edges from its terminals to O"};
}

}  // namespace linkwright::network
