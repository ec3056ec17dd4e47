#include "simulate/arguments.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "linkwright/model/names.hpp"
#include "shell/arguments.hpp"
#include "shell/model/loops.hpp"

namespace linkwright::app {
namespace {

double parse_positive(std::string_view option, const std::string& text) {
  const double value = parse_real(option, text);
  if (value <= 0)
    throw Error(fmt::format("{} {}: expected a number above zero", option, in_quotes(text)));
  return value;
}

LimitAction to_limit_action(const SimulateArguments& arguments, Method method) {
  const std::string& name = arguments.limits;
  if (name == "hold" && arguments.rigid)
    throw Error(
        "--limits hold and --rigid exclude each other: --rigid leaves friction and stops out; "
        "choose "
        "--limits report, stop or ignore");
  if (name == "stop") return LimitAction::stop;
  if (name == "ignore") return LimitAction::ignore;
  if (name == "hold") return LimitAction::hold;
  // What cannot be held is told.
  const bool told = name == "report" || arguments.rigid || method == Method::symplectic;
  return told ? LimitAction::report : LimitAction::hold;
}

Method choose_method(const SimulateArguments& arguments, const Checkpoint* saved) {
  if (!arguments.method.empty()) return to_method(arguments.method);
  if (saved != nullptr) return to_method(saved->method);
  const bool tolerances = !arguments.rtol.empty() || !arguments.atol.empty();
  return tolerances ? Method::adams : Method::rk4;
}

void add_state_arguments(CLI::App& command, SimulateArguments& arguments) {
  const auto list = [&command](const std::string& name, std::optional<std::string>& text,
                               const std::string& help) {
    command
        .add_option_function<std::string>(
            name, [&text](const std::string& given) { text = given; }, help)
        ->type_name(list_type);
  };
  add_start_option(command, arguments.start.start);
  list("--q", arguments.start.q, "start position; default: as --start says");
  list("--v", arguments.start.v, "start velocity; default: as --start says");
  command.add_flag("--assemble", arguments.assemble,
                   "closed systems: move what --q and --v do not give until every closure is kept");
  list("--tau", arguments.tau, "constant efforts of the motors; default: zero");
  list("--voltage", arguments.voltage,
       "constant voltages at motors, as m1=24,m2=-12; terminals of the others are open");
  list("--extra", arguments.extra,
       "start values of extra states, as motor:m1:current=2; default: as the file says, else no "
       "current, and shafts that turn with their gears");
}

void add_method_arguments(CLI::App& command, SimulateArguments& arguments) {
  command.add_option("--time", arguments.time, "simulate until this time, in seconds")
      ->required()
      ->type_name("T");
  command
      .add_option(
          "--method", arguments.method,
          "rk4 (default), semi-implicit or symplectic with a fixed step; adams (default "
          "when a tolerance is given), bdf or ida (descriptor form) with steps of their own")
      ->type_name("NAME");
  command.add_option("--step", arguments.step, "fixed step in seconds; default 0.001")
      ->type_name("h");
  command.add_option("--rtol", arguments.rtol, "adams, bdf, ida: relative tolerance; default 1e-8")
      ->type_name("r");
  command
      .add_option("--atol", arguments.atol, "adams, bdf, ida: absolute tolerance; default 1e-10")
      ->type_name("a");
  command
      .add_option(
          "--on-miss", arguments.on_miss,
          "adams, bdf, ida: when the tolerance turns out to be missed: tell (default: the run goes "
          "on, and summary and recording say from when on) or stop (at a hundred tolerances)")
      ->check(one_of({"tell", "stop"}))
      ->type_name("ACTION");
  command
      .add_option(
          "--limits", arguments.limits,
          "when a joint comes to its lower or upper limit: hold it as a stop does, report "
          "that it passes, stop the run, or ignore it (default: hold; report with --rigid and "
          "symplectic)")
      ->check(one_of({"hold", "report", "stop", "ignore"}))
      ->type_name("ACTION");
  command
      .add_option(
          "--on-slip", arguments.on_slip,
          "when a grasp with friction would open, slip or twist: warn (default: it holds all the "
          "same, and that is told), stop the run, or release the contact and go on")
      ->check(one_of({"warn", "stop", "release"}))
      ->type_name("ACTION");
  command.add_flag("--rigid", arguments.rigid,
                   "leave out the model's damping, friction, stops, springs and loads");
  add_cut_open(command, arguments.cut_open);
  command
      .add_option("--baumgarte", arguments.baumgarte,
                  "closed systems: let gaps fade at this rate, in 1/s; default: project every step")
      ->type_name("RATE");
}

void add_output_arguments(CLI::App& command, SimulateArguments& arguments) {
  const auto file = [&](const std::string& name, std::string& value, const std::string& help,
                        const std::string& type) {
    command.add_option(name, value, help)->check(not_empty())->type_name(type);
  };
  file("--out", arguments.out, "record the run: CSV (.csv, - is stdout) or HDF5 (.h5, .hdf5)",
       "RUN.csv|RUN.h5");
  command.add_option("--every", arguments.every, "seconds between two rows; default: every step")
      ->type_name("dt");
  command.add_flag("--any-size", arguments.any_size,
                   "record even more than 2 GB or 20 million rows");
  command.add_option("--record", arguments.records, "further channels, see below; may be repeated")
      ->type_name("CHANNEL");
  command.add_flag("--describe", arguments.describe,
                   "CSV: begin with units, method and the model's files in '#' lines");
  file("--html", arguments.html, "write a page that plays the run in 3D", "RUN.html");
  file("--checkpoint", arguments.checkpoint, "save the end of the run, to go on from it", "FILE");
  file("--continue", arguments.resume, "go on from a checkpoint", "FILE");
  command.add_flag("--json", arguments.json, "the summary as one JSON object");
}

}  // namespace

void add_simulate_arguments(CLI::App& command, SimulateArguments& arguments) {
  add_model_arguments(command, arguments.model);
  add_method_arguments(command, arguments);
  add_state_arguments(command, arguments);
  add_command_arguments(command, arguments.command);
  add_output_arguments(command, arguments);
}

double parse_duration(std::string_view option, const std::string& text) {
  const double value = parse_real(option, text);
  if (value < 0) throw Error(fmt::format("{} {}: time runs forwards", option, in_quotes(text)));
  return value;
}

SimulationOptions to_options(const SimulateArguments& arguments, const Checkpoint* saved) {
  SimulationOptions options;
  if (saved != nullptr) {
    options.step = saved->step;
    options.relative_tolerance = saved->relative_tolerance;
    options.absolute_tolerance = saved->absolute_tolerance;
  }
  options.method = choose_method(arguments, saved);
  options.limits = to_limit_action(arguments, options.method);
  const std::string name(to_string(options.method));
  const bool tolerances = !arguments.rtol.empty() || !arguments.atol.empty();
  if (has_fixed_step(options.method) && tolerances)
    throw Error(fmt::format(
        "--rtol and --atol have no meaning for {}, whose step is fixed; give --step, or choose "
        "--method adams, bdf or ida",
        name));
  if (!has_fixed_step(options.method) && !arguments.step.empty())
    throw Error(fmt::format(
        "--step has no meaning for {}, which chooses its steps; give --rtol and --atol", name));
  if (has_fixed_step(options.method) && !arguments.on_miss.empty())
    throw Error(fmt::format(
        "--on-miss has no meaning for {}, which has a fixed step and no tolerance; choose "
        "--method adams, bdf or ida",
        name));
  if (arguments.on_slip == "stop") options.on_slip = OnSlip::stop;
  if (arguments.on_slip == "release") options.on_slip = OnSlip::release;
  options.on_miss = arguments.on_miss == "stop" ? OnMiss::stop : OnMiss::tell;
  if (!arguments.step.empty()) options.step = parse_positive("--step", arguments.step);
  if (!arguments.rtol.empty())
    options.relative_tolerance = parse_positive("--rtol", arguments.rtol);
  if (!arguments.atol.empty())
    options.absolute_tolerance = parse_positive("--atol", arguments.atol);
  if (!arguments.baumgarte.empty())
    options.baumgarte_rate = parse_positive("--baumgarte", arguments.baumgarte);
  return options;
}

std::string describe_method(const SimulationOptions& options) {
  if (has_fixed_step(options.method))
    return fmt::format("{}, step {:g} s", to_string(options.method), options.step);
  return fmt::format("{}, rtol {:g}, atol {:g}", to_string(options.method),
                     options.relative_tolerance, options.absolute_tolerance);
}

}  // namespace linkwright::app
