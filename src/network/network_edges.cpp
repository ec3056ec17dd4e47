#include <unordered_map>

#include "linkwright/model/network_words.hpp"
#include "linkwright/network/network.hpp"
#include "network/shafts.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

using Component = SystemGraph::Component;
using Kind = NetworkComponent::Kind;

Component component_of(Kind kind, Domain domain) {
  switch (kind) {
    case Kind::resistor:
      return Component::resistor;
    case Kind::inductor:
      return Component::inductor;
    case Kind::capacitor:
      return Component::capacitor;
    case Kind::voltage_source:
      return Component::voltage_source;
    case Kind::current_source:
      return Component::current_source;
    case Kind::inertia:
      return Component::rotor;
    case Kind::damper:
      return Component::bearing;
    case Kind::spring:
      return Component::elastic_gear;
    case Kind::speed_source:
      return Component::speed_source;
    case Kind::torque_source:
      return Component::torque_source;
    case Kind::motor:
      return domain == Domain::electrical ? Component::motor_coil : Component::motor_shaft;
    case Kind::gear:
    case Kind::transformer:
      break;
  }
  return Component::gear;
}

}  // namespace

void add_network(const System& system, const ShaftPorts& ports, GraphBuilder& add) {
  const Model& model = system.model();
  if (model.network.components.empty()) return;
  const Network network(model);
  const LinearGraph& wires = network.graph();
  std::vector<int> nodes(wires.nodes().size(), -1);
  const auto node_of = [&](int k) {
    int& found = nodes[at(k)];
    if (found >= 0) return found;
    const GraphNode& node = wires.nodes()[at(k)];
    if (node.is_reference) return found = add.reference(node.domain);
    if (const auto joint = to_joint_port(model, node.name, {}, "network"))
      return found = ports.freedoms.find(joint->joint)->second.at(joint->freedom);
    return found = add.node(node.name, node.domain);
  };
  std::unordered_map<int, int> edges;  // of the network: in the system graph
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const NetworkEdge& port = network.edges()[e];
    if (port.kind != NetworkEdge::Kind::component) continue;  // joints are there already
    const GraphEdge& edge = wires.edges()[e];
    edges[static_cast<int>(e)] =
        add.edge(edge.name, node_of(edge.from), node_of(edge.to),
                 component_of(network.components()[at(port.index)].kind, edge.domain), edge.driver);
  }
  for (const EdgeGroup& group : wires.groups()) {
    std::vector<int> members;
    for (const int e : group.edges) members.push_back(edges.at(e));
    add.out().graph.add_group(group.name, std::move(members), group.branches);
  }
}

}  // namespace linkwright::network
