#pragma once
/// Everything that watches a run while it goes: the file and the page's memory.

#include <memory>
#include <string>
#include <vector>

#include "linkwright/simulate/recording.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "simulate/arguments.hpp"

namespace linkwright::app {

class RunRecording {
 public:
  /// Opens the file that `arguments` name, so that a bad path is noticed before the run.
  RunRecording(const Simulation& simulation, const SimulateArguments& arguments);

  void take(const Snapshot& at);
  /// Moves the file into place; `outcome` goes into it where the format has room. Then table() holds
  /// what the page shows.
  void finish(const std::vector<Fact>& outcome);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return channels_.size(); }
  /// Rows for the page, thinned out where they were many; nothing unless a page is wanted.
  [[nodiscard]] const Table* table() const { return table_.get(); }

 private:
  void fill_page();

  const System* system_;
  Workspace work_;
  Channels channels_;
  std::vector<double> row_;
  std::unique_ptr<Channels> drawn_;  // the page's, with what the closures carry
  std::vector<double> drawn_row_;
  std::size_t rows_ = 0;
  std::unique_ptr<Recorder> file_;
  std::unique_ptr<ThinnedRows> kept_;
  std::unique_ptr<Table> table_;
};

}  // namespace linkwright::app
