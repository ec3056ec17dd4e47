#include <algorithm>

#include "linkwright/system/system.hpp"

namespace linkwright {

System leave_out_friction(const System& system) {
  System copy = system;
  JointForces<double>& forces = copy.tree_.joint_forces;
  std::fill(forces.friction_forward.begin(), forces.friction_forward.end(), 0.0);
  std::fill(forces.friction_backward.begin(), forces.friction_backward.end(), 0.0);
  for (ClosurePlace& place : copy.closures_)
    for (ClosingFreedom& freedom : place.freedom)
      freedom.friction_forward = freedom.friction_backward = freedom.breakaway = 0;
  copy.passive_freedoms_.clear();
  return copy;
}

}  // namespace linkwright
