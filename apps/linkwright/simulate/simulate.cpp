#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "linkwright/io/output_file.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/model/rigid.hpp"
#include "linkwright/simulate/network_equations.hpp"
#include "shell/interrupt.hpp"
#include "shell/model/loops.hpp"
#include "shell/model/weak_joints.hpp"
#include "shell/output.hpp"
#include "shell/progress.hpp"
#include "shell/state/beyond_limits.hpp"
#include "shell/state/closed_start.hpp"
#include "simulate/arguments.hpp"
#include "simulate/command/command.hpp"
#include "simulate/motors.hpp"
#include "simulate/page.hpp"
#include "simulate/recording.hpp"
#include "simulate/remedies.hpp"
#include "simulate/same_options.hpp"
#include "simulate/size.hpp"
#include "simulate/summary.hpp"

namespace linkwright::app {
namespace {

/// A long run must not end at a path that could not be written from the start.
void check_outputs(const std::vector<std::string>& paths) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty() || paths[i] == "-") continue;
    if (std::find(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(i), paths[i]) !=
        paths.begin() + static_cast<std::ptrdiff_t>(i))
      throw Error(fmt::format("{} is given for two results; give each its own file", paths[i]));
    const OutputFile tried(paths[i]);
  }
}

void check_arguments(const SimulateArguments& arguments) {
  if (arguments.json && (arguments.out == "-" || arguments.html == "-"))
    throw Error("--json and a result on stdout (-) exclude each other; name a file");
  if (arguments.out == "-" && arguments.html == "-")
    throw Error("--out - and --html - both write to stdout; keep one or name a file");
  const StartArguments& start = arguments.start;
  if (!arguments.resume.empty() &&
      (start.start || start.q || start.v || arguments.assemble || arguments.extra))
    throw Error(
        "--continue takes the state from the checkpoint; remove --start, --q, --v, --extra and "
        "--assemble");
  const bool records = !arguments.out.empty() || !arguments.html.empty();
  if (!records && !arguments.records.empty())
    throw Error("--record: nothing is recorded without --out or --html; add one of them");
  if (arguments.describe && arguments.out.empty())
    throw Error("--describe: there is no recording to describe; add --out FILE.csv");
  if (arguments.describe && !(arguments.out == "-" || arguments.out.ends_with(".csv")))
    throw Error("--describe is for CSV; HDF5 always holds units, method and model");
  if (!records && !arguments.every.empty())
    report_note("--every has no effect without --out or --html");
  check_command(arguments.command);
  if (!arguments.html.empty()) require_page();
  check_outputs({arguments.out, arguments.html, arguments.checkpoint});
}

/// What was typed and no motor or joint could do.
void warn_of_limits(const SimulateArguments& arguments, const Simulation& simulation) {
  const System& system = simulation.system();
  if (arguments.tau && !arguments.command.cuts_efforts())
    report_beyond_limits(system, Variable::tau, simulation.input().head(system.effort_count()));
  if (arguments.start.v) report_beyond_limits(system, Variable::v, simulation.state().v);
}

/// The state to start from; that of a closed system keeps its closures.
State closed_start(const SimulateArguments& arguments, const System& system, Command& command) {
  const StartArguments& start = arguments.start;
  if (!start.start && !start.q && !start.v)
    if (auto from_reference = command.start_of_reference(base_state(system, {})))
      return *from_reference;
  State state = start_state(system, start);
  if (system.closures().empty()) {
    if (arguments.assemble) report_note("--assemble: there is no closure or grasp to keep");
    return state;
  }
  ClosedWorkspace work(system);
  keep_closed(work,
              {arguments.assemble, joints_given(system, start.q), joints_given(system, start.v)},
              state);
  return state;
}

/// Where the motion that was commanded before a checkpoint began.
Eigen::VectorXd command_start(const CommandArguments& command, const System& system,
                              const Checkpoint& saved) {
  if (!command.moves_joints()) return saved.now.state.q;
  if (saved.command_start.size() != static_cast<std::size_t>(system.nq()))
    throw Error("the checkpoint does not tell where its run began; make it again");
  return Eigen::Map<const Eigen::VectorXd>(saved.command_start.data(), system.nq());
}

