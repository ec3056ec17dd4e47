#include "shell/state/closed_start.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/gaps.hpp"

namespace linkwright::app {

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::size_t first = text.find_first_not_of(' ', start);
    if (first < end)
      parts.push_back(text.substr(first, text.find_last_not_of(' ', end - 1) - first + 1));
    start = end + 1;
  }
  return parts;
}

std::vector<std::string> joints_given(const System& system,
                                      const std::optional<std::string>& text) {
  std::vector<std::string> names;
  if (!text) return names;
  const bool all = !names_entries(*text);
  for (const JointPlace& joint : system.joints()) {
    if (joint.nv == 0) continue;
    const auto named = [&](const std::string& part) {
      const std::string name = part.substr(0, part.find('='));
      return name == joint.name || name.starts_with(joint.name + ":");
    };
    const std::vector<std::string> parts = split_names(*text);
    if (all || std::any_of(parts.begin(), parts.end(), named)) names.push_back(joint.name);
  }
  return names;
}

void keep_closed(ClosedWorkspace& work, const ClosedStart& start, State& state) {
  const System& system = work.system();
  if (system.closures().empty()) return;
  if (start.assemble) {
    const Assembly result = assemble(work, {.hold = start.given_q}, state.q);
    // What is given may be written with fewer digits than assembly asks for; what is left is judged below.
    if (!result.assembled && (result.residual > 1e-8 || !result.beyond_limits.empty()))
      throw Error(
          fmt::format("the mechanism cannot be closed with the joints given where they are: {}",
                      result.beyond_limits.empty() ? describe_gaps(work, state.q)
                                                   : describe(system, result)),
          Error::Kind::failed_computation);
    project_velocity(work, state.q, start.given_v, state.v);
  }
  try {
    require_closed(work, state);
  } catch (const Error& e) {
    throw Error(fmt::format("{}. Add --assemble to move what is not given", e.what()), e.kind());
  }
}

}  // namespace linkwright::app
