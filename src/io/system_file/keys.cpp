#include "io/system_file/keys.hpp"

namespace linkwright {

std::span<const KeySection> system_file_vocabulary() {
  static const std::vector<KeySection> sections{
      {"top level", {"linkwright",     "name",           "gravity",   "models",      "dh",
                     "bodies",         "joints",         "cut",       "objects",     "frames",
                     "closures",       "grasps",         "springs",   "loads",       "actuators",
                     "network",        "flexible_links", "passive",   "coordinates", "state",
                     "flexible_bases", "visuals",        "collisions"}},
      {"model", {"file", "name", "base", "pose", "closures_file"}},
      {"base", {"flexible"}},
      {"flexible", {"stiffness", "damping"}},
      {"body", {"name", "mass", "com", "inertia"}},
      {"joint",
       {"name", "type", "parent", "child", "pose", "at_child", "axis", "axis2", "pitch", "modes",
        "passive", "damping", "friction", "rotor_inertia", "limits", "implied"}},
      {"object", {"name", "mass", "com", "inertia", "pose"}},
      {"frame", {"name", "body", "pose"}},
      {"pose", {"xyz", "rpy", "quaternion", "rotation"}},
      {"point", {"xyz"}},
      {"friction", {"forward", "backward", "breakaway"}},
      {"limits", {"lower", "upper", "velocity", "effort", "restitution", "stiffness", "damping"}},
      {"dh table", {"name", "convention", "base", "base_link", "pose", "links"}},
      {"dh base_link", {"mass", "com", "inertia"}},
      {"dh row",
       {"name", "joint", "type", "theta", "d", "a", "alpha", "offset", "mass", "com", "inertia",
        "rotor_inertia", "damping", "friction", "gear", "limits"}},
      {"closure (joint)",
       {"name", "joint", "between", "at_a", "at_b", "axis", "axis2", "pitch", "modes", "passive",
        "damping", "friction", "rotor_inertia", "limits"}},
      {"closure (line or plane)", {"name", "joint", "between", "at_a", "at_b", "axis"}},
      {"closure (distance)", {"name", "joint", "between", "at_a", "at_b", "distance"}},
      {"closure (rolling)", {"name", "joint", "between", "at_a", "at_b", "axis", "radius", "axle"}},
      {"closure (gear)", {"name", "joint", "joints", "ratio", "offset"}},
      {"grasp",
       {"name", "arm", "object", "at", "contact", "normal", "axis", "friction", "torsion"}},
      {"spring (line)", {"name", "between", "at_a", "at_b", "stiffness", "damping", "rest_length"}},
      {"spring (joint)", {"joint", "freedom", "stiffness", "damping", "rest"}},
      {"load (joint)", {"joint", "freedom", "torque", "force"}},
      {"load (body)", {"body", "force", "moment", "at", "frame"}},
      {"actuator", {"name", "joint", "freedom", "gear", "motor", "transmission", "elastic"}},
      {"motor",
       {"Ra", "La", "k", "field_constant", "field_current", "rotor_inertia", "damping", "friction",
        "voltage_limit", "current_limit"}},
      {"elastic gear", {"stiffness", "damping"}},
      {"network", {"components", "reflected"}},
      {"network component",
       {"name", "type", "wires", "resistance", "inductance", "capacitance", "voltage", "current",
        "inertia", "damping", "stiffness", "speed", "torque", "twist", "k", "ratio", "ratios",
        "domain"}},
      {"flexible link",
       {"body", "from", "along", "up", "E", "G", "density", "section", "EI", "GJ", "EA",
        "mass_per_length", "inertia_per_length", "bending", "axial", "elements", "modes",
        "damping_ratio"}},
      {"beam section", {"rectangle", "circle", "tube"}},
      {"flexible base", {"joint", "stiffness", "damping"}},
      {"shape",
       {"body", "name", "pose", "box", "cylinder", "capsule", "sphere", "mesh", "scale", "rgba"}},
      {"state", {"q", "v", "hold", "current", "shaft_angle", "shaft_speed"}},
  };
  return sections;
}

namespace system_file {

const KeySection& keys_of(Section section) {
  return system_file_vocabulary()[static_cast<std::size_t>(section)];
}

}  // namespace system_file
}  // namespace linkwright
