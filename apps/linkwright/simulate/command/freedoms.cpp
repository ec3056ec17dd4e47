#include "simulate/command/freedoms.hpp"

#include <algorithm>

namespace linkwright::app {

Limits limits_of(const System& system, const std::string& name) {
  const auto& names = system.velocity_names();
  const auto entry = static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& joint = system.joints()[j];
    if (entry >= joint.v && entry < joint.v + joint.nv)
      return per_freedom(system.model().joints[j].limits, entry - joint.v, Limits{});
  }
  return {};
}

std::vector<std::string> joints_of(const System& system, const CommandedMotion& motion) {
  std::vector<std::string> joints;
  for (const JointPlace& joint : system.joints())
    if (std::any_of(motion.coordinates().begin(), motion.coordinates().end(),
                    [&](const auto& c) { return c.v >= joint.v && c.v < joint.v + joint.nv; }))
      joints.push_back(joint.name);
  return joints;
}

}  // namespace linkwright::app
