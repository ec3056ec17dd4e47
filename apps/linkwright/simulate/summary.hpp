#pragma once
/// What `linkwright simulate` says about a run when it is over.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linkwright/simulate/simulation.hpp"
#include "shell/json.hpp"

namespace linkwright::app {

/// Label and value, line by line.
using SummaryLines = std::vector<std::pair<std::string, std::string>>;

/// What the equations of a network came to.
struct NetworkFacts {
  int index = 0;
  std::size_t states = 0;
  std::vector<std::string> dependent;  ///< stores that add no state
};

struct RunSummary {
  std::string file;
  std::vector<std::string> cut_open;  ///< closures and grasps that were left out
  bool closed = false;                ///< there are closures or grasps, and they were obeyed
  bool one_sided = false;             ///< some of the grasps hold by friction
  std::vector<std::string> released;  ///< grasps that hold no more, since whenever
  SimulationOptions options;
  double from = 0, reached = 0, goal = 0;  ///< simulated seconds
  double seconds = 0;                      ///< waited for it
  bool interrupted = false, stopped = false;
  SimulationStatistics statistics;
  std::vector<Occurrence> events;
  std::size_t rows = 0;
  std::string out, html, checkpoint;    ///< paths written; empty: none
  std::optional<NetworkFacts> network;  ///< of the model's network
  SummaryLines command;                 ///< who commanded it
  Json command_json;                    ///< the same, null where nobody did
};

SummaryLines summary_lines(const RunSummary& run);
/// The lines as an aligned table with a title.
std::string to_text(const RunSummary& run, const SummaryLines& lines);
Json to_json(const RunSummary& run);

/// The estimated error in tolerances: beyond a hundred it is not followed.
std::string describe_error(const SimulationStatistics& statistics);
/// "time", "event", or "interrupt": why the run ended.
std::string end_of(const RunSummary& run);

}  // namespace linkwright::app
