#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <numeric>

#include "commands.hpp"
#include "info/attachments.hpp"
#include "info/certificate.hpp"
#include "info/flexible_links.hpp"
#include "info/limits.hpp"
#include "info/network.hpp"
#include "shell/json.hpp"
#include "shell/model/loading.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

struct InfoArguments {
  ModelArguments model;
  bool json = false;
};

std::vector<std::string> all_warnings(const System& system, const Certificate& certificate) {
  std::vector<std::string> warnings = warning_texts(system);
  for (std::string& text : certificate_warnings(certificate)) warnings.push_back(std::move(text));
  return warnings;
}

/// Freedoms left if every equation of the closures and grasps counted: nv − Σ rows.
int grubler(const System& system) {
  return system.closures().empty()
             ? system.nv()
             : system.nv() - system.closures().back().row - system.closures().back().rows;
}

template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

std::vector<std::string> moving_joints(const System& system) {
  std::vector<std::string> names;
  for (const JointPlace& joint : system.joints())
    if (joint.nv > 0) names.push_back(joint.name);
  return names;
}

/// Whether a base joint that is not in the file moves.
bool has_moving_base(const System& system) {
  for (const Joint& joint : system.model().joints)
    if (joint.implied && joint.parent == world_name && velocity_count(joint) > 0) return true;
  return false;
}

double total_mass(const Model& model) {
  return std::accumulate(model.bodies.begin(), model.bodies.end(), 0.0,
                         [](double sum, const Body& body) { return sum + body.mass; });
}

Json to_json(const std::string& file, const System& system, const Certificate& certificate) {
  const Model& model = system.model();
  Json info{{"file", file},
            {"name", model.name},
            {"bodies", declared_bodies(model).size()},
            {"joints", declared_joints(model)},
            {"nq", system.nq()},
            {"nv", system.nv()},
            {"closures", closures_of(model).size()},
            {"grasps", model.grasps.size()},
            {"mobility", system.nv()},
            {"grubler", grubler(system)},
            {"redundant_constraints", Json::array()},
            {"mass", total_mass(model)},
            {"moving_mass", system.moving_mass()},
            {"gravity", {model.gravity.x, model.gravity.y, model.gravity.z}}};
  info["body_names"] = declared_bodies(model);
  info["joint_names"] = moving_joints(system);
  info["frame_names"] = names_of(model.frames);
  info["closure_names"] = names_of(closures_of(model));
  info["grasp_names"] = names_of(model.grasps);
  info["position_names"] = system.position_names();
  info["velocity_names"] = system.velocity_names();
  add_attachments(info, system);
  info["flexible_links"] = flexible_links_json(model);
  info["limits"] = limits_json(system);
  if (!system.closures().empty()) add_certificate(info, system, certificate);
  info["warnings"] = all_warnings(system, certificate);
  return info;
}

template <class Things>
std::string section(std::string_view title, const Things& things, const Model& model) {
  if (things.empty()) return {};
  std::string text = fmt::format("\n{}\n", bold(title));
  for (const auto& thing : things) text += "  " + describe(thing, model) + '\n';
  return text;
}

std::string totals(const System& system, const Certificate& certificate) {
  const Model& model = system.model();
  std::string text =
      fmt::format("\n{}, {} ({} moving{}), nq {}, nv {}, mass {:.6g} kg ({:.6g} kg of it moving)\n",
                  counted(declared_bodies(model).size(), "body", "bodies"),
                  counted(declared_joints(model), "joint", "joints"), moving_joints(system).size(),
                  has_moving_base(system) ? " with the base's" : "", system.nq(), system.nv(),
                  total_mass(model), system.moving_mass());
  text += fmt::format("gravity ({:.6g}, {:.6g}, {:.6g}) m/s²\n", model.gravity.x, model.gravity.y,
                      model.gravity.z);
  if (system.closures().empty()) return text + fmt::format("mobility {}\n", system.nv());
  return text + certificate_text(system, certificate);
}

std::string to_report(const ModelArguments& arguments, const System& system,
                      const Certificate& certificate) {
  const std::string& file = arguments.file;
  const Model& model = system.model();
  const std::string name = model.name.empty() ? std::string{} : printable(model.name) + "  ";
  std::string text = fmt::format("{}{}\n\n", bold(name), printable(file)) + draw_tree(system, bold);
  if (!model.frames.empty()) {
    text += fmt::format("\n{}\n", bold("frames"));
    for (const Frame& frame : model.frames)
      text += fmt::format("  {} on {}\n", printable(frame.name), printable(frame.body));
  }
  text += limits_table(system);
  text += section("closures", closures_of(model), model) + section("grasps", model.grasps, model) +
          section("actuators", model.actuators, model) + network_text(model) +
          section("springs", model.line_springs, model) +
          section("springs on joints", declared_joint_springs(model), model) +
          section("flexible bases", model.flexible_bases, model) + flexible_links_text(model) +
          section("loads", model.body_loads, model) +
          section("loads on joints", model.joint_loads, model) + totals(system, certificate);
  if (arguments.quiet) return text;
  const auto warnings = all_warnings(system, certificate);
  if (!warnings.empty()) text += fmt::format("\n{}\n", bold("warnings"));
  for (const std::string& warning : warnings) text += "  " + printable(warning) + '\n';
  return text;
}

void run_info(const InfoArguments& arguments) {
  const System system = compile(load(arguments.model));
  const Certificate certificate =
      system.closures().empty() ? Certificate{.assembled = true} : certify(system);
  print(arguments.json ? to_text(to_json(arguments.model.file, system, certificate))
                       : to_report(arguments.model, system, certificate));
}

}  // namespace

void add_info(CLI::App& program) {
  auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command = program.add_subcommand(
      "info", "Show the tree, the freedoms, the limits, the loops and the warnings");
  add_model_arguments(*command, arguments->model);
  command->add_flag("--json", arguments->json,
                    "one JSON object: bodies, joints, nq, nv, closures, mobility, grubler, "
                    "redundant_constraints, limits, warnings, body_names, joint_names, …");
  command->footer(
      "q1, q2 … in the drawing are the places of a joint's numbers in --q and in CSV columns.\n\n"
      "Example:\n  linkwright info models/arm7.urdf\n"
      "  linkwright info models/quadruped.urdf --base free --json");
  command->callback([arguments] { run_info(*arguments); });
}

}  // namespace linkwright::app
