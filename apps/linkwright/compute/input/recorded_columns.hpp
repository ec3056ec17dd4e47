#pragma once
/// The columns that `simulate` writes besides q, v, a and tau.

#include <string>
#include <unordered_set>

#include "linkwright/system/system.hpp"

namespace linkwright::app {

/// Every column of every channel that a recording of this system can have: "frame:tool:x", "energy".
std::unordered_set<std::string> recorded_columns(const System& system);

/// Whether a title begins as a channel does ("frame:", "momentum:") and so is no user's own.
bool begins_as_channel(const std::string& title);

}  // namespace linkwright::app
