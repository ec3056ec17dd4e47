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

void read_component(const Yaml& item, Model& model) {
  item.allow_keys(Section::network_component);
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
  model.network.components.push_back(std::move(component));
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
  read_each(*network, "components", problems,
            [&](const Yaml& item) { read_component(item.called_by_name("component"), model); });
}

}  // namespace linkwright::system_file
