#include "network/shafts.hpp"

#include <fmt/format.h>

#include "linkwright/model/network_words.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

using Component = SystemGraph::Component;

/// A gear between joints: the names and freedoms of its leader and follower.
std::vector<GearTerm> terms_of(const System& system, const ClosurePlace& gear) {
  std::vector<GearTerm> terms;
  for (const TreeTerm& term : gear.terms) {
    const JointPlace& joint = system.joints()[at(term.joint)];
    terms.push_back({joint.name, term.v - joint.v, term.ratio});
  }
  return terms;
}

class ShaftBuilder {
 public:
  ShaftBuilder(const System& system, ShaftPorts& ports, GraphBuilder& add)
      : system_(system), ports_(ports), add_(add), housing_(add.reference(Domain::shaft)) {}

  /// The joint and its shafts: a multi-port. Its twist follows from the speeds of its shafts, or, of a joint with
  /// one freedom, its speed from the twist.
  void add_joints() {
    for (const SystemGraph::Joint& joint : add_.out().joints) {
      const auto found = ports_.freedoms.find(joint.name);
      if (found == ports_.freedoms.end()) continue;
      std::vector<int> edges{joint.edge};
      for (auto& [freedom, terminal] : found->second) {
        const std::string name = freedoms_of(joint) > 1
                                     ? fmt::format("{}:{}:shaft", joint.name, freedom)
                                     : joint.name + ":shaft";
        terminal = add_.node(name, Domain::shaft);
        edges.push_back(add_.edge(name, terminal, housing_, Component::joint_shaft));
      }
      add_.out().graph.add_group(joint.name, std::move(edges), 1);
    }
  }

  void add_gears() {
    for (const ClosurePlace& c : system_.closures())
      if (c.kind == PairKind::gear)
        add_.out().graph.add_group(c.name, ports_of(c.name, terms_of(system_, c)), 1);
  }

  void add_actuator(const Actuator& actuator) {
    const int shaft = add_transmission(actuator);
    if (!actuator.motor) {
      add_.edge(actuator.name + ":torque", shaft, housing_, Component::torque_source,
                Driver::through);
      return;
    }
    const Actuator::Motor& motor = *actuator.motor;
    if (motor.rotor_inertia > 0)
      add_.edge(actuator.name + ":rotor", shaft, housing_, Component::rotor);
    if (motor.damping > 0 || has_friction(motor.friction))
      add_.edge(actuator.name + ":bearing", shaft, housing_, Component::bearing);
    if (has_electrical_side(actuator))
      add_circuit(actuator, shaft);
    else
      add_.edge(actuator.name + ":torque", shaft, housing_, Component::torque_source,
                Driver::through);
  }

 private:
  [[nodiscard]] int freedoms_of(const SystemGraph::Joint& joint) const {
    return joint.kind == SystemGraph::Joint::Kind::joint
               ? system_.joints()[at(joint.index)].nv
               : system_.closures()[at(joint.index)].freedoms;
  }
  /// One edge per term, beside the joint's shaft.
  std::vector<int> ports_of(const std::string& name, const std::vector<GearTerm>& terms) {
    std::vector<int> edges;
    for (const GearTerm& term : terms)
      edges.push_back(add_.edge(name + ":gear:" + term.joint,
                                ports_.freedoms.find(term.joint)->second.at(term.freedom), housing_,
                                Component::gear));
    return edges;
  }
  /// The terminal of the motor's shaft, with what lies between it and the joints.
  int add_transmission(const Actuator& actuator) {
    const std::vector<GearTerm> terms = linkwright::terms_of(actuator);
    const bool direct = terms.size() == 1 && terms.front().ratio == 1;
    int end = 0;
    if (direct) {
      end = ports_.freedoms.find(terms.front().joint)->second.at(terms.front().freedom);
    } else {
      std::vector<int> edges = ports_of(actuator.name, terms);
      end = add_.node(actuator.name + (actuator.elastic ? ":gear" : ":shaft"), Domain::shaft);
      edges.push_back(add_.edge(actuator.name + ":gear", end, housing_, Component::gear));
      add_.out().graph.add_group(actuator.name + ":gear", std::move(edges), 1);
    }
    if (!actuator.elastic) return end;
    const int shaft = add_.node(actuator.name + ":shaft", Domain::shaft);
    add_.edge(actuator.name + ":elastic", shaft, end, Component::elastic_gear);
    return shaft;
  }
  /// Source, resistor, inductor and coil in series; the coil and the shaft are the motor.
  void add_circuit(const Actuator& actuator, int shaft) {
    const int ground = add_.reference(Domain::electrical);
    const auto wire = [&](const char* name) {
      return add_.node(actuator.name + name, Domain::electrical);
    };
    int last = wire(":supply");
    add_.edge(actuator.name + ":voltage", last, ground, Component::voltage_source, Driver::across);
    const auto in_series = [&](const char* name, const char* terminal, Component component) {
      const int next = wire(terminal);
      add_.edge(actuator.name + name, last, next, component);
      last = next;
    };
    in_series(":R", ":behind R", Component::resistor);
    if (actuator.motor->La > 0) in_series(":L", ":behind L", Component::inductor);
    const int coil = add_.edge(actuator.name + ":coil", last, ground, Component::motor_coil);
    const int turns = add_.edge(actuator.name + ":motor", shaft, housing_, Component::motor_shaft);
    add_.out().graph.add_group(actuator.name + ":motor", {coil, turns}, 1);
  }

  const System& system_;
  ShaftPorts& ports_;
  GraphBuilder& add_;
  int housing_;
};

}  // namespace

ShaftPorts find_shafts(const System& system) {
  ShaftPorts ports;
  const auto note = [&](const std::vector<GearTerm>& terms) {
    for (const GearTerm& term : terms) ports.freedoms[term.joint][term.freedom] = -1;
  };
  for (const Actuator& actuator : system.model().actuators) note(linkwright::terms_of(actuator));
  for (const ClosurePlace& c : system.closures())
    if (c.kind == PairKind::gear) note(terms_of(system, c));
  for (const JointPort& joint : used_joints(system.model()))
    ports.freedoms[joint.joint][joint.freedom] = -1;
  return ports;
}

void add_shafts(const System& system, ShaftPorts& ports, GraphBuilder& add) {
  if (ports.freedoms.empty()) return add_network(system, ports, add);
  ShaftBuilder builder(system, ports, add);
  builder.add_joints();
  builder.add_gears();
  for (const Actuator& actuator : system.model().actuators) builder.add_actuator(actuator);
  add_network(system, ports, add);
}

}  // namespace linkwright::network
