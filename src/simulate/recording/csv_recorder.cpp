// CSV: a line of column names, then one line per row with 17 significant digits, which read back to
// the same doubles. fmt ignores the locale.
#include <fmt/format.h>

#include <iterator>

#include "linkwright/io/csv.hpp"
#include "simulate/recording/recorders.hpp"

namespace linkwright {
namespace {

std::string to_text(const Fact& fact) {
  if (const auto* text = std::get_if<std::string>(&fact.value)) return *text;
  if (const auto* number = std::get_if<double>(&fact.value)) return fmt::format("{:.17g}", *number);
  return fmt::format("{:.17g}", fmt::join(std::get<std::vector<double>>(fact.value), " "));
}

/// `text` as '#' lines, whatever line ends it has; `mark` follows the '#'.
std::string commented(std::string_view text, std::string_view mark) {
  std::string lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, end - start);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines += fmt::format("#{}{}\n", mark, line);
    start = end + 1;
  }
  return lines;
}

std::string description(const RecordingHeader& header) {
  std::string text;
  for (const Fact& fact : header.facts) text += commented(fact.name + ": " + to_text(fact), " ");
  for (const Column& column : header.columns)
    text += commented("unit of " + column.name + ": " + column.unit, " ");
  for (const SourceText& source : header.sources) {
    text += commented("file " + source.name + ", its lines follow after '#| '", " ");
    text += commented(source.text, "| ");
  }
  return text;
}

}  // namespace

CsvRecorder::CsvRecorder(const std::string& path, const RecordingHeader& header)
    : Recorder(header.columns), file_(path) {
  if (header.describe) file_.write(description(header));
  std::vector<std::string> names;
  for (const Column& column : header.columns) names.push_back(column.name);
  append_csv_names(line_, names);
  file_.write(line_);
}

void CsvRecorder::write_row(std::span<const double> values) {
  line_.clear();
  append_csv_numbers(line_, values);
  file_.write(line_);
}

void CsvRecorder::complete(const std::vector<Fact>&) { file_.commit(); }

}  // namespace linkwright
