#pragma once
/// Lines of comma-separated values, written and read the same way by every part of the library.
///
///     std::string line;
///     linkwright::append_csv_numbers(line, std::vector{0.1, 0.2});   // 17 digits: nothing is lost
///     std::vector<std::string> fields = linkwright::split_csv(line, {"states.csv", 2});

#include <fstream>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/error.hpp"

namespace linkwright {

/// Appends a line of names, in quotes where their text needs them.
void append_csv_names(std::string& text, std::span<const std::string> names);
/// Appends a line of numbers with 17 digits.
void append_csv_numbers(std::string& text, std::span<const double> numbers);

/// The fields of one line; a field in double quotes may hold commas and doubled quotes. Throws
/// Error at `where` for a quote that is not closed.
std::vector<std::string> split_csv(std::string_view line, const Source& where);

/// The lines of a file, blank ones and those that begin with '#' aside.
///
///     linkwright::CsvReader csv("states.csv", "states");
///     for (std::vector<std::string> fields; csv.next(fields);) use(fields, csv.where());
class CsvReader {
 public:
  /// "-" is stdin. `what` it holds is told in messages. Throws Error for a file that cannot be read.
  CsvReader(const std::string& path, std::string_view what);

  /// Fields of the next line; false at the end. Throws Error for a file of another format.
  bool next(std::vector<std::string>& fields);
  /// The line that next() read last.
  [[nodiscard]] Source where() const { return {name_, line_}; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The '#' lines before the first line with fields, without '#'.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  void refuse_other_formats() const;

  std::string name_, what_;
  std::ifstream file_;
  std::istream* stream_;
  int line_ = 0;
  bool started_ = false;
  std::string text_;
  std::vector<std::string> remarks_;
};

}  // namespace linkwright
