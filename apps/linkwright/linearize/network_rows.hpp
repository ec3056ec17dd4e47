#pragma once
/// What the rows of --states tell of a network.

#include <string>
#include <vector>

#include "linkwright/network/linear_network.hpp"
#include "shell/state/coordinates.hpp"

namespace linkwright::app {

/// Columns in which a table tells the network's states and sources; none without a network.
std::vector<std::string> columns_of(const network::Circuit* circuit);

/// What a row tells of the network; states that it does not tell begin as a run would under the sources it tells.
void take_network(const network::Circuit& circuit, ClosedWorkspace& work, const Input& input,
                  network::NetworkPoint& point);

/// Network states and sources that `file` has no column for are told; those with one are taken out of `titles`.
void check_network_columns(const std::string& file, const network::Circuit& circuit,
                           std::vector<std::string>& titles);

}  // namespace linkwright::app
