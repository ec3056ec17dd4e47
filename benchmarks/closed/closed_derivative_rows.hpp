#pragma once
/// Derivatives of closed chains beside those that Pinocchio has for them.

#include <nlohmann/json.hpp>
#include <string>

namespace bench {

/// Accelerations and constraint forces by q, v and the efforts, of the mechanisms whose name contains `only`: ours
/// beside `constraintDynamics` with `computeConstraintDynamicsDerivatives`, at the fastest of its settings and builds
/// whose accelerations are as good as those of P_c must be. Prints and appends rows. Both are
/// judged by differences of accelerations along the closures; returns whether ours agree with them.
bool run_closed_derivatives(const std::string& peers, const std::string& only,
                            nlohmann::json& rows);

}  // namespace bench
