#pragma once
/// Closed mechanisms by transfer of coordinates: open the loops, write the open chain, and come back in
/// the coordinates that are wanted (Freeman, chapter IV).
///
///     linkwright::ClosedWorkspace work(system);
///     Influence motors = joint_influence(system, {"left_motor", "right_motor"});
///     Mechanism five_bar = compute_double_transfer(work, state, {}, motors);
///     Eigen::MatrixXd inertia = five_bar.model.inertia.view();             // [I*_qq], 2 × 2
///     Eigen::VectorXd tau = loads(five_bar.model, rates, accelerations);   // what the motors give
///
/// q may be any parameters that determine the motion: joints, parts of a frame's motion, or both.
/// Results are those of closure/dynamics.hpp; tests hold the two rooms together. Position and velocity
/// must satisfy the closures (closure/assembly.hpp).

#include "linkwright/coordinates/transfer.hpp"

namespace linkwright::coordinates {

/// After the first transfer: φ → w = (y, c), with c held at rest.
struct Constrained {
  DynamicModel model;  ///< S_y, (4-32)
  Influence initial;   ///< φ by y; y is a part of φ, (4-19), (4-22)
  /// T_c by y, (4-31): the forces that hold c, while no motor acts but at y.
  DynamicModel constraint;
  /// c × φ: the share of efforts τ at φ that c carries: T_c − carried τ where τ acts besides.
  Matrix carried;
  double condition = 1;  ///< of what was inverted, [G^c_β], scaled
};

/// The coordinates of `model` by fewer, so that c rests. `keep` names those to keep (y), as many as the
/// mechanism has freedoms; none: the best conditioned. Rows of c that say the same twice are no obstacle:
/// the forces are then those of least norm. Throws Error where `keep` does not determine the motion and
/// names what would.
Constrained constrain(const DynamicModel& model, const Influence& c_by_phi,
                      const std::vector<std::string>& keep = {});

/// A closed mechanism in coordinates q.
struct Mechanism {
  DynamicModel model;       ///< S_q: [I*_qq], [P*_qqq], T^L_q (4-41), (4-62)
  Influence inputs;         ///< q by the entries of v, as given
  Influence joints;         ///< all entries of v, by q
  DynamicModel constraint;  ///< T_c by q, one load per row of closure/kinematics.hpp
  Matrix carried;           ///< as above: with efforts τ of all joints, λ = T_c − carried τ
  double condition = 1;     ///< of all transfers on the way, multiplied
};

/// All loops at once: v → (y, closures) → q (4-11)–(4-41), appendix D. `q_by_phi`: by the entries of v.
Mechanism compute_double_transfer(ClosedWorkspace& work, const State& state, ExternalForces forces,
                                  const Influence& q_by_phi);

/// A platform on legs: each leg is written as if the others were not there, transferred to the
/// platform's coordinates w, summed, and transferred to q (4-42)–(4-62). `platform` is the body that the
/// legs carry; w are the freedoms between the world and it. Legs are found from the model; one that w
/// does not determine keeps what it needs of its own coordinates, one that binds the platform (Delta)
/// leaves the rest of its equations to w.
Mechanism compute_leg_by_leg(ClosedWorkspace& work, const State& state, ExternalForces forces,
                             const std::string& platform, const Influence& q_by_phi);

/// The accelerations of all joints for efforts tau at them, by way of q: [I*_qq] q̈ = T_q − q̇ᵀ[P*] q̇ + T^L_q,
/// T_q = [G^φ_q]ᵀ tau. At the state that the mechanism was written for.
void compute_forward_dynamics(const Mechanism& mechanism, const State& state,
                              const ConstVectorRef& tau, VectorRef a);
/// λ, the forces in the rows of all closures while the efforts tau make the accelerations a.
void compute_constraint_forces(const Mechanism& mechanism, const State& state,
                               const ConstVectorRef& tau, const ConstVectorRef& a,
                               VectorRef lambda);

}  // namespace linkwright::coordinates
