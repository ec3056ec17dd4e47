#pragma once
/// Lists of numbers on the command line, which may stand as one word or as several.

#include <string>
#include <vector>

namespace linkwright::app {

/// Makes one word of --q, --v, --a, --tau and what belongs to them, so that negative numbers are
/// not taken for options and a FILE may follow:
///
///     {"--q", "0.1", "-0.2", "arm.urdf"}  ->  {"--q=0.1,-0.2", "arm.urdf"}
std::vector<std::string> join_lists(const std::vector<std::string>& words);

}  // namespace linkwright::app
