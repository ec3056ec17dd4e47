#pragma once
/// First derivatives of the dynamics of mechanisms with closures, exact and without iteration.
///
///     linkwright::ClosedWorkspace work(system);
///     Eigen::MatrixXd da_dq(n, n), da_dv(n, n), da_dtau(n, system.effort_count());    // n = nv
///     compute_forward_dynamics_derivatives(work, state, tau, {}, da_dq, da_dv, da_dtau);
///     closure_force_derivatives(work, df_dq, df_dv, df_dtau);        // and what the closures carry
///
/// The equations of closure/dynamics.hpp, r = M v̇ + bias − … − tau − Jᵀ λ = 0 and s = J v̇ + J̇ v = 0, are
/// differentiated as they stand:
///
///     [M −Jᵀ; J 0] [δv̇; δλ] = −[∂r; ∂s],   ∂r at fixed v̇ and λ, ∂s at fixed v̇
///
/// Derivatives by q are along the group: the rate at which a result changes while q ⊕ ε e_k moves
/// (compute_integral). What is held: by q, the numbers in v, tau and the forces as they are given; by v,
/// q and tau. Dry friction is constant. Efforts of closing joints' own springs, dampers and rotors are
/// part of all of it.
///
/// A closed mechanism can only move along its closures: δq = G δq_i, δv = G δv_i + K δq_i (`compute_tangent`).
/// Along these the derivatives are those of the mechanism. Along others they are those of the formulas, which
/// speak of open loops too, and mean something only where no row is redundant: redundant rows contradict
/// each other as soon as a loop opens, and then the answer is the one that misses them least.
/// Where rows are redundant the forces are those of least norm, and so are their derivatives.
/// Derivatives of all joints and of closure forces allocate nothing after the first call on a workspace, up to
/// about a hundred freedoms; those in independent coordinates do.

#include <span>
#include <vector>

#include "linkwright/closure/dynamics.hpp"

namespace linkwright {

/// v̇ of compute_forward_dynamics by q, v (nv × nv) and by the efforts (nv × System::effort_count; those of
/// passive freedoms too). tau as there. Throws Error (failed_computation) at singular positions, where no
/// acceleration keeps every closure: v̇ jumps there. Where a mechanism branches (compute_mobility says
/// `singular`) and an acceleration exists, the answer is that of the rows as they stand there.
void compute_forward_dynamics_derivatives(ClosedWorkspace& work, const State& state,
                                          const ConstVectorRef& tau, ExternalForces forces,
                                          MatrixRef da_dq, MatrixRef da_dv, MatrixRef da_dtau);

/// After it: the forces of `closure_forces` by the same, six rows per closure [moment; force].
void closure_force_derivatives(ClosedWorkspace& work, MatrixRef df_dq, MatrixRef df_dv,
                               MatrixRef df_dtau);

/// Entries of v whose displacements determine those of all others: `entries`, and where closures bind
/// velocities alone (rolling) as many more as positions have freedoms beyond those of velocities.
std::vector<int> position_coordinates(ClosedWorkspace& work, const ConstVectorRef& q,
                                      std::span<const int> entries);

/// T, 2 nv × (positions + entries): the displacements and velocities [δq; δv] of all joints, to first
/// order, that keep the closures while those of the independents are δq_i and δv_i:
///
///     T = [G_q 0; K G],   J G = 0,   J K = −(∂(J v)/∂q) G_q,   K = 0 at `entries`
///
/// `positions` as position_coordinates gives them. Throws Error (failed_computation), naming them, where the
/// entries do not determine the motion.
void compute_tangent(ClosedWorkspace& work, const State& state, std::span<const int> positions,
                     std::span<const int> entries, MatrixRef T);

/// The same in independent coordinates, along the closures: v̇ of `entries` by δq of `positions`, δv of
/// `entries` and the efforts.
void compute_forward_dynamics_derivatives(ClosedWorkspace& work, const State& state,
                                          const ConstVectorRef& tau, ExternalForces forces,
                                          std::span<const int> positions,
                                          std::span<const int> entries, MatrixRef da_dq,
                                          MatrixRef da_dv, MatrixRef da_dtau);

/// Of inverse dynamics in independent coordinates, along the closures: the efforts at the joints of `entries` alone
/// that give the accelerations `a`, by δq of `positions`, δv and v̇ of `entries`; entries × positions, or square.
/// `a` (nv) keeps the closures. With M the mass matrix in these coordinates and a(q, v, τ) forward dynamics, which
/// the efforts turn round: ∂τ/∂q = −M ∂a/∂q, ∂τ/∂v = −M ∂a/∂v, ∂τ/∂a = M.
///
///     compute_inverse_dynamics_derivatives(work, state, a, {}, positions, entries, dtau_dq, dtau_dv, dtau_da);
void compute_inverse_dynamics_derivatives(ClosedWorkspace& work, const State& state,
                                          const ConstVectorRef& a, ExternalForces forces,
                                          std::span<const int> positions,
                                          std::span<const int> entries, MatrixRef dtau_dq,
                                          MatrixRef dtau_dv, MatrixRef dtau_da);

}  // namespace linkwright
