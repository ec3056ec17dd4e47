#pragma once
/// Freedoms by name: their limits, and the joints that they belong to.

#include <string>
#include <vector>

#include "linkwright/simulate/motions.hpp"

namespace linkwright::app {

/// Limits of a freedom of System::velocity_names; none for an unknown one.
Limits limits_of(const System& system, const std::string& name);

/// The joints that make a motion.
std::vector<std::string> joints_of(const System& system, const CommandedMotion& motion);

}  // namespace linkwright::app
