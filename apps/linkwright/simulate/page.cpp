#include "simulate/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwright/viewer/page.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

/// Where the page lists a column.
std::string group_of(const std::string& column) {
  const std::string kind = column.substr(0, column.find(':'));
  const auto is = [&kind](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), kind) != names.end();
  };
  if (kind == "q") return "position";
  if (kind == "v") return "velocity";
  if (is({"energy", "kinetic", "potential"})) return "energy";
  if (is({"frame", "velocity", "acceleration", "com"})) return "frame";
  if (is({"tau", "force", "input", "closure"})) return "force";
  return "user";
}

/// A joint that rattles at its limit must not fill the page.
constexpr std::size_t most_events = 500;

PageForce to_page_force(const System& system, const DrawnForce& drawn) {
  const JointPlace& joint = system.joints()[static_cast<std::size_t>(drawn.joint)];
  PageForce force{.name = "force:" + joint.name,
                  .body = system.model().bodies[static_cast<std::size_t>(joint.child)].name};
  force.values.resize(3, static_cast<Eigen::Index>(drawn.values.size()));
  for (std::size_t i = 0; i < drawn.values.size(); ++i)
    force.values.col(static_cast<Eigen::Index>(i)) = to_eigen(drawn.values[i]);
  return force;
}

PageRun to_page_run(const System& system, const RunRecording& recording, const RunSummary& run,
                    const SummaryLines& lines) {
  const Table& table = *recording.table();
  PageRun page;
  page.summary = lines;
  page.recorded = recording.rows();
  if (run.statistics.conservation) page.energy_scale = run.statistics.conservation->energy.scale;
  for (std::size_t i = 1; i < page.summary.size(); ++i)
    if (page.summary[i].first.empty()) page.summary[i].first = page.summary[i - 1].first;
  const std::size_t shown = std::min(run.events.size(), most_events);
  for (std::size_t i = 0; i < shown; ++i)
    page.events.push_back({run.events[i].time, run.events[i].name});
  if (shown < run.events.size())
    page.summary.emplace_back("events shown",
                              fmt::format("the first {} of {}", shown, run.events.size()));
  page.q.resize(system.nq(), static_cast<Eigen::Index>(table.rows()));
  for (std::size_t r = 0; r < table.rows(); ++r)
    for (int i = 0; i < system.nq(); ++i)
      page.q(i, static_cast<Eigen::Index>(r)) = table.at(r)[static_cast<std::size_t>(1 + i)];
  for (const Column& column : table.columns()) {
    if (column.name == "time")
      page.time = table.column(column.name);
    else
      page.channels.push_back(
          {column.name, column.unit, group_of(column.name), table.column(column.name)});
  }
  for (const DrawnForce& drawn : recording.forces())
    page.forces.push_back(to_page_force(system, drawn));
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
