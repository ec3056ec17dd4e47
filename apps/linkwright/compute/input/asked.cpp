#include "compute/input/asked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/shafts.hpp"
#include "linkwright/actuation/voltages.hpp"
#include "linkwright/closure/grasp_contacts.hpp"
#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"
#include "shell/output.hpp"
#include "simulate/motors.hpp"

namespace linkwright::app {
namespace {

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

/// --extra: angles and speeds of shafts behind elastic gears.
void take_shafts(const std::string& text, const Quantity& quantity, const System& system,
                 Input& input) {
  const actuation::Drives drives(system, std::vector<std::string>{});
  Eigen::VectorXd values(static_cast<Eigen::Index>(drives.extra_states().size()));
  set_named("--extra", text, drives.extra_states(), {}, values);
  for (const auto& [name, value] : parse_named_numbers("--extra", text)) {
    if (!uses_shaft(quantity, system, name))
      report_note(fmt::format("--extra {} is not used by {}", name, quantity.name));
    input.motors[name] = value;
  }
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

/// Of each number of a result: in a matrix, in a row and as text.
constexpr double bytes_per_number = 64;
constexpr double largest_memory = 4.0 * 1024 * 1024 * 1024;

}  // namespace

QuantityOptions make_options(const ComputeArguments& arguments, const Quantity& quantity,
                             const System& system) {
  QuantityOptions options;
  options.frames = choose_frames(arguments, quantity, system);
  options.axes = to_axes(arguments.axes);
  if (arguments.order && quantity.name != "influence")
    throw Error(fmt::format("--order has no meaning for {}; remove it", quantity.name));
  options.order = arguments.order.value_or(1);
  return options;
}

Input make_input(const ComputeArguments& arguments, const Quantity& quantity,
                 const System& system) {
  Input input(system);
  input.state = start_state(
      system, {arguments.start, arguments.text(Variable::q), arguments.text(Variable::v)});
  for (const Variable variable :
       {Variable::a, Variable::j, Variable::s, Variable::c, Variable::tau})
    if (const auto& text = arguments.text(variable))
      input.values(variable) =
          parse_coordinates(system, variable, *text, neutral(system, variable));
  for (const Variable variable : all_variables)
    if (arguments.text(variable) && !quantity.uses(variable))
      report_note(fmt::format("--{} is not used by {}", letter(variable), quantity.name));
  if (arguments.extra) take_shafts(*arguments.extra, quantity, system, input);
  if (!quantity.takes_forces && !arguments.forces.empty())
    throw Error(fmt::format("--force has no meaning for {}; remove it", quantity.name));
  for (const std::string& text : arguments.forces)
    input.forces.push_back(parse_force(system, text, to_axes(arguments.force_axes)));
  return input;
}

namespace {

/// Forces that rows give follow those of --force; the table writes their numbers.
void prepare_forces(const ComputeArguments& arguments, const System& system, StateTable& table,
                    Input& input) {
  for (const ExternalForce& given : input.forces)
    for (const FrameId frame : table.force_frames())
      if (frame.index == given.frame.index)
        throw Error(
            fmt::format("{} has columns for the force on {} and --force is given too; keep one",
                        arguments.states, in_quotes(system.frame(frame).name)));
  table.write_forces(to_axes(arguments.force_axes), input);
}

}  // namespace

void prepare_rows(const ComputeArguments& arguments, const Quantity& quantity, const System& system,
                  StateTable& table, Input& input) {
  if (quantity.takes_forces) prepare_forces(arguments, system, table, input);
  const std::string unused =
      table.unused([&quantity](Variable variable) { return quantity.uses(variable); },
                   [&](const std::string& title) { return uses_shaft(quantity, system, title); },
                   quantity.takes_forces);
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

void require_derivatives(const ComputeArguments& arguments, const System& system,
                         const std::optional<StateTable>& table, Quantity& quantity) {
  if (quantity.name != "voltages") return;
  const actuation::NominalVoltages nominal(system);
  const auto given = [&](Variable variable) {
    return arguments.text(variable) || (table && table->has(variable));
  };
  const auto refuse = [&](std::string_view what, Variable variable, const std::string& why) {
    throw Error(
        fmt::format("{}the motion has no {}, on which voltages depend{}: give {}--{}",
                    table ? arguments.states + ": " : std::string(), what, why,
                    table ? fmt::format("columns {}:JOINT or ", letter(variable)) : std::string(),
                    letter(variable)));
  };
  if (table && !given(Variable::v)) refuse("velocities", Variable::v, "");
  if (table && !given(Variable::a)) refuse("accelerations", Variable::a, "");
  for (const actuation::Drive& drive : nominal.drives().list())
    for (int n = 2; n <= actuation::NominalVoltages::derivatives_needed(drive); ++n)
      if (const Variable rate = all_rates[static_cast<std::size_t>(n - 1)]; !given(rate))
        refuse(actuation::NominalVoltages::name_of_derivative(n), rate,
               fmt::format(" (motor {} {})", in_quotes(drive.name),
                           actuation::NominalVoltages::reason_of_need(drive)));
  quantity.depends_on = {Variable::q, Variable::v};
  for (int n = 0; n < nominal.derivatives_needed(); ++n)
    quantity.depends_on.push_back(all_rates[static_cast<std::size_t>(n)]);
}

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

}  // namespace linkwright::app
