#pragma once
/// Forward dynamics behind the door: arguments are known to fit, and efforts may stand at joints without motors, as
/// those of generalized coordinates do.

#include "linkwright/closure/dynamics.hpp"

namespace linkwright::closure {

void compute_accelerations(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                           ExternalForces forces, VectorRef a,
                           ClosedMethod method = ClosedMethod::automatic);

}  // namespace linkwright::closure
