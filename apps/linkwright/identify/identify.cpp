// `linkwright identify`: parameters of bodies and joints from a recording of motion and efforts.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "commands.hpp"
#include "compute/input/state_table.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/coordinates/identification.hpp"
#include "linkwright/model/names.hpp"
#include "shell/arguments.hpp"
#include "shell/json.hpp"
#include "shell/model/forces_included.hpp"
#include "shell/model/loading.hpp"
#include "shell/output.hpp"
#include "shell/state/closed_start.hpp"

namespace linkwright::app {
namespace {

using coordinates::Estimate;
using coordinates::Identification;
using coordinates::JointParameter;
using coordinates::Regressor;

struct IdentifyArguments {
  ModelArguments model;
  std::string data, joints;
  bool json = false;
};

/// Beyond this the motion is told to be dull.
constexpr double poor_condition = 100;

std::vector<JointParameter> parse_joints(const std::string& text) {
  std::vector<JointParameter> out;
  for (const std::string& name : split_names(text)) {
    if (name == "rotor")
      out.push_back(JointParameter::rotor_inertia);
    else if (name == "damping")
      out.push_back(JointParameter::damping);
    else if (name == "friction")
      out.push_back(JointParameter::friction);
    else
      throw Error(
          fmt::format("--joints {}: expected rotor, damping or friction, with commas between",
                      in_quotes(name)));
  }
  return out;
}

/// All of a motion must be measured; nothing stands in for a number that was not.
void require_columns(const StateTable& table, const std::string& file, const System& system) {
  for (const Variable variable : {Variable::q, Variable::v, Variable::a, Variable::tau}) {
    std::vector<std::string> missing = table.missing(variable);
    if (variable == Variable::tau)  // what has no motor has no effort
      std::erase_if(missing, [&](const std::string& name) {
        for (const int i : system.passive_freedoms())
          if (system.velocity_names()[static_cast<std::size_t>(i)] == name) return true;
        return false;
      });
    if (missing.empty()) continue;
    throw Error(Source{file},
                fmt::format("no column for {} of {}; expected q, v, a and tau of every joint "
                            "(`simulate --record a --record tau` writes them)",
                            letter(variable), list_in_quotes(missing)));
  }
}

Estimate identify_tree(const Regressor& regressor, StateTable& table) {
  const System& system = regressor.system();
  Workspace work(system);
  Identification data(regressor, find_base_parameters(regressor, work));
  for (Input input(system); table.next(input);) data.add(work, input.state, input.a, input.tau);
  return data.solve();
}

std::vector<std::string> names_of(const System& system, const std::vector<int>& entries) {
  std::vector<std::string> names;
  for (const int entry : entries)
    names.push_back(system.velocity_names()[static_cast<std::size_t>(entry)]);
  return names;
}

Estimate identify_closed(const Regressor& regressor, StateTable& table, const std::string& file) {
  const System& system = regressor.system();
  ClosedWorkspace work(system);
  Input input(system);
  if (!table.next(input)) throw Error(Source{file}, "there are no rows");
  const std::vector<int> entries = choose_independent(work, input.state.q).entries;
  Identification data(regressor, find_base_parameters(regressor, work, input.state.q));
  double moved = 0;
  do {
    try {
      moved = std::max(moved, coordinates::bring_to_closures(work, entries, input.state, input.a));
    } catch (const Error& e) {
      throw Error(table.where(), e.what(), e.kind());
    }
    data.add(work, input.state, input.a, entries, input.tau);
  } while (table.next(input));
  if (moved > 1e-8)
    report_note(
        fmt::format("the positions are off the closures: those of {} were taken, and the "
                    "others moved by up to {:.2g} to fit",
                    list_in_quotes(names_of(system, entries)), moved));
  return data.solve();
}

Json to_json(const IdentifyArguments& arguments, const Estimate& found) {
  const auto list = [](const coordinates::Matrix& m) {
    return std::vector<double>(m.view().data(), m.view().data() + m.view().size());
  };
  return {{"file", arguments.model.file},
          {"data", arguments.data},
          {"samples", found.samples},
          {"left_out", found.left_out},
          {"names", found.names},
          {"values", list(found.values)},
          {"deviations", list(found.deviations)},
          {"model_values", list(found.model_values)},
          {"condition", found.condition},
          {"efforts", found.efforts},
          {"effort_deviations", found.effort_deviations}};
}

std::string to_lines(const Estimate& found) {
  std::string text = fmt::format(
      "{} base parameters from {}, condition {:.3g}\n\n  {:>13} {:>10} {:>13}\n",
      found.names.size(), counted(static_cast<std::size_t>(found.samples), "row", "rows"),
      found.condition, "found", "deviation", "model");
  for (Eigen::Index i = 0; i < found.values.rows(); ++i)
    text += fmt::format("  {:>13.6g} {:>10.2g} {:>13.6g}  {}\n", found.values(i, 0),
                        found.deviations(i, 0), found.model_values(i, 0),
                        printable(found.names[static_cast<std::size_t>(i)]));
  if (found.left_out > 0)
    text += fmt::format("\n  {} of joints at rest with friction, or at a limit, left out\n",
                        counted(static_cast<std::size_t>(found.left_out), "row", "rows"));
  text += "\n  left of the efforts, root mean square\n";
  for (std::size_t i = 0; i < found.efforts.size(); ++i)
    text +=
        fmt::format("  {:>13.3g}  {}\n", found.effort_deviations[i], printable(found.efforts[i]));
  return text;
}

void run_identify(const IdentifyArguments& arguments) {
  const System system = compile(load(arguments.model));
  sum_up_warnings(system);
  note_network(system.model());
  note_elastic_gears(system.model(),
                     "no part of what is found; the efforts are what the gears pass on");
  const Regressor regressor(system, parse_joints(arguments.joints));
  StateTable table(arguments.data, system);
  require_columns(table, arguments.data, system);
  table.refuse_forces("identify");
  const Estimate found = system.closures().empty()
                             ? identify_tree(regressor, table)
                             : identify_closed(regressor, table, arguments.data);
  if (found.condition > poor_condition)
    report_warning(
        fmt::format("the motion excites some parameters poorly (condition {:.3g}, 1 at best): look "
                    "at their deviations, and record a livelier motion",
                    found.condition));
  print(arguments.json ? to_text(to_json(arguments, found)) : to_lines(found));
}

}  // namespace

void add_identify(CLI::App& program) {
  auto arguments = std::make_shared<IdentifyArguments>();
  CLI::App* command = program.add_subcommand(
      "identify", "Find masses, inertias and friction from a recorded motion");
  add_model_arguments(*command, arguments->model);
  command
      ->add_option("--data", arguments->data,
                   "CSV with q, v, a and tau of every joint, one moment per row; - is stdin")
      ->required()
      ->check(not_empty())
      ->type_name("RUN.csv");
  command
      ->add_option(
          "--joints", arguments->joints,
          "what else is unknown, besides the bodies: rotor, damping, friction, with commas "
          "between; default: as the file says")
      ->type_name("NAMES");
  command->add_flag("--json", arguments->json,
                    "one JSON object: names, values, deviations, model_values, condition");
  command->footer(
      "Found are the base parameters: those sums of mass (m), first moments (mx my mz) and "
      "moments\n"
      "of inertia about the links' frames (ixx … iyz) that any motion can tell.\n\n"
      "Example:\n"
      "  linkwright simulate models/arm6.urdf --time 8 --reference models/arm6_excitation.csv "
      "--every 0.01 --record a --record tau --out run.csv\n"
      "  linkwright identify models/arm6.urdf --data run.csv --joints damping,friction");
  command->callback([arguments] { run_identify(*arguments); });
}

}  // namespace linkwright::app
