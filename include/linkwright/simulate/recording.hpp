#pragma once
/// Where the rows of a run go: a CSV file, an HDF5 file, or memory.
///
///     auto recorder = linkwright::open_recorder("run.h5", linkwright::describe_run(system, channels));
///     recorder->row(row);      // once per instant
///     recorder->finish();      // now run.h5 exists, whole
///
/// Files grow under a temporary name in the same folder and are moved by finish(). A recorder that
/// is destroyed without it leaves nothing behind. docs/simulation.md shows both formats.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "linkwright/simulate/channels.hpp"

namespace linkwright {

/// A fact about the run: its name, and a text, a number or several numbers.
struct Fact {
  std::string name{};
  std::variant<std::string, double, std::vector<double>> value{};
};

/// What a file says about itself besides its rows.
struct RecordingHeader {
  std::vector<Column> columns{};
  std::vector<Fact> facts{};  ///< model, gravity, library version, method, step, tolerances, …
  std::vector<SourceText> sources{};  ///< the files of the model, so that the run can be repeated
  /// CSV only: puts units, facts and sources as '#' lines in front of the column names. Without it
  /// the first line is the column names, as every reader of CSV expects.
  bool describe = false;
};

/// Columns of the channels, name and gravity of the model, its source files, the library's version.
/// Add what the run itself knows: `header.facts.push_back({"method", "rk4"})`.
RecordingHeader describe_run(const System& system, const Channels& channels);

class Recorder {
 public:
  virtual ~Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  /// Adds one row. Throws Error (failed_computation) for a number that is not finite, naming the
  /// column and the time: such a row is never written.
  void row(std::span<const double> values);
  /// Completes the recording. `outcome` are facts known only now (steps, why the run ended); HDF5
  /// keeps them, CSV has no place for them.
  void finish(const std::vector<Fact>& outcome = {});

 protected:
  explicit Recorder(std::vector<Column> columns) : columns_(std::move(columns)) {}

 private:
  virtual void write_row(std::span<const double> values) = 0;
  virtual void complete(const std::vector<Fact>& outcome) = 0;

  std::vector<Column> columns_;
  std::size_t rows_ = 0;
  bool finished_ = false;
};

/// A recording in memory.
///
///     linkwright::Table table(channels.columns());
///     std::vector<double> energy = table.column("energy");
class Table final : public Recorder {
 public:
  explicit Table(std::vector<Column> columns) : Recorder(std::move(columns)) {}

  [[nodiscard]] std::span<const double> at(std::size_t row) const {
    return std::span(values_).subspan(row * columns().size(), columns().size());
  }
  /// All values of one column; throws Error with the closest name for an unknown one.
  [[nodiscard]] std::vector<double> column(std::string_view name) const;
  /// Row after row.
  [[nodiscard]] std::span<const double> values() const { return values_; }

 private:
  void write_row(std::span<const double> values) override;
  void complete(const std::vector<Fact>&) override {}

  std::vector<double> values_;
};

/// Rows of a run of any length, thinned out as they come: at most `most` of them, evenly spread over the
/// time, which stands first in a row; the first and the last row are always among them. The same rows give
/// the same choice.
///
///     linkwright::ThinnedRows rows(channels.size(), 3000);
///     rows.take(row);                                  // a million times
///     for (std::size_t i = 0; i < rows.size(); ++i) draw(rows.at(i));
class ThinnedRows {
 public:
  /// Rows of `width` numbers; `most` of 4 or more.
  ThinnedRows(std::size_t width, std::size_t most);

  void take(std::span<const double> row);
  [[nodiscard]] std::size_t size() const { return kept_ + (has_last_ ? 1 : 0); }
  [[nodiscard]] std::span<const double> at(std::size_t i) const {
    return i < kept_ ? std::span(values_).subspan(i * width_, width_) : std::span(last_);
  }

 private:
  void keep(std::span<const double> row);
  void thin_out();

  std::size_t width_, most_, kept_ = 0;
  std::vector<double> values_, last_;
  bool has_last_ = false;  // the last row is not among those kept so far
  double apart_ = 0;       // seconds between two rows that are kept, at least
};

/// A recorder by the path's extension: .csv, or .h5 and .hdf5. "-" (stdout), devices and pipes
/// receive CSV. Throws Error for another extension and for a path that cannot be written.
std::unique_ptr<Recorder> open_recorder(const std::string& path, const RecordingHeader& header);

}  // namespace linkwright
