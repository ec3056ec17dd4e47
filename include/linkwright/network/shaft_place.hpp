#pragma once
/// Where the shafts of joints that a circuit is wired to stand in a system.
///
///     const std::vector<ShaftPlace> places = place_shafts(system, circuit);
///     tau[places[0].effort] += torque;

#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/network/circuit.hpp"

namespace linkwright::network {

struct ShaftPlace {
  Eigen::Index v = -1;        ///< its speed is an entry of v,
  Eigen::Index closing = -1;  ///< or that of a joint that closes a loop (System::closing_names)
  Eigen::Index effort = 0;    ///< System::effort_names
};

/// One per port of the circuit. Throws Error for a port that is no joint of the system, for a passive joint, and
/// for a closing joint without a motor; unless `closures` are obeyed, for any closing joint.
std::vector<ShaftPlace> place_shafts(const System& system, const Circuit& circuit,
                                     bool closures = true);

/// Whether some shaft is that of a closing joint, so that speeds need a ClosedWorkspace.
bool has_closing_shaft(const std::vector<ShaftPlace>& places);

/// Throws Error naming the inertias that joints turn rigidly and that are not in the mechanism
/// (network::reflect_inertias).
void require_reflected(const System& system, const Circuit& circuit);

/// The name of a shaft's freedom: "elbow", "ball:2".
const std::string& shaft_name(const System& system, const ShaftPlace& place);

}  // namespace linkwright::network
