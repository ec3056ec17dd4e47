#pragma once
/// What was typed and is no option, in words.

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace linkwright::app {

/// Throws Error for a word "--name" that is no option of the command, which stands first.
void require_known_options(const CLI::App& program, const std::vector<std::string>& words);

/// The message of the option parser, where its own does not say it plainly.
std::string explain(const CLI::ParseError& error, const CLI::App& program);

}  // namespace linkwright::app
