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
/// "PREFIX:JOINT" for each entry of v, or for each of the coordinates asked for.
MakeNames per_freedom(std::string prefix);
/// "a:JOINT" and, of every shaft behind an elastic gear, "motor:NAME:acceleration".
ResultNames accelerations(const System& system, const QuantityOptions& options);
/// "tau:JOINT" for each effort, those of closing joints' motors last.
ResultNames efforts(const System& system, const QuantityOptions& options);
/// "joint_force:JOINT" for each freedom, those of closing joints last.
ResultNames joint_forces(const System& system, const QuantityOptions& options);
/// "q:JOINT" for each freedom of closing joints, then "v:JOINT".
ResultNames voltages(const System& system, const QuantityOptions& options);
ResultNames closing_joints(const System& system, const QuantityOptions& options);
/// The same as per_freedom for a square matrix, columns "PREFIX:JOINT:JOINT".
MakeNames square(std::string prefix);
/// Several square matrices, columns "MATRIX:JOINT:JOINT".
MakeNames squares(std::vector<std::string> matrices);
/// "frame:NAME:x" … for each frame asked for.
ResultNames frames(const System& system, const QuantityOptions& options);
/// 6 × nv, rows wx … vz, columns "J:ROW:JOINT".
ResultNames jacobian(const System& system, const QuantityOptions& options);
/// 6 × n, 6 × n × n or 6 × n × n × n by the order, "G:ROW:JOINT", "H:ROW:JOINT:JOINT", "D:…".
ResultNames influence(const System& system, const QuantityOptions& options);
/// n × n × n, "P:JOINT:JOINT:JOINT".
ResultNames coriolis_array(const System& system, const QuantityOptions& options);
/// "reaction:JOINT:nx" … for each joint, fixed ones too.
ResultNames reactions(const System& system, const QuantityOptions& options);

/// "closure:NAME:mx" … for each closure and grasp.
ResultNames closure_forces(const System& system, const QuantityOptions& options);
/// "closure:NAME:0" … for each row.
ResultNames contacts(const System& system, const QuantityOptions&);
ResultNames closure_rows(const System& system, const QuantityOptions& options);

}  // namespace linkwright::app::result_names
