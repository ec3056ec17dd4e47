#pragma once
/// Numbers on the command line: lists, which may stand as one word or as several, and single ones.

#include <string>
#include <string_view>
#include <vector>

namespace linkwright::app {

/// Makes one word of --q, --v, --a, --tau and what belongs to them, so that negative numbers are
/// not taken for options and a FILE may follow:
///
///     {"--q", "0.1", "-0.2", "arm.urdf"}  ->  {"--q=0.1,-0.2", "arm.urdf"}
std::vector<std::string> join_lists(const std::vector<std::string>& words);

/// The number that an option was given; throws Error naming the option.
double parse_real(std::string_view option, const std::string& text);
/// The same for a whole number from `least` to `most`.
int parse_whole(std::string_view option, const std::string& text, int least, int most);

}  // namespace linkwright::app
