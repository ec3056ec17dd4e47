#pragma once
/// Which joints of a mechanism stand best for all others.

#include <span>
#include <vector>

#include <Eigen/Core>

#include "linkwright/system/system.hpp"

namespace linkwright::closure {

/// Of these entries of v the best conditioned ones, ascending, as many as N has columns: N has a row for
/// each of them, and for columns all motions that are possible, orthonormal in scaled rates. By pivoting;
/// a passive freedom must be ten times as good.
std::vector<int> pivot(const System& system, std::span<const int> entries, Eigen::MatrixXd N);

}  // namespace linkwright::closure
