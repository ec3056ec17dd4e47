#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "compute/closed_input.hpp"
#include "compute/quantities.hpp"
#include "compute/results.hpp"
#include "compute/state_table.hpp"
#include "linkwright/actuation/voltages.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/grasp_contacts.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"
#include "shell/arguments.hpp"
#include "shell/beyond_limits.hpp"
#include "shell/forces_included.hpp"
#include "shell/interrupt.hpp"
#include "shell/loading.hpp"
#include "shell/loops.hpp"
#include "shell/output.hpp"
#include "shell/start.hpp"
#include "shell/weak_joints.hpp"

namespace linkwright::app {
namespace {

struct ComputeArguments {
  ModelArguments model;
  std::string quantity;
  std::array<std::optional<std::string>, all_variables.size()> lists;
  std::optional<Start> start;
  std::vector<std::string> frames, forces;
  std::string axes = "own", force_axes = "own";
  std::optional<int> order;
  std::string states, out;
  bool rigid = false, cut_open = false, json = false;
  ClosedArguments closed;

  [[nodiscard]] const std::optional<std::string>& text(Variable variable) const {
    return lists[static_cast<std::size_t>(variable)];
  }
};

Axes to_axes(const std::string& name) { return name == "own" ? Axes::own : Axes::world; }

/// "FRAME: nx,ny,nz,fx,fy,fz"; the frame's name may itself hold colons.
ExternalForce parse_force(const System& system, const std::string& text, Axes axes) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos)
    throw Error(fmt::format("--force {}: expected \"FRAME: nx,ny,nz,fx,fy,fz\"", in_quotes(text)));
  std::array<double, 6> numbers{};
  std::size_t count = 0;
  for (std::size_t start = colon + 1; start <= text.size(); ++count) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string field = text.substr(start, end - start);
    const auto value = parse_number(field);
    if (!value)
      throw Error(fmt::format("--force {}: {}", in_quotes(text), explain_bad_number(field)));
    if (count < numbers.size()) numbers[count] = *value;
    start = end + 1;
  }
  if (count != numbers.size())
    throw Error(
        fmt::format("--force {}: {} numbers are given; expected 6, moment then force: "
                    "nx,ny,nz,fx,fy,fz",
                    in_quotes(text), count));
  return {system.frame(text.substr(0, colon)),
          {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}},
          axes};
}

std::vector<FrameId> choose_frames(const ComputeArguments& arguments, const Quantity& quantity,
                                   const System& system) {
  using Frames = Quantity::Frames;
  if (quantity.frames == Frames::none && !arguments.frames.empty())
    throw Error(fmt::format("--frame has no meaning for {}; remove it", quantity.name));
  if (quantity.frames == Frames::one && arguments.frames.size() != 1)
    throw Error(fmt::format("{} needs one --frame NAME, a link or a frame; {} are given",
                            quantity.name, arguments.frames.size()));
  std::vector<FrameId> frames;
  for (const std::string& name : arguments.frames) frames.push_back(system.frame(name));
  if (!frames.empty() || quantity.frames != Frames::all_unless_named) return frames;
  for (std::size_t i = 1; i < system.frames().size(); ++i) frames.push_back({static_cast<int>(i)});
  return frames;
}

QuantityOptions make_options(const ComputeArguments& arguments, const Quantity& quantity,
                             const System& system) {
  if (!quantity.takes_forces && !arguments.forces.empty())
    throw Error(fmt::format("--force has no meaning for {}; remove it", quantity.name));
  QuantityOptions options;
  options.frames = choose_frames(arguments, quantity, system);
  options.axes = to_axes(arguments.axes);
  if (arguments.order && quantity.name != "influence")
    throw Error(fmt::format("--order has no meaning for {}; remove it", quantity.name));
  options.order = arguments.order.value_or(1);
  for (const std::string& text : arguments.forces)
    options.forces.push_back(parse_force(system, text, to_axes(arguments.force_axes)));
  return options;
}

/// The state that the options and the file give, before any row of --states.
Input make_input(const ComputeArguments& arguments, const Quantity& quantity,
                 const System& system) {
  Input input(system);
  input.state = start_state(
      system, {arguments.start, arguments.text(Variable::q), arguments.text(Variable::v)});
  for (const Variable variable : {Variable::a, Variable::j, Variable::tau})
    if (const auto& text = arguments.text(variable))
      input.values(variable) =
          parse_coordinates(system, variable, *text, neutral(system, variable));
  for (const Variable variable : all_variables)
    if (arguments.text(variable) && !quantity.uses(variable))
      report_note(fmt::format("--{} is not used by {}", letter(variable), quantity.name));
  return input;
}

