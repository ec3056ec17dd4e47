#pragma once
/// The dynamic model of a mechanism in one set of coordinates, as arrays that depend on the position
/// alone:
///
///     T = [I*] q̈ + q̇ᵀ [P*] q̇ − T^L                                       (Freeman, 2-145 and 3-3)
///
///     DynamicModel joints = compute_joint_model(work, state, {});
///     Eigen::VectorXd tau = loads(joints, v, a);         // what compute_inverse_dynamics says
///
/// The loads T may belong to other parameters than the coordinates (partial transfer, 4-73): [I*_uq],
/// [P*_uqq]. [P*] is the inertia power array: plane i at (j, k) is what rate j makes at load i while
/// coordinate k moves at unit rate, so that C = [P*] q̇ is the Coriolis matrix with d[I*]/dt − 2C
/// skew-symmetric, in every set of coordinates that the model is transferred to. Its planes are symmetric
/// (Christoffel's symbols) where the coordinates are; for quasi-velocities they are not.

#include "linkwright/coordinates/influence.hpp"

namespace linkwright::coordinates {

struct DynamicModel {
  Parameters of;   ///< to which the loads belong
  Parameters by;   ///< the coordinates
  Matrix inertia;  ///< [I*], of × by
  Array power;     ///< [P*], of planes, by × by
  Matrix load;  ///< T^L, of × 1: gravity and whatever acts besides T, at the state it was made for
};

/// In the entries of v. T^L holds gravity, springs, dampers, friction and the forces given. O(nv³).
DynamicModel compute_joint_model(Workspace& work, const State& state, ExternalForces forces);
/// Of the cut tree of a closed system, the open chain of the paper, with what acts on the joints that
/// close its loops.
DynamicModel compute_joint_model(ClosedWorkspace& work, const State& state, ExternalForces forces);

/// The loads that the motion needs.
void compute_loads(const DynamicModel& model, const ConstVectorRef& rates,
                   const ConstVectorRef& accelerations, VectorRef loads);
/// The motion that the loads make; of a complete model. Throws Error (failed_computation) where [I*] has
/// no inverse.
void compute_accelerations(const DynamicModel& model, const ConstVectorRef& rates,
                           const ConstVectorRef& loads, VectorRef accelerations);

/// C(q, q̇) = [P*] q̇: C q̇ = q̇ᵀ[P*] q̇, and d[I*]/dt = C + Cᵀ along q̇ for a model whose loads are those of its
/// coordinates.
void compute_coriolis_matrix(const DynamicModel& model, const ConstVectorRef& rates,
                             MatrixRef coriolis);

/// The same loads by other coordinates: [I*_uq] = [I*_uφ][G], [P*_uqq] = [G]ᵀ[P*][G] + [I*] • [H]
/// (4-73)–(4-75).
DynamicModel refer_to(const DynamicModel& model, const Influence& phi_by_q);
/// Other loads by the same coordinates, T_u = A T: [A][I*], [A] • [P*], A T^L (4-88)–(4-90).
DynamicModel map_loads(const ConstMatrixRef& A, const Parameters& of, const DynamicModel& model);
/// Both, with the loads of virtual work T_q = [G]ᵀ T_φ: (3-34), (3-35), (3-36). O(n⁴) for the n³ numbers
/// of [P*], O(n³) for the rest.
DynamicModel transfer(const DynamicModel& model, const Influence& phi_by_q);
/// Two parts of one mechanism, by the same coordinates (4-48), (4-49).
DynamicModel sum(const DynamicModel& a, const DynamicModel& b);

// As values.
inline Eigen::VectorXd loads(const DynamicModel& model, const Eigen::VectorXd& rates,
                             const Eigen::VectorXd& accelerations) {
  Eigen::VectorXd out(model.inertia.rows());
  compute_loads(model, rates, accelerations, out);
  return out;
}
inline Eigen::VectorXd accelerations(const DynamicModel& model, const Eigen::VectorXd& rates,
                                     const Eigen::VectorXd& loads) {
  Eigen::VectorXd out(model.inertia.cols());
  compute_accelerations(model, rates, loads, out);
  return out;
}

}  // namespace linkwright::coordinates
