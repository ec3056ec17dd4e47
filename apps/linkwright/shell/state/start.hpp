#pragma once
/// Where a mechanism begins: --start, --q and --v.

#include <optional>
#include <string>

#include "shell/state/coordinates.hpp"

namespace CLI {
class App;
}

namespace linkwright::app {

enum class Start {
  neutral,  ///< zeros and unit quaternions, at rest
  middle,   ///< the middle of the joints' limits, at rest
  file      ///< the `state` of the system file
};

struct StartArguments {
  std::optional<Start> start;
  std::optional<std::string> q, v;
};

/// Adds --start.
void add_start_option(CLI::App& command, std::optional<Start>& start);

/// The state that --start names, before --q and --v; without it the file's, or neutral. Throws
/// Error for `file` when the file gives no state.
State base_state(const System& system, std::optional<Start> start);

/// The whole answer. What --q and --v do not name is as --start says, neutral without it.
State start_state(const System& system, const StartArguments& arguments);

}  // namespace linkwright::app
