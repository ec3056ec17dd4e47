#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "compute/input/state_table.hpp"
#include "linearize/network_rows.hpp"
#include "linearize/report.hpp"
#include "linkwright/io/output_file.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/network/linear_network.hpp"
#include "shell/arguments.hpp"
#include "shell/interrupt.hpp"
#include "shell/model/loading.hpp"
#include "shell/model/loops.hpp"
#include "shell/output.hpp"
#include "shell/state/beyond_limits.hpp"
#include "shell/state/closed_start.hpp"
#include "shell/state/start.hpp"

namespace linkwright::app {
namespace {

using linear::EquilibriumOptions;
using linear::LinearOptions;
using linear::OperatingPoint;

struct LinearizeArguments {
  ModelArguments model;
  StartArguments start;
  std::optional<std::string> tau;
  ClosedStart closed;
  bool equilibrium = false, motors = false, transfer = false, cut_open = false, json = false;
  std::string coordinates, inputs, outputs, states, out, bode;
  std::optional<std::string> step, voltages;

  [[nodiscard]] bool holds() const { return tau && *tau == "hold"; }
};

LinearOptions make_options(const LinearizeArguments& arguments) {
  LinearOptions options;
  const std::string& text = arguments.coordinates;
  if (text != "joint" && text != "independent" && !text.empty())
    options.coordinates = split_names(text);
  if (!arguments.inputs.empty()) options.inputs = split_names(arguments.inputs);
  if (!arguments.outputs.empty()) options.outputs = split_names(arguments.outputs);
  return options;
}

/// A network is part of the model, and motors of `actuators` beside it are not yet.
void check_network(const LinearizeArguments& arguments, const Model& model) {
  if (model.network.components.empty()) return;
  if (arguments.motors)
    throw Error(
        model.network.source,
        "--motors: the drive is written as a network, whose states are part of the model already");
}

void check_arguments(const LinearizeArguments& arguments, const System& system) {
  if (arguments.coordinates == "joint" && !system.closures().empty())
    throw Error(
        "--coordinates joint: the joints of a closed mechanism depend on each other; use "
        "independent (the default), or name as many as it has freedoms");
  if (arguments.holds() && !arguments.equilibrium)
    throw Error(
        "--tau hold asks for the efforts that hold the mechanism at rest; add --equilibrium");
  if (arguments.equilibrium && !arguments.states.empty())
    throw Error(
        "--equilibrium moves one state to rest, and --states gives many that are to stay; keep "
        "one");
  if (arguments.voltages && !arguments.motors)
    throw Error("--voltage has no effect without --motors; add it");
  if (arguments.equilibrium && arguments.start.v)
    throw Error("--v gives a velocity, and --equilibrium is at rest; keep one");
  if (!arguments.bode.empty() && !arguments.states.empty())
    throw Error("--bode draws one model, and --states gives many; keep one");
  const bool known =
      arguments.out.empty() || arguments.out.ends_with(".json") || arguments.out.ends_with(".mat");
  if (!known)
    throw Error(fmt::format("--out {}: expected a name that ends in .json or .mat",
                            in_quotes(arguments.out)));
}

/// The point that the options give, before any row of --states.
Input make_input(const LinearizeArguments& arguments, const System& system) {
  Input input(system);
  input.state = start_state(system, arguments.start);
  if (arguments.tau && !arguments.holds())
    input.tau =
        parse_coordinates(system, Variable::tau, *arguments.tau, neutral(system, Variable::tau));
  if (arguments.start.q) report_beyond_limits(system, Variable::q, input.state.q);
  report_beyond_limits(system, Variable::tau, input.tau);
  return input;
}

OperatingPoint make_point(const System& system, const Input& input) {
  OperatingPoint point(system);
  point.state = input.state;
  for (Eigen::Index i = 0; i < input.tau.size(); ++i)
    point.tau[static_cast<std::size_t>(i)] = input.tau[i];
  return point;
}

/// Motors as states: with --motors all that a voltage can drive; without, shafts behind elastic gears alone.
actuation::Drives make_drives(const LinearizeArguments& arguments, const System& system) {
  if (!arguments.motors) return actuation::Drives(system, std::vector<std::string>{});
  actuation::Drives drives(system);
  if (drives.is_idle())
    throw Error(Source{arguments.model.file},
                "--motors: no motor in it has an electrical side or an elastic gear; give "
                "`actuators` a `motor` with Ra and k");
  return drives;
}

/// "m1=12,m2=-3": volts at motors, in the order of the motors' inputs.
std::vector<double> parse_voltages(const std::string& text, const actuation::Drives& drives) {
  std::vector<double> out(drives.inputs().size(), 0.0);
  for (const std::string& part : split_names(text)) {
    const std::size_t equals = part.rfind('=');
    if (equals == std::string::npos)
      throw Error(fmt::format("--voltage {}: expected MOTOR=VOLTS", in_quotes(part)));
    const actuation::Drive& drive = drives.find(part.substr(0, equals));
    if (drive.voltage < 0)
      throw Error(
          fmt::format("--voltage: no voltage drives motor {}; add --motors, and give it an "
                      "electrical side",
                      in_quotes(drive.name)));
    out[static_cast<std::size_t>(drive.voltage)] = parse_real("--voltage", part.substr(equals + 1));
  }
  return out;
}

/// A rest that a stop would not let the mechanism reach.
void warn_of_limits(const System& system, const Eigen::VectorXd& q) {
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    if (place.quaternion >= 0) continue;
    for (int i = 0; i < place.nv; ++i) {
      const Limits limits = per_freedom(system.model().joints[j].limits, i, Limits{});
      const double x = q[place.q + i];
      if (x >= limits.lower - 1e-9 && x <= limits.upper + 1e-9) continue;
      report_warning(fmt::format(
          "--equilibrium: joint {} rests at {:.6g}, beyond its limits {:g} … {:g}; stops are not "
          "part of a linear model",
          in_quotes(system.velocity_names()[static_cast<std::size_t>(place.v + i)]), x,
          limits.lower, limits.upper));
    }
  }
}

/// What a row tells of motors, beside what the file and --voltage say.
void take_motors(const actuation::Drives& drives, ClosedWorkspace& work, const Input& input,
                 OperatingPoint& point) {
  if (input.motors.empty()) return;
  const auto take = [&](const std::vector<Quantity>& names, std::vector<double>& values) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (const auto told = input.motors.find(names[i].name); told != input.motors.end())
        values[i] = told->second;
  };
  Eigen::VectorXd angles = Eigen::VectorXd::Zero(drives.count()), speeds = angles;
  Eigen::VectorXd start =
      Eigen::VectorXd::Zero(static_cast<Eigen::Index>(drives.extra_states().size()));
  actuation::Drives shafts = drives;
  shafts.compute_shafts(work, input.state, angles, speeds);
  drives.compute_start(angles, speeds, start);
  point.motor_states.assign(start.begin(), start.end());
  take(drives.extra_states(), point.motor_states);
  point.motor_inputs.resize(drives.inputs().size(), 0.0);
  take(drives.inputs(), point.motor_inputs);
}

