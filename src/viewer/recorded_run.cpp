#include "linkwright/viewer/recorded_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwright/dynamics/kinematics.hpp"

namespace linkwright {
namespace {

constexpr std::size_t most_events = 500;

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

class RunRows {
 public:
  explicit RunRows(const RecordedRun& run)
      : run_(&run),
        width_(run.columns.size()),
        rows_(width_ == 0 ? 0 : run.values.size() / width_) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return run_->values[row * width_ + column];
  }
  [[nodiscard]] std::vector<double> column(std::size_t i) const {
    std::vector<double> values(rows_);
    for (std::size_t r = 0; r < rows_; ++r) values[r] = at(r, i);
    return values;
  }
  /// Its place, or the number of columns.
  [[nodiscard]] std::size_t find(const std::string& name) const {
    const auto& columns = run_->columns;
    return static_cast<std::size_t>(
        std::find_if(columns.begin(), columns.end(),
                     [&](const Column& column) { return column.name == name; }) -
        columns.begin());
  }

 private:
  const RecordedRun* run_;
  std::size_t width_, rows_;
};

/// Forces are recorded in the child's frame and drawn in the world's.
void add_forces(const System& system, const RecordedRun& run, const RunRows& rows, PageRun& page) {
  Workspace work(system, Closures::leave_out);
  State state(system);
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(system.nv());
  for (const JointPlace& joint : system.joints()) {
    const std::size_t x = rows.find("force:" + joint.name + ":fx");
    if (x + 2 >= run.columns.size()) continue;
    PageForce force{.name = "force:" + joint.name,
                    .body = system.model().bodies[static_cast<std::size_t>(joint.child)].name};
    force.values.resize(3, page.q.cols());
    for (Eigen::Index r = 0; r < page.q.cols(); ++r) {
      state.q = page.q.col(r);
      compute_forward_kinematics(work, state, at_rest);
      const auto row = static_cast<std::size_t>(r);
      const Vector3 own{rows.at(row, x), rows.at(row, x + 1), rows.at(row, x + 2)};
      force.values.col(r) = to_eigen(frame_pose(work, FrameId{joint.frame}).rotation * own);
    }
    page.forces.push_back(std::move(force));
  }
}

void add_events(std::span<const Occurrence> events, PageRun& page) {
  const std::size_t shown = std::min(events.size(), most_events);
  for (std::size_t i = 0; i < shown; ++i) page.events.push_back({events[i].time, events[i].name});
  if (shown < events.size())
    page.summary.emplace_back("events shown",
                              fmt::format("the first {} of {}", shown, events.size()));
}

}  // namespace

PageRun to_page_run(const System& system, const RecordedRun& run) {
  const RunRows rows(run);
  if (rows.rows() == 0) throw Error("a page needs a row to show; the recording has none");
  if (run.columns.size() < 1 + static_cast<std::size_t>(system.nq()))
    throw Error("a page needs the time and every position of the recording");
  PageRun page;
  page.summary = run.summary;
  page.recorded = rows.rows();
  page.q.resize(system.nq(), static_cast<Eigen::Index>(rows.rows()));
  for (std::size_t r = 0; r < rows.rows(); ++r)
    for (int i = 0; i < system.nq(); ++i)
      page.q(i, static_cast<Eigen::Index>(r)) = rows.at(r, static_cast<std::size_t>(1 + i));
  page.time = rows.column(0);
  for (std::size_t i = 1; i < run.columns.size(); ++i) {
    const Column& column = run.columns[i];
    page.channels.push_back({column.name, column.unit, group_of(column.name), rows.column(i)});
  }
  add_forces(system, run, rows, page);
  add_events(run.events, page);
  return page;
}

}  // namespace linkwright