/// All that drives a run up to a time, part by part.
std::vector<PartDigest> commands_of(const SimulateArguments& arguments, const System& system,
                                    const Command& command, double until) {
  std::vector<PartDigest> parts = command.digests(until);
  if (arguments.tau) {
    const Eigen::VectorXd tau =
        parse_coordinates(system, Variable::tau, *arguments.tau, neutral(system, Variable::tau));
    parts.push_back({"--tau", digest_of({}, {tau.data(), static_cast<std::size_t>(tau.size())})});
  }
  if (arguments.command.cuts_efforts())
    parts.push_back({"--effort-limits", digest_of({"cut"}, {})});
  if (!arguments.voltage) return parts;
  std::vector<std::string> motors;
  std::vector<double> volts;
  for (const auto& [motor, value] : parse_named_numbers("--voltage", *arguments.voltage))
    motors.push_back(motor), volts.push_back(value);
  parts.push_back({"--voltage", digest_of(motors, volts)});
  return parts;
}

/// A run may go on under another command, but not without a word.
void note_other_command(const SimulateArguments& arguments, const System& system,
                        const Checkpoint& saved, const Command& command) {
  const std::string what =
      first_difference(saved.commands, commands_of(arguments, system, command, saved.now.state.t));
  if (!what.empty())
    report_note(fmt::format("--continue {}: the run goes on under another command than before: {}",
                            printable(arguments.resume), what));
}

/// Where this part of the run begins; the command then knows where the whole did.
State begin(const SimulateArguments& arguments, const System& system,
            const SimulationOptions& options, const std::optional<Checkpoint>& saved,
            Command& command) {
  if (saved) require_same_options(arguments, system, *saved);
  State start = saved ? saved->now.state : closed_start(arguments, system, command);
  command.begin(saved ? command_start(arguments.command, system, *saved) : start.q, start,
                options.limits);
  if (saved) note_other_command(arguments, system, *saved, command);
  return start;
}

/// Capacitors at sources begin with what these give in this run.
void tell_start_input(const SimulateArguments& arguments, const Command& command, double t,
                      Equations& equations) {
  auto* wired = dynamic_cast<NetworkEquations*>(&equations);
  if (wired == nullptr) return;
  Eigen::VectorXd input = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(wired->inputs().size()));
  wired->compute_usual_input(input);
  if (arguments.voltage)
    set_named("--voltage", *arguments.voltage, wired->inputs(), "voltage:", input);
  command.write_inputs(t, input);
  wired->set_start_input(input);
}

Simulation make_simulation(const SimulateArguments& arguments, const State& start,
                           const SimulationOptions& options, const std::optional<Checkpoint>& saved,
                           const Command& command) {
  const auto equip = [&command](Simulation& simulation) { command.equip(simulation); };
  std::unique_ptr<Equations> equations = command.equations(options);
  FullState full{start, {}};
  tell_start_input(arguments, command, start.t, *equations);
  equations->compute_start(full);
  if (arguments.extra)
    set_named("--extra", *arguments.extra, equations->extra_states(), {}, full.extra);
  Simulation simulation = saved ? Simulation(std::move(equations), *saved, options, equip)
                                : Simulation(std::move(equations), full, options);
  if (!saved) equip(simulation);
  const System& system = simulation.system();
  Eigen::VectorXd input = simulation.input();
  if (arguments.tau)
    input.head(system.effort_count()) =
        parse_coordinates(system, Variable::tau, *arguments.tau, neutral(system, Variable::tau));
  if (arguments.voltage)
    set_named("--voltage", *arguments.voltage, simulation.equations().inputs(), "voltage:", input);
  if (arguments.tau || arguments.voltage) simulation.set_input(input);
  return simulation;
}

/// A source of the network that an option and a column give would have two voltages.
void check_sources(const SimulateArguments& arguments, const Command& command) {
  if (!arguments.voltage) return;
  for (const auto& [name, volts] : parse_named_numbers("--voltage", *arguments.voltage))
    if (command.has_column("voltage:" + name))
      throw Error(fmt::format("column voltage:{} of {} and --voltage {} both drive it; keep one",
                              name, printable(arguments.command.input), name));
}