LinearReport report_of(const LinearizeArguments& arguments, ClosedWorkspace& work,
                       const LinearOptions& options, const network::Circuit* circuit,
                       Input& input) {
  if (work.rows() > 0) keep_closed(work, arguments.closed, input.state);
  LinearReport report{make_point(work.system(), input), {}, {}, {}, {}};
  if (arguments.voltages && options.drives != nullptr)
    report.point.motor_inputs = parse_voltages(*arguments.voltages, *options.drives);
  if (options.drives != nullptr) take_motors(*options.drives, work, input, report.point);
  std::optional<network::NetworkPoint> wired;
  if (circuit != nullptr) {
    wired.emplace(work.system(), *circuit);
    wired->mechanism = report.point;
    take_network(*circuit, work, input, *wired);
  }
  if (arguments.equilibrium) {
    EquilibriumOptions find;
    find.drives = options.drives;
    if (arguments.holds()) find.find = EquilibriumOptions::Find::efforts;
    report.equilibrium = wired ? network::find_equilibrium(work, *circuit, *wired, find)
                               : find_equilibrium(work, report.point, find);
    if (!report.equilibrium->found)
      throw Error(describe(*report.equilibrium), Error::Kind::failed_computation);
    if (wired) report.point = wired->mechanism;
    warn_of_limits(work.system(), report.point.state.q);
  }
  report.model = wired ? network::linearize(work, *circuit, *wired, options)
                       : linearize(work, report.point, options);
  if (arguments.step)
    report.model = to_discrete(report.model, parse_real("--step", *arguments.step));
  report.analysis = analyse(report.model);
  if (arguments.transfer)
    for (const std::string& from : report.model.inputs)
      for (const std::string& to : report.model.outputs)
        report.transfer_functions.push_back(make_transfer_function(report.model, from, to));
  return report;
}

