#include "linkwright/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <iostream>
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
  // Several times as quick as any formatting: of a recording that is written row by row it is most of the time.
  char digits[32];
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += ',';
    const auto written =
        std::to_chars(digits, std::end(digits), numbers[i], std::chars_format::general, 17);
    text.append(digits, written.ptr);
  }
  text += '\n';
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

CsvReader::CsvReader(const std::string& path, std::string_view what)
    : name_(path == "-" ? "stdin" : path), what_(what), stream_(&std::cin) {
  if (path == "-") return;
  if (std::filesystem::is_directory(path))
    throw Error(Source{path}, fmt::format("this is a folder; expected a CSV file with {}", what_));
  errno = 0;
  file_.open(path, std::ios::binary);
  if (!file_)
    throw Error(Source{path}, fmt::format("the file cannot be opened ({}); check path and "
                                          "permissions",
                                          errno == 0 ? "unknown reason" : std::strerror(errno)));
  stream_ = &file_;
}

bool CsvReader::next(std::vector<std::string>& fields) {
  while (std::getline(*stream_, text_)) {
    ++line_;
    if (line_ == 1 && text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
    const std::string_view line = trimmed(text_);
    if (line.empty()) continue;
    if (line.front() == '#') {
      if (!started_) remarks_.emplace_back(trimmed(line.substr(1)));
      continue;
    }
    if (!started_) refuse_other_formats();
    started_ = true;
    fields = split_csv(text_, where());
    return true;
  }
  if (stream_->bad() && errno != EINTR)
    throw Error(where(), "the file cannot be read further; try again");
  return false;
}

void CsvReader::refuse_other_formats() const {
  if (text_.starts_with("\x89HDF"))
    throw Error(Source{name_},
                fmt::format("this is an HDF5 file; {} are read from CSV: record the run with "
                            "--out RUN.csv, or convert it",
                            what_));
  if (text_.find('\0') != std::string::npos)
    throw Error(Source{name_}, "this is a binary or UTF-16 file; expected CSV as UTF-8 text");
}

}  // namespace linkwright
