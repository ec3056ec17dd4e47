#pragma once
/// Many states in a CSV file, one per row, read one at a time. docs/command_line.md is the format.
/// Recordings of `simulate` are such files.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "linkwright/io/csv.hpp"
#include "shell/state/coordinates.hpp"

namespace linkwright::app {

class StateTable {
 public:
  /// Reads the header; "-" is stdin. The System must outlive the table. Columns `network` are read as those of
  /// motors are.
  StateTable(const std::string& path, const System& system,
             const std::vector<std::string>& network = {});

  /// Writes the next row's numbers over `input` and returns true, or returns false at the end.
  bool next(Input& input);
  /// The line of the row that next() read last.
  [[nodiscard]] Source where() const { return csv_.where(); }

  /// Whether any entry of a variable has a column, and the names of those that have none.
  [[nodiscard]] bool has(Variable variable) const;
  [[nodiscard]] std::vector<std::string> missing(Variable variable) const;
  /// Whether it says when its states are: a column `time` or `t`.
  [[nodiscard]] bool has_time() const;
  /// Columns that speak of motors, "motor:m1:current", and of the network.
  [[nodiscard]] std::vector<std::string> motor_columns() const;
  /// The frames that columns push on, "force:tool:fx".
  [[nodiscard]] const std::vector<FrameId>& force_frames() const { return pushed_; }
  /// Adds a force on each of them to `input`, whose numbers next() then writes.
  void write_forces(Axes axes, Input& input);
  /// Throws Error where there are any, for `who` that takes none.
  void refuse_forces(std::string_view who) const;
  /// The columns that carry nothing for whom `uses` and `uses_motor` answer, in short: "case, v (7 columns)".
  [[nodiscard]] std::string unused(const std::function<bool(Variable)>& uses,
                                   const std::function<bool(const std::string&)>& uses_motor = {},
                                   bool uses_forces = false) const;
  /// How many states next() has read.
  [[nodiscard]] long rows() const { return rows_; }

 private:
  struct Column {
    enum class Kind { nothing, variable, time, motor, force };
    std::string title;
    Variable variable = Variable::q;
    int place = -1;  ///< of a force: component, and six for every frame before its own
    Kind kind = Kind::variable;
  };

  void read_header();
  Column identify(const std::string& title);
  /// q:JOINT or q1; nothing for other shapes.
  std::optional<Column> identify_variable(const std::string& title) const;
  /// force:FRAME:nx … fz; nothing for other shapes, and in recordings, where joints pass these on.
  std::optional<Column> identify_force(const std::string& title);
  /// "motor:m1:current|angle|speed" or "voltage:m1" of a motor that has it.
  [[nodiscard]] bool speaks_of_motor(const std::string& title) const;
  bool is_recording(const std::vector<std::string>& titles) const;
  std::vector<std::string> possible_titles() const;

  CsvReader csv_;
  const System& system_;
  CoordinateNames names_;
  long rows_ = 0;
  std::unordered_set<std::string> network_;
  std::unordered_set<std::string> recorded_;  ///< columns of channels; filled when one is met
  bool recording_ = false;                    ///< the header is one of `simulate`
  std::vector<std::string> fields_;
  std::vector<Column> columns_;
  std::vector<FrameId> pushed_;
  std::optional<std::size_t> first_force_;  ///< among those of the input, where they are asked for
};

}  // namespace linkwright::app
