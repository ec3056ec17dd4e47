#pragma once
/// The limits of all joints, for `info`.

#include <string>

#include "linkwright/system/system.hpp"
#include "shell/json.hpp"

namespace linkwright::app {

/// A row for each freedom that has a limit, and a line that names those that have none.
std::string limits_table(const System& system);
/// An object for each freedom, in the order of v; a limit that is not there is null.
Json limits_json(const System& system);

}  // namespace linkwright::app
