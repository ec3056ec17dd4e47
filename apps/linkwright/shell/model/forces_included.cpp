#include "shell/model/forces_included.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwright/model/flexible_links.hpp"
#include "linkwright/model/names.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

bool resists(const std::vector<Reflected>& freedoms) {
  return std::any_of(freedoms.begin(), freedoms.end(), [](const Reflected& felt) {
    return felt.damping != 0 || has_friction(felt.friction);
  });
}
/// Of a shaft that several joints turn.
bool resists(const Actuator& actuator) {
  return is_coupled(actuator) && actuator.motor && !actuator.elastic &&
         (actuator.motor->damping != 0 || has_friction(actuator.motor->friction));
}

std::size_t count_resisting(const Model& model) {
  const auto reflected = to_reflected(model);
  const auto count = [](const auto& list) {
    return std::count_if(list.begin(), list.end(), [](const auto& one) { return resists(one); });
  };
  return static_cast<std::size_t>(count(reflected.joints) + count(reflected.closures) +
                                  count(model.actuators));
}

}  // namespace

void note_network(const Model& model) {
  if (model.network.components.empty()) return;
  report_note(fmt::format(
      "of the network's {}, only inertias that joints turn rigidly count here; all of it acts in "
      "`simulate` and `linearize`",
      counted(model.network.components.size(), "component", "components")));
}

void note_elastic_gears(const Model& model, std::string_view then) {
  std::vector<std::string> names;
  for (const Actuator& actuator : model.actuators)
    if (actuator.elastic && actuator.motor) names.push_back(actuator.name);
  if (names.empty()) return;
  report_note(fmt::format("the rotor{} of {} turn{} by {} behind {}: {}",
                          names.size() == 1 ? "" : "s", list_in_quotes(names),
                          names.size() == 1 ? "s" : "", names.size() == 1 ? "itself" : "themselves",
                          names.size() == 1 ? "an elastic gear" : "elastic gears", then));
}

void note_included_forces(const Model& model) {
  const std::size_t resisting = count_resisting(model);
  const std::vector<bool> of_beams = find_springs_of_beams(model);
  const auto beams = static_cast<std::size_t>(std::ranges::count(of_beams, true));
  const std::size_t springs = of_beams.size() - beams + model.line_springs.size();
  const std::size_t loads = model.joint_loads.size() + model.body_loads.size();
  std::vector<std::string> parts;
  if (resisting > 0)
    parts.push_back("joint damping/friction of " + counted(resisting, "joint", "joints"));
  if (springs > 0) parts.push_back(counted(springs, "spring", "springs"));
  if (loads > 0) parts.push_back(counted(loads, "load", "loads"));
  const std::size_t bases = model.flexible_bases.size();
  if (bases > 0) parts.push_back(counted(bases, "flexible base", "flexible bases"));
  if (parts.empty()) return;
  const bool one = parts.size() == 1 && (resisting > 0 || springs + loads + bases == 1);
  report_note(fmt::format("{} {} included; --rigid leaves {} out", fmt::join(parts, ", "),
                          one ? "is" : "are", one ? "it" : "them"));
}

}  // namespace linkwright::app
