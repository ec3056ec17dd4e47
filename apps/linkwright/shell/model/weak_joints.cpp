#include "shell/model/weak_joints.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "linkwright/dynamics/weak_joints.hpp"
#include "shell/output.hpp"

namespace linkwright::app {

std::string describe_weak_joints(Workspace& work, const Eigen::VectorXd& q,
                                 std::string_view where) {
  std::vector<WeakJoint> weak = compute_weak_joints(work, q);
  std::erase_if(weak, [](const WeakJoint& joint) { return joint.resistance <= no_resistance; });
  if (weak.empty()) return {};
  const WeakJoint& weakest = *std::min_element(
      weak.begin(), weak.end(),
      [](const WeakJoint& a, const WeakJoint& b) { return a.resistance < b.resistance; });
  const std::string others = weak.size() == 1
                                 ? std::string{}
                                 : fmt::format(" ({} more joints are like it)", weak.size() - 1);
  return fmt::format(
      "{} hardly any inertia resists {}{}: what is left once all outboard of it is free to move "
      "(D) "
      "is {:.2g} of the inertia around it. Its acceleration has few true digits below {:.1g}, and "
      "none at {:.1g}. Check the inertia of the links that it carries, or add rotor inertia",
      where, work.system().describe_node(weakest.node), others, weakest.resistance, weak_resistance,
      no_resistance);
}

bool warn_of_weak_joints(Workspace& work, const Eigen::VectorXd& q, std::string_view where) {
  const std::string text = describe_weak_joints(work, q, where);
  if (!text.empty()) report_warning(text);
  return !text.empty();
}

}  // namespace linkwright::app
