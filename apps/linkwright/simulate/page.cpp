#include "simulate/page.hpp"

#include "linkwright/viewer/recorded_run.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

PageRun to_page_run(const System& system, const RunRecording& recording, const RunSummary& run,
                    const SummaryLines& lines) {
  const Table& table = *recording.table();
  SummaryLines summary = lines;
  for (std::size_t i = 1; i < summary.size(); ++i)
    if (summary[i].first.empty()) summary[i].first = summary[i - 1].first;
  PageRun page =
      linkwright::to_page_run(system, {table.columns(), table.values(), run.events, summary});
  page.recorded = recording.rows();
  if (run.statistics.conservation) page.energy_scale = run.statistics.conservation->energy.scale;
  return page;
}

}  // namespace

void require_page() {
  if (page_available()) return;
  throw Error(
      "--html: this program was built without the page; install node and npm and build it again");
}

void write_run_page(const std::string& path, const System& system, const RunRecording& recording,
                    const RunSummary& run, const SummaryLines& lines) {
  const PageRun motion = to_page_run(system, recording, run, lines);
  const Eigen::VectorXd first = motion.q.col(0);
  const Page page = to_page(system, first, &motion);
  for (const Warning& warning : page.warnings) report_warning(warning.text());
  write_page(path, page.text);
}

}  // namespace linkwright::app
