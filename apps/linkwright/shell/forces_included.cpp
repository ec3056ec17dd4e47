#include "shell/forces_included.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "shell/output.hpp"

namespace linkwright::app {
namespace {

bool resists(const Joint& joint) {
  return std::any_of(joint.damping.begin(), joint.damping.end(), [](double d) { return d != 0; }) ||
         std::any_of(joint.friction.begin(), joint.friction.end(),
                     [](const Friction& f) { return f.forward != 0 || f.backward != 0; });
}

}  // namespace

void leave_out_forces(Model& model) {
  for (Joint& joint : model.joints) {
    joint.damping.clear();
    joint.friction.clear();
  }
  model.joint_springs.clear();
  model.line_springs.clear();
  model.joint_loads.clear();
  model.body_loads.clear();
  model.flexible_bases.clear();
}

void note_included_forces(const Model& model) {
  const auto resisting =
      static_cast<std::size_t>(std::count_if(model.joints.begin(), model.joints.end(), resists));
  const std::size_t springs = model.joint_springs.size() + model.line_springs.size();
  const std::size_t loads = model.joint_loads.size() + model.body_loads.size();
  std::vector<std::string> parts;
  if (resisting > 0)
    parts.push_back("joint damping/friction of " + counted(resisting, "joint", "joints"));
  if (springs > 0) parts.push_back(counted(springs, "spring", "springs"));
  if (loads > 0) parts.push_back(counted(loads, "load", "loads"));
  const std::size_t bases = model.flexible_bases.size();
  if (bases > 0) parts.push_back(counted(bases, "flexible base", "flexible bases"));
  if (parts.empty()) return;
  const bool one = parts.size() == 1 && (resisting > 0 || springs + loads + bases == 1);
  report_note(fmt::format("{} {} included; --rigid leaves {} out", fmt::join(parts, ", "),
                          one ? "is" : "are", one ? "it" : "them"));
}

void warn_of_loops(const Model& model) {
  if (model.closures.empty() && model.grasps.empty()) return;
  std::vector<std::string> parts;
  if (!model.closures.empty())
    parts.push_back(counted(model.closures.size(), "closure", "closures"));
  if (!model.grasps.empty()) parts.push_back(counted(model.grasps.size(), "grasp", "grasps"));
  report_warning(
      fmt::format("{}: not enforced yet but left out, the results are those of the spanning tree",
                  fmt::join(parts, " and ")));
}

}  // namespace linkwright::app
