#pragma once
/// Many states in a CSV file, one per row, read one at a time. docs/command_line.md is the format.

#include <filesystem>
#include <fstream>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/io/csv.hpp"
#include "shell/coordinates.hpp"

namespace linkwright::app {

class StateTable {
 public:
  /// Reads the header; "-" is stdin. The System must outlive the table.
  StateTable(const std::string& path, const System& system);

  /// Writes the next row's numbers over `input` and returns true, or returns false at the end.
  bool next(Input& input);
  /// The line of the row that next() read last.
  [[nodiscard]] Source where() const { return {name_, line_}; }

  /// Whether any entry of a part has a column, and the names of those that have none.
  [[nodiscard]] bool has(Part part) const;
  [[nodiscard]] std::vector<std::string> missing(Part part) const;
  /// Columns that are allowed but carry nothing: time, t, case.
  [[nodiscard]] const std::vector<std::string>& ignored() const { return ignored_; }

 private:
  struct Column {
    std::string title;
    Part part = Part::q;
    int place = -1;  ///< −1: ignored
  };

  bool read_line();
  void read_header();
  Column identify(const std::string& title) const;
  std::vector<std::string> possible_titles() const;

  std::string name_;
  std::ifstream file_;
  std::istream* stream_;
  CoordinateNames names_;
  int line_ = 0;
  std::string text_;
  std::vector<Column> columns_;
  std::vector<std::string> ignored_;
};

}  // namespace linkwright::app
