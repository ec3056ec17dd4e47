#include "info/network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "linkwright/model/network_words.hpp"
#include "linkwright/network/circuit.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

std::string ends_of(const NetworkComponent& component, std::size_t port) {
  const NetworkWire& wire = component.wires[port];
  const std::string_view reference = is_electrical(component, port) ? ground_name : housing_name;
  const auto end = [&](const std::string& name) {
    return name.empty() ? std::string(reference) : printable(name);
  };
  return fmt::format("{} to {}", end(wire.from), end(wire.to));
}

std::string describe(const NetworkComponent& component) {
  const NetworkWords& words = words_of(component.kind);
  std::string text = fmt::format("{}: {}", printable(component.name), words.name);
  if (component.ratios.empty())
    text += fmt::format(", {} {:.6g}{}", words.value_key, component.value,
                        words.unit.empty() ? "" : " " + std::string(words.unit));
  else
    text += fmt::format(", ratios {:.6g}", fmt::join(component.ratios, ", "));
  if (component.initial)
    text += fmt::format(", {} {:.6g} at the start", words.initial_key, *component.initial);
  for (std::size_t i = 0; i < component.wires.size(); ++i) {
    const std::string port = port_name(component, i);
    text += fmt::format("; {}{}", port.empty() ? "" : port + " ", ends_of(component, i));
  }
  return text;
}

std::vector<std::string> names_of(const std::vector<linkwright::Quantity>& list) {
  std::vector<std::string> names;
  for (const linkwright::Quantity& quantity : list) names.push_back(quantity.name);
  return names;
}

}  // namespace

Json network_json(const Model& model) {
  if (model.network.components.empty()) return Json::object();
  const network::Circuit circuit{network::Network(model)};
  Json json{{"components", Json::array()},
            {"index", circuit.index()},
            {"states", names_of(circuit.states())},
            {"sources", names_of(circuit.sources())},
            {"dependent", Json::object()}};
  for (const NetworkComponent& component : model.network.components)
    json["components"].push_back(describe(component));
  for (const network::DependentStore& store : circuit.dependent())
    json["dependent"][store.component] = store.reason;
  return json;
}

std::string network_text(const Model& model) {
  if (model.network.components.empty()) return {};
  const network::Circuit circuit{network::Network(model)};
  std::string text = fmt::format("\n{}\n", bold("network"));
  for (const NetworkComponent& component : model.network.components)
    text += "  " + describe(component) + '\n';
  text += fmt::format("  index {}, {}", circuit.index(),
                      counted(circuit.states().size(), "state", "states"));
  if (!circuit.states().empty())
    text += fmt::format(": {}", fmt::join(names_of(circuit.states()), ", "));
  text += '\n';
  for (const network::DependentStore& store : circuit.dependent())
    text += fmt::format("  {} {}\n", printable(store.component), store.reason);
  return text;
}

}  // namespace linkwright::app
