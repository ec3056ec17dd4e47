#pragma once
/// How well conditioned the equations of a closed mechanism are at a position.

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright::testing {

inline constexpr double epsilon = 2.22e-16;

/// Largest singular value over the least that is more than rounding.
double condition_of(const Eigen::MatrixXd& A);

/// Of the equations that are solved: M and J in one, and Ω = J M⁻¹ Jᵀ of the recursion, in which the
/// rotors of closing joints are rows that give way by 1/R.
double condition_of_closed(ClosedWorkspace& work, const Eigen::VectorXd& q);

/// The size of what these equations are solved for: the accelerations and the least multipliers of all rows, Jᵀ λ =
/// M a + bias − tau. Where closures leave no freedom the accelerations are what remains of forces that cancel, and
/// their rounding is that of the forces. What acts at closing joints is taken for a part of λ.
double size_of_solution(ClosedWorkspace& work, const State& state, const Eigen::VectorXd& tau,
                        const Eigen::VectorXd& a);

}  // namespace linkwright::testing
