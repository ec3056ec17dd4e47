#include "shell/arguments.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "linkwright/error.hpp"
#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::app {
namespace {

std::set<std::string, std::less<>> list_options(const CLI::App& program,
                                                const std::vector<std::string>& words) {
  std::set<std::string, std::less<>> names;
  for (const CLI::App* command : program.get_subcommands({}))
    for (const CLI::Option* option : command->get_options())
      if (!words.empty() && command->get_name() == words.front() &&
          option->get_type_name() == list_type)
        names.insert(option->get_name());
  return names;
}

/// "0.1", "-1e3" or "elbow=0.3".
bool is_entry(std::string_view text) {
  const std::size_t sign = text.rfind('=');
  return parse_number(sign == std::string_view::npos ? text : text.substr(sign + 1)).has_value();
}

bool is_list(std::string_view word) {
  if (word.starts_with("--")) return false;
  if (word.ends_with(',')) word.remove_suffix(1);
  for (std::size_t start = 0; start <= word.size();) {
    const std::size_t end = std::min(word.find(',', start), word.size());
    if (!is_entry(word.substr(start, end - start))) return false;
    start = end + 1;
  }
  return true;
}

/// What stands directly after the option at `at`: anything but another option.
const std::string& first_of_list(const std::vector<std::string>& words, std::size_t at) {
  const std::string& option = words[at];
  if (at + 1 == words.size())
    throw Error(fmt::format("{}: no list follows; expected numbers", option));
  const std::string& word = words[at + 1];
  if (word.starts_with('-') && !is_list(word))
    throw Error(fmt::format("{}: expected a list of numbers, found {}", option, in_quotes(word)));
  return word;
}

/// Further on, "-o=3" is an option with its value and not a number of a joint "-o".
bool continues_list(std::string_view word) {
  const bool signed_number =
      word.starts_with('-') && parse_number(word.substr(0, word.find(','))).has_value();
  return is_list(word) && (!word.starts_with('-') || signed_number);
}

}  // namespace

std::vector<std::string> join_lists(const CLI::App& program,
                                    const std::vector<std::string>& words) {
  const std::set<std::string, std::less<>> lists = list_options(program, words);
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    if (word == "--") {  // what follows are files, whatever they look like
      joined.insert(joined.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      return joined;
    }
    if (lists.contains(std::string_view(word).substr(0, word.find('=')))) {
      if (word.find('=') == std::string::npos) word += "=" + first_of_list(words, i++);
      while (i + 1 < words.size() && continues_list(words[i + 1]))
        word += (word.back() == ',' || word.back() == '=' ? "" : ",") + words[++i];
    }
    joined.push_back(std::move(word));
  }
  return joined;
}

std::function<std::string(const std::string&)> not_empty() {
  return [](const std::string& text) {
    return text.empty() ? std::string("the path is empty") : std::string{};
  };
}

std::function<std::string(const std::string&)> one_of(std::vector<std::string> words) {
  return [words = std::move(words)](const std::string& word) {
    if (std::find(words.begin(), words.end(), word) != words.end()) return std::string{};
    std::string list = words.front();
    for (std::size_t i = 1; i < words.size(); ++i)
      list += (i + 1 == words.size() ? " or " : ", ") + words[i];
    return fmt::format("{} is unknown{}; expected {}", in_quotes(word), did_you_mean(word, words),
                       list);
  };
}

double parse_real(std::string_view option, const std::string& text) {
  const auto value = parse_number(text);
  if (!value) throw Error(fmt::format("{} {}", option, explain_bad_number(text)));
  return *value;
}

int parse_whole(std::string_view option, const std::string& text, int least, int most) {
  const double value = parse_real(option, text);
  if (value != std::floor(value) || value < least || value > most)
    throw Error(fmt::format("{} {}: expected a whole number from {} to {}", option, in_quotes(text),
                            least, most));
  return static_cast<int>(value);
}

}  // namespace linkwright::app
