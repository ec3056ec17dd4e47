#include "linkwright/network/network.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "linkwright/model/network_words.hpp"
#include "linkwright/network/circuit.hpp"

namespace linkwright::network {
namespace {

using Kind = NetworkComponent::Kind;

Driver driver_of(Kind kind) {
  if (kind == Kind::voltage_source || kind == Kind::speed_source) return Driver::across;
  if (kind == Kind::current_source || kind == Kind::torque_source) return Driver::through;
  return Driver::none;
}

/// "coil", or "motor:shaft" where there are several ports.
std::string edge_name(const std::string& component, const std::string& port) {
  return port.empty() ? component : component + ":" + port;
}

std::string thing_of(const NetworkComponent& component) {
  return fmt::format("network: {} {}", words_of(component.kind).name, in_quotes(component.name));
}

/// Wires of a model's component, every freedom of a joint under one name.
NetworkComponent with_joint_names(const Model& model, NetworkComponent component) {
  for (NetworkWire& wire : component.wires)
    for (std::string* node : {&wire.from, &wire.to})
      if (const auto port = to_joint_port(model, *node, component.source, thing_of(component)))
        *node = port->node;
  return component;
}

/// What to do about it where components are what one writes.
const char* advice_for(TreeConflict::Kind kind) {
  switch (kind) {
    case TreeConflict::Kind::across_loop:
      return "put a resistor, damper or spring in series with one of them, or take it out (a joint "
             "drives its shaft as a source of speed does)";
    case TreeConflict::Kind::through_cut_set:
      return "put a resistor or damper beside one of them, or take it out";
    case TreeConflict::Kind::multi_ports:
      return "wire their ports to other nodes, or put a resistor, damper or spring between them";
    case TreeConflict::Kind::floating:
      return "wire one of them to `ground` (circuits) or `housing` (shafts)";
  }
  return "";
}

}  // namespace

Network::Network(const Model& model) {
  for (const NetworkComponent& component : model.network.components)
    add(with_joint_names(model, component));
}

void Network::take_name(const std::string& name) {
  if (name.empty()) throw Error("network: a component has no name; give it one");
  if (std::find(names_.begin(), names_.end(), name) != names_.end())
    throw Error(fmt::format("network: there are two components {}; give each a name of its own",
                            in_quotes(name)));
  names_.push_back(name);
}

int Network::end(const std::string& name, Domain domain, const std::string& thing) {
  const std::string_view reference = domain == Domain::electrical ? ground_name : housing_name;
  const std::string_view other = domain == Domain::electrical ? housing_name : ground_name;
  if (name.empty() || name == reference) return graph_.reference(domain);
  const bool is_joint = name.starts_with(joint_port_prefix);
  const auto found = std::find_if(graph_.nodes().begin(), graph_.nodes().end(),
                                  [&](const GraphNode& node) { return node.name == name; });
  const bool mixed = name == other || (is_joint && domain != Domain::shaft) ||
                     (found != graph_.nodes().end() && found->domain != domain);
  if (mixed)
    throw Error(
        fmt::format("{}: its port is {} and node {} is not: domains are not mixed; a motor "
                    "stands between them",
                    thing, to_string(domain), in_quotes(name)));
  if (found != graph_.nodes().end()) return static_cast<int>(found - graph_.nodes().begin());
  const int node = graph_.add_node(name, domain);
  if (!is_joint) return node;
  edges_.push_back({NetworkEdge::Kind::joint, static_cast<int>(joints_.size()), 0, name, domain});
  joints_.push_back(name);
  graph_.add_edge(name, node, graph_.reference(domain), Driver::across);
  return node;
}

int Network::add_edge(NetworkEdge edge, const NetworkWire& wire, const std::string& thing,
                      Driver driver) {
  const int from = end(wire.from, edge.domain, thing), to = end(wire.to, edge.domain, thing);
  if (from == to)
    throw Error(fmt::format("{}: both ends of {} are wired to one node; expected two", thing,
                            in_quotes(edge.name)));
  const int index = graph_.add_edge(edge.name, from, to, driver);
  edges_.push_back(std::move(edge));
  return index;
}

void Network::add(NetworkComponent component) {
  check_component(component);
  take_name(component.name);
  const std::string thing = thing_of(component);
  std::vector<int> edges;
  try {
    for (std::size_t i = 0; i < component.wires.size(); ++i)
      edges.push_back(
          add_edge({NetworkEdge::Kind::component, static_cast<int>(components_.size()),
                    static_cast<int>(i), edge_name(component.name, port_name(component, i)),
                    is_electrical(component, i) ? Domain::electrical : Domain::shaft},
                   component.wires[i], thing, driver_of(component.kind)));
  } catch (const Error& e) {
    if (component.source.file.empty()) throw;
    throw Error(component.source, e.what());
  }
  // One across variable follows from the others; through variables follow from one.
  if (edges.size() > 1) graph_.add_group(component.name, std::move(edges), 1);
  components_.push_back(std::move(component));
  functions_.emplace_back();
}

std::vector<NetworkWire> Network::sort_wires(const std::string& thing,
                                             const std::vector<std::string>& ports,
                                             const std::vector<PortWire>& wires) {
  std::vector<NetworkWire> sorted(ports.size());
  std::vector<char> wired(ports.size(), 0);
  for (const PortWire& wire : wires) {
    const auto found = std::find(ports.begin(), ports.end(), wire.port);
    if (found == ports.end())
      throw Error(fmt::format("{} has no port {}{}; its ports are {}", thing, in_quotes(wire.port),
                              did_you_mean(wire.port, ports), list_in_quotes(ports)));
    const auto i = static_cast<std::size_t>(found - ports.begin());
    if (wired[i]++ != 0)
      throw Error(
          fmt::format("{}: port {} is connected twice; several components meet at a node, "
                      "not at a port",
                      thing, in_quotes(wire.port)));
    sorted[i] = {wire.from, wire.to};
  }
  for (std::size_t i = 0; i < ports.size(); ++i)
    if (wired[i] == 0)
      throw Error(fmt::format("{}: port {} is not connected", thing, in_quotes(ports[i])));
  return sorted;
}

void Network::add(OwnComponent component, const std::vector<PortWire>& wires) {
  take_name(component.name);
  const std::string thing = "network: component " + in_quotes(component.name);
  if (!component.compute) throw Error(thing + " has no function `compute`");
  if (!component.start.empty() && component.start.size() != component.states.size())
    throw Error(fmt::format("{} starts with {} numbers; it has {} states", thing,
                            component.start.size(), component.states.size()));
  std::vector<std::string> names;
  for (const OwnComponent::Port& port : component.ports) {
    if (dimension(port.domain) != 1)
      throw Error(fmt::format("{}: port {} is {}; expected shaft or electrical", thing,
                              in_quotes(port.name), to_string(port.domain)));
    names.push_back(port.name);
  }
  if (names.empty()) throw Error(thing + " has no ports");
  const std::vector<NetworkWire> sorted = sort_wires(thing, names, wires);
  for (std::size_t i = 0; i < names.size(); ++i)
    add_edge({NetworkEdge::Kind::own, static_cast<int>(own_.size()), static_cast<int>(i),
              edge_name(component.name, names.size() == 1 ? std::string{} : names[i]),
              component.ports[i].domain},
             sorted[i], thing);
  own_.push_back(std::move(component));
}

void Network::add(std::string name, std::shared_ptr<const Circuit> part,
                  const std::vector<PortWire>& wires) {
  take_name(name);
  const std::string thing = "network: part " + in_quotes(name);
  if (!part) throw Error(thing + " has no circuit");
  if (!part->network().joints().empty())
    throw Error(
        fmt::format("{} is wired to {} inside; give it an outside port and wire that to the "
                    "joint",
                    thing, in_quotes(part->network().joints().front())));
  if (!part->network().own_components().empty())
    throw Error(
        fmt::format("{} holds the component {}, whose equations need not be linear; wire "
                    "that outside of the part",
                    thing, in_quotes(part->network().own_components().front().name)));
  std::vector<std::string> names;
  for (const CircuitPort& port : part->ports()) names.push_back(port.name);
  if (names.empty()) throw Error(thing + " has no outside ports");
  const std::vector<NetworkWire> sorted = sort_wires(thing, names, wires);
  for (std::size_t i = 0; i < names.size(); ++i)
    add_edge(
        {NetworkEdge::Kind::part, static_cast<int>(parts_.size()), static_cast<int>(i),
         edge_name(name, names.size() == 1 ? std::string{} : names[i]), part->ports()[i].domain},
        sorted[i], thing);
  parts_.push_back({std::move(name), std::move(part)});
}

void Network::add_port(OutsidePort port) {
  const std::string thing = "network: outside port " + in_quotes(port.name);
  for (const OutsidePort& other : outside_)
    if (other.name == port.name)
      throw Error(thing + " is declared twice; give each port a name of its own");
  if (dimension(port.domain) != 1 || port.given == Driver::none)
    throw Error(thing +
                ": expected a shaft or electrical port whose across or through variable is given");
  add_edge({NetworkEdge::Kind::outside, static_cast<int>(outside_.size()), 0, "port:" + port.name,
            port.domain},
           port.wire, thing, port.given);
  outside_.push_back(std::move(port));
}

void Network::drive(std::string_view source, std::function<SourceValue(double t)> function) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < components_.size(); ++i) {
    if (driver_of(components_[i].kind) == Driver::none) continue;
    known.push_back(components_[i].name);
    if (components_[i].name != source) continue;
    functions_[i] = std::move(function);
    return;
  }
  throw Error(fmt::format("network: there is no source {}{}; there {}", in_quotes(source),
                          did_you_mean(source, known),
                          known.empty() ? "is none" : "are " + list_in_quotes(known)));
}

