#include "simulate/recording/joint_units.hpp"

namespace linkwright {

std::string freedom_unit(const Joint& joint, int i) {
  switch (joint.type) {
    case JointType::prismatic:
      return "m";
    case JointType::cylindrical:
      return i == 0 ? "rad" : "m";
    case JointType::planar:
      return i == 2 ? "rad" : "m";
    case JointType::free:
      return i < 3 ? "rad" : "m";
    case JointType::custom:
      return "1";
    case JointType::fixed:
    case JointType::revolute:
    case JointType::continuous:
    case JointType::helical:
    case JointType::universal:
    case JointType::spherical:
      break;
  }
  return "rad";
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

}  // namespace linkwright
