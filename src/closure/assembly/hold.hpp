#pragma once
/// Joints that are held while others move.

#include <string>
#include <vector>

#include "linkwright/system/system.hpp"

namespace linkwright::closure {

/// Which entries of v assembly may use.
inline std::vector<bool> free_entries(const System& system, const std::vector<std::string>& hold) {
  std::vector<bool> free(static_cast<std::size_t>(system.nv()), true);
  for (const std::string& name : hold) {
    const JointPlace& joint = system.joint(name);
    for (int i = 0; i < joint.nv; ++i) free[static_cast<std::size_t>(joint.v + i)] = false;
  }
  return free;
}

}  // namespace linkwright::closure
