#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "linkwright/model/names.hpp"
#include "linkwright/model/network_words.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {
namespace {

std::string thing_of(const NetworkComponent& component) {
  return fmt::format("network: {} {}", words_of(component.kind).name, in_quotes(component.name));
}

/// Shafts of joints that are there, and have a motor's place.
void check_joints_of(const Model& model, const Names& names, const NetworkComponent& component) {
  const std::string thing = thing_of(component);
  for (const NetworkWire& wire : component.wires)
    for (const std::string& node : {wire.from, wire.to}) {
      const auto port = to_joint_port(model, node, component.source, thing);
      if (!port) continue;
      const Joint joint = require_moving_pair(component.source, thing, port->joint, model, names);
      if (per_freedom(joint.passive, port->freedom, false))
        throw Error(component.source,
                    fmt::format("{} is wired to freedom {} of joint {}, which is passive: nothing "
                                "drives it. Remove the joint's `passive` mark",
                                thing, port->freedom, in_quotes(joint.name)));
    }
}

/// Both would be driven by the input voltage:NAME.
void check_motors(const Model& model, const NetworkComponent& component) {
  if (component.kind != NetworkComponent::Kind::voltage_source) return;
  for (const Actuator& actuator : model.actuators)
    if (actuator.motor && actuator.name == component.name)
      throw Error(component.source,
                  fmt::format("{} has the name of a motor of `actuators`; give one of them another",
                              thing_of(component)));
}

/// A node belongs to circuits or to shafts, as the first component says that is wired to it.
void check_domains(const Model& model, Problems& problems) {
  struct Use {
    bool electrical;
    const NetworkComponent* by;
  };
  std::unordered_map<std::string, Use> uses;
  for (const NetworkComponent& component : model.network.components)
    for (std::size_t i = 0; i < component.wires.size(); ++i)
      for (const std::string& node : {component.wires[i].from, component.wires[i].to}) {
        if (node.empty()) continue;
        const bool electrical = is_electrical(component, i);
        const auto [use, is_new] = uses.emplace(node, Use{electrical, &component});
        if (!is_new && use->second.electrical != electrical)
          problems.refuse(
              component.source,
              fmt::format("{} is wired to {} as {}, {} as {}: domains are not mixed; a motor "
                          "stands between them",
                          thing_of(component), in_quotes(node),
                          electrical ? "a circuit" : "a shaft", thing_of(*use->second.by),
                          electrical ? "a shaft" : "a circuit"));
      }
}

/// A node with one end of one component: no current, or torque, goes through it. As a rule a name misspelt.
void warn_of_loose_ends(const Model& model, Problems& problems) {
  struct Use {
    int ends = 0;
    bool electrical = false;
    const NetworkComponent* by = nullptr;
  };
  std::unordered_map<std::string, Use> uses;
  std::vector<std::string> nodes;
  for (const NetworkComponent& component : model.network.components)
    for (std::size_t i = 0; i < component.wires.size(); ++i)
      for (const std::string& node : {component.wires[i].from, component.wires[i].to}) {
        if (node.empty() || node == ground_name || node == housing_name ||
            node.starts_with(joint_port_prefix))
          continue;
        Use& use = uses[node];
        if (use.ends++ == 0) nodes.push_back(node);
        use.electrical = is_electrical(component, i), use.by = &component;
      }
  for (const std::string& node : nodes) {
    const Use& use = uses[node];
    if (use.ends > 1) continue;
    std::vector<std::string> others = nodes;
    std::erase(others, node);
    problems.warn(use.by->source,
                  fmt::format("{} is all that is wired to node {}: no {} passes there{}",
                              thing_of(*use.by), in_quotes(node),
                              use.electrical ? "current" : "torque", did_you_mean(node, others)),
                  "loose end of a network");
  }
}

}  // namespace

void check_network(const Model& model, const Names& names, Problems& problems) {
  std::unordered_map<std::string_view, int> seen;
  bool sound = true;
  for (const NetworkComponent& component : model.network.components) {
    sound = problems.attempt([&] {
      check_component(component);
      check_joints_of(model, names, component);
      check_motors(model, component);
      if (seen[component.name]++ > 0)
        throw Error(component.source,
                    fmt::format("{} is declared twice; give each component a name of its own",
                                thing_of(component)));
    }) && sound;
  }
  if (!sound) return;
  check_domains(model, problems);
  warn_of_loose_ends(model, problems);
}

}  // namespace linkwright::checks