std::string_view stand_in(const ComputeArguments& arguments, const Model& model, Variable variable,
                          const StateTable& table) {
  const bool of_state = variable == Variable::q || variable == Variable::v;
  if (of_state && arguments.start && !table.has(variable)) return "taken as --start says";
  const bool from_file = (variable == Variable::q && !model.initial.q.empty()) ||
                         (variable == Variable::v && !model.initial.v.empty());
  if (from_file && !table.has(variable)) return "taken from the system file's state";
  return variable == Variable::q ? "taken as neutral" : "taken as zero";
}

/// Entries without a column: neutral where the variable has other columns, what `input` holds where
/// not.
void prepare_rows(const ComputeArguments& arguments, const Quantity& quantity, const System& system,
                  const StateTable& table, Input& input) {
  const std::string unused =
      table.unused([&quantity](Variable variable) { return quantity.uses(variable); });
  if (!unused.empty())
    report_note(fmt::format("{}: {} does not use {}", arguments.states, quantity.name, unused));
  for (const Variable variable : all_variables) {
    if (table.has(variable) && arguments.text(variable))
      throw Error(fmt::format("{} has columns for {} and --{} is given too; keep one",
                              arguments.states, letter(variable), letter(variable)));
    if (table.has(variable)) input.values(variable) = neutral(system, variable);
    const std::vector<std::string> missing = table.missing(variable);
    if (!quantity.uses(variable) || missing.empty() || arguments.text(variable)) continue;
    report_note(fmt::format("{}: no column for {} of {}; {}", arguments.states, letter(variable),
                            list_in_quotes(missing),
                            stand_in(arguments, system.model(), variable, table)));
  }
  if (arguments.start && table.has(Variable::q) && table.has(Variable::v))
    throw Error(fmt::format("{} has columns for q and v, so --start has no effect; remove it",
                            arguments.states));
}

/// Of each number of a result: in a matrix, in a row and as text.
constexpr double bytes_per_number = 64;
constexpr double largest_memory = 4.0 * 1024 * 1024 * 1024;

/// A matrix over 100 000 joints would ask for more memory than any machine has.
void check_size(const ComputeArguments& arguments, const Quantity& quantity,
                const ResultNames& names) {
  const double memory = bytes_per_number * static_cast<double>(names.size());
  if (memory <= largest_memory) return;
  throw Error(fmt::format(
      "{} of {} has {} numbers and needs about {:.3g} GiB; expected at most {:.0f} GiB. Ask "
      "for a product with it instead, which takes no matrix (inverse-dynamics, forward-dynamics, "
      "coriolis), or for a smaller part of the mechanism",
      quantity.name, arguments.model.file, fmt::join(names.shape(), " × "), memory / std::exp2(30),
      largest_memory / std::exp2(30)));
}

/// What an open system cannot answer is refused by name.
void require_answer(const ComputeArguments& arguments, const Quantity& quantity,
                    const System& system) {
  if (system.closures().empty() && quantity.name.starts_with("closure"))
    throw Error(Source{arguments.model.file},
                fmt::format("{}: there is no closure or grasp in it", quantity.name));
  const auto& grasps = system.model().grasps;
  if (quantity.name == "contacts" &&
      std::none_of(grasps.begin(), grasps.end(), [](const Grasp& g) { return lets_turn(g); }))
    throw Error(Source{arguments.model.file},
                fmt::format("contacts: there is no {} in it; compute closure-forces tells what "
                            "closures and rigid grasps carry",
                            grasps.empty() ? "grasp" : "grasp that is not rigid"));
}

