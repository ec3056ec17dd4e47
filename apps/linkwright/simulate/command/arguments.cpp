#include "simulate/command/arguments.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "linkwright/error.hpp"
#include "shell/arguments.hpp"

namespace linkwright::app {
namespace {

void add_list(CLI::App& command, const std::string& name, std::optional<std::string>& text,
              const std::string& help) {
  command
      .add_option_function<std::string>(
          name, [&text](const std::string& given) { text = given; }, help)
      ->type_name(list_type);
}

}  // namespace

void add_command_arguments(CLI::App& command, CommandArguments& arguments) {
  command
      .add_option("--input", arguments.input,
                  "inputs over time: columns time, tau:JOINT, force:FRAME:nx … fz (world axes)")
      ->check(not_empty())
      ->type_name("FILE.csv");
  command
      .add_option("--input-between", arguments.between,
                  "between two rows of --input: linear (default), or hold the first")
      ->check(one_of({"linear", "hold"}))
      ->type_name("HOW");
  command
      .add_option("--reference", arguments.reference,
                  "the motion to make: columns time, q:JOINT, where known v:JOINT and a:JOINT")
      ->check(not_empty())
      ->type_name("FILE.csv");
  command
      .add_option("--move", arguments.moves,
                  "move these joints to these positions, as joint2=1.2; other motors hold; may be "
                  "repeated, one after the other, each with its --in")
      ->type_name(list_type)
      ->allow_extra_args(false);
  command.add_option("--in", arguments.durations, "the seconds that a --move takes")
      ->type_name("T")
      ->allow_extra_args(false);
  command
      .add_option("--control", arguments.control,
                  "how --reference and --move are followed: computed-torque (default), pd, "
                  "pd-gravity, or exact (whatever force that takes)")
      ->check(one_of({"pd", "pd-gravity", "computed-torque", "exact"}))
      ->type_name("NAME");
  add_list(command, "--kp", arguments.kp,
           "gains of position, one for all or joint2=100; default 400 in 1/s² (pd: times the "
           "joint's inertia at the start)");
  add_list(command, "--kd", arguments.kd,
           "gains of velocity; default: critical damping, 2 sqrt(kp) (pd: 2 sqrt(kp inertia))");
  command
      .add_option(
          "--effort-limits", arguments.effort_limits,
          "efforts beyond the limits of their joints: tell (default: they act as they are), or "
          "cut them off")
      ->check(one_of({"tell", "cut"}))
      ->type_name("ACTION");
  command
      .add_option("--control-period", arguments.period,
                  "seconds between two samples of the controller; default: at every evaluation")
      ->type_name("dt");
}

void check_command(const CommandArguments& arguments) {
  const auto refuse = [](const std::string& text) { throw Error(text); };
  if (arguments.input.empty() && arguments.between != "linear")
    refuse("--input-between has no effect without --input FILE.csv");
  if (!arguments.reference.empty() && !arguments.moves.empty())
    refuse("--reference and --move both say how the joints move; keep one");
  if (arguments.input == "-" && arguments.reference == "-")
    refuse("--input - and --reference - both read stdin; name a file");
  if (arguments.moves.size() != arguments.durations.size())
    refuse(
        fmt::format("--move is given {} times and --in {} times; every --move needs its --in, the "
                    "seconds that it takes",
                    arguments.moves.size(), arguments.durations.size()));
  const bool gains = arguments.kp || arguments.kd;
  if (!arguments.moves_joints() &&
      (gains || !arguments.control.empty() || !arguments.period.empty()))
    refuse(
        "--control, --kp, --kd and --control-period have no effect without --reference FILE.csv or "
        "--move");
  if (arguments.is_exact() && (gains || !arguments.period.empty()))
    refuse(
        "--control exact makes the motion whatever force that takes: there is no controller; "
        "remove --kp, --kd and --control-period");
}

std::vector<Fact> facts_of(const CommandArguments& arguments) {
  std::vector<Fact> facts;
  const auto add = [&facts](const char* name, const std::string& text) {
    if (!text.empty()) facts.push_back({name, text});
  };
  add("input", arguments.input);
  if (!arguments.input.empty()) add("input_between", arguments.between);
  add("reference", arguments.reference);
  for (std::size_t i = 0; i < arguments.moves.size(); ++i)
    add(i == 0 ? "move" : fmt::format("move_{}", i + 1).c_str(),
        fmt::format("{} in {} s", arguments.moves[i], arguments.durations[i]));
  if (arguments.moves_joints()) add("control", arguments.control_name());
  add("kp", arguments.kp.value_or(""));
  add("kd", arguments.kd.value_or(""));
  add("control_period", arguments.period);
  return facts;
}

}  // namespace linkwright::app
