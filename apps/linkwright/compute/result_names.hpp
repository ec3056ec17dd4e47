#pragma once
/// The names of results: each function makes the ResultNames of one shape of result.

#include <functional>
#include <string>
#include <vector>

#include "compute/quantities.hpp"

namespace linkwright::app::result_names {

using MakeNames = std::function<ResultNames(const System&, const QuantityOptions&)>;

/// The same names for every system.
MakeNames plain(std::vector<std::string> names);
/// "PREFIX:JOINT" for each entry of v.
MakeNames per_freedom(std::string prefix);
/// nv × nv, columns "PREFIX:JOINT:JOINT".
MakeNames square(std::string prefix);
/// "frame:NAME:x" … for each frame asked for.
ResultNames frames(const System& system, const QuantityOptions& options);
/// 6 × nv, rows wx … vz, columns "J:ROW:JOINT".
ResultNames jacobian(const System& system, const QuantityOptions& options);
/// "reaction:JOINT:nx" … for each joint, fixed ones too.
ResultNames reactions(const System& system, const QuantityOptions& options);

}  // namespace linkwright::app::result_names
