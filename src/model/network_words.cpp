#include "linkwright/model/network_words.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

using Kind = NetworkComponent::Kind;
using Range = NetworkWords::Range;

std::string thing_of(const NetworkComponent& component) {
  return fmt::format("network: {} {}", words_of(component.kind).name, in_quotes(component.name));
}

[[noreturn]] void refuse(const NetworkComponent& component, const std::string& message) {
  throw Error(component.source, fmt::format("{}: {}", thing_of(component), message));
}

void check_value(const NetworkComponent& component) {
  const NetworkWords& words = words_of(component.kind);
  const auto judge = [&](std::string_view key, double value, Range range) {
    const bool right = std::isfinite(value) && (range != Range::positive || value > 0) &&
                       (range != Range::not_zero || value != 0);
    if (right) return;
    refuse(component, fmt::format("{} is {}{}; expected {}", key, value,
                                  words.unit.empty() ? "" : fmt::format(" ({})", words.unit),
                                  range == Range::positive   ? "more than zero"
                                  : range == Range::not_zero ? "a finite number other than zero"
                                                             : "a finite number"));
  };
  if (component.kind == Kind::transformer)
    for (const double ratio : component.ratios) judge("a ratio", ratio, Range::not_zero);
  else
    judge(words.value_key, component.value, words.range);
  if (!component.initial) return;
  if (words.initial_key.empty()) refuse(component, "it stores nothing that a run could begin with");
  judge(words.initial_key, *component.initial, Range::any);
}

void check_wires(const NetworkComponent& component) {
  const NetworkWords& words = words_of(component.kind);
  const std::size_t ports = component.kind == Kind::transformer
                                ? component.ratios.size()
                                : std::max<std::size_t>(words.ports.size(), 1);
  if (component.kind == Kind::transformer && ports < 2)
    refuse(component, fmt::format("it has {} ratios; expected one per port, two or more", ports));
  if (component.wires.size() != ports)
    refuse(component,
           fmt::format("{} of its ports are wired; it has {}", component.wires.size(), ports));
  for (std::size_t i = 0; i < ports; ++i) {
    const NetworkWire& wire = component.wires[i];
    const bool electrical = is_electrical(component, i);
    const std::string_view own = electrical ? ground_name : housing_name,
                           other = electrical ? housing_name : ground_name;
    const auto end = [&](const std::string& name) { return name.empty() ? own : name; };
    const std::string which = port_name(component, i).empty()
                                  ? ""
                                  : fmt::format("port {}: ", in_quotes(port_name(component, i)));
    if (end(wire.from) == end(wire.to))
      refuse(component, fmt::format("{}both ends are wired to {}; expected two nodes", which,
                                    in_quotes(end(wire.from))));
    for (const std::string& node : {wire.from, wire.to})
      if (node == other || (electrical && node.starts_with(joint_port_prefix)))
        refuse(component,
               fmt::format(
                   "{}{} is a node of {}, and this port belongs to {}: domains are not mixed; a "
                   "motor stands between them",
                   which, in_quotes(node), electrical ? "shafts" : "circuits",
                   electrical ? "circuits" : "shafts"));
  }
}

/// Joints by name with their freedoms, closures that are pairs included.
std::vector<std::pair<std::string, int>> shafts_of(const Model& model) {
  std::vector<std::pair<std::string, int>> all;
  for (const Joint& joint : model.joints) all.emplace_back(joint.name, velocity_count(joint));
  for (const Closure& closure : model.closures)
    all.emplace_back(closure.name, velocity_count(to_joint(closure)));
  return all;
}

