#pragma once
/// How well conditioned the equations of a closed mechanism are at a position.

#include "linkwright/closure/workspace.hpp"

namespace linkwright::testing {

inline constexpr double epsilon = 2.22e-16;

/// Largest singular value over the least that is more than rounding.
double condition_of(const Eigen::MatrixXd& A);

/// Of the equations that are solved: M and J in one, and Ω = J M⁻¹ Jᵀ of the recursion, in which the
/// rotors of closing joints are rows that give way by 1/R.
double condition_of_closed(ClosedWorkspace& work, const Eigen::VectorXd& q);

}  // namespace linkwright::testing
