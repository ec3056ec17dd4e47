#include "linkwright/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "linkwright/io/number.hpp"

namespace linkwright {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string to_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n#") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + '"';
}

/// One quoted field, from after its opening quote; leaves `line` after the closing one.
std::string take_quoted(std::string_view& line, const Source& where) {
  std::string field;
  while (!line.empty()) {
    const char c = line.front();
    line.remove_prefix(1);
    if (c != '"') {
      field += c;
    } else if (line.starts_with('"')) {
      field += c;
      line.remove_prefix(1);
    } else {
      return field;
    }
  }
  throw Error(where, "a double quote is not closed on this line; close it or remove it");
}

}  // namespace

void append_csv_names(std::string& text, std::span<const std::string> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += ',';
    text += to_field(names[i]);
  }
  text += '\n';
}

void append_csv_numbers(std::string& text, std::span<const double> numbers) {
  fmt::format_to(std::back_inserter(text), "{:.17g}\n",
                 fmt::join(numbers.begin(), numbers.end(), ","));
}

std::vector<std::string> split_csv(std::string_view line, const Source& where) {
  std::vector<std::string> fields;
  while (true) {
    const std::size_t first = line.find_first_not_of(blanks);
    std::string field;
    if (first != std::string_view::npos && line[first] == '"') {
      line.remove_prefix(first + 1);
      field = take_quoted(line, where);
    }
    const std::size_t comma = std::min(line.find(','), line.size());
    field += trimmed(line.substr(0, comma));
    fields.push_back(std::move(field));
    if (comma == line.size()) return fields;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace linkwright
