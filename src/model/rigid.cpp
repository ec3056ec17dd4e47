#include "linkwright/model/rigid.hpp"

#include "linkwright/model/flexible_links.hpp"
#include "linkwright/model/loops.hpp"

namespace linkwright {
namespace {

/// Without their stiffness flexible links would be chains that hang loosely, the opposite of rigid.
void keep_beams(Model& model) {
  const std::vector<bool> of_beams = find_springs_of_beams(model);
  std::vector<JointSpring> kept;
  for (std::size_t i = 0; i < of_beams.size(); ++i) {
    if (!of_beams[i]) continue;
    kept.push_back(model.joint_springs[i]);
    kept.back().damping = 0;
  }
  model.joint_springs = std::move(kept);
}

}  // namespace

void leave_out_forces(Model& model) {
  // What acts on a joint has a say in where loops are cut; the coordinates must not depend on it.
  model.cut = compute_closing_joints(model);
  for (Joint& joint : model.joints) joint.damping.clear(), joint.friction.clear();
  for (Closure& closure : model.closures) closure.damping.clear(), closure.friction.clear();
  for (Actuator& actuator : model.actuators) {
    if (actuator.motor) actuator.motor->damping = 0, actuator.motor->friction = {};
    if (actuator.elastic) actuator.elastic->damping = 0;
  }
  keep_beams(model);
  model.line_springs.clear();
  model.joint_loads.clear();
  model.body_loads.clear();
  model.flexible_bases.clear();
}

}  // namespace linkwright