/// The place of the first component of a file that a conflict names.
Source Network::source_of(const TreeConflict& conflict) const {
  std::vector<int> edges = conflict.edges;
  for (const int g : conflict.groups) {
    const std::vector<int>& more = graph_.groups()[static_cast<std::size_t>(g)].edges;
    edges.insert(edges.end(), more.begin(), more.end());
  }
  for (std::size_t e = 0; e < edges_.size(); ++e)
    for (const int node : conflict.nodes)
      if (graph_.edges()[e].from == node || graph_.edges()[e].to == node)
        edges.push_back(static_cast<int>(e));
  for (const int e : edges) {
    const NetworkEdge& edge = edges_[static_cast<std::size_t>(e)];
    if (edge.kind != NetworkEdge::Kind::component) continue;
    const Source& source = components_[static_cast<std::size_t>(edge.index)].source;
    if (!source.file.empty()) return source;
  }
  return {};
}

FormulationTree Network::make_tree() const {
  // Across storage, then what dissipates; through storage is left to the co-tree.
  std::vector<int> preferred;
  const auto take = [&](const auto& wanted) {
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (wanted(edges_[e])) preferred.push_back(static_cast<int>(e));
  };
  const auto kind_is = [this](std::initializer_list<Kind> kinds) {
    return [this, kinds](const NetworkEdge& edge) {
      return edge.kind == NetworkEdge::Kind::component &&
             std::find(kinds.begin(), kinds.end(),
                       components_[static_cast<std::size_t>(edge.index)].kind) != kinds.end();
    };
  };
  const auto is_part = [](const NetworkEdge& edge) { return edge.kind == NetworkEdge::Kind::part; };
  const auto stores = [this](const NetworkEdge& edge) {
    if (edge.kind != NetworkEdge::Kind::part) return false;
    const Circuit& part = *parts_[static_cast<std::size_t>(edge.index)].circuit;
    return part.inertia()(edge.port, edge.port) != 0 &&
           part.ports()[static_cast<std::size_t>(edge.port)].given == Driver::across;
  };
  take(kind_is({Kind::capacitor, Kind::inertia}));
  take(stores);
  take(kind_is({Kind::resistor, Kind::damper}));
  take([&](const NetworkEdge& edge) { return is_part(edge) && !stores(edge); });
  take([](const NetworkEdge& edge) { return edge.kind == NetworkEdge::Kind::own; });
  std::vector<TreeConflict> conflicts;
  if (auto tree = find_formulation_tree(graph_, conflicts, preferred)) return *std::move(tree);
  std::vector<Mistake> mistakes;
  for (const TreeConflict& conflict : conflicts)
    mistakes.push_back({source_of(conflict),
                        fmt::format("network: {}: {}", conflict.what, advice_for(conflict.kind))});
  throw Error(std::move(mistakes), "");
}

}  // namespace linkwright::network
