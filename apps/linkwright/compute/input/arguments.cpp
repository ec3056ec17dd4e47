#include "compute/input/arguments.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "shell/arguments.hpp"
#include "shell/model/loops.hpp"

namespace linkwright::app {
namespace {

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
      "positions; default: as --start says",
      "velocities; default: as --start says",
      "accelerations; default: zero",
      "jerks, the rates of the accelerations; default: zero",
      "snaps, the rates of the jerks; default: zero",
      "crackles, the rates of the snaps; default: zero",
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
      .add_option_function<std::string>(
          "--extra", [&arguments](const std::string& text) { arguments.extra = text; },
          "shafts behind elastic gears, motor:m1:angle=0.1,motor:m1:speed=2; default: as the "
          "file's "
          "state says, else they turn with their gears")
      ->type_name("NAME=NUMBER,…");
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
          "CSV with one state per row; columns q:JOINT, v:JOINT, a:JOINT, j:JOINT, s:JOINT, "
          "c:JOINT, tau:JOINT or q1, v1, a1, j1, s1, c1, tau1, force:FRAME:nx … fz (axes as "
          "--force-axes), motor:NAME:angle, …; `time` is carried over to the results; - is stdin")
      ->check(path)
      ->type_name("IN.csv");
  command.add_option("--out", arguments.out, "write CSV with all digits; - is stdout")
      ->check(path)
      ->type_name("OUT.csv");
  command.add_flag("--json", arguments.json, "one JSON object: quantity, names, values");
}

}  // namespace

void add_compute_options(CLI::App& command, ComputeArguments& arguments) {
  command.add_option("QUANTITY", arguments.quantity, "what to compute, see below")->required();
  add_model_arguments(command, arguments.model);
  add_state_options(command, arguments);
  add_other_options(command, arguments);
  command.footer(footer());
}

}  // namespace linkwright::app
