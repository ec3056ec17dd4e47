#include "shell/option_errors.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>

#include "linkwright/error.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::app {
namespace {

const CLI::App* find_command(const CLI::App& program, const std::string& name) {
  for (const CLI::App* command : program.get_subcommands({}))
    if (command->get_name() == name) return command;
  return nullptr;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

bool is_flag(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  return option != nullptr && option->get_items_expected_max() == 0;
}

/// The option that a message begins with, among those that were given.
const CLI::Option* option_of(std::string_view message, const CLI::App& program) {
  const std::string name(message.substr(0, message.find(':')));
  for (const CLI::App* command : program.get_subcommands())
    for (const CLI::Option* option : command->get_options())
      if (option->get_name() == name) return option;
  return nullptr;
}

std::string explain_mismatch(const CLI::ParseError& error, const CLI::App& program) {
  const std::string_view message = error.what();
  const CLI::Option* option = option_of(message, program);
  if (option == nullptr) return error.what();
  if (option->count() > 1)
    return fmt::format("{} is given {} times; keep one", option->get_name(), option->count());
  return fmt::format("{}: no value follows; expected {} {}", option->get_name(), option->get_name(),
                     option->get_type_name());
}

std::string explain_extras(const CLI::App& program) {
  std::vector<std::string> words = program.remaining();
  for (const CLI::App* command : program.get_subcommands())
    for (const std::string& word : command->remaining()) words.push_back(word);
  const bool is_option = !words.empty() && words.front().starts_with('-');
  return fmt::format("{} {} not expected here{}", list_in_quotes(words),
                     words.size() == 1 ? "is" : "are",
                     is_option ? "" : "; what a command needs is given already");
}

}  // namespace

void require_known_options(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* command = words.empty() ? nullptr : find_command(program, words.front());
  if (command == nullptr) return;
  const std::vector<std::string> known = option_names(*command);
  for (const std::string& word : words) {
    if (word == "--") return;
    const std::string name = word.substr(0, word.find('='));
    if (!name.starts_with("--")) continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      if (name != word && is_flag(*command, name))
        throw Error(fmt::format("{} takes no value; got {}, write {} or leave it away", name,
                                in_quotes(word), name));
      continue;
    }
    throw Error(fmt::format("{} has no option {}{}; see `linkwright {} --help`",
                            command->get_name(), in_quotes(name), did_you_mean(name, known),
                            command->get_name()));
  }
}

std::string explain(const CLI::ParseError& error, const CLI::App& program) {
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return explain_mismatch(error, program);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return explain_extras(program);
  return error.what();
}

}  // namespace linkwright::app