/// Voltages ask for more of a motion than the other quantities, and zeros in its place would be wrong.
void require_derivatives(const ComputeArguments& arguments, const System& system,
                         const std::optional<StateTable>& table) {
  const auto given = [&](Variable variable) {
    return arguments.text(variable) || (table && table->has(variable));
  };
  const actuation::NominalVoltages nominal(system);
  const auto refuse = [&](std::string_view what, std::string_view name, std::string_view why) {
    throw Error(fmt::format("{}the motion has no {}, on which voltages depend{}: give {}--{}",
                            table ? arguments.states + ": " : std::string(), what, why,
                            table ? fmt::format("columns {}:JOINT or ", name) : std::string(),
                            name));
  };
  if (table && !given(Variable::v)) refuse("velocities", "v", "");
  if (table && !given(Variable::a)) refuse("accelerations", "a", "");
  for (const actuation::Drive& drive : nominal.drives().list())
    if (drive.k != 0 && drive.motor.La > 0 && !given(Variable::j))
      refuse("jerk", "j",
             fmt::format(" (motor {} has an inductance of {:g} H)", in_quotes(drive.name),
                         drive.motor.La));
}

/// Derivatives are taken at one motion, which accelerations or efforts decide.
void choose_motion(const ComputeArguments& arguments, const std::optional<StateTable>& table,
                   Quantity& quantity, QuantityOptions& options) {
  if (quantity.name != "derivatives") return;
  const auto given = [&](Variable variable) {
    return arguments.text(variable).has_value() || (table && table->has(variable));
  };
  if (given(Variable::a) && given(Variable::tau))
    throw Error(
        "derivatives: both a and tau are given, and each decides the motion at which they are "
        "taken; keep one");
  options.motion = given(Variable::tau) ? Variable::tau : Variable::a;
  quantity.depends_on = {Variable::q, Variable::v, options.motion};
}

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
    if (quantity.name == "inverse-dynamics" || quantity.name == "voltages" ||
        (quantity.name == "derivatives" && options.motion == Variable::a))
      complete_accelerations(work, input.state, input.a);
    if (quantity.name == "voltages")
      actuation::complete_jerk(work, input.state, input.a,
                               choose_independent(work, input.state.q).entries, input.j);
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
  BeyondLimits efforts(work.system(), Variable::tau);
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
    if (quantity.uses(Variable::tau)) efforts.take(input.tau, table.where().text());
    for (const auto& sink : sinks) sink->add(values);
  }
  if (table.rows() == 0 && !interrupt.requested())
    throw Error(Source{table.where().file, header},
                "there is no state below the column names; expected one line per state");
  efforts.report();
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
  Input input = make_input(arguments, quantity, system);
  arguments.closed.given_q = joints_given(system, arguments.text(Variable::q));
  arguments.closed.given_v = joints_given(system, arguments.text(Variable::v));

  sum_up_warnings(system);
  require_answer(arguments, quantity, system);
  if (quantity.name == "inverse-dynamics" || quantity.name == "forward-dynamics" ||
      quantity.name == "derivatives")
    note_included_forces(model);
  if (quantity.name == "inverse-dynamics" && system.closures().empty()) note_passive(system);
  if (quantity.name == "voltages") require_derivatives(arguments, system, table);
  if (table) prepare_rows(arguments, quantity, system, *table, input);

  ClosedWorkspace work(system);
  options.coordinates = coordinates_of(arguments, quantity, work, input);
  const ResultNames names = quantity.result_names(system, options);
  check_size(arguments, quantity, names);
  Eigen::VectorXd values(static_cast<Eigen::Index>(names.size()));
  const Interrupt interrupt;  // before there is a file to lose
  const auto sinks = make_sinks(arguments, quantity, system, names, left_out);
  if (table) {
    evaluate_rows(arguments, quantity, work, *table, input, options, interrupt, values, sinks);
  } else {
    if (quantity.uses(Variable::tau)) {
      BeyondLimits efforts(system, Variable::tau);
      efforts.take(input.tau);
      efforts.report();
    }
    if (quantity.name == "forward-dynamics" && system.closures().empty())
      warn_of_weak_joints(work.tree(), input.state.q, "at this state");
    evaluate(arguments, quantity, work, input, options, values);
    for (const auto& sink : sinks) sink->add(values);
  }
  if (interrupt.requested()) {
    report_warning("interrupted; nothing was written");
    throw Interrupted{interrupt.signal()};
  }
  for (const auto& sink : sinks) sink->finish();
}

