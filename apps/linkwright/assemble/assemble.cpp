#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/gaps.hpp"
#include "linkwright/io/output_file.hpp"
#include "linkwright/model/names.hpp"
#include "shell/arguments.hpp"
#include "shell/json.hpp"
#include "shell/model/loading.hpp"
#include "shell/output.hpp"
#include "shell/state/start.hpp"

namespace linkwright::app {
namespace {

struct AssembleArguments {
  ModelArguments model;
  StartArguments start;
  std::vector<std::string> hold;
  std::optional<int> branch;
  bool all = false, json = false, ignore_limits = false;
  std::string out;
};

AssemblyOptions make_options(const AssembleArguments& arguments, const System& system) {
  AssemblyOptions options;
  options.hold = arguments.hold.empty() ? system.model().initial.hold : arguments.hold;
  if (arguments.ignore_limits) options.limits = AssemblyOptions::Limits::ignore;
  return options;
}

/// "closure 'pin' is open by 0.02 m and 0.1 rad" as an error, after what was found has been printed.
[[noreturn]] void fail(ClosedWorkspace& work, const Eigen::VectorXd& q, const Assembly& result) {
  throw Error(
      fmt::format(
          "the mechanism cannot be closed from here: at the nearest position found, "
          "{}. Give another start (--q), hold fewer joints, or check the lengths",
          result.beyond_limits.empty() ? describe_gaps(work, q) : describe(work.system(), result)),
      Error::Kind::failed_computation);
}

Json to_json(const System& system, const Eigen::VectorXd& q, const Assembly& result) {
  Json json{{"assembled", result.assembled},
            {"residual", result.residual},
            {"names", system.position_names()},
            {"q", std::vector<double>(q.data(), q.data() + q.size())},
            {"moved", result.moved},
            {"steps", result.steps}};
  if (result.worst.closure >= 0)
    json["worst"] = {
        {"closure", system.closures()[static_cast<std::size_t>(result.worst.closure)].name},
        {"gap", result.worst.gap()},
        {"distance", result.worst.distance},
        {"angle", result.worst.angle}};
  else
    json["worst"] = nullptr;
  return json;
}

/// The `state:` of a system file.
std::string to_yaml(const System& system, const Eigen::VectorXd& q) {
  std::string text = "state:\n  q:\n";
  for (const JointPlace& joint : system.joints()) {
    if (joint.nv == 0) continue;
    std::vector<std::string> numbers;
    for (int i = 0; i < joint.nq; ++i) numbers.push_back(fmt::format("{:.17g}", q[joint.q + i]));
    text += joint.nq == 1 ? fmt::format("    {}: {}\n", joint.name, numbers.front())
                          : fmt::format("    {}: [{}]\n", joint.name, fmt::join(numbers, ", "));
  }
  return text;
}

std::string to_lines(const System& system, const Eigen::VectorXd& q, const Assembly& result) {
  std::string text = fmt::format("{}, largest gap {:.2g}, {} moved\n",
                                 result.assembled ? "assembled" : "not assembled", result.residual,
                                 counted(result.moved.size(), "joint", "joints"));
  for (std::size_t i = 0; i < system.position_names().size(); ++i)
    text += fmt::format("  {:<24} {:.12g}\n", printable(system.position_names()[i]),
                        q[static_cast<Eigen::Index>(i)]);
  return text;
}

/// Every assembly with the held joints where they are, or the one that --branch asks for.
std::vector<Eigen::VectorXd> branches(ClosedWorkspace& work, const AssemblyOptions& options,
                                      const Eigen::VectorXd& q) {
  const std::vector<double> all = find_assemblies(work, options, q);
  std::vector<Eigen::VectorXd> out;
  for (std::size_t i = 0; i + static_cast<std::size_t>(q.size()) <= all.size();
       i += static_cast<std::size_t>(q.size()))
    out.emplace_back(Eigen::Map<const Eigen::VectorXd>(all.data() + i, q.size()));
  return out;
}

void choose_branch(ClosedWorkspace& work, const AssemblyOptions& options, int branch,
                   Eigen::VectorXd& q) {
  const std::vector<Eigen::VectorXd> found = branches(work, options, q);
  if (branch < 0 || branch >= static_cast<int>(found.size()))
    throw Error(fmt::format(
        "--branch {}: {} found with the held joints where they are; expected 0 … {}", branch,
        counted(found.size(), "assembly", "assemblies"), static_cast<int>(found.size()) - 1));
  q = found[static_cast<std::size_t>(branch)];
}

void print_all(ClosedWorkspace& work, const AssemblyOptions& options, const Eigen::VectorXd& q,
               bool json) {
  const std::vector<Eigen::VectorXd> found = branches(work, options, q);
  Json list = Json::array();
  for (const Eigen::VectorXd& one : found)
    list.push_back(std::vector<double>(one.data(), one.data() + one.size()));
  if (json)
    return print(to_text(Json{
        {"assemblies", found.size()}, {"names", work.system().position_names()}, {"q", list}}));
  std::string text = counted(found.size(), "assembly", "assemblies") + "\n";
  for (std::size_t k = 0; k < found.size(); ++k) {
    text += fmt::format("  branch {}:", k);
    for (Eigen::Index i = 0; i < found[k].size(); ++i) text += fmt::format(" {:.9g}", found[k][i]);
    text += '\n';
  }
  print(text);
}

void run_assemble(const AssembleArguments& arguments) {
  const System system = compile(load(arguments.model));
  sum_up_warnings(system);
  if (system.closures().empty())
    report_note("there is no closure or grasp: every position is closed");
  ClosedWorkspace work(system);
  Eigen::VectorXd q = start_state(system, arguments.start).q;
  const AssemblyOptions options = make_options(arguments, system);
  if (arguments.all) return print_all(work, options, q, arguments.json);
  const Eigen::VectorXd before = q;
  if (arguments.branch) choose_branch(work, options, *arguments.branch, q);
  Assembly result = assemble(work, options, q);
  if (arguments.json)
    print(to_text(to_json(system, q, result)));
  else
    print(to_lines(system, q, result));
  if (!result.assembled) fail(work, q, result);
  if (arguments.out.empty()) return;
  OutputFile file(arguments.out);
  file.write(to_yaml(system, q));
  file.commit();
}

}  // namespace

void add_assemble(CLI::App& program) {
  auto arguments = std::make_shared<AssembleArguments>();
  CLI::App* command = program.add_subcommand("assemble", "Find a position that closes every loop");
  add_model_arguments(*command, arguments->model);
  command
      ->add_option_function<std::string>(
          "--q", [arguments](const std::string& text) { arguments->start.q = text; },
          "positions to start from; default: as --start says")
      ->type_name(list_type);
  add_start_option(*command, arguments->start.start);
  command
      ->add_option("--hold", arguments->hold,
                   "joints that keep their position; default: `hold` of the file's state")
      ->type_name("JOINT");
  command->add_option_function<int>(
      "--branch", [arguments](int k) { arguments->branch = k; },
      "the K-th way to assemble it with the held joints where they are, the nearest is 0");
  command->add_flag("--all", arguments->all, "count and list all these ways");
  command->add_flag("--ignore-limits", arguments->ignore_limits, "joints may leave their limits");
  command->add_option("--out", arguments->out, "write the position as `state:` of a system file")
      ->type_name("STATE.yaml");
  command->add_flag("--json", arguments->json,
                    "one JSON object: assembled, residual, names, q, moved, worst");
  command->footer(
      "Exit code 1: no position was found that closes every loop; the nearest one is printed.\n\n"
      "Example:\n  linkwright assemble models/four_bar.yaml --q crank_pivot=2 --hold crank_pivot\n"
      "  linkwright assemble models/five_bar.yaml --hold left_motor right_motor --all");
  command->callback([arguments] { run_assemble(*arguments); });
}

}  // namespace linkwright::app
