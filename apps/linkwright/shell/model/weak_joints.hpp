#pragma once
/// Says which joint hardly anything with inertia resists: accelerations of 1e9 rad/s² are as a rule
/// the mark of a wrong inertia, and have few true digits.

#include <string_view>

#include "linkwright/dynamics/workspace.hpp"

#include <Eigen/Core>

namespace linkwright::app {

/// Reports the weakest joint at q (describe_weak_joints); answers whether there was one.
bool warn_of_weak_joints(Workspace& work, const Eigen::VectorXd& q, std::string_view where);

}  // namespace linkwright::app