/// Columns of motors that are no states or inputs here, and states that have none.
void check_motor_columns(const LinearizeArguments& arguments, const StateTable& table,
                         const LinearOptions& options, const network::Circuit* circuit) {
  std::vector<std::string> missing, titles = table.motor_columns();
  if (circuit != nullptr) check_network_columns(arguments.states, *circuit, titles);
  const auto has = [&](const std::string& name) { return std::erase(titles, name) > 0; };
  if (options.drives != nullptr) {
    for (const Quantity& state : options.drives->extra_states())
      if (!has(state.name)) missing.push_back(state.name);
    for (const Quantity& input : options.drives->inputs())
      if (has(input.name) && arguments.voltages)
        throw Error(fmt::format("{} has a column {} and --voltage is given too; keep one",
                                arguments.states, in_quotes(input.name)));
  }
  if (!missing.empty())
    report_note(
        fmt::format("{}: no column for {}; taken as the file's state says, else no current, "
                    "and shafts that turn with their gears",
                    arguments.states, list_in_quotes(missing)));
  if (!titles.empty())
    report_note(fmt::format("{}: {} {} not used{}", arguments.states, list_in_quotes(titles),
                            titles.size() == 1 ? "is" : "are",
                            arguments.motors ? "" : "; --motors makes them states"));
}

/// What a table leaves open, or says beside the options, is told.
void check_table(const LinearizeArguments& arguments, const StateTable& table,
                 const LinearOptions& options, const network::Circuit* circuit) {
  const std::pair<Variable, const std::optional<std::string>&> given[] = {
      {Variable::q, arguments.start.q},
      {Variable::v, arguments.start.v},
      {Variable::tau, arguments.tau}};
  for (const auto& [variable, text] : given) {
    if (table.has(variable) && text)
      throw Error(fmt::format("{} has columns for {} and --{} is given too; keep one",
                              arguments.states, letter(variable), letter(variable)));
    if (!table.has(variable) && !text)
      report_note(fmt::format("{}: no column for {}; taken {}", arguments.states, letter(variable),
                              variable == Variable::tau ? "as zero" : "as --start says"));
  }
  table.refuse_forces("linearize");
  check_motor_columns(arguments, table, options, circuit);
}

void add_rows(const LinearizeArguments& arguments, ClosedWorkspace& work, LinearOptions options,
              const network::Circuit* circuit, Input& input, LinearReports& reports) {
  StateTable table(arguments.states, work.system(), columns_of(circuit));
  check_table(arguments, table, options, circuit);
  const Interrupt interrupt;
  while (table.next(input)) {
    if (interrupt.requested()) throw Interrupted{interrupt.signal()};
    try {
      reports.list.push_back(report_of(arguments, work, options, circuit, input));
    } catch (const Error& e) {
      throw Error(table.where(), e.what(), e.kind());
    }
    // The independent coordinates of the first row are those of all.
    const auto& states = reports.list.front().model.states;
    if (options.coordinates.empty() && work.rows() > 0)
      for (const std::string& state : states)
        if (state.starts_with("v:")) options.coordinates.push_back(state.substr(2));
  }
  if (reports.list.empty())
    throw Error(Source{arguments.states},
                "there is no state below the column names; expected one line per state");
}

void write(const LinearizeArguments& arguments, const System& system,
           const LinearReports& reports) {
  if (arguments.out.empty()) return;
  OutputFile file(arguments.out);
  file.write(arguments.out.ends_with(".mat") ? to_mat(system, reports)
                                             : to_text(to_json(system, reports)));
  file.commit();
}

/// Curves of so many pairs are told apart.
constexpr std::size_t most_curves = 6;

void draw(const std::string& path, const linear::LinearModel& model) {
  if (path.empty()) return;
  if (model.inputs.size() * model.outputs.size() > most_curves)
    throw Error(
        fmt::format("--bode: {} inputs and {} outputs make {} curves; name fewer with "
                    "--inputs and --outputs, at most {} pairs",
                    model.inputs.size(), model.outputs.size(),
                    model.inputs.size() * model.outputs.size(), most_curves));
  std::vector<linear::FrequencyResponse> curves;
  for (const std::string& from : model.inputs)
    for (const std::string& to : model.outputs)
      curves.push_back(compute_frequency_response(model, from, to));
  OutputFile file(path);
  file.write(draw_frequency_response(curves));
  file.commit();
}

void run_linearize(const LinearizeArguments& given) {
  LinearizeArguments arguments = given;
  Model model = load(arguments.model);
  leave_out_loops(model, arguments.cut_open);
  const System system = compile(model);
  sum_up_warnings(system);
  check_arguments(arguments, system);
  check_network(arguments, model);
  arguments.closed.given_q = joints_given(system, arguments.start.q);
  arguments.closed.given_v = joints_given(system, arguments.start.v);
  Input input = make_input(arguments, system);
  LinearOptions options = make_options(arguments);
  const actuation::Drives drives = make_drives(arguments, system);
  if (!drives.is_idle()) options.drives = &drives;
  std::unique_ptr<const network::Circuit> circuit;
  if (!model.network.components.empty())
    circuit = std::make_unique<network::Circuit>(network::Network(model));
  ClosedWorkspace work(system);
  LinearReports reports{.file = arguments.model.file, .many = !arguments.states.empty()};
  for (const auto& entry : drives.extra_states()) reports.motor_states.push_back(entry.name);
  for (const auto& entry : drives.inputs()) reports.motor_inputs.push_back(entry.name);
  if (reports.many)
    add_rows(arguments, work, options, circuit.get(), input, reports);
  else
    reports.list.push_back(report_of(arguments, work, options, circuit.get(), input));
  write(arguments, system, reports);
  draw(arguments.bode, reports.list.front().model);
  if (arguments.json)
    print(to_text(to_json(system, reports)));
  else
    print(to_lines(system, reports));
}

