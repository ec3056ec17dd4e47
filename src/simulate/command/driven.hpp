#pragma once
/// Whom a controller drives.

#include <string>
#include <vector>

#include "linkwright/system/system.hpp"

namespace linkwright {

/// Entries of v by names of joints or of their freedoms; none: all that have a motor. Throws Error for an
/// unknown, a passive or a repeated one.
std::vector<int> driven_entries(const System& system, const std::vector<std::string>& names);

}  // namespace linkwright
