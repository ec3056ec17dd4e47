#pragma once
/// Parameters by name, and matrices measured in their units.

#include <Eigen/Core>

#include "linkwright/coordinates/influence.hpp"

namespace linkwright::coordinates {

/// Where each name stands among the parameters; throws Error for one that does not.
std::vector<Eigen::Index> indices_of(const Parameters& parameters,
                                     const std::vector<std::string>& names);
/// "'a', 'b' and 'c'": at most five.
std::string names_of(const Parameters& parameters);
/// The parameters at some places.
Parameters at_places(const Parameters& parameters, const std::vector<Eigen::Index>& places);
Eigen::VectorXd units_of(const Parameters& parameters);
/// Throws Error unless both are the same coordinates, in the same order.
void require_same(const Parameters& a, const Parameters& b, const char* what);

/// Throws Error where a point is nowhere.
void check_point(const Vector3& point);

/// The entries of v.
Parameters joint_parameters(const System& system);

}  // namespace linkwright::coordinates
