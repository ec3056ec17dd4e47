#include "simulate/recording.hpp"

#include "linkwright/viewer/page.hpp"
#include "shell/arguments.hpp"

namespace linkwright::app {
namespace {

/// So many that those which a page shows can be chosen well among them.
constexpr std::size_t most_kept = 4 * static_cast<std::size_t>(max_page_samples);

std::string base_name(Base base) {
  if (base == Base::fixed) return "fixed";
  return base == Base::free ? "free" : "planar";
}

/// All that is needed to ask for the same run again, besides the model and the first row.
std::vector<Fact> facts_of_run(const SimulateArguments& arguments, const SimulationOptions& options,
                               const Eigen::VectorXd& tau) {
  std::vector<Fact> facts{{"file", arguments.model.file},
                          {"base", base_name(arguments.model.base)},
                          {"rigid", std::string(arguments.rigid ? "yes" : "no")},
                          {"method", std::string(to_string(options.method))},
                          {"time", parse_real("--time", arguments.time)},
                          {"limits", arguments.limits},
                          {"tau", std::vector<double>(tau.begin(), tau.end())}};
  if (has_fixed_step(options.method)) {
    facts.push_back({"step", options.step});
  } else {
    facts.push_back({"rtol", options.relative_tolerance});
    facts.push_back({"atol", options.absolute_tolerance});
  }
  if (!arguments.on_slip.empty()) facts.push_back({"on_slip", arguments.on_slip});
  if (options.baumgarte_rate > 0) facts.push_back({"baumgarte", options.baumgarte_rate});
  if (arguments.cut_open) facts.push_back({"cut_open", "closures and grasps are left out"});
  for (Fact& fact : facts_of(arguments.command)) facts.push_back(std::move(fact));
  return facts;
}

/// A recording to a tolerance tells which of its rows are held to it.
std::vector<std::string> requests_of(const Simulation& simulation,
                                     const SimulateArguments& arguments) {
  std::vector<std::string> requests = arguments.records;
  if (!has_fixed_step(simulation.options().method)) requests.emplace_back("tolerance_missed");
  return requests;
}

/// The page draws what the closures carry, whether it was asked for or not; of mechanisms with very
/// many only what was, so that it stays a small file.
std::vector<std::string> with_closures(const System& system, std::vector<std::string> requests) {
  constexpr std::size_t most = 100;
  if (system.closures().size() > most) return requests;
  for (const ClosurePlace& closure : system.closures())
    if (closure.kind != PairKind::gear) requests.push_back("closure:" + closure.name);
  for (const Grasp& grasp : system.model().grasps)
    if (is_one_sided(grasp)) requests.push_back("contact:" + grasp.name + ":margin");
  return requests;
}

}  // namespace

RunRecording::RunRecording(const Simulation& simulation, const SimulateArguments& arguments)
    : system_(&simulation.system()),
      work_(*system_, Closures::leave_out),  // places what the simulation computed
      channels_(simulation.equations(), requests_of(simulation, arguments)),
      row_(channels_.size()) {
  const System& system = *system_;
  if (!arguments.out.empty()) {
    RecordingHeader header = describe_run(system, channels_);
    header.describe = arguments.describe;
    for (Fact& fact : facts_of_run(arguments, simulation.options(), simulation.input()))
      header.facts.push_back(std::move(fact));
    file_ = open_recorder(arguments.out, header);
  }
  if (arguments.html.empty()) return;
  drawn_ = std::make_unique<Channels>(simulation.equations(),
                                      with_closures(system, requests_of(simulation, arguments)));
  drawn_row_.resize(drawn_->size());
  kept_ = std::make_unique<ThinnedRows>(drawn_->size(), most_kept);
}

void RunRecording::take(const Snapshot& at) {
  if (file_) {
    channels_.compute(work_, at, row_);
    file_->row(row_);
  }
  if (kept_) {
    drawn_->compute(work_, at, drawn_row_);
    kept_->take(drawn_row_);
  }
  ++rows_;
}

void RunRecording::fill_page() {
  table_ = std::make_unique<Table>(drawn_->columns());
  for (std::size_t i = 0; i < kept_->size(); ++i) table_->row(kept_->at(i));
}

void RunRecording::finish(const std::vector<Fact>& outcome) {
  if (file_) file_->finish(outcome);
  if (kept_) fill_page();
}

}  // namespace linkwright::app
