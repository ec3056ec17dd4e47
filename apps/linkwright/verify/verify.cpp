#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <cmath>
#include <limits>
#include <memory>

#include "commands.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/verify/runs.hpp"
#include "shell/arguments.hpp"
#include "shell/forces_included.hpp"
#include "shell/json.hpp"
#include "shell/loading.hpp"
#include "shell/loops.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

using namespace verify;

constexpr int most_states = 1'000'000;

struct VerifyArguments {
  ModelArguments model;
  std::string states = "20", seed = "1", frame;
  bool rigid = false, cut_open = false, json = false;
};

/// The tip to compare: --frame, or the deepest body.
FrameId choose_tip(const System& system, const std::string& name) {
  if (name.empty()) return deepest_frame(system);
  const FrameId tip = system.frame(name);
  if (system.nv() > 0 && system.frame(tip).node == 0)
    throw Error(
        fmt::format("--frame {}: it does not move, so its acceleration says nothing; expected a "
                    "link or frame that a joint carries, such as {}",
                    in_quotes(name), in_quotes(system.frame(deepest_frame(system)).name)));
  return tip;
}

/// A bound of one half or more lets everything pass.
void warn_of_hollow_bound(const Comparison& comparison) {
  if (comparison.largest_bound < 0.5) return;
  report_warning(fmt::format(
      "the bound 2 κ(M) ε, scaled, reaches {:.1e}: in some states the mass matrix is so badly "
      "conditioned that no digit of the accelerations is certain, and agreement there says "
      "nothing; look for links whose masses or inertias are far too small",
      comparison.largest_bound));
}

std::string nothing_to_compare(const std::string& file) {
  return fmt::format("{}: no joint moves, so there is nothing to compare", printable(file));
}

constexpr std::string_view row_format = "{:<18}{:>20}{:>24}{:>8}{:>17}{:>11}{:>11}\n";

std::string difference_cell(double difference) {
  return difference == 0 ? "0" : fmt::format("{:.1e}", difference);
}

std::string table_row(const VerifyRuns& verify, std::size_t i) {
  const Formulation& f = verify.formulations()[i];
  const Worst& worst = verify.comparison().worst[i];
  const double ns = verify.ns()[i];
  return fmt::format(fmt::runtime(row_format), f.name,
                     i == 0 ? "reference" : difference_cell(worst.acceleration),
                     i == 0 ? "reference" : difference_cell(worst.tip), f.cost.sweeps,
                     f.cost.operations.multiplications, f.cost.operations.additions,
                     fmt::format("{:.{}f}", ns, ns < 1000 ? 1 : 0));
}

std::string foot(const Comparison& comparison) {
  std::string text = fmt::format(
      "\nDifferences: to the trunk, relative, the worst of all states. Times: medians per call.\n"
      "Allowed between any two: 2 κ(M) ε, scaled, here {:.1e} to {:.1e}; the worst pair took "
      "{:.1e} of "
      "it.\n",
      comparison.smallest_bound, comparison.largest_bound, comparison.closest);
  if (comparison.disagreement)
    return text + fmt::format("{} of {} comparisons disagree.\n", comparison.disagreeing,
                              comparison.pairs);
  return text + "All agree.\n";
}

std::string to_table(const std::string& file, const System& system, FrameId tip, VerifySize size,
                     const VerifyRuns& verify) {
  std::string text =
      fmt::format("{}: nv {}, {} (seed {}), tip {}\n\n", bold(printable(file)), system.nv(),
                  counted(static_cast<std::size_t>(size.states), "random state", "random states"),
                  size.seed, in_quotes(system.frame(tip).name));
  text += bold(fmt::format(fmt::runtime(row_format), "formulation", "acceleration (rel.)",
                           "tip acceleration (rel.)", "sweeps", "multiplications", "additions",
                           "time (ns)"));
  for (std::size_t i = 0; i < verify.formulations().size(); ++i) text += table_row(verify, i);
  return text + foot(verify.comparison());
}

