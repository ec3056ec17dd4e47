#pragma once
/// Units of the numbers that describe a joint.

#include <string>
#include <string_view>
#include <vector>

#include "linkwright/simulate/equations.hpp"

namespace linkwright {

/// Of entry i of the joint's q: "rad", "m", or "1" (a quaternion; a custom joint's own scale).
std::string position_unit(const Joint& joint, int i);
/// Of entry i of its v, without the time: "rad", "m" or "1".
std::string freedom_unit(const Joint& joint, int i);
/// Of the effort on freedom i, so that effort times velocity is a power: "N*m", "N" or "J".
std::string effort_unit(const Joint& joint, int i);
/// The same for a joint that closes a loop.
std::string closing_effort_unit(const ClosurePlace& place, int i);
/// "tau:JOINT" for every entry of v: the inputs of a tree.
inline constexpr std::string_view effort_prefix = "tau:";
std::vector<Quantity> effort_inputs(const System& system);
/// Those of the closing joints' motors as well, behind them: System::effort_names.
std::vector<Quantity> all_effort_inputs(const System& system);

}  // namespace linkwright
