#pragma once
/// Derivatives of the dynamics of trees, exact and without differences.
///
///     linkwright::Workspace work(system);
///     Eigen::MatrixXd by_q(n, n), by_v(n, n);                       // n = system.nv()
///     compute_inverse_dynamics_derivatives(work, state, a, {}, by_q, by_v);
///
/// Derivatives by the position are along the group: column k is the derivative for q ⊕ ε e_k
/// (compute_integral), for joints with quaternions too. Everything that the dynamics hold is in them:
/// external forces in either axes, springs, damping, rotors, loads. Dry friction is constant where the
/// joint moves; at rest, where it has no derivative, it counts as constant too.
/// None of the functions allocates. Errors as those of dynamics.hpp.

#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

/// ∂tau/∂q and ∂tau/∂v of compute_inverse_dynamics at the accelerations a, nv × nv each, in
/// O(nv · depth). ∂tau/∂a is the mass matrix; the second form computes it on the way.
void compute_inverse_dynamics_derivatives(Workspace& work, const State& state,
                                          const ConstVectorRef& a, ExternalForces forces,
                                          MatrixRef dtau_dq, MatrixRef dtau_dv);
void compute_inverse_dynamics_derivatives(Workspace& work, const State& state,
                                          const ConstVectorRef& a, ExternalForces forces,
                                          MatrixRef dtau_dq, MatrixRef dtau_dv, MatrixRef dtau_da);

/// ∂a/∂q, ∂a/∂v and ∂a/∂tau = M⁻¹ of compute_forward_dynamics at the efforts tau, nv × nv each.
void compute_forward_dynamics_derivatives(Workspace& work, const State& state,
                                          const ConstVectorRef& tau, ExternalForces forces,
                                          MatrixRef da_dq, MatrixRef da_dv, MatrixRef da_dtau);

}  // namespace linkwright
