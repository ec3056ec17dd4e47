// What is attached to the mechanism: closures, grasps, springs, loads, motors, circuits and the start.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/writers/freedoms.hpp"
#include "io/writers/sections.hpp"
#include "io/writers/yaml_text.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/model/network_words.hpp"

namespace linkwright::writers {
namespace {

std::string section(std::string_view key, const std::string& items) {
  return items.empty() ? std::string{} : fmt::format("{}:\n{}", key, items);
}

void add_ends(const Closure& closure, FlowMap& map) {
  map.add("between", yaml_names({closure.body_a, closure.body_b}));
  map.pose("at_a", closure.at_a);
  map.pose("at_b", closure.at_b);
}

void add_pair(const Closure& closure, FlowMap& map) {
  const bool weld = closure.joint == JointType::fixed;
  map.add("joint", weld ? "weld" : std::string(to_string(closure.joint)));
  add_ends(closure, map);
  if (has_axis(closure.joint)) map.vector("axis", closure.axis);
  if (closure.joint == JointType::universal) map.vector("axis2", closure.axis2);
  if (closure.joint == JointType::helical) map.number("pitch", closure.pitch);
  if (closure.joint == JointType::custom) add_modes(closure.modes, map);
  if (!weld) add_freedoms(closure, map);
}

void add_relation(const Closure& closure, FlowMap& map) {
  using Kind = Closure::Kind;
  map.add("joint", std::string(to_string(closure.kind)));
  if (closure.kind == Kind::gear) {
    map.add("joints", yaml_names({closure.leader, closure.follower}));
    map.number("ratio", closure.ratio);
    map.number_unless("offset", closure.offset, 0);
    return;
  }
  add_ends(closure, map);
  if (closure.kind == Kind::distance) return map.number("distance", closure.distance);
  map.vector("axis", closure.axis);
  if (closure.kind != Kind::rolling) return;
  map.number("radius", closure.distance);
  if (closure.disc) map.vector("axle", closure.axis2);
}

std::string to_item(const Grasp& grasp) {
  FlowMap map("grasp " + in_quotes(grasp.name));
  map.text("name", grasp.name);
  map.text("arm", grasp.arm);
  map.text("object", grasp.object);
  map.pose("at", grasp.at);
  map.add("contact", std::string(to_string(grasp.contact)));
  if (grasp.contact == Grasp::Contact::rigid) return map.item();
  map.vector("normal", grasp.normal);
  if (grasp.contact == Grasp::Contact::line) map.vector("axis", grasp.axis);
  if (grasp.friction) map.number("friction", *grasp.friction);
  if (grasp.torsion && grasp.contact == Grasp::Contact::soft_finger)
    map.number("torsion", *grasp.torsion);
  return map.item();
}

std::string to_item(const LineSpring& spring) {
  FlowMap map("spring " + in_quotes(spring.name));
  if (!spring.name.empty()) map.text("name", spring.name);
  map.add("between", yaml_names({spring.body_a, spring.body_b}));
  map.vector_unless_zero("at_a", spring.at_a);
  map.vector_unless_zero("at_b", spring.at_b);
  map.number("stiffness", spring.stiffness);
  map.number_unless("damping", spring.damping, 0);
  map.number_unless("rest_length", spring.rest_length, 0);
  return map.item();
}

std::string to_item(const JointSpring& spring, const FreedomNames& names) {
  FlowMap map("spring on joint " + in_quotes(spring.joint));
  map.text("joint", spring.joint);
  names.add_freedom(spring.joint, spring.freedom, map);
  map.number("stiffness", spring.stiffness);
  map.number_unless("damping", spring.damping, 0);
  map.number_unless("rest", spring.rest, 0);
  return map.item();
}

std::string to_item(const JointLoad& load, const FreedomNames& names) {
  FlowMap map("load on joint " + in_quotes(load.joint));
  map.text("joint", load.joint);
  names.add_freedom(load.joint, load.freedom, map);
  map.number(names.slides(load.joint, load.freedom) ? "force" : "torque", load.effort);
  return map.item();
}

std::string to_item(const BodyLoad& load) {
  FlowMap map("load on link " + in_quotes(load.body));
  map.text("body", load.body);
  map.vector_unless_zero("force", load.force.force);
  map.vector_unless_zero("moment", load.force.moment);
  map.vector_unless_zero("at", load.at);
  map.add("frame", load.in_world ? "world" : "body");
  return map.item();
}

bool is_electrical(const Actuator::Motor& motor) {
  return motor.Ra != 0 || motor.La != 0 || motor.k != 0 || motor.field_constant != 0 ||
         motor.field_current != 0 || std::isfinite(motor.voltage_limit) ||
         std::isfinite(motor.current_limit);
}

std::string to_text(const Actuator::Motor& motor, const std::string& thing) {
  const Actuator::Motor none;
  FlowMap map(thing + ": motor");
  map.number_unless("rotor_inertia", motor.rotor_inertia, 0);
  map.number_unless("damping", motor.damping, 0);
  if (has_friction(motor.friction)) add_friction("friction", motor.friction, map);
  if (!is_electrical(motor)) return map.inlined();
  map.number("Ra", motor.Ra);
  map.number_unless("La", motor.La, 0);
  if (motor.field_constant != 0 || motor.field_current != 0) {
    map.number("field_constant", motor.field_constant);
    map.number("field_current", motor.field_current);
  } else {
    map.number("k", motor.k);
  }
  map.number_unless("voltage_limit", motor.voltage_limit, none.voltage_limit);
  map.number_unless("current_limit", motor.current_limit, none.current_limit);
  return map.inlined();
}

void add_target(const Actuator& actuator, const FreedomNames& names, FlowMap& map) {
  if (actuator.transmission.empty()) {
    map.text("joint", actuator.joint);
    names.add_freedom(actuator.joint, actuator.freedom, map);
    map.number_unless("gear", actuator.gear, 1);
    return;
  }
  FlowMap terms(map.thing() + ": transmission");
  for (const GearTerm& term : actuator.transmission)
    terms.add_named(names.term(term, map.thing()), yaml_number(term.ratio, terms.thing()));
  map.add("transmission", terms.inlined());
}

std::string to_item(const Actuator& actuator, const FreedomNames& names) {
  FlowMap map("actuator " + in_quotes(actuator.name));
  map.text("name", actuator.name);
  add_target(actuator, names, map);
  if (actuator.elastic) {
    FlowMap elastic(map.thing() + ": elastic");
    elastic.number("stiffness", actuator.elastic->stiffness);
    elastic.number_unless("damping", actuator.elastic->damping, 0);
    map.add("elastic", elastic.inlined());
  }
  if (actuator.motor) map.add("motor", to_text(*actuator.motor, map.thing()));
  return map.item();
}

/// [from, to], or [from] alone where the other end is the reference.
std::string to_text(const NetworkWire& wire, bool electrical) {
  const std::string_view reference = electrical ? ground_name : housing_name;
  std::vector<std::string> ends{wire.from.empty() ? std::string(reference) : wire.from};
  if (!wire.to.empty()) ends.push_back(wire.to);
  return yaml_names(ends);
}

std::string to_item(const NetworkComponent& component) {
  FlowMap map("component " + in_quotes(component.name));
  const NetworkWords& words = words_of(component.kind);
  const bool is_transformer = component.kind == NetworkComponent::Kind::transformer;
  map.text("name", component.name);
  map.add("type", std::string(words.name));
  if (is_transformer) {
    map.numbers("ratios", component.ratios);
    map.add("domain", component.electrical ? "electrical" : "shaft");
  } else {
    map.number(words.value_key, component.value);
  }
  if (component.initial) map.number(words.initial_key, *component.initial);
  std::vector<std::string> wires;
  FlowMap ports(map.thing() + ": wires");
  for (std::size_t port = 0; port < component.wires.size(); ++port) {
    wires.push_back(to_text(component.wires[port], linkwright::is_electrical(component, port)));
    if (!words.ports.empty()) ports.add(words.ports[port], wires.back());
  }
  if (is_transformer)
    map.add("wires", yaml_list(wires));
  else
    map.add("wires", words.ports.empty() ? wires.front() : ports.inlined());
  return "  " + map.item();
}

template <class Entries>
void add_entries(std::string_view key, const Entries& entries, FlowMap& map) {
  FlowMap values(fmt::format("initial {}", key));
  for (const InitialState::Entry& entry : entries) {
    FlowMap numbers(fmt::format("initial {} of joint {}", key, in_quotes(entry.joint)));
    if (entry.values.size() == 1)
      values.add_named(entry.joint, yaml_number(entry.values.front(), numbers.thing()));
    else {
      std::vector<std::string> list;
      for (const double x : entry.values) list.push_back(yaml_number(x, numbers.thing()));
      values.add_named(entry.joint, yaml_list(list));
    }
  }
  if (!values.is_empty()) map.add(key, values.inlined());
}

void add_motor_entries(std::string_view key, const std::vector<InitialState::MotorEntry>& entries,
                       FlowMap& map) {
  FlowMap values(fmt::format("initial {}", key));
  for (const InitialState::MotorEntry& entry : entries)
    values.add_named(entry.motor, yaml_number(entry.value, values.thing()));
  if (!values.is_empty()) map.add(key, values.inlined());
}

/// A shaft that no actuator stands for (a tendon of MJCF): what sits on it as a motor on those joints, which
/// nobody need drive.
Actuator to_actuator(const Closure& shaft) {
  Actuator actuator{.name = shaft.name, .transmission = shaft.terms};
  actuator.motor = Actuator::Motor{.rotor_inertia = per_freedom(shaft.rotor_inertia, 0, 0.0),
                                   .damping = per_freedom(shaft.damping, 0, 0.0),
                                   .friction = per_freedom(shaft.friction, 0, Friction{})};
  return actuator;
}

}  // namespace

bool is_lone_shaft(const Model& model, const Closure& closure) {
  return closure.kind == Closure::Kind::shaft &&
         std::none_of(model.actuators.begin(), model.actuators.end(),
                      [&](const Actuator& actuator) { return actuator.name == closure.name; });
}

std::string write_closures(const Model& model) {
  std::string items;
  for (const Closure& closure : model.closures) {
    if (closure.kind == Closure::Kind::shaft) continue;  // an actuator says it
    FlowMap map("closure " + in_quotes(closure.name));
    map.text("name", closure.name);
    if (closure.kind == Closure::Kind::joint)
      add_pair(closure, map);
    else
      add_relation(closure, map);
    items += map.item();
  }
  return section("closures", items);
}

std::string write_grasps(const Model& model) {
  std::string items;
  for (const Grasp& grasp : model.grasps) items += to_item(grasp);
  return section("grasps", items);
}

std::string write_springs(const Model& model) {
  const FreedomNames names(model);
  std::string items;
  for (const LineSpring& spring : model.line_springs) items += to_item(spring);
  for (const JointSpring& spring : model.joint_springs) items += to_item(spring, names);
  return section("springs", items);
}

std::string write_loads(const Model& model) {
  const FreedomNames names(model);
  std::string items;
  for (const JointLoad& load : model.joint_loads) items += to_item(load, names);
  for (const BodyLoad& load : model.body_loads) items += to_item(load);
  return section("loads", items);
}

std::string write_actuators(const Model& model) {
  const FreedomNames names(model);
  std::string items;
  for (const Actuator& actuator : model.actuators) items += to_item(actuator, names);
  for (const Closure& closure : model.closures)
    if (is_lone_shaft(model, closure)) items += to_item(to_actuator(closure), names);
  return section("actuators", items);
}

std::string write_network(const Model& model) {
  if (model.network.components.empty()) return {};
  std::string text = "network:\n";
  if (model.network.is_reflected) text += "  reflected: true\n";
  text += "  components:\n";
  for (const NetworkComponent& component : model.network.components) text += to_item(component);
  return text;
}

std::string write_state(const Model& model) {
  const InitialState& initial = model.initial;
  FlowMap map("state");
  add_entries("q", initial.q, map);
  add_entries("v", initial.v, map);
  if (!initial.hold.empty()) map.add("hold", yaml_names(initial.hold));
  add_motor_entries("current", initial.current, map);
  add_motor_entries("shaft_angle", initial.shaft_angle, map);
  add_motor_entries("shaft_speed", initial.shaft_speed, map);
  return map.is_empty() ? std::string{} : fmt::format("state: {}\n", map.inlined());
}

}  // namespace linkwright::writers
