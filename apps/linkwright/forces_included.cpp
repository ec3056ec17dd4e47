#include "forces_included.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "output.hpp"

namespace linkwright::app {
namespace {

bool resists(const System& system, const JointPlace& joint) {
  for (int i = joint.v; i < joint.v + joint.nv; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Friction& friction = system.friction()[k];
    if (system.damping()[k] != 0 || friction.forward != 0 || friction.backward != 0) return true;
  }
  return false;
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
}

void note_included_forces(const System& system) {
  const Model& model = system.model();
  const auto& joints = system.joints();
  const auto resisting = static_cast<std::size_t>(
      std::count_if(joints.begin(), joints.end(),
                    [&](const JointPlace& joint) { return resists(system, joint); }));
  const std::size_t springs = model.joint_springs.size() + model.line_springs.size();
  const std::size_t loads = model.joint_loads.size() + model.body_loads.size();
  std::vector<std::string> parts;
  if (resisting > 0)
    parts.push_back("joint damping/friction of " + counted(resisting, "joint", "joints"));
  if (springs > 0) parts.push_back(counted(springs, "spring", "springs"));
  if (loads > 0) parts.push_back(counted(loads, "load", "loads"));
  if (parts.empty()) return;
  const bool one = parts.size() == 1 && (resisting > 0 || springs + loads == 1);
  report_note(fmt::format("{} {} included; --rigid leaves {} out", fmt::join(parts, ", "),
                          one ? "is" : "are", one ? "it" : "them"));
}

void warn_of_loops(const Model& model) {
  if (model.closures.empty() && model.grasps.empty()) return;
  std::vector<std::string> parts;
  if (!model.closures.empty())
    parts.push_back(counted(model.closures.size(), "closure", "closures"));
  if (!model.grasps.empty()) parts.push_back(counted(model.grasps.size(), "grasp", "grasps"));
  report_warning(fmt::format("{}: not enforced yet, the results are those of the spanning tree",
                             fmt::join(parts, " and ")));
}

}  // namespace linkwright::app
