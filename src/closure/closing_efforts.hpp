#pragma once
/// What acts on closing joints, for the three ways to the accelerations.

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright::closure {

/// tau is that of the tree's joints, or has those of System::closing_motors behind them.
void check_efforts(const System& system, const ConstVectorRef& tau);

/// LoopScratch::effort at the state whose poses and velocities the tree holds.
void find_efforts(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau);

/// out += efforts of the springs at a closing joint whose frame b stands at X in a's; q is the tree's
/// position. Only where ClosurePlace::has_springs.
void add_spring_efforts(const ClosurePlace& c, const Pose& X, const double* q, double* out);

/// M of the tree and of the rotors at closing joints: M + Lᵀ R L.
void compute_whole_mass_matrix(ClosedWorkspace& work, const ConstVectorRef& q, MatrixRef M);

/// right += Lᵀ (effort − R L̇ v), efforts as find_efforts finds them.
void add_closing_forces(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                        VectorRef right);
/// needed −= Lᵀ (effort − R (L a + L̇ v)): what the motors need not give at accelerations a.
void subtract_closing_forces(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
                             VectorRef needed);
/// LoopScratch::effort −= R (L v̇ + L̇ v), for closure_forces; the recursion has these in λ.
void add_rotor_forces(ClosedWorkspace& work, const State& state, const ConstVectorRef& a);
/// Lᵀ R (L̇ v) alone.
void add_rotor_bias(ClosedWorkspace& work, const State& state, VectorRef bias);

/// Whether anything at all is there to be added.
bool has_rotors(const System& system);

}  // namespace linkwright::closure