bool has_one_sided(const System& system) {
  const auto& grasps = system.model().grasps;
  return std::any_of(grasps.begin(), grasps.end(), [](const Grasp& g) { return is_one_sided(g); });
}

/// What had happened when this part of a run began: nothing, or what the checkpoint tells.
struct Before {
  double time;
  long steps, evaluations;
  std::size_t events;
  explicit Before(const Simulation& simulation)
      : time(simulation.time()),
        steps(simulation.statistics().steps),
        evaluations(simulation.statistics().evaluations),
        events(simulation.occurrences().size()) {}
};

/// All of it speaks of this part of the run alone.
RunSummary summarize(const SimulateArguments& arguments, const Simulation& simulation,
                     const Before& before) {
  RunSummary run;
  run.file = arguments.model.file;
  run.closed = !simulation.system().closures().empty();
  run.one_sided = has_one_sided(simulation.system());
  const auto released = simulation.equations().released();
  for (std::size_t i = 0; i < released.size(); ++i)
    if (released[i] != 0) run.released.push_back(simulation.system().model().grasps[i].name);
  if (const auto* wired = dynamic_cast<const NetworkEquations*>(&simulation.equations())) {
    run.network = NetworkFacts{wired->circuit().index(), wired->circuit().states().size(), {}};
    for (const network::DependentStore& store : wired->circuit().dependent())
      run.network->dependent.push_back(store.component);
  }
  run.options = simulation.options();
  run.from = before.time;
  run.reached = simulation.time();
  run.stopped = simulation.stopped();
  run.statistics = simulation.statistics();
  run.statistics.steps -= before.steps;
  run.statistics.evaluations -= before.evaluations;
  run.events.assign(simulation.occurrences().begin() + static_cast<std::ptrdiff_t>(before.events),
                    simulation.occurrences().end());
  return run;
}

std::vector<Fact> outcome_of(const RunSummary& run) {
  std::vector<Fact> facts{{"end", end_of(run)},
                          {"steps", static_cast<double>(run.statistics.steps)},
                          {"evaluations", static_cast<double>(run.statistics.evaluations)}};
  if (run.statistics.missed_at) facts.push_back({"tolerance_missed_at", *run.statistics.missed_at});
  return facts;
}

void warn_of_missed_tolerance(const RunSummary& run) {
  if (!run.statistics.missed_at) return;
  report_warning(fmt::format(
      "the tolerance is missed from t = {:.6g} s on: the estimated error has grown to {} "
      "tolerances. The motion may be too sensitive to foretell so far ahead; a smaller --rtol "
      "holds "
      "longer where there is room, and --on-miss stop ends the run there. Recordings mark the rows "
      "as tolerance_missed",
      *run.statistics.missed_at, describe_error(run.statistics)));
}

/// Once for every contact; what happened to it later is among the events.
void warn_of_slips(const RunSummary& run) {
  std::vector<std::string> told;
  for (const Slip& slip : run.statistics.slips) {
    if (std::find(told.begin(), told.end(), slip.contact) != told.end()) continue;
    told.push_back(slip.contact);
    report_warning(fmt::format(
        "contact {} {} at t = {:.9g} s{}", in_quotes(slip.contact), to_string(slip.loss), slip.time,
        slip.released ? "; it was released there"
        : run.options.on_slip == OnSlip::stop
            ? "; the run ends there"
            : "; it is held all the same from there on (--on-slip stop or release "
              "does otherwise)"));
  }
}

/// An option that no grasp of the model answers to.
void check_on_slip(const SimulateArguments& arguments, const System& system) {
  if (!arguments.on_slip.empty() && !has_one_sided(system))
    report_note("--on-slip has no effect: no grasp that is obeyed has friction, so none can slip");
}

