#pragma once
/// A mechanism as a platform and legs: parts whose joints meet nowhere but at the platform.

#include <Eigen/Core>

#include "linkwright/closure/workspace.hpp"

namespace linkwright::coordinates {

struct Leg {
  std::vector<Eigen::Index> freedoms;  // entries of v, ascending; none: rows of the platform alone
  std::vector<Eigen::Index> rows;      // of the closures, ascending
};

struct Legs {
  std::vector<Eigen::Index> platform;  // entries of v between the world and the platform
  std::vector<Leg> legs;
};

/// Throws Error for a body that is not there or that nothing moves.
Legs find_legs(const System& system, const std::string& platform);

}  // namespace linkwright::coordinates
