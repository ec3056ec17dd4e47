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

/// Which rows to keep so that they are independent and all others follow from them. Columns from `nv` on are the pairs' own
/// freedoms, which are eliminated first; of what remains always the largest row is taken, and left of the others what is
/// across it. Below 1e-6 of the first that is nothing, which is how the library defines the rank of rows that are
/// scaled: lengths measured by the mechanism's size.
std::vector<bool> independent_rows(const Equations& rows, Eigen::Index nv);

}  // namespace linkwright::verify::absolute