/// Runs to `goal`. A run that fails on its way keeps the rows it has, and says so.
void advance(Simulation& simulation, const Command& command, double goal, double every,
             const Interrupt& interrupt, RunRecording& recording, const std::string& out) {
  Progress progress(simulation.time(), goal);
  try {
    simulation.run(
        goal, every,
        [&](const Snapshot& at) {
          recording.take(at);
          return true;
        },
        [&](double now) {
          progress.show(now);
          command.look(simulation.state());
          return !interrupt.requested();
        });
  } catch (const Error& e) {
    if (e.kind() != Error::Kind::failed_computation || recording.rows() == 0) throw;
    recording.finish({{"end", "failure: " + std::string(e.what())}});
    if (!out.empty() && out != "-")
      report_note(fmt::format("{} holds the {} before the failure", printable(out),
                              counted(recording.rows(), "row", "rows")));
    throw;
  }
}

void save_checkpoint(const SimulateArguments& arguments, Simulation& simulation,
                     const Command& command) {
  Checkpoint checkpoint = simulation.save();
  checkpoint.command_start.assign(command.start().begin(), command.start().end());
  checkpoint.commands =
      commands_of(arguments, simulation.system(), command, checkpoint.now.state.t);
  write_checkpoint(checkpoint, arguments.checkpoint);
}

void print_summary(const SimulateArguments& arguments, const RunSummary& run,
                   const SummaryLines& lines) {
  if (arguments.json) return print(to_text(to_json(run)));
  if (arguments.out != "-" && arguments.html != "-") print(to_text(run, lines));
}

void run_simulation(const SimulateArguments& arguments, const System& system,
                    const std::vector<std::string>& left_out, const Interrupt& interrupt) {
  const std::optional<Checkpoint> saved =
      arguments.resume.empty() ? std::nullopt
                               : std::optional<Checkpoint>(read_checkpoint(arguments.resume));
  SimulationOptions options = to_options(arguments, saved ? &*saved : nullptr);
  options.measure_drift = true;
  options.cut_efforts = arguments.command.cuts_efforts();
  const double goal = parse_duration("--time", arguments.time);
  double every = arguments.every.empty() ? 0 : parse_duration("--every", arguments.every);
  if (arguments.out.empty() && arguments.html.empty()) every = goal;  // no rows to stop for
  const double from = saved ? saved->now.state.t : 0;
  if (goal < from)
    throw Error(fmt::format("--time {}: the checkpoint {} is already at {:g} s", arguments.time,
                            arguments.resume, from));
  if (arguments.voltage)
    for (const auto& [motor, volts] : parse_named_numbers("--voltage", *arguments.voltage))
      if (!is_network_voltage(system, motor)) options.voltages.push_back(motor);
  Command command(arguments.command, system, options, {from, goal});
  check_sources(arguments, command);
  note_open_terminals(system, options.voltages);
  check_on_slip(arguments, system);
  warn_of_lost_currents(system, options.voltages);
  const State begun = begin(arguments, system, options, saved, command);
  Simulation simulation = make_simulation(arguments, begun, options, saved, command);
  warn_of_limits(arguments, simulation);
  RunRecording recording(simulation, arguments);
  const Before before(simulation);
  if (system.closures().empty()) {
    Workspace work(system);
    warn_of_weak_joints(work, simulation.state().q, "where the run starts,");
  }
  check_size(arguments, options, {goal - before.time, every}, recording.columns());
  const auto start = std::chrono::steady_clock::now();
  try {
    advance(simulation, command, goal, every, interrupt, recording, arguments.out);
  } catch (const Error& e) {
    if (e.kind() != Error::Kind::failed_computation) throw;
    const std::string tried =
        try_remedies(options, simulation.time(), interrupt, [&](const SimulationOptions& other) {
          return make_simulation(arguments, begun, other, saved, command);
        });
    throw Error(e.what() + tried, e.kind());
  }

  RunSummary run = summarize(arguments, simulation, before);
  run.cut_open = left_out;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.goal = goal;
  run.command = command.lines();
  run.command_json = command.to_json();
  command.report();
  run.rows = recording.rows();
  run.interrupted = interrupt.requested() && run.reached < goal;
  recording.finish(outcome_of(run));
  run.out = arguments.out;
  if (!arguments.checkpoint.empty()) save_checkpoint(arguments, simulation, command);
  run.checkpoint = arguments.checkpoint;
  const SummaryLines lines = summary_lines(run);
  if (!arguments.html.empty()) write_run_page(arguments.html, system, recording, run, lines);
  run.html = arguments.html;
  warn_of_missed_tolerance(run);
  warn_of_slips(run);
  print_summary(arguments, run, lines);
  if (!run.interrupted) return;
  report_warning(
      fmt::format("interrupted at t = {:g} s of {:g} s; what was recorded until then is "
                  "complete",
                  run.reached, goal));
  throw Interrupted{interrupt.signal()};
}

