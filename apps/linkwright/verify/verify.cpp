#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <cmath>
#include <limits>
#include <memory>

#include "commands.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/model/rigid.hpp"
#include "linkwright/verify/verification.hpp"
#include "shell/arguments.hpp"
#include "shell/json.hpp"
#include "shell/model/forces_included.hpp"
#include "shell/model/loading.hpp"
#include "shell/model/loops.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

using namespace verify;

constexpr int most_states = 1'000'000;
constexpr int most_freedoms = 4000;

/// One formulation is a dense mass matrix: its cost grows with the cube of the freedoms.
void check_size(const System& system) {
  if (system.nv() <= most_freedoms) return;
  throw Error(
      fmt::format("verify sets a dense mass matrix beside the others; {} × {} numbers are "
                  "too many, expected at most {} freedoms. Verify a part of the mechanism",
                  system.nv(), system.nv(), most_freedoms));
}

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

/// Above this condition number, half of the digits of a double are lost.
constexpr double remarkable_condition = 1e8;

std::string nothing_to_compare(const std::string& file) {
  return fmt::format("{}: no joint moves, so there is nothing to compare", printable(file));
}

std::string difference_cell(double difference) {
  return difference == 0 ? "0" : fmt::format("{:.1e}", difference);
}
std::string time_cell(double ns) { return fmt::format("{:.{}f}", ns, ns < 1000 ? 1 : 0); }

constexpr std::string_view tree_format = "{:<22}{:>15}{:>21}{:>25}{:>8}{:>17}{:>13}{:>12}\n";
constexpr std::string_view closed_format = "{:<22}{:>15}{:>17}{:>21}{:>25}{:>12}\n";

std::string table_head(bool closed) {
  if (closed)
    return fmt::format(fmt::runtime(closed_format), "formulation", "effort (rel.)",
                       "closures (rel.)", "acceleration (rel.)", "tip acceleration (rel.)",
                       "time (ns)");
  return fmt::format(fmt::runtime(tree_format), "formulation", "effort (rel.)",
                     "acceleration (rel.)", "tip acceleration (rel.)", "sweeps", "multiplications",
                     "additions", "time (ns)");
}

std::string table_row(const Verification& verification, std::size_t i) {
  const Formulation& f = verification.formulations()[i];
  const LargestDifferences& differences = verification.comparison().differences[i];
  const std::string time = time_cell(verification.ns()[i]);
  const auto cell = [i](double difference) {
    return i == 0 ? std::string("reference") : difference_cell(difference);
  };
  if (verification.is_closed())
    return fmt::format(fmt::runtime(closed_format), f.name, cell(differences.effort),
                       cell(differences.closure), cell(differences.acceleration),
                       cell(differences.tip), time);
  const auto count = [&f](auto read) {
    return f.count ? fmt::format("{}", read(*f.count)) : std::string("not counted");
  };
  return fmt::format(fmt::runtime(tree_format), f.name, cell(differences.effort),
                     cell(differences.acceleration), cell(differences.tip),
                     f.count ? fmt::format("{}", f.count->sweeps) : std::string("none"),
                     count([](const OperationsOfCall& n) { return n.operations.multiplications; }),
                     count([](const OperationsOfCall& n) { return n.operations.additions; }), time);
}

/// What the columns say and how they are judged.
std::string describe_judgement(const Verification& verification) {
  const Comparison& comparison = verification.comparison();
  const std::string& first = verification.formulations().front().name;
  if (verification.is_closed())
    return fmt::format(
        "\nDifferences: to {}, relative, the worst of all states. Times: medians per call.\n"
        "effort: Gᵀ M (a − a') for every motion G that the closures allow; closures: J (a − a') "
        "for "
        "their rows J; each relative to what\nbalances there. At most {:.1e} = {:g} (nv + rows) ε "
        "is "
        "allowed between any two, and the same for what is left of the tip's difference.\nThe "
        "worst "
        "pair took {:.1e} of it.\nThe accelerations themselves are shown, not judged: κ(M) of the "
        "closed mechanism is up to {:.1e}",
        first, comparison.bound, Verification::allowance, comparison.closest,
        verification.condition());
  return fmt::format(
      "\nDifferences: to {}, relative, the worst of all states. Times: medians per call.\n"
      "effort: M (a − a'), entry by entry, relative to what balances there; at most {:.1e} = {:g} "
      "N ε is allowed between any two, and the same for\nwhat is left of the tip's difference "
      "after J (a − a'). The worst pair took {:.1e} of it.\nThe accelerations themselves are "
      "shown, not judged: κ(M) is up to {:.1e}",
      first == "trunk" ? "the trunk" : first, comparison.bound, Verification::allowance,
      comparison.closest, verification.condition());
}

std::string foot(const Verification& verification) {
  const Comparison& comparison = verification.comparison();
  std::string text = describe_judgement(verification);
  if (verification.condition() >= remarkable_condition)
    text +=
        ", so rounding alone sets them far apart; look for links whose masses or inertias are far "
        "too small";
  text += ".\n";
  if (comparison.disagreement)
    return text + fmt::format("{} of {} comparisons disagree.\n", comparison.disagreeing,
                              comparison.pairs);
  return text + "All agree.\n";
}

