#pragma once
/// The names of results: each function makes the Layout of one shape of result.

#include <functional>
#include <string>
#include <vector>

#include "compute/quantities.hpp"

namespace linkwright::app::layouts {

using MakeLayout = std::function<Layout(const System&, const Request&)>;

/// The same names for every system.
MakeLayout plain(std::vector<std::string> names);
/// "PREFIX:JOINT" for each entry of v.
MakeLayout per_freedom(std::string prefix);
/// nv × nv, columns "PREFIX:JOINT:JOINT".
MakeLayout square(std::string prefix);
/// "frame:NAME:x" … for each frame asked for.
Layout frames(const System& system, const Request& request);
/// 6 × nv, rows wx … vz, columns "J:ROW:JOINT".
Layout jacobian(const System& system, const Request& request);
/// "reaction:JOINT:nx" … for each joint, fixed ones too.
Layout reactions(const System& system, const Request& request);

}  // namespace linkwright::app::layouts
