#pragma once
/// Linear equations by Gaussian elimination.

#include <vector>

#include "verify/absolute_coordinates_joint.hpp"

namespace linkwright::verify::absolute {

using Equations = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Unknowns = Eigen::Matrix<Number, Eigen::Dynamic, 1>;

/// Solves A x = b: rows scaled to size 1, the largest pivot of each column, two steps of refinement. Entries
/// that are zero cost nothing. Returns −1, or the unknown that the equations do not determine.
int solve(const Equations& A, const Unknowns& b, Unknowns& x);

}  // namespace linkwright::verify::absolute
