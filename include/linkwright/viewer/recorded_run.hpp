#pragma once
/// A recording as the page takes it.
///
///     linkwright::PageRun run = linkwright::to_page_run(system, {table.columns(), table.values(), events, {{"method", "rk4"}}});
///     linkwright::write_page("run.html", linkwright::to_page(system, run.q.col(0), &run).text);

#include <span>

#include "linkwright/simulate/callbacks.hpp"
#include "linkwright/simulate/recording.hpp"
#include "linkwright/viewer/page.hpp"

namespace linkwright {

/// Rows of channels: the time, then every q, then any others (simulate/channels.hpp).
struct RecordedRun {
  std::span<const Column> columns;
  std::span<const double> values;  ///< row after row
  std::span<const Occurrence> events{};
  std::vector<std::pair<std::string, std::string>> summary{};  ///< label, value
};

/// Every column is a channel; what a joint passes on (`force:JOINT`) is drawn as an arrow too. A joint that rattles at
/// its limit does not fill the page: the first 500 events are shown, and the summary says so.
PageRun to_page_run(const System& system, const RecordedRun& run);

}  // namespace linkwright
