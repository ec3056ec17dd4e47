#pragma once
/// Dynamics of trees: what users call.
///
///     linkwright::Workspace work(system);
///     Eigen::VectorXd a(system.nv());
///     compute_forward_dynamics(work, state, tau, {}, a);
///
/// Every function checks sizes, finiteness and quaternion norms at the door and throws Error naming
/// the argument and the joint; nothing is written in that case. None of them allocates.

#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

/// tau = M v̇ + bias − joint_forces − Σ Jᵀ f: the efforts that produce the accelerations a. For a
/// passive freedom it is the effort that the motion would need there and no motor gives: 0 for a
/// motion that the mechanism can make by itself.
void compute_inverse_dynamics(Workspace& work, const State& state, const ConstVectorRef& a,
                              ExternalForces forces, VectorRef tau);
/// The accelerations that the efforts tau produce, in O(N). Throws Error naming the joint for an
/// effort on a passive freedom, and (failed_computation) where the articulated inertia vanishes: a
/// massless link that nothing holds.
void compute_forward_dynamics(Workspace& work, const State& state, const ConstVectorRef& tau,
                              ExternalForces forces, VectorRef a);

/// M(q), symmetric, nv × nv.
void compute_mass_matrix(Workspace& work, const ConstVectorRef& q, MatrixRef mass_matrix);
/// M(q)⁻¹ x in O(N).
void compute_mass_matrix_solve(Workspace& work, const ConstVectorRef& q, const ConstVectorRef& x,
                               VectorRef out);
/// M(q)⁻¹, nv × nv.
void compute_mass_matrix_inverse(Workspace& work, const ConstVectorRef& q, MatrixRef inverse);

/// bias = C(q, v) v + g(q).
void compute_bias(Workspace& work, const State& state, VectorRef bias);
/// g(q): the efforts that hold the mechanism still against gravity.
void compute_gravity(Workspace& work, const ConstVectorRef& q, VectorRef gravity);
/// C(q, v) v.
void compute_coriolis(Workspace& work, const State& state, VectorRef coriolis);
/// C(q, v) itself, the choice for which Ṁ − 2C is skew-symmetric.
void compute_coriolis_matrix(Workspace& work, const State& state, MatrixRef coriolis);

/// Force and moment that joint `j` (index into System::joints) passes to its child, in the child
/// body's frame. Write `forces` with one entry per joint. Fixed joints carry what lies behind them.
void compute_reactions(Workspace& work, const State& state, const ConstVectorRef& a,
                       ExternalForces forces, std::span<Force> reactions);
/// The same, read after compute_forward_kinematics at the state and accelerations in question.
void joint_reactions(Workspace& work, ExternalForces forces, std::span<Force> reactions);

}  // namespace linkwright
