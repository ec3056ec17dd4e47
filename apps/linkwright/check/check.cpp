#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "info/flexible_links.hpp"
#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/weak_joints.hpp"
#include "shell/json.hpp"
#include "shell/model/loading.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

struct CheckArguments {
  ModelArguments model;
  bool json = false;
};

std::string summary(const std::string& file, const System& system) {
  const Model& model = system.model();
  // A shaft that several joints turn binds nothing.
  const auto shafts = static_cast<std::size_t>(
      std::count_if(model.closures.begin(), model.closures.end(),
                    [](const Closure& closure) { return closure.kind == Closure::Kind::shaft; }));
  const std::size_t loops = model.closures.size() - shafts + model.grasps.size();
  return fmt::format(
      "{}: ok, {}, {}, nq {}, nv {}{}{}\n", file,
      counted(declared_bodies(model).size(), "body", "bodies"),
      counted(declared_joints(model), "joint", "joints"), system.nq(), system.nv(),
      (loops == 0 ? std::string{} : ", " + counted(loops, "closure", "closures")) +
          (shafts == 0 ? std::string{}
                       : ", " + counted(shafts, "coupled transmission", "coupled transmissions")),
      flexible_links_summary(model));
}

/// Where the model starts. What closes loops may resist what the tree alone does not.
std::string weak_joints_of(const System& system, const std::string& file) {
  if (!describe_loops(system.model()).empty()) return {};
  Workspace work(system);
  Eigen::VectorXd q(system.nq()), v(system.nv());
  compute_initial(system, q, v);
  return describe_weak_joints(work, q, file + ": where the model starts,");
}

void run_check(const CheckArguments& arguments) {
  const System system = compile(load(arguments.model));
  report_warnings(system);
  if (const std::string weak = weak_joints_of(system, arguments.model.file); !weak.empty())
    report_warning(weak);
  print(summary(arguments.model.file, system));
}

void run_check_as_json(const CheckArguments& arguments) {
  Json result{{"file", arguments.model.file}, {"ok", true}, {"warnings", Json::array()}};
  try {
    const System system = compile(load(arguments.model));
    result["warnings"] = warning_texts(system);
    if (const std::string weak = weak_joints_of(system, arguments.model.file); !weak.empty())
      result["warnings"].push_back(weak);
  } catch (const Error& e) {
    result["ok"] = false;
    result["errors"] = Json::array();
    for (const Mistake& mistake : e.mistakes()) result["errors"].push_back(mistake.text());
    if (!e.rest().empty()) result["rest"] = e.rest();
    print(to_text(result));
    throw;
  }
  print(to_text(result));
}

}  // namespace

void add_check(CLI::App& program) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = program.add_subcommand("check", "Read a model and say what is wrong with it");
  add_model_arguments(*command, arguments->model);
  command->add_flag("--json", arguments->json, "one JSON object: file, ok, warnings, errors, rest");
  command->footer(
      "Exit code 0: the model can be used (warnings go to stderr); 2: it cannot, and every mistake "
      "is told.\n\n"
      "Example:\n  linkwright check models/arm7.urdf\n"
      "  linkwright check models/quadruped.urdf --base free --json");
  command->callback([arguments] {
    if (arguments->json)
      run_check_as_json(*arguments);
    else
      run_check(*arguments);
  });
}

}  // namespace linkwright::app
