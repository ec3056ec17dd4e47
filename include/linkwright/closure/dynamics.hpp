#pragma once
/// Dynamics of mechanisms with closures: the verbs of dynamics/dynamics.hpp, for a ClosedWorkspace.
///
///     linkwright::ClosedWorkspace work(system);
///     Eigen::VectorXd a(system.nv());
///     compute_forward_dynamics(work, state, tau, {}, a);          // obeys every closure
///     std::vector<linkwright::Force> forces(system.closures().size());
///     closure_forces(work, forces);                               // and what they carry
///
/// The equations of motion with closures, J of closure/kinematics.hpp:
///
///     M v̇ + bias = tau + joint_forces + Σ Jᵀ f + Jᵀ λ,    J v̇ + J̇ v = 0
///
/// tau: nv numbers, or System::effort_count with those of the closing joints' motors behind them.
/// Position and velocity must satisfy the closures (closure/assembly.hpp); these functions do not ask.
/// Where rows are redundant the accelerations are unique all the same; the forces reported are then
/// those of least norm. The recursion allocates nothing up to 256 rows, and beyond that only where it first
/// meets rows that are nearly redundant; the dense answers do.

#include <span>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

/// How the accelerations of a closed system are found. All three agree; tests hold them together.
enum class ClosedMethod {
  automatic,    ///< recursion; independent where the open tree has no inertia of its own, and at
                ///< singular positions where not all closures can be kept
  recursion,    ///< Ω = J M⁻¹ Jᵀ by the filter's own sweep, O(N) for local loops
  independent,  ///< v = G v_independent: Gᵀ M G, dense
  dense         ///< M and J in one matrix, rank-revealing: the reference
};

/// What the last forward dynamics found.
struct ClosedReport {
  ClosedMethod method = ClosedMethod::recursion;
  int rank = 0;     ///< independent rows
  int dropped = 0;  ///< redundant ones
  double violation =
      0;  ///< not of the recursion: what J v̇ + J̇ v = 0 is missed by, the least that is possible
};

void compute_forward_dynamics(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                              ExternalForces forces, VectorRef a,
                              ClosedMethod method = ClosedMethod::automatic);
[[nodiscard]] ClosedReport closed_report(const ClosedWorkspace& work);

/// Motors that drive a closed mechanism, and how they share the work where they are more than the
/// mechanism has freedoms: least Σ weight · tau², within the limits, on top of a load that they hold
/// against each other.
struct Actuation {
  std::vector<int> entries;       ///< of System::effort_names, ascending; each once
  std::vector<double> weights{};  ///< one per entry; none: all alike
  enum class Limits { respect, ignore } limits = Limits::ignore;  ///< efforts of the model's joints
  /// One per entry; its part that moves nothing is added.
  std::vector<double> internal_load{};
};
/// All freedoms with a motor: those of the actuators, or, in a model without, all that are not passive.
Actuation all_motors(const System& system);

/// The efforts of the motors that produce the accelerations a, nv numbers or, where motors of closing
/// joints take part, System::effort_count; zero at every other freedom. `a` must
/// obey the closures. Throws Error naming the motion where the motors cannot produce it, and
/// (failed_computation) where their limits do not let them.
void compute_inverse_dynamics(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
                              ExternalForces forces, const Actuation& actuation, VectorRef tau);

/// In full coordinates, the rotors of closing joints included:
///     mass_matrix v̇ + bias = tau + joint_forces + Σ Jᵀ f + Jᵀ λ
void compute_mass_matrix(ClosedWorkspace& work, const ConstVectorRef& q, MatrixRef mass_matrix);
void compute_bias(ClosedWorkspace& work, const State& state, VectorRef bias);
/// C(q, v) with C v + gravity = bias, the choice for which Ṁ − 2C is skew-symmetric.
void compute_coriolis_matrix(ClosedWorkspace& work, const State& state, MatrixRef coriolis);

/// The mechanism in independent coordinates (closure/independent.hpp), entries of v:
///     mass_matrix v̇_i + bias = Gᵀ (tau + joint_forces + Σ Jᵀ f)
void compute_mass_matrix(ClosedWorkspace& work, const State& state, std::span<const int> entries,
                         MatrixRef mass_matrix);
void compute_bias(ClosedWorkspace& work, const State& state, std::span<const int> entries,
                  VectorRef bias);
void compute_gravity(ClosedWorkspace& work, const State& state, std::span<const int> entries,
                     VectorRef gravity);
/// Gᵀ (C G + M Ġ): Ṁ − 2C is skew-symmetric in these coordinates too.
void compute_coriolis_matrix(ClosedWorkspace& work, const State& state,
                             std::span<const int> entries, MatrixRef coriolis);

/// What every joint passes on to its child, in the child's frame, while the efforts tau drive the
/// mechanism: one per joint of System::joints, then one per closure (from a to b, in b's frame; zero for
/// gears). Where rows are redundant, with the closure forces of least norm.
void compute_reactions(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                       ExternalForces forces, std::span<Force> reactions);

/// After compute_forward_dynamics: force and moment that a applies to b through closure i of
/// System::closures, at b's closure frame, in its axes; springs, damping, rotors and motors of a closing
/// joint are part of it. A gear's is the effort on its follower, as
/// moment about z.
void closure_forces(ClosedWorkspace& work, std::span<Force> forces);

}  // namespace linkwright
