#include "shell/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "linkwright/model/names.hpp"
#include "linkwright/system/describe.hpp"

namespace linkwright::app {
namespace {

bool has_colour(int descriptor) {
  const char* const refused = std::getenv("NO_COLOR");
  return (refused == nullptr || *refused == '\0') && isatty(descriptor) != 0;
}

void report(std::string_view kind, std::string_view colour, std::string_view message) {
  const std::string text = has_colour(STDERR_FILENO)
                               ? fmt::format("\x1b[1;{}m{}:\x1b[0m {}\n", colour, kind, message)
                               : fmt::format("{}: {}\n", kind, message);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

bool warnings_are_silent = false;

}  // namespace

void silence_warnings() { warnings_are_silent = true; }

void report_error(std::string_view message) { report("error", "31", message); }
void report_error(const Error& error) {
  for (const Mistake& mistake : error.mistakes()) report_error(mistake.text());
  std::istringstream rest(error.rest());
  for (std::string line; std::getline(rest, line);) report_note(line);
}
void report_warning(std::string_view message) {
  if (!warnings_are_silent) report("warning", "33", message);
}
void report_note(std::string_view message) { report("note", "36", message); }

void print(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0)
    throw Error(fmt::format("the results cannot be written to stdout ({})", std::strerror(errno)),
                Error::Kind::failed_computation);
}

std::string bold(std::string_view text) {
  return has_colour(STDOUT_FILENO) ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string(text);
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string grouped(const std::vector<std::string>& columns) {
  constexpr std::size_t most_groups = 20;  // all channels of `simulate` and some of the user
  std::vector<std::pair<std::string, int>> groups;  // "v" and how many columns, in order
  for (const std::string& column : columns) {
    const std::string head = column.substr(0, column.find(':'));
    const auto same = [&head](const auto& group) { return group.first == head; };
    const auto found = std::find_if(groups.begin(), groups.end(), same);
    if (found == groups.end())
      groups.emplace_back(head, 1);
    else
      ++found->second;
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), most_groups); ++i) {
    text += (i == 0 ? "" : ", ") + in_quotes(groups[i].first);
    if (groups[i].second > 1) text += fmt::format(" ({} columns)", groups[i].second);
  }
  if (groups.size() > most_groups) text += fmt::format(" and {} more", groups.size() - most_groups);
  return text;
}

std::string printable(std::string_view name) { return linkwright::printable(name); }

}  // namespace linkwright::app
