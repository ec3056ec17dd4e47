#include "shell/model/loops.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "linkwright/model/loops.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/model/validation.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

/// Inertias of a network that several joints turn together hang on shafts that are closures.
void refuse_shared_inertias(const Model& model) {
  for (const Closure& closure : model.closures) {
    if (closure.kind != Closure::Kind::shaft || !model.network.is_reflected) continue;
    if (!closure.name.starts_with(network::inertia_shaft_prefix)) continue;
    std::vector<std::string> joints;
    for (const GearTerm& term : closure.terms) joints.push_back(term.joint);
    throw Error(model.network.source,
                fmt::format("--cut-open: joints {} turn an inertia of the network together, which "
                            "no spanning tree can have; take that inertia out of the network",
                            list_in_quotes(joints)));
  }
}

}  // namespace

void add_cut_open(CLI::App& command, bool& cut_open) {
  command.add_flag("--cut-open", cut_open,
                   "leave out closures and grasps and compute the spanning tree");
}

Closures judge_loops(const Model& model) {
  const std::string loops = describe_loops(model);
  if (loops.empty()) {
    report_note("--cut-open: there is no closure or grasp to leave out");
    return Closures::refuse;
  }
  report_warning(fmt::format(
      "{} left out, as --cut-open says: the results are those of the spanning tree", loops));
  return Closures::leave_out;
}

std::vector<std::string> cut_loops(Model& model) {
  validate(model);  // before joints that close loops are gone
  model = to_tree_with_closures(model);
  std::vector<std::string> names = names_of_loops(model);
  model.closures.clear(), model.grasps.clear();
  std::erase_if(model.actuators, is_coupled);  // their shafts are closures
  model.coordinates.clear();
  return names;
}

std::vector<std::string> leave_out_loops(Model& model, bool cut_open) {
  if (!cut_open) return {};
  validate(model);
  refuse_shared_inertias(model);
  judge_loops(to_tree_with_closures(model));
  return cut_loops(model);
}

std::vector<std::string> names_of_loops(const Model& model) {
  std::vector<std::string> names;
  for (const Closure& closure : model.closures) names.push_back(closure.name);
  for (const Grasp& grasp : model.grasps) names.push_back(grasp.name);
  return names;
}

}  // namespace linkwright::app
