#pragma once
/// Numbers on the command line: lists, which may stand as one word or as several, and single ones.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace linkwright::app {

/// The type name of options that take a list of numbers; add_option(…)->type_name(list_type).
inline constexpr const char* list_type = "LIST";

/// Makes one word of every option of type LIST and the numbers that belong to it, so that negative
/// ones are not taken for options and a FILE may follow:
///
///     {"--q", "0.1", "-0.2", "arm.urdf"}  ->  {"--q=0.1,-0.2", "arm.urdf"}
///
/// A number and NAME=number belong to a list. A word that begins with "--" never does; one that
/// begins with "-" does when that is a number's sign. A joint whose name begins with "-" can be
/// given directly after the option, after a comma, or after "=".
std::vector<std::string> join_lists(const CLI::App& program, const std::vector<std::string>& words);

/// A check for add_option(…)->check: the word is one of these.
std::function<std::string(const std::string&)> one_of(std::vector<std::string> words);
/// The same for a path: one that is empty is a variable that a script forgot to set.
std::function<std::string(const std::string&)> not_empty();

/// The number that an option was given; throws Error naming the option.
double parse_real(std::string_view option, const std::string& text);
/// The same for a whole number from `least` to `most`.
int parse_whole(std::string_view option, const std::string& text, int least, int most);

}  // namespace linkwright::app