std::string to_table(const std::string& file, const System& system, FrameId tip,
                     RandomStates states, const Verification& verification) {
  std::string text =
      fmt::format("{}: nv {}, {} (seed {}), tip {}\n", bold(printable(file)), system.nv(),
                  counted(static_cast<std::size_t>(states.count), "random state", "random states"),
                  states.seed, in_quotes(system.frame(tip).name));
  if (verification.is_closed())
    text += fmt::format("closed by {}, each state assembled\n", describe_loops(system.model()));
  text += '\n' + bold(table_head(verification.is_closed()));
  for (std::size_t i = 0; i < verification.formulations().size(); ++i)
    text += table_row(verification, i);
  for (const std::string& reason : formulations_left_out(system, states.loops))
    text += reason + ".\n";
  return text + foot(verification);
}

/// Infinite differences, of results that are not finite, have no JSON.
Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json to_json(const Verification& verification, std::size_t i) {
  const Formulation& f = verification.formulations()[i];
  const LargestDifferences& differences = verification.comparison().differences[i];
  Json row{{"name", f.name},
           {"effort_difference", finite(differences.effort)},
           {"acceleration_difference", finite(differences.acceleration)},
           {"tip_difference", finite(differences.tip)},
           {"sweeps", nullptr},
           {"multiplications", nullptr},
           {"additions", nullptr},
           {"ns", verification.ns()[i]}};
  if (verification.is_closed()) row["closure_difference"] = finite(differences.closure);
  if (differences.bound > 0) row["bound"] = differences.bound;
  if (f.count) {
    row["sweeps"] = f.count->sweeps;
    row["multiplications"] = f.count->operations.multiplications;
    row["additions"] = f.count->operations.additions;
  }
  return row;
}

Json json_head(const std::string& file, const System& system, RandomStates states) {
  Json head{{"file", file}, {"nv", system.nv()}, {"states", states.count}, {"seed", states.seed}};
  const std::vector<std::string> loops = names_of_loops(system.model());
  if (!loops.empty()) head[states.loops == Loops::keep ? "closed_by" : "cut_open"] = loops;
  return head;
}

Json to_json(const std::string& file, const System& system, FrameId tip, RandomStates states,
             const Verification& verification) {
  const Comparison& comparison = verification.comparison();
  Json json = json_head(file, system, states);
  json["frame"] = system.frame(tip).name;
  json["bound"] = comparison.bound;
  json["condition"] = verification.condition();
  json["left_out"] = formulations_left_out(system, states.loops);
  json["formulations"] = Json::array();
  for (std::size_t i = 0; i < verification.formulations().size(); ++i)
    json["formulations"].push_back(to_json(verification, i));
  json["agree"] = !comparison.disagreement;
  if (comparison.disagreement) {
    const Disagreement& found = *comparison.disagreement;
    json["disagreement"] = {{"quantity", found.quantity},
                            {"where", found.where},
                            {"between", {found.first, found.second}},
                            {"state", found.state},
                            {"got", finite(found.got)},
                            {"bound", found.bound}};
  }
  return json;
}

void report_nothing(const std::string& file, const System& system, RandomStates states,
                    bool as_json) {
  if (!as_json) return print(nothing_to_compare(file) + '\n');
  report_note(nothing_to_compare(file));
  Json json = json_head(file, system, states);
  json["bound"] = 0.0;
  json["formulations"] = Json::array();
  json["agree"] = true;
  print(to_text(json));
}

void run_verify(const VerifyArguments& arguments) {
  const std::string& file = arguments.model.file;
  RandomStates states{parse_whole("--states", arguments.states, 1, most_states),
                      parse_whole("--seed", arguments.seed, 0, std::numeric_limits<int>::max())};
  Model model = load(arguments.model);
  if (arguments.rigid) leave_out_forces(model);
  const System system = compile(model);
  check_size(system);
  const FrameId tip = choose_tip(system, arguments.frame);
  sum_up_warnings(system);
  if (system.nv() == 0) return report_nothing(file, system, states, arguments.json);
  if (arguments.cut_open && judge_loops(system.model()) == Closures::leave_out)
    states.loops = Loops::leave_out;
  note_included_forces(model);
  note_network(model);
  note_elastic_gears(model,
                     "no part of the comparison; what the gears pass on counts as an effort");

  Verification verification(system, tip, states);
  verification.compare_all();
  verification.measure();
  print(arguments.json ? to_text(to_json(file, system, tip, states, verification))
                       : to_table(file, system, tip, states, verification));
  require_agreement(verification.comparison());
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
                    "one JSON object: file, nv, states, seed, frame, bound, condition, left_out, "
                    "formulations, agree");
  command->footer(
      "Forward dynamics by the trunk, by a dense mass matrix, by the operator algorithms FD1 to\n"
      "FD4, from the system graph (network), and by absolute coordinates, which share nothing "
      "with\n"
      "the others but the description. A system with loops is computed closed, by the recursion,\n"
      "independent coordinates, one dense matrix, Freeman's transfer, FD1 to FD4, network and\n"
      "absolute coordinates, at states that are assembled. Exit code 0: every two agree up to\n"
      "rounding; 1: they do not, or there is no answer.\n\n"
      "Example:\n  linkwright verify models/arm7.urdf\n"
      "  linkwright verify models/quadruped.urdf --base free --states 5 --json\n"
      "  linkwright verify models/stewart.yaml");
  command->callback([arguments] { run_verify(*arguments); });
}

}  // namespace linkwright::app
