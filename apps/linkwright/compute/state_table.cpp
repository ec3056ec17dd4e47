#include "compute/state_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <map>

#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::app {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// "q3" -> ("q", 3); nothing for other shapes.
std::optional<std::pair<std::string_view, int>> positional(std::string_view title) {
  const std::size_t digit = title.find_first_of("0123456789");
  if (digit == std::string_view::npos || digit == 0) return std::nullopt;
  int number = 0;
  const char* const end = title.data() + title.size();
  const auto [stop, trouble] = std::from_chars(title.data() + digit, end, number);
  if (trouble != std::errc{} || stop != end) return std::nullopt;
  return std::pair{title.substr(0, digit), number};
}

std::optional<Part> to_part(std::string_view text) {
  for (const Part part : all_parts)
    if (letter(part) == text) return part;
  return std::nullopt;
}

/// Other programs' names for velocities and accelerations.
std::string_view foreign_name(std::string_view title) {
  const std::string_view head = title.substr(0, title.find_first_of(":0123456789"));
  if (head == "qd" || head == "dq" || head == "qdot")
    return "; velocities are called v:JOINT or v1";
  if (head == "qdd" || head == "ddq" || head == "qddot" || head == "dv" || head == "vdot")
    return "; accelerations are called a:JOINT or a1";
  return {};
}

}  // namespace

StateTable::StateTable(const std::string& path, const System& system)
    : name_(path == "-" ? "stdin" : path), stream_(&std::cin), names_(system) {
  if (path != "-") {
    if (std::filesystem::is_directory(path))
      throw Error(Source{path}, "this is a folder; expected a CSV file with states");
    file_.open(path, std::ios::binary);
    if (!file_) throw Error(Source{path}, "the file cannot be opened; check path and permissions");
    stream_ = &file_;
  }
  read_header();
}

bool StateTable::read_line() {
  while (std::getline(*stream_, text_)) {
    ++line_;
    if (line_ == 1 && text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
    const std::string_view content = trimmed(text_);
    if (!content.empty() && content.front() != '#') return true;
  }
  if (stream_->bad()) throw Error(where(), "the file cannot be read further; try again");
  return false;
}

void StateTable::read_header() {
  if (!read_line())
    throw Error(Source{name_},
                "the file is empty; expected a line of column names such as "
                "q:JOINT or q1, then one line per state");
  std::map<std::pair<Part, int>, std::string> seen;
  for (const std::string& title : split_csv(text_, where())) {
    Column column = identify(title);
    if (column.place < 0) {
      ignored_.push_back(title);
    } else {
      const auto [first, fresh] = seen.emplace(std::pair{column.part, column.place}, title);
      if (!fresh)
        throw Error(where(), fmt::format("column {} gives the same number as column {}; remove one",
                                         in_quotes(title), in_quotes(first->second)));
    }
    columns_.push_back(std::move(column));
  }
}

StateTable::Column StateTable::identify(const std::string& title) const {
  if (title == "time" || title == "t" || title == "case") return {title, Part::q, -1};
  const std::size_t colon = title.find(':');
  if (colon != std::string::npos) {
    if (const auto part = to_part(title.substr(0, colon))) {
      const std::string name = title.substr(colon + 1);
      if (const auto place = names_.find(*part, name)) return {title, *part, *place};
      throw Error(where(), fmt::format("column {}: there is no {}{}", in_quotes(title),
                                       in_quotes(name), names_.suggestion(*part, name)));
    }
  } else if (const auto found = positional(title)) {
    const auto [head, number] = *found;
    if (const auto part = to_part(head)) {
      const std::size_t count = names_.names(*part).size();
      if (number >= 1 && static_cast<std::size_t>(number) <= count)
        return {title, *part, number - 1};
      throw Error(where(), fmt::format("column {}: this model has {}; {}1 … {}{} are expected",
                                       in_quotes(title), count, head, head, count));
    }
  }
  const std::string_view foreign = foreign_name(title);
  throw Error(where(), fmt::format("column {} is unknown{}; expected q:JOINT, v:JOINT, a:JOINT, "
                                   "tau:JOINT or q1, v1, a1, tau1 (time, t and case are ignored)",
                                   in_quotes(title),
                                   foreign.empty() ? did_you_mean(title, possible_titles())
                                                   : std::string(foreign)));
}

std::vector<std::string> StateTable::possible_titles() const {
  std::vector<std::string> titles;
  for (const Part part : all_parts)
    for (const std::string& name : names_.names(part))
      titles.push_back(fmt::format("{}:{}", letter(part), name));
  return titles;
}

bool StateTable::next(Input& input) {
  if (!read_line()) return false;
  const std::vector<std::string> fields = split_csv(text_, where());
  if (fields.size() != columns_.size())
    throw Error(where(), fmt::format("this row has {} fields; the header has {} columns",
                                     fields.size(), columns_.size()));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (columns_[i].place < 0) continue;
    const auto value = parse_number(fields[i]);
    if (!value)
      throw Error(where(), fmt::format("column {}: {}", in_quotes(columns_[i].title),
                                       explain_bad_number(fields[i])));
    input.part(columns_[i].part)[columns_[i].place] = *value;
  }
  return true;
}

bool StateTable::has(Part part) const {
  return std::any_of(columns_.begin(), columns_.end(), [part](const Column& column) {
    return column.place >= 0 && column.part == part;
  });
}

std::vector<std::string> StateTable::missing(Part part) const {
  std::vector<bool> given(names_.names(part).size(), false);
  for (const Column& column : columns_)
    if (column.place >= 0 && column.part == part)
      given[static_cast<std::size_t>(column.place)] = true;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!given[i]) names.push_back(names_.names(part)[i]);
  return names;
}

}  // namespace linkwright::app
