#pragma once
/// More motors than freedoms: walking machines, fingers, arms on one load (Freeman, 4-76 … 4-90). The
/// motion determines T_u; how the motors share it is a choice.
///
///     // u: the trunk's six freedoms; q: twelve motors, by u
///     Influence q_by_u = compose(joint_influence(system, motors), machine.joints);
///     DynamicModel efforts = distribute(machine.model, q_by_u);       // least Σ T_q², by u̇ and ü
///     compute_distribution(q_by_u, T_u, {.limits = most}, T_q);       // the same within limits

#include "linkwright/coordinates/dynamic_model.hpp"

namespace linkwright::coordinates {

/// Least Σ weight · (T_q − preferred)² among the T_q that do the work of T_u. One number per motor, or
/// none: weight 1, no limit, preferred 0.
struct Distribution {
  std::vector<double> weights{};
  std::vector<double> limits{};     ///< of |T_q|
  std::vector<double> preferred{};  ///< its part that moves nothing is added: an internal load
};

/// T_q with [G^q_u]ᵀ T_q = T_u (4-80). Throws Error (failed_computation) where the motors cannot do it,
/// or not within the limits, and says by how much.
void compute_distribution(const Influence& q_by_u, const ConstVectorRef& T_u,
                          const Distribution& distribution, VectorRef T_q);

/// Without limits the share is linear: T_q = [I*_qu] ü + u̇ᵀ[P*_quu] u̇ − T^L_q with the left inverse of
/// (4-86), weighted. `weights`: one per motor, or none.
DynamicModel distribute(const DynamicModel& model, const Influence& q_by_u,
                        const std::vector<double>& weights = {});

}  // namespace linkwright::coordinates
