#include "simulate/motors.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "shell/arguments.hpp"
#include "shell/output.hpp"

namespace linkwright::app {

std::vector<std::pair<std::string, double>> parse_named_numbers(std::string_view option,
                                                                const std::string& text) {
  std::vector<std::pair<std::string, double>> all;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string entry = text.substr(at, end - at);
    entry.erase(0, entry.find_first_not_of(' '));
    const std::size_t sign = entry.rfind('=');
    if (sign == std::string::npos || sign == 0)
      throw Error(fmt::format("{} {}: expected names and numbers, as {}", option, in_quotes(text),
                              option == "--voltage" ? "m1=24,m2=-12" : "motor:m1:current=2"));
    const std::string name = entry.substr(0, sign);
    for (const auto& [other, value] : all)
      if (other == name) throw Error(fmt::format("{}: {} is given twice", option, in_quotes(name)));
    all.emplace_back(name, parse_real(fmt::format("{} {}", option, name), entry.substr(sign + 1)));
    at = end + 1;
  }
  return all;
}

void set_named(std::string_view option, const std::string& text,
               const std::vector<linkwright::Quantity>& known, std::string_view prefix,
               Eigen::VectorXd& values) {
  std::vector<std::string> names;
  for (const linkwright::Quantity& quantity : known)
    if (quantity.name.starts_with(prefix)) names.push_back(quantity.name.substr(prefix.size()));
  for (const auto& [name, value] : parse_named_numbers(option, text)) {
    const std::string full = std::string(prefix) + name;
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const linkwright::Quantity& q) { return q.name == full; });
    if (found == known.end())
      throw Error(fmt::format("{}: there is no {}{}; there {}", option, in_quotes(name),
                              did_you_mean(name, names),
                              names.empty() ? "is none" : "are " + list_in_quotes(names)));
    values[found - known.begin()] = value;
  }
}

bool is_network_voltage(const System& system, std::string_view name) {
  const auto& components = system.model().network.components;
  return std::any_of(components.begin(), components.end(), [&](const NetworkComponent& component) {
    return component.kind == NetworkComponent::Kind::voltage_source && component.name == name;
  });
}

void note_open_terminals(const System& system, const std::vector<std::string>& voltages) {
  std::vector<std::string> open;
  for (const Actuator& actuator : system.model().actuators)
    if (has_electrical_side(actuator) &&
        std::find(voltages.begin(), voltages.end(), actuator.name) == voltages.end())
      open.push_back(actuator.name);
  if (!open.empty())
    report_note(fmt::format(
        "no voltage is given to motor{} {}: {} terminals are open, no current flows, and efforts "
        "act "
        "at the joints. --voltage NAME=VOLTS or a column voltage:NAME of --input drives {}",
        open.size() == 1 ? "" : "s", list_in_quotes(open), open.size() == 1 ? "its" : "their",
        open.size() == 1 ? "it" : "them"));
}

void warn_of_lost_currents(const System& system, const std::vector<std::string>& voltages) {
  for (const InitialState::MotorEntry& entry : system.model().initial.current)
    if (entry.value != 0 &&
        std::find(voltages.begin(), voltages.end(), entry.motor) == voltages.end())
      report_warning(
          fmt::format("{}: the current {:g} A of motor {} has no effect: no voltage drives it, and "
                      "open terminals "
                      "carry none. --voltage {}=0 shorts them",
                      entry.source.text(), entry.value, in_quotes(entry.motor), entry.motor));
}

}  // namespace linkwright::app
