#pragma once
/// Numbers over time from a file, and inputs that follow them.
///
///     linkwright::TimeTable table = linkwright::read_time_table("push.csv", "inputs");
///     auto push = std::make_shared<linkwright::InputTable>(simulation.equations(), std::move(table),
///                                                          linkwright::Between::linear);
///     linkwright::drive(simulation, push);
///
/// The first line names the columns, one of them `time`; the times rise. A recording of `simulate` as
/// CSV is such a file.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "linkwright/simulate/simulation.hpp"

namespace linkwright {

struct TimeTable {
  std::string file{};
  std::vector<std::string> columns{};  ///< without `time`
  std::vector<double> time{};
  std::vector<double> values{};  ///< row after row
  std::vector<int> lines{};      ///< of the rows, in the file
  int title_line = 0;
  std::map<std::string, std::string> units{};  ///< those that the file tells ("# unit of NAME: …")
  bool is_recording = false;                   ///< `simulate` wrote it

  [[nodiscard]] std::size_t rows() const { return time.size(); }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return values[row * columns.size() + column];
  }
  /// Where a row stands, for messages.
  [[nodiscard]] Source where(std::size_t row) const { return {file, lines[row]}; }
  [[nodiscard]] Source titles() const { return {file, title_line}; }
  /// The row that begins the stretch in which t lies; throws Error for a time outside the table.
  [[nodiscard]] std::size_t stretch_of(double t) const;
  /// Throws Error, naming the first time that is missing, unless the table reaches from one time to
  /// the other.
  void require_span(double from, double to, std::string_view what) const;
  /// Throws Error where the file tells another unit.
  void require_unit(const std::string& column, const std::string& unit) const;
};

/// Reads the table; "-" is stdin. `what` it holds is told in messages. Throws Error, with file and line,
/// for columns that stand twice, numbers that are none or not finite, and times that do not rise.
TimeTable read_time_table(const std::string& path, std::string_view what);

/// What holds between two rows: the straight line, or the row before.
enum class Between { linear, hold };

/// Inputs of equations and forces on frames over time. Columns: the names of the inputs ("tau:elbow",
/// or as a recording calls them, "input:tau:elbow"), and force:FRAME:nx|ny|nz|fx|fy|fz, moment and
/// force at the frame's origin in world axes. In a recording the latter are reactions of joints, and as
/// the other channels carry nothing.
class InputTable {
 public:
  /// Throws Error for a column that is neither an input, a force nor a channel of a recording, with the
  /// closest name; and for an effort on a passive joint.
  InputTable(const Equations& equations, TimeTable table, Between between);

  [[nodiscard]] const TimeTable& table() const { return table_; }
  [[nodiscard]] Between between() const { return between_; }
  [[nodiscard]] bool has_inputs() const { return !inputs_.empty(); }
  /// Frames on which a force acts.
  [[nodiscard]] std::vector<FrameId> frames() const;
  /// Columns that carry nothing here.
  [[nodiscard]] const std::vector<std::string>& unused() const { return unused_; }

  /// Columns take the place of the usual values of their inputs, as long as nothing else has.
  void take_over(Simulation& simulation) const;
  /// Writes the inputs that have a column. Allocates nothing.
  void compute(double t, Eigen::VectorXd& input) const;
  /// The force on the frame number `which` of frames().
  [[nodiscard]] Force force(std::size_t which, double t) const;

 private:
  void require_no_rates(const Simulation& simulation) const;
  struct Entry {
    std::size_t column;
    Eigen::Index input;
  };
  struct FrameForce {
    FrameId frame;
    int column[6];  ///< −1: none
  };
  [[nodiscard]] double value(std::size_t column, double t) const;
  bool add_input(const Equations& equations, std::size_t column);
  bool add_force(const System& system, std::size_t column);
  void check_passive(const System& system) const;

  TimeTable table_;
  Between between_;
  std::vector<Entry> inputs_;
  std::vector<FrameForce> forces_;
  std::vector<std::string> unused_;
};

/// Lets a simulation follow the table, with a controller for the inputs and a load for every frame. Steps
/// end at its rows.
void drive(Simulation& simulation, const std::shared_ptr<const InputTable>& table);

}  // namespace linkwright
