#pragma once
/// Forward dynamics of closed chains beside the best that Pinocchio has for them.

#include <nlohmann/json.hpp>
#include <string>

namespace bench {

/// Runs the cases whose name contains `only`; prints and appends rows. P_c is the fastest of
/// Pinocchio's algorithms, settings and builds whose residual is at most 1e-10 and whose error is at
/// most 1e-8; Linkwright must stay below 1e-11. Returns whether it does.
bool run_closed(const std::string& peers, const std::string& only, nlohmann::json& rows);

}  // namespace bench
