#include "simulate/equations/joint_units.hpp"

namespace linkwright {

std::string freedom_unit(const Joint& joint, int i) {
  if (joint.type == JointType::custom) return "1";
  return slides(joint, i) ? "m" : "rad";
}

std::string position_unit(const Joint& joint, int i) {
  // A pose is a unit quaternion and a position.
  const bool pose = joint.type == JointType::free || joint.type == JointType::spherical ||
                    (joint.type == JointType::custom && !modes_commute(joint));
  if (pose) return i < 4 ? "1" : "m";
  return freedom_unit(joint, i);
}

std::string effort_unit(const Joint& joint, int i) {
  const std::string unit = freedom_unit(joint, i);
  if (unit == "rad") return "N*m";
  return unit == "m" ? "N" : "J";
}

std::vector<Quantity> effort_inputs(const System& system) {
  std::vector<Quantity> all(static_cast<std::size_t>(system.nv()));
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    for (int i = 0; i < place.nv; ++i) {
      const auto at = static_cast<std::size_t>(place.v + i);
      all[at] = {std::string(effort_prefix) + system.velocity_names()[at],
                 effort_unit(system.model().joints[j], i)};
    }
  }
  return all;
}

std::string closing_effort_unit(const ClosurePlace& place, int i) {
  if (place.kind != PairKind::lower_pair) return "N*m";
  if (place.joint == JointType::custom) return "J";
  return norm(place.mode[i].angular) == 0 ? "N" : "N*m";
}

std::vector<Quantity> all_effort_inputs(const System& system) {
  std::vector<Quantity> all = effort_inputs(system);
  const std::vector<std::string> names = system.effort_names();
  for (const ClosingMotor& motor : system.closing_motors()) {
    const ClosurePlace& place = system.closures()[static_cast<std::size_t>(motor.closure)];
    all.push_back({std::string(effort_prefix) + names[all.size()],
                   closing_effort_unit(place, motor.freedom)});
  }
  return all;
}

}  // namespace linkwright
