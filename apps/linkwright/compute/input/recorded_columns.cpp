#include "compute/input/recorded_columns.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "linkwright/simulate/channels.hpp"

namespace linkwright::app {

std::unordered_set<std::string> recorded_columns(const System& system) {
  std::unordered_set<std::string> names;
  const Channels all(system, Channels::known(system));
  for (const Column& column : all.columns()) names.insert(column.name);
  return names;
}

bool begins_as_channel(const std::string& title) {
  constexpr std::array<std::string_view, 6> kinds{"frame", "velocity", "acceleration",
                                                  "force", "momentum", "com"};
  const std::size_t colon = title.find(':');
  return colon != std::string::npos &&
         std::find(kinds.begin(), kinds.end(), std::string_view(title).substr(0, colon)) !=
             kinds.end();
}

}  // namespace linkwright::app