/// Whether a message says by itself what it is about: an option, or one of the files.
bool names_its_place(const SimulateArguments& arguments, const std::string& message) {
  if (message.starts_with("--")) return true;
  for (const std::string& path :
       {arguments.model.file, arguments.out, arguments.html, arguments.checkpoint, arguments.resume,
        arguments.command.input, arguments.command.reference})
    if (path.size() > 1 && message.find(path) != std::string::npos) return true;
  return false;
}

void run_simulate(const SimulateArguments& arguments) {
  const Interrupt interrupt;  // before a path is tried
  check_arguments(arguments);
  Model model = load(arguments.model);
  if (arguments.rigid) leave_out_forces(model);
  const std::vector<std::string> left_out = leave_out_loops(model, arguments.cut_open);
  const System system = compile(model);
  sum_up_warnings(system);
  try {
    run_simulation(arguments, system, left_out, interrupt);
  } catch (const Error& e) {
    const std::string text = e.what();
    if (names_its_place(arguments, text)) throw;
    throw Error(Source{arguments.model.file}, text, e.kind());
  }
}

constexpr const char* footer =
    "CHANNEL is one of:\n"
    "  frame:NAME         pose of a link or frame: x, y, z, qw, qx, qy, qz\n"
    "  velocity:NAME      its velocity in world axes; acceleration:NAME likewise\n"
    "  a, a:JOINT         accelerations; tau, tau:JOINT: efforts of the motors\n"
    "  friction:JOINT     effort of its dry friction; stop:JOINT: of the stops at its limits\n"
    "  force:JOINT        what the joint passes on to its child\n"
    "  closure:NAME       force and moment that a closure or grasp carries: mx … fz\n"
    "  contact:NAME       of a grasp: attitude of hand and object, qw … qz; with friction normal,\n"
    "                     tangential, moment and margin, or one of them: contact:NAME:margin\n"
    "  motor:NAME         current, voltage, torque, angle, speed, power and heat of a motor, or "
    "one of\n"
    "                     them: motor:NAME:current\n"
    "  momentum, com, kinetic, potential, stored, input, input:NAME, extra, velocity_error\n"
    "time, q, v, energy and closure_error are always recorded.\n"
    "\nCtrl-C ends the run and keeps what was recorded; a second Ctrl-C ends the program.\n"
    "\nExample:\n"
    "  linkwright simulate models/arm7.urdf --time 0.5 --q joint2=0.5 --out -\n"
    "  linkwright simulate models/space_robot.yaml --time 1 --rtol 1e-9 --json\n"
    "  linkwright simulate models/arm6.urdf --time 1 --step 0.0005 --method semi-implicit\n"
    "  linkwright simulate models/four_bar.yaml --time 2 --q crank_pivot=2 --assemble --rtol 1e-9\n"
    "  linkwright simulate models/arm7.urdf --time 3 --move joint2=1.2,joint4=-1 --in 2\n"
    "  linkwright simulate models/five_bar.yaml --time 2 --move left_motor=0.4 --in 1 --control "
    "exact";

}  // namespace

void add_simulate(CLI::App& program) {
  auto arguments = std::make_shared<SimulateArguments>();
  CLI::App* command =
      program.add_subcommand("simulate", "Simulate the motion, record it, write a page of it");
  add_simulate_arguments(*command, *arguments);
  command->footer(footer);
  command->callback([arguments] { run_simulate(*arguments); });
}

}  // namespace linkwright::app