std::string footer() {
  std::string text = "QUANTITY is one of:\n";
  for (const Quantity& quantity : quantities())
    text += fmt::format("  {:<21}{}\n", quantity.name, quantity.summary);
  return text +
         "\nNumbers: --q 0.1,-0.2 or --q 0.1 -0.2 gives all of them in the order of `info`;\n"
         "--q elbow=0.3,base:0=1 gives some by name, the others are as --start says, or neutral.\n"
         "A recording of `simulate` (CSV) can be given as --states.\n"
         "\nExample:\n"
         "  linkwright compute forward-dynamics models/arm7.urdf --q joint2=0.5,joint4=-1\n"
         "  linkwright compute inverse-dynamics models/arm6.urdf --q 0 -0.5 0.5 0 0 0 --json\n"
         "  linkwright compute jacobian models/arm7.urdf --frame tool --axes world\n"
         "  linkwright compute inverse-dynamics models/arm7.urdf --states models/arm7_states.csv "
         "--out -";
}

void add_state_options(CLI::App& command, ComputeArguments& arguments) {
  constexpr std::array<std::string_view, all_variables.size()> help{
      "positions; default: as --start says", "velocities; default: as --start says",
      "accelerations; default: zero", "jerks, the rates of the accelerations; default: zero",
      "efforts, torques and forces of the motors; default: zero"};
  for (const Variable variable : all_variables) {
    const auto i = static_cast<std::size_t>(variable);
    command
        .add_option_function<std::string>(
            fmt::format("--{}", letter(variable)),
            [&arguments, i](const std::string& text) { arguments.lists[i] = text; },
            std::string(help[i]))
        ->type_name(list_type);
  }
  add_start_option(command, arguments.start);
}

void add_other_options(CLI::App& command, ComputeArguments& arguments) {
  const auto axes = one_of({"own", "world"});
  const auto repeatable = [&command](const std::string& name, std::vector<std::string>& values,
                                     const std::string& help) {
    command.add_option(name, values, help)->allow_extra_args(false)->type_name("TEXT");
  };
  repeatable("--frame", arguments.frames,
             "a link or frame; may be repeated for forward-kinematics (default: all)");
  command
      .add_option("--axes", arguments.axes,
                  "velocities, accelerations and jacobian in the frame's own axes (default) or "
                  "in world axes, at the frame's origin: own, world")
      ->check(axes)
      ->type_name("AXES");
  command
      .add_option(
          "--order", arguments.order,
          "influence: 1 for G (default), 2 for H, 3 for D: rates of velocity, acceleration, jerk")
      ->check(CLI::Range(1, 3))
      ->type_name("1|2|3");
  repeatable("--force", arguments.forces,
             "\"FRAME: nx,ny,nz,fx,fy,fz\", a moment and a force on a frame; may be repeated");
  command.add_option("--force-axes", arguments.force_axes, "axes of --force: own (default), world")
      ->check(axes)
      ->type_name("AXES");
  command.add_flag("--rigid", arguments.rigid,
                   "leave out the model's damping, friction, springs and loads");
  add_cut_open(command, arguments.cut_open);
  command.add_flag(
      "--assemble", arguments.closed.assemble,
      "closed systems: move the joints that --q and --v do not give, so that all loops close");
  command
      .add_option(
          "--coordinates", arguments.closed.coordinates,
          "closed systems: describe mass-matrix, bias, gravity, coriolis and influence by these "
          "joints: "
          "independent (default: `coordinates` of the file, or the best), full, or names j1,j2")
      ->type_name("NAMES");
  const CLI::Validator path(
      [](const std::string& text) {
        return text.empty() ? std::string("the path is empty") : std::string{};
      },
      "");
  command
      .add_option(
          "--states", arguments.states,
          "CSV with one state per row; columns q:JOINT, v:JOINT, a:JOINT, j:JOINT, tau:JOINT or "
          "q1, v1, a1, j1, tau1; - is stdin")
      ->check(path)
      ->type_name("IN.csv");
  command.add_option("--out", arguments.out, "write CSV with all digits; - is stdout")
      ->check(path)
      ->type_name("OUT.csv");
  command.add_flag("--json", arguments.json, "one JSON object: quantity, names, values");
}

}  // namespace

void add_compute(CLI::App& program) {
  auto arguments = std::make_shared<ComputeArguments>();
  CLI::App* command =
      program.add_subcommand("compute", "Compute a quantity for one state or for many");
  command->add_option("QUANTITY", arguments->quantity, "what to compute, see below")->required();
  add_model_arguments(*command, arguments->model);
  add_state_options(*command, *arguments);
  add_other_options(*command, *arguments);
  command->footer(footer());
  command->callback([arguments] { run_compute(*arguments); });
}

}  // namespace linkwright::app
