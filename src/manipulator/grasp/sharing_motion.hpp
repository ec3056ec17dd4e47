#pragma once
/// The accelerations for which a load is shared.

#include "linkwright/manipulator/sharing.hpp"
#include "manipulator/grasp/grasp_room.hpp"

namespace linkwright::manipulator {

/// Accelerations with J v̇ + J̇ v = 0 of least size, the object's as given.
Eigen::VectorXd follow(ClosedWorkspace& work, const State& state, const SharingOptions& options);

/// Given    the load at accelerations a that nothing balances: joints without a motor, a base that floats
/// Computes a += Z w of least size for which it is balanced, Z the motions that the closures leave open and
///          in which no held object moves:
///              Uᵀ (load + M Z w) = 0,  Uᵀ [J_cᵀ J_eᵀ T] = 0
/// Returns  false where there is none; a is as before then.
bool let_move(ClosedWorkspace& work, const ConstVectorRef& q, const Statics& statics,
              const Eigen::VectorXd& load, Eigen::VectorXd& a);

}  // namespace linkwright::manipulator
