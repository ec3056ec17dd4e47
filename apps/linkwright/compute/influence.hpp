#pragma once
/// Freeman's arrays as quantities.

#include "compute/quantities.hpp"

namespace linkwright::app {

/// [G], [H] or [D] of a frame, by the order asked for, number by number, the last index running fastest.
void influence(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
               Eigen::VectorXd& out);
/// [P*] in the same order.
void coriolis_array(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                    Eigen::VectorXd& out);

}  // namespace linkwright::app
