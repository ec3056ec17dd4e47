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

/// Which rows to keep so that they are independent and all others follow from them: elimination with the
/// largest pivot of all. What is left of a row below 1e-6 of its size is none; the sizes are
/// those that a row may have.
std::vector<bool> independent_rows(const Equations& rows, const Unknowns& sizes);

}  // namespace linkwright::verify::absolute