void add_lists(CLI::App& command, LinearizeArguments& arguments) {
  command
      .add_option_function<std::string>(
          "--q", [&arguments](const std::string& text) { arguments.start.q = text; },
          "positions; default: as --start says")
      ->type_name(list_type);
  command
      .add_option_function<std::string>(
          "--v", [&arguments](const std::string& text) { arguments.start.v = text; },
          "velocities; default: as --start says")
      ->type_name(list_type);
  command
      .add_option_function<std::string>(
          "--tau", [&arguments](const std::string& text) { arguments.tau = text; },
          "constant efforts of the motors; default: zero. `hold` with --equilibrium: those that "
          "keep the motors where they are")
      ->type_name(list_type);
  add_start_option(command, arguments.start.start);
}

void add_options(CLI::App& command, LinearizeArguments& arguments) {
  command.add_flag("--equilibrium", arguments.equilibrium,
                   "first move to the state at rest near the given one");
  command
      .add_option("--coordinates", arguments.coordinates,
                  "joint (default), independent (default of closed systems), or as many as there "
                  "are freedoms: joints j1,j2 and parts of frames frame:tip:x,frame:tip:y")
      ->type_name("NAMES");
  command.add_flag("--motors", arguments.motors,
                   "currents and shafts of the motors are states, their voltages inputs");
  command
      .add_option_function<std::string>(
          "--voltage", [&arguments](const std::string& text) { arguments.voltages = text; },
          "with --motors: constant voltages; default: zero")
      ->type_name("MOTOR=VOLTS,…");
  command
      .add_option("--inputs", arguments.inputs,
                  "tau (default), tau:JOINT, force:FRAME, force:FRAME:fx, …; with --motors "
                  "voltage:MOTOR (default); of a network its sources (default), voltage:NAME, …")
      ->type_name("NAMES");
  command
      .add_option(
          "--outputs", arguments.outputs,
          "default: the positions; q, v, a, q:JOINT, frame:NAME, velocity:NAME, "
          "acceleration:NAME, closure:NAME, frame:NAME:x, …; of a network network:NAME:current, …")
      ->type_name("NAMES");
  command
      .add_option_function<std::string>(
          "--step", [&arguments](const std::string& text) { arguments.step = text; },
          "a discrete model: inputs are constant over steps of so many seconds")
      ->type_name("SECONDS");
  command
      .add_option("--states", arguments.states,
                  "CSV with one state per row, as for compute: a model at each of them")
      ->check(not_empty())
      ->type_name("IN.csv");
  command.add_flag("--assemble", arguments.closed.assemble,
                   "closed systems: move the joints that --q and --v do not give, so that all "
                   "loops close");
  add_cut_open(command, arguments.cut_open);
  command.add_option("--out", arguments.out, "write the model; MODEL.mat is for MATLAB and scipy")
      ->check(not_empty())
      ->type_name("MODEL.json|mat");
  command.add_flag("--transfer", arguments.transfer,
                   "poles, zeros and gain from every input to every output");
  command
      .add_option("--bode", arguments.bode,
                  "draw the answer to waves from every input to every output, six pairs at most")
      ->check(not_empty())
      ->type_name("PLOT.svg");
  command.add_flag("--json", arguments.json,
                   "one JSON object: states, inputs, outputs, A, B, C, D, eigenvalues, …");
}

}  // namespace

void add_linearize(CLI::App& program) {
  auto arguments = std::make_shared<LinearizeArguments>();
  CLI::App* command =
      program.add_subcommand("linearize", "Linear model about a state or along a trajectory");
  add_model_arguments(*command, arguments->model);
  add_lists(*command, *arguments);
  add_options(*command, *arguments);
  command->footer(
      "Exit code 1: no state at rest was found, or the position is singular.\n\n"
      "Example:\n"
      "  linkwright linearize models/four_bar.yaml --equilibrium\n"
      "  linkwright linearize models/arm6.urdf --tau hold --equilibrium --outputs frame:tool\n"
      "  linkwright linearize models/five_bar.yaml --step 0.001 --out five_bar.mat\n"
      "  linkwright linearize models/network_arm.yaml --outputs v:elbow --transfer --bode arm.svg");
  command->callback([arguments] { run_linearize(*arguments); });
}

}  // namespace linkwright::app