/// Writes the freedom that a node "joint:…" means; answers with what is wrong, or nothing.
std::string find_port(const Model& model, std::string_view node, JointPort& port) {
  const std::string name(node.substr(joint_port_prefix.size()));
  const auto shafts = shafts_of(model);
  const auto freedoms = [&shafts](const std::string& wanted) {
    const auto found = std::find_if(shafts.begin(), shafts.end(),
                                    [&](const auto& shaft) { return shaft.first == wanted; });
    return found == shafts.end() ? -1 : found->second;
  };
  if (const int count = freedoms(name); count >= 0) {
    port = {name, 0, std::string(node)};
    if (count == 0)
      return fmt::format("joint {} has no freedom that a shaft could turn", in_quotes(name));
    if (count > 1)
      return fmt::format("joint {} has {} freedoms; say which with {}:0 … {}:{}", in_quotes(name),
                         count, node, node, count - 1);
    return {};
  }
  const std::size_t colon = name.rfind(':');
  const std::string number = colon == std::string::npos ? std::string{} : name.substr(colon + 1);
  const bool split = !number.empty() && number.size() <= 2 &&
                     number.find_first_not_of("0123456789") == std::string::npos;
  port = {split ? name.substr(0, colon) : name, split ? std::stoi(number) : 0, std::string(node)};
  const int count = freedoms(port.joint);
  if (count < 0) {
    std::vector<std::string> known;
    for (const auto& [joint, number_of] : shafts)
      if (number_of > 0) known.push_back(joint);
    return fmt::format("there is no joint {}{}", in_quotes(port.joint),
                       did_you_mean(port.joint, known));
  }
  if (port.freedom >= count)
    return fmt::format("joint {} has {} freedom{}, the first is 0; {} is none of them",
                       in_quotes(port.joint), count, count == 1 ? "" : "s", port.freedom);
  if (count == 1) port.node = std::string(joint_port_prefix) + port.joint;
  return {};
}

}  // namespace

std::span<const NetworkWords> network_vocabulary() {
  static const std::vector<NetworkWords> words{
      {Kind::resistor, "resistor", "resistance", "ohm", "", Range::positive, true, {}},
      {Kind::inductor, "inductor", "inductance", "H", "current", Range::positive, true, {}},
      {Kind::capacitor, "capacitor", "capacitance", "F", "voltage", Range::positive, true, {}},
      {Kind::voltage_source, "voltage_source", "voltage", "V", "", Range::any, true, {}},
      {Kind::current_source, "current_source", "current", "A", "", Range::any, true, {}},
      {Kind::inertia, "inertia", "inertia", "kg*m^2", "speed", Range::positive, false, {}},
      {Kind::damper, "damper", "damping", "N*m*s/rad", "", Range::positive, false, {}},
      {Kind::spring, "spring", "stiffness", "N*m/rad", "twist", Range::positive, false, {}},
      {Kind::speed_source, "speed_source", "speed", "rad/s", "", Range::any, false, {}},
      {Kind::torque_source, "torque_source", "torque", "N*m", "", Range::any, false, {}},
      {Kind::motor, "motor", "k", "N*m/A", "", Range::not_zero, false, {"electrical", "shaft"}},
      {Kind::gear, "gear", "ratio", "", "", Range::not_zero, false, {"driving", "driven"}},
      {Kind::transformer, "transformer", "", "", "", Range::not_zero, false, {}}};
  return words;
}

const NetworkWords& words_of(Kind kind) {
  return network_vocabulary()[static_cast<std::size_t>(kind)];
}

bool is_source(Kind kind) {
  return kind == Kind::voltage_source || kind == Kind::current_source ||
         kind == Kind::speed_source || kind == Kind::torque_source;
}

bool is_electrical(const NetworkComponent& component, std::size_t port) {
  if (component.kind == Kind::transformer) return component.electrical;
  return component.kind == Kind::motor ? port == 0 : words_of(component.kind).is_electrical;
}

std::string port_name(const NetworkComponent& component, std::size_t port) {
  if (component.kind == Kind::transformer) return std::to_string(port + 1);
  const auto& ports = words_of(component.kind).ports;
  return ports.empty() ? std::string{} : std::string(ports.at(port));
}

void check_component(const NetworkComponent& component) {
  if (component.name.empty())
    throw Error(component.source, fmt::format("network: a {} has no name; give it one",
                                              words_of(component.kind).name));
  check_value(component);
  check_wires(component);
}

std::optional<JointPort> to_joint_port(const Model& model, std::string_view node,
                                       const Source& source, const std::string& thing) {
  if (!node.starts_with(joint_port_prefix)) return std::nullopt;
  JointPort port;
  const std::string mistake = find_port(model, node, port);
  if (!mistake.empty()) throw Error(source, fmt::format("{}: {}", thing, mistake));
  return port;
}

std::vector<JointPort> used_joints(const Model& model) {
  std::vector<JointPort> used;
  const auto seen = [&](const JointPort& port) {
    return std::any_of(used.begin(), used.end(),
                       [&](const JointPort& other) { return other.node == port.node; });
  };
  JointPort port;
  for (const NetworkComponent& component : model.network.components)
    for (const NetworkWire& wire : component.wires)
      for (const std::string& node : {wire.from, wire.to})
        if (node.starts_with(joint_port_prefix) && find_port(model, node, port).empty() &&
            !seen(port))
          used.push_back(port);
  return used;
}

}  // namespace linkwright
