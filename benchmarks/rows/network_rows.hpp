#pragma once
/// How the recursions of the system graph grow with the number of bodies.

#include <nlohmann/json.hpp>
#include <string>

namespace bench {

/// Chains of 20, 50, 100, 200, 500 and 1000 bodies: forward and inverse dynamics of the network beside the trunk's. Prints
/// and appends rows where "network" contains `only`; returns whether answers agree and the time per body stays.
bool run_network(const std::string& only, nlohmann::json& rows);

}  // namespace bench
