#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "io/system_file/section_readers.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/model/network_words.hpp"

namespace linkwright::system_file {
namespace {

using ComponentKind = NetworkComponent::Kind;

const NetworkWords& read_component_type(const Yaml& item) {
  const Yaml type = item.at("type");
  std::vector<std::string> known;
  for (const NetworkWords& words : network_vocabulary()) {
    if (words.name == type.text()) return words;
    known.emplace_back(words.name);
  }
  type.fail(fmt::format("{} is no component{}; expected one of {}", in_quotes(type.text()),
                        did_you_mean(type.text(), known), fmt::join(known, ", ")));
}

/// Keys of other types have no meaning here.
void check_keys(const Yaml& item, const NetworkWords& words) {
  std::vector<std::string_view> own{"name", "type", "wires"};
  if (words.kind == ComponentKind::transformer)
    own.insert(own.end(), {"ratios", "domain"});
  else
    own.push_back(words.value_key);
  if (!words.initial_key.empty()) own.push_back(words.initial_key);
  for (const auto& [key, value] : item.entries())
    if (std::find(own.begin(), own.end(), key) == own.end())
      value.fail(fmt::format("does not belong to a {}, which has {}", words.name,
                             fmt::join(own.begin() + 1, own.end(), ", ")));
}

/// [from, to] or [from]; the other end is then the reference.
NetworkWire read_ends(const Yaml& value) {
  if (value.is_scalar()) return {value.text(), ""};
  const std::vector<Yaml> ends = value.is_list() ? value.items() : std::vector<Yaml>{};
  if (ends.empty() || ends.size() > 2)
    value.fail("expected the nodes at both ends of a port, as [plus, ground], or the first alone");
  return {ends[0].text(), ends.size() == 2 ? ends[1].text() : std::string{}};
}

/// One port: its ends; several with names: {electrical: [a, b], shaft: [c]}; a transformer: a list of ends.
std::vector<NetworkWire> read_wires(const Yaml& item, const NetworkWords& words) {
  const Yaml wires = item.at("wires");
  std::vector<NetworkWire> all;
  if (words.kind == ComponentKind::transformer) {
    if (!wires.is_list())
      wires.fail("expected a list with the ends of every port, as [[a], [b, c]]");
    for (const Yaml& port : wires.items()) all.push_back(read_ends(port));
    return all;
  }
  if (words.ports.empty()) return {read_ends(wires)};
  if (!wires.is_map())
    wires.fail(fmt::format("expected its ports with their ends, as {{{}: [a, b], {}: [c]}}",
                           words.ports[0], words.ports[1]));
  for (const auto& [key, value] : wires.entries())
    if (std::find(words.ports.begin(), words.ports.end(), key) == words.ports.end())
      value.fail(fmt::format("is no port of a {}; its ports are {}", words.name,
                             fmt::join(words.ports, ", ")));
  for (const std::string_view port : words.ports) all.push_back(read_ends(wires.at(port)));
  return all;
}

NetworkComponent read_component(const Yaml& item) {
  const NetworkWords& words = read_component_type(item);
  check_keys(item, words);
  NetworkComponent component{.name = item.at("name").text(), .kind = words.kind};
  component.source = item.source();
  if (words.kind == ComponentKind::transformer) {
    component.ratios = item.at("ratios").numbers();
    const std::string domain = item.text_or("domain", "shaft");
    if (domain != "shaft" && domain != "electrical")
      item.at("domain").fail(
          fmt::format("{} is unknown; expected shaft or electrical", in_quotes(domain)));
    component.electrical = domain == "electrical";
  } else {
    component.value = is_source(words.kind) ? item.number_or(words.value_key, 0)
                                            : item.at(words.value_key).number();
  }
  if (!words.initial_key.empty() && item.has(words.initial_key))
    component.initial = item.at(words.initial_key).number();
  component.wires = read_wires(item, words);
  return component;
}

/// Components that a file writes once and uses several times, wired to the rest at their ports.
struct NetworkPart {
  std::string name;
  std::vector<std::string> ports{};  ///< nodes of its components
  std::vector<NetworkComponent> components{};
  Yaml where;
  bool used = false;
};
using NetworkParts = std::vector<NetworkPart>;

NetworkPart& find_part(const Yaml& name, NetworkParts& parts) {
  std::vector<std::string> known;
  for (NetworkPart& part : parts) {
    if (part.name == name.text()) return part;
    known.push_back(part.name);
  }
  name.fail(fmt::format("there is no part {}{}; {}", in_quotes(name.text()),
                        did_you_mean(name.text(), known),
                        known.empty() ? "`parts` of the network would declare it"
                                      : "declared before it are " + list_in_quotes(known)));
}

/// Where the ports of a part are wired to, in their order: {plus: bus, shaft: "joint:elbow"}.
std::vector<std::string> read_part_wires(const Yaml& item, const NetworkPart& part) {
  const Yaml wires = item.at("wires");
  if (!wires.is_map())
    wires.fail(fmt::format("expected the ports of part {} with their nodes, as {{{}: a}}",
                           in_quotes(part.name), part.ports.front()));
  for (const auto& [key, value] : wires.entries())
    if (std::find(part.ports.begin(), part.ports.end(), key) == part.ports.end())
      value.fail(fmt::format("is no port of part {}{}; its ports are {}", in_quotes(part.name),
                             did_you_mean(key, part.ports), fmt::join(part.ports, ", ")));
  std::vector<std::string> nodes;
  for (const std::string& port : part.ports) nodes.push_back(wires.at(port).text());
  return nodes;
}

/// The node of a part's component where the part is used as `name`.
std::string outer_node(const std::string& node, const std::string& name, const NetworkPart& part,
                       const std::vector<std::string>& nodes) {
  const auto port = std::find(part.ports.begin(), part.ports.end(), node);
  if (port != part.ports.end()) return nodes[static_cast<std::size_t>(port - part.ports.begin())];
  const bool stays = node.empty() || node == ground_name || node == housing_name ||
                     node.starts_with(joint_port_prefix);
  return stays ? node : name + ":" + node;
}

void add_part(const Yaml& item, NetworkParts& parts, std::vector<NetworkComponent>& out) {
  for (const auto& [key, value] : item.entries())
    if (key != "name" && key != "part" && key != "wires")
      value.fail("does not belong to a part in use, which has name, part, wires");
  NetworkPart& part = find_part(item.at("part"), parts);
  part.used = true;
  const std::string name = item.at("name").text();
  if (name + ":" == joint_port_prefix)
    item.at("name").fail(
        "would make nodes \"joint:…\", which are shafts of joints; name it otherwise");
  const std::vector<std::string> nodes = read_part_wires(item, part);
  for (NetworkComponent component : part.components) {
    component.name = name + ":" + component.name;
    for (NetworkWire& wire : component.wires)
      for (std::string* end : {&wire.from, &wire.to}) *end = outer_node(*end, name, part, nodes);
    out.push_back(std::move(component));
  }
}

void add_component(const Yaml& item, NetworkParts& parts, std::vector<NetworkComponent>& out) {
  item.allow_keys(Section::network_component);
  if (!item.has("part")) return out.push_back(read_component(item));
  if (item.has("type"))
    item.at("type").fail("stands beside `part`; a component is of a type, or a part in use");
  add_part(item, parts, out);
}

/// Parts may use those declared before them.
void read_part(const Yaml& item, NetworkParts& parts) {
  item.allow_keys(Section::network_part);
  NetworkPart part{.name = item.at("name").text(), .where = item};
  for (const NetworkPart& other : parts)
    if (other.name == part.name)
      item.at("name").fail(fmt::format("part {} is declared twice", in_quotes(part.name)));
  for (const Yaml& component : item.list("components"))
    add_component(component.called_by_name("component"), parts, part.components);
  for (const Yaml& port : item.at("ports").items()) {
    part.ports.push_back(port.text());
    const auto wired = [&](const NetworkComponent& c) {
      return std::any_of(c.wires.begin(), c.wires.end(), [&](const NetworkWire& wire) {
        return wire.from == port.text() || wire.to == port.text();
      });
    };
    if (std::none_of(part.components.begin(), part.components.end(), wired))
      port.fail(fmt::format("no component of part {} is wired to its port {}", in_quotes(part.name),
                            in_quotes(port.text())));
    if (std::count(part.ports.begin(), part.ports.end(), port.text()) > 1)
      port.fail(fmt::format("port {} stands twice", in_quotes(port.text())));
  }
  if (part.ports.empty()) item.at("ports").fail("a part has one port at least");
  parts.push_back(std::move(part));
}

}  // namespace

void read_network(const Yaml& file, Model& model, Problems& problems) {
  const auto network = file.find("network");
  if (!network) return;
  model.network.source = network->source();
  if (!problems.attempt([&] { network->allow_keys(Section::network); })) return;
  problems.attempt([&] {
    if (const auto reflected = network->find("reflected"))
      model.network.is_reflected = reflected->truth();
  });
  NetworkParts parts;
  read_each(*network, "parts", problems,
            [&](const Yaml& item) { read_part(item.called_by_name("part"), parts); });
  read_each(*network, "components", problems, [&](const Yaml& item) {
    add_component(item.called_by_name("component"), parts, model.network.components);
  });
  for (const NetworkPart& part : parts)
    problems.attempt([&] {
      if (!part.used) part.where.fail("is used by no component; use it, or take it out");
    });
}

}  // namespace linkwright::system_file
