#pragma once
/// --kp and --kd.

#include <optional>
#include <string>
#include <vector>

#include "linkwright/error.hpp"

namespace linkwright::app {

/// The numbers of a list for joints of these names: one for all of them, one for each, or some by name and
/// nothing for the others. Throws Error naming the option.
std::vector<std::optional<double>> parse_gains(std::string_view option, const std::string& text,
                                               const std::vector<std::string>& names);

}  // namespace linkwright::app