/// Infinite differences, of results that are not finite, have no JSON.
Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json to_json(const Formulation& f, const Worst& worst, double ns) {
  return {{"name", f.name},
          {"acceleration_difference", finite(worst.acceleration)},
          {"tip_difference", finite(worst.tip)},
          {"sweeps", f.cost.sweeps},
          {"multiplications", f.cost.operations.multiplications},
          {"additions", f.cost.operations.additions},
          {"ns", ns}};
}

Json json_head(const std::string& file, const System& system, VerifySize size) {
  Json head{{"file", file}, {"nv", system.nv()}, {"states", size.states}, {"seed", size.seed}};
  if (size.closures == Closures::leave_out) head["cut_open"] = names_of_loops(system.model());
  return head;
}

Json to_json(const std::string& file, const System& system, FrameId tip, VerifySize size,
             const VerifyRuns& verify) {
  const Comparison& comparison = verify.comparison();
  Json json = json_head(file, system, size);
  json["frame"] = system.frame(tip).name;
  json["bound"] = comparison.largest_bound;
  json["formulations"] = Json::array();
  for (std::size_t i = 0; i < verify.formulations().size(); ++i)
    json["formulations"].push_back(
        to_json(verify.formulations()[i], comparison.worst[i], verify.ns()[i]));
  json["agree"] = !comparison.disagreement;
  if (comparison.disagreement) {
    const Disagreement& found = *comparison.disagreement;
    json["disagreement"] = {{"quantity", found.quantity},
                            {"between", {found.first, found.second}},
                            {"state", found.state},
                            {"got", finite(found.got)},
                            {"bound", found.bound}};
  }
  return json;
}

void report_nothing(const std::string& file, const System& system, VerifySize size, bool as_json) {
  if (!as_json) return print(nothing_to_compare(file) + '\n');
  report_note(nothing_to_compare(file));
  Json json = json_head(file, system, size);
  json["bound"] = 0.0;
  json["formulations"] = Json::array();
  json["agree"] = true;
  print(to_text(json));
}

void run_verify(const VerifyArguments& arguments) {
  const std::string& file = arguments.model.file;
  VerifySize size{parse_whole("--states", arguments.states, 1, most_states),
                  parse_whole("--seed", arguments.seed, 0, std::numeric_limits<int>::max())};
  Model model = load(arguments.model);
  if (arguments.rigid) leave_out_forces(model);
  const System system = compile(model);
  const FrameId tip = choose_tip(system, arguments.frame);
  sum_up_warnings(system);
  if (system.nv() == 0) return report_nothing(file, system, size, arguments.json);
  size.closures = judge_loops(model, file, arguments.cut_open);
  note_included_forces(model);

  VerifyRuns verify(system, tip, size);
  verify.compare_all();
  warn_of_hollow_bound(verify.comparison());
  verify.measure();
  print(arguments.json ? to_text(to_json(file, system, tip, size, verify))
                       : to_table(file, system, tip, size, verify));
  require_agreement(verify.comparison());
}

}  // namespace

void add_verify(CLI::App& program) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = program.add_subcommand(
      "verify", "Compute a model by every formulation and compare them at random states");
  add_model_arguments(*command, arguments->model);
  command->add_option("--states", arguments->states, "random states to compare (default 20)")
      ->type_name("N");
  command->add_option("--seed", arguments->seed, "which random states (default 1)")->type_name("S");
  command
      ->add_option("--frame", arguments->frame,
                   "the tip: a link or frame that moves (default: the deepest link)")
      ->type_name("NAME");
  command->add_flag("--rigid", arguments->rigid,
                    "leave out the model's damping, friction, springs and loads");
  add_cut_open(*command, arguments->cut_open);
  command->add_flag("--json", arguments->json,
                    "one JSON object: file, nv, states, seed, frame, bound, formulations, agree");
  command->footer(
      "Forward dynamics by the trunk, by a dense mass matrix and by the operator algorithms FD1 "
      "to\n"
      "FD4. Exit code 0: every two agree within 2 κ(M) ε, scaled; 1: they do not, or there is "
      "no "
      "answer.\n\n"
      "Example:\n  linkwright verify models/arm7.urdf\n"
      "  linkwright verify models/quadruped.urdf --base free --states 5 --json");
  command->callback([arguments] { run_verify(*arguments); });
}

}  // namespace linkwright::app
