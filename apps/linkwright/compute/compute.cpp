#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "compute/input/arguments.hpp"
#include "compute/input/asked.hpp"
#include "compute/input/closed_input.hpp"
#include "compute/input/state_table.hpp"
#include "compute/output/lost_contacts.hpp"
#include "compute/output/results.hpp"
#include "compute/quantities.hpp"
#include "compute/shafts.hpp"
#include "compute/voltages.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/model/rigid.hpp"
#include "shell/interrupt.hpp"
#include "shell/model/forces_included.hpp"
#include "shell/model/loops.hpp"
#include "shell/model/weak_joints.hpp"
#include "shell/output.hpp"
#include "shell/state/beyond_limits.hpp"

namespace linkwright::app {
namespace {

std::vector<std::string> passive_names(const System& system) {
  std::vector<std::string> names;
  for (const int i : system.passive_freedoms())
    names.push_back(system.velocity_names()[static_cast<std::size_t>(i)]);
  return names;
}

void note_passive(const System& system) {
  if (system.passive_freedoms().empty()) return;
  report_note(
      fmt::format("passive and without a motor: {}; the effort given for it is what the "
                  "motion would need there",
                  list_in_quotes(passive_names(system))));
}

std::vector<std::unique_ptr<ResultSink>> make_sinks(const ComputeArguments& arguments,
                                                    const Quantity& quantity, const System& system,
                                                    const ResultNames& names,
                                                    const std::vector<std::string>& left_out) {
  const bool many = !arguments.states.empty();
  std::vector<std::unique_ptr<ResultSink>> sinks;
  if (!arguments.out.empty()) sinks.push_back(std::make_unique<CsvSink>(arguments.out, names));
  if (arguments.json) {
    Json head{{"quantity", quantity.name}, {"file", arguments.model.file}};
    if (!arguments.out.empty()) head["out"] = arguments.out;
    if (arguments.cut_open) head["cut_open"] = left_out;
    if (quantity.name == "inverse-dynamics" && !system.passive_freedoms().empty())
      head["passive"] = passive_names(system);
    if (quantity.frames != Quantity::Frames::none) head["axes"] = arguments.axes;
    if (quantity.frames == Quantity::Frames::one) head["frame"] = arguments.frames.front();
    if (quantity.name == "influence") head["order"] = arguments.order.value_or(1);
    sinks.push_back(std::make_unique<JsonSink>(std::move(head), names, many));
  }
  if (!sinks.empty()) return sinks;
  if (many)
    sinks.push_back(std::make_unique<CsvSink>("-", names));
  else
    sinks.push_back(std::make_unique<TextSink>(
        fmt::format("{} of {}", quantity.name, printable(arguments.model.file)), names));
  return sinks;
}

/// Where not all closures can be kept at once: the answer is the one that misses them least.
void warn_of_singular(const ClosedWorkspace& work) {
  constexpr double rounding = 1e-6;
  const ClosedReport report = closed_report(work);
  if (work.rows() == 0 || report.violation <= rounding) return;
  report_warning(
      fmt::format("the position is singular, and no acceleration keeps every closure: this is the "
                  "one that misses them least, by {:.3g} m/s² or rad/s²",
                  report.violation));
}

void evaluate(const ComputeArguments& arguments, const Quantity& quantity, ClosedWorkspace& work,
              Input& input, const QuantityOptions& options, Eigen::VectorXd& values) {
  if (work.rows() > 0 && quantity.name != "closure") {
    keep_closed(work, arguments.closed, input.state);
    if (quantity.name == "inverse-dynamics" ||
        (quantity.name == "derivatives" && options.motion == Variable::a))
      complete_derivatives(work, 1, input);
    if (quantity.name == "voltages")
      complete_derivatives(work, static_cast<int>(quantity.depends_on.size()) - 2, input);
  }
  quantity.evaluate(work, input, options, values);
  if (quantity.uses(Variable::tau)) warn_of_singular(work);
  if (!values.allFinite())
    throw Error(
        fmt::format("{}: the result is not finite; the numbers given are too large", quantity.name),
        Error::Kind::failed_computation);
}

void evaluate_rows(const ComputeArguments& arguments, const Quantity& quantity,
                   ClosedWorkspace& work, StateTable& table, Input& input,
                   const QuantityOptions& options, const Interrupt& interrupt,
                   Eigen::VectorXd& values, const std::vector<std::unique_ptr<ResultSink>>& sinks) {
  BeyondLimits positions(work.system(), Variable::q), efforts(work.system(), Variable::tau);
  LostContacts lost(quantity, work.system());
  const int header = table.where().line;
  // For the first row with a weak joint; closures may hold one that the open tree does not.
  bool looks = quantity.name == "forward-dynamics" && work.rows() == 0;
  while (!interrupt.requested() && table.next(input)) {
    try {
      looks = looks &&
              !warn_of_weak_joints(work.tree(), input.state.q, table.where().text() + ": here");
      evaluate(arguments, quantity, work, input, options, values);
    } catch (const Error& e) {
      throw Error(table.where(), e.what(), e.kind());
    }
    if (table.has(Variable::q)) positions.take(input.state.q, table.where().text());
    if (quantity.uses(Variable::tau)) efforts.take(input.tau, table.where().text());
    lost.take(work, input, table.where().text());
    for (const auto& sink : sinks) sink->add(values, input.state.t);
  }
  if (table.rows() == 0 && !interrupt.requested())
    throw Error(Source{table.where().file, header},
                "there is no state below the column names; expected one line per state");
  positions.report();
  efforts.report();
  lost.report();
}

/// Entries of v for the equations of motion: chosen at the state of the options, kept for all rows.
std::vector<int> coordinates_of(const ComputeArguments& arguments, const Quantity& quantity,
                                ClosedWorkspace& work, Input& input) {
  const bool chooses = quantity.coordinates == Quantity::Coordinates::reduces ||
                       quantity.coordinates == Quantity::Coordinates::selects;
  if (chooses && work.rows() > 0) keep_closed(work, arguments.closed, input.state);
  return choose_coordinates(work, arguments.closed, quantity, input.state);
}

void run_compute(const ComputeArguments& given) {
  ComputeArguments arguments = given;
  Quantity quantity = find_quantity(arguments.quantity);
  if (arguments.json && arguments.out == "-")
    throw Error("--json and --out - both write to stdout; keep one or name a file");
  Model model = load(arguments.model);
  if (arguments.rigid) leave_out_forces(model);
  const std::vector<std::string> left_out = leave_out_loops(model, arguments.cut_open);
  const System system = compile(model);
  if (!system.closures().empty() && !quantity.depends_when_closed.empty())
    quantity.depends_on = quantity.depends_when_closed;
  QuantityOptions options = make_options(arguments, quantity, system);
  std::optional<StateTable> table;
  if (!arguments.states.empty()) table.emplace(arguments.states, system);
  choose_motion(arguments, table, quantity, options);
  require_derivatives(arguments, system, table, quantity);
  Input input = make_input(arguments, quantity, system);
  arguments.closed.given_q = joints_given(system, arguments.text(Variable::q));
  arguments.closed.given_v = joints_given(system, arguments.text(Variable::v));

  sum_up_warnings(system);
  require_answer(arguments, quantity, system);
  if (quantity.name == "inverse-dynamics" || quantity.name == "forward-dynamics" ||
      quantity.name == "derivatives")
    note_included_forces(model), note_network(model);
  if (quantity.name == "inverse-dynamics" && system.closures().empty()) note_passive(system);
  note_shafts(quantity, model);
  if (table) prepare_rows(arguments, quantity, system, *table, input);

  ClosedWorkspace work(system);
  options.coordinates = coordinates_of(arguments, quantity, work, input);
  ResultNames names = quantity.result_names(system, options);
  names.timed = table && table->has_time();
  check_size(arguments, quantity, names);
  Eigen::VectorXd values(static_cast<Eigen::Index>(names.size()));
  std::optional<VoltageRows> voltages;
  if (quantity.name == "voltages") {
    voltages.emplace(system);
    quantity.evaluate = [&](ClosedWorkspace& here, const Input& in, const QuantityOptions&,
                            Eigen::VectorXd& out) {
      voltages->evaluate(here, in, table ? table->where().text() : std::string(), out);
    };
  }
  const Interrupt interrupt;  // before there is a file to lose
  const auto sinks = make_sinks(arguments, quantity, system, names, left_out);
  if (table) {
    evaluate_rows(arguments, quantity, work, *table, input, options, interrupt, values, sinks);
  } else {
    if (arguments.text(Variable::q)) report_beyond_limits(system, Variable::q, input.state.q);
    if (quantity.uses(Variable::tau)) report_beyond_limits(system, Variable::tau, input.tau);
    if (quantity.name == "forward-dynamics" && system.closures().empty())
      warn_of_weak_joints(work.tree(), input.state.q, "at this state");
    evaluate(arguments, quantity, work, input, options, values);
    LostContacts lost(quantity, system);
    lost.take(work, input);
    lost.report();
    for (const auto& sink : sinks) sink->add(values, input.state.t);
  }
  if (voltages) voltages->report_limits();
  if (interrupt.requested()) {
    report_warning("interrupted; nothing was written");
    throw Interrupted{interrupt.signal()};
  }
  for (const auto& sink : sinks) sink->finish();
}

}  // namespace

void add_compute(CLI::App& program) {
  auto arguments = std::make_shared<ComputeArguments>();
  CLI::App* command =
      program.add_subcommand("compute", "Compute a quantity for one state or for many");
  add_compute_options(*command, *arguments);
  command->callback([arguments] { run_compute(*arguments); });
}

}  // namespace linkwright::app
