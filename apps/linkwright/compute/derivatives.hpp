#pragma once
/// Derivatives of the dynamics, as a quantity.

#include "compute/quantities.hpp"

namespace linkwright::app {

/// dtau_dq, dtau_dv, dtau_da, da_dq, da_dv, da_dtau at one motion, which accelerations or efforts decide,
/// one after the other. Of a closed system: accelerations and efforts of the coordinates asked for, along the
/// closures.
void derivatives(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                 Eigen::VectorXd& out);

}  // namespace linkwright::app
