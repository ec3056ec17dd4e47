#include "linearize/network_rows.hpp"

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

/// A source and a state as a recording calls them.
std::string recorded_source(const Quantity& source) { return "input:" + source.name; }
std::string recorded_state(const Quantity& state) { return "extra:" + state.name; }

}  // namespace

std::vector<std::string> columns_of(const network::Circuit* circuit) {
  std::vector<std::string> columns;
  if (circuit == nullptr) return columns;
  for (const Quantity& state : circuit->states()) {
    columns.push_back(state.name);
    columns.push_back(recorded_state(state));
  }
  for (const Quantity& source : circuit->sources()) {
    columns.push_back(source.name);
    columns.push_back(recorded_source(source));
  }
  return columns;
}

void take_network(const network::Circuit& circuit, ClosedWorkspace& work, const Input& input,
                  network::NetworkPoint& point) {
  const auto told = [&](const std::string& name, double& value) {
    const auto found = input.motors.find(name);
    if (found != input.motors.end()) value = found->second;
    return found != input.motors.end();
  };
  for (std::size_t i = 0; i < circuit.sources().size(); ++i)
    if (!told(circuit.sources()[i].name, point.sources[i]))
      told(recorded_source(circuit.sources()[i]), point.sources[i]);
  std::size_t count = 0;
  for (const Quantity& state : circuit.states())
    count +=
        input.motors.contains(state.name) || input.motors.contains(recorded_state(state)) ? 1 : 0;
  if (count == 0) return;
  if (count < circuit.states().size()) point.states = network::start_states(work, circuit, point);
  point.states.resize(circuit.states().size());
  for (std::size_t i = 0; i < circuit.states().size(); ++i)
    if (!told(recorded_state(circuit.states()[i]), point.states[i]))
      told(circuit.states()[i].name, point.states[i]);
}

void check_network_columns(const std::string& file, const network::Circuit& circuit,
                           std::vector<std::string>& titles) {
  std::vector<std::string> missing;
  const auto has = [&](const std::string& name) { return std::erase(titles, name) > 0; };
  for (const Quantity& source : circuit.sources()) {
    const bool plain = has(source.name), recorded = has(recorded_source(source));
    if (plain && recorded)
      throw Error(fmt::format("{} has columns {} and {}, which give the same; remove one", file,
                              in_quotes(source.name), in_quotes(recorded_source(source))));
    if (!plain && !recorded) missing.push_back(source.name);
  }
  for (const Quantity& state : circuit.states()) {
    const bool plain = has(state.name), recorded = has(recorded_state(state));
    if (!plain && !recorded) missing.push_back(state.name);
  }
  if (!missing.empty())
    report_note(
        fmt::format("{}: no column for {}; sources give what the file says, states are those "
                    "with which a run would begin",
                    file, list_in_quotes(missing)));
}

}  // namespace linkwright::app
