#pragma once
/// The rows of all closures as a matrix over the joints' velocities, and how far they are from closed.
///
///     linkwright::ClosedWorkspace work(system);
///     Eigen::MatrixXd J(work.rows(), system.nv());
///     linkwright::compute_closure_jacobian(work, state.q, J);      // J v = 0 for the mechanism
///
/// Rows follow System::closures, those of one closure together; a row of a pair is in metres or
/// radians per second, that of a gear in units of its follower.

#include <string>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright {

/// J(q), rows × nv.
void compute_closure_jacobian(ClosedWorkspace& work, const ConstVectorRef& q, MatrixRef jacobian);
/// J̇ v: what J v̇ must cancel, J v̇ + bias = 0.
void compute_closure_bias(ClosedWorkspace& work, const State& state, VectorRef bias);
/// J̇ itself, rows × nv, along v.
void compute_closure_jacobian_rate(ClosedWorkspace& work, const State& state, MatrixRef rate);
/// 2 J̇ v̇ + J̈ v for v̇ = a: what J v̈ must cancel.
void compute_closure_jerk_bias(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
                               VectorRef bias);
/// How far each row is from closed, in metres and radians; 0 for rows that bind velocities alone.
void compute_closure_residual(ClosedWorkspace& work, const ConstVectorRef& q, VectorRef residual);

/// Rates of the closing joints (System::closing_names) are L(q) v, their accelerations L v̇ + bias.
void compute_closing_jacobian(ClosedWorkspace& work, const ConstVectorRef& q, MatrixRef jacobian);
void compute_closing_bias(ClosedWorkspace& work, const State& state, VectorRef bias);
void compute_closing_jacobian_rate(ClosedWorkspace& work, const State& state, MatrixRef rate);

/// The closure that is farthest from closed.
struct WorstClosure {
  int closure = -1;     ///< index into System::closures; −1: there is none
  double distance = 0;  ///< metres
  double angle = 0;     ///< radians; of a gear: units of the follower's coordinate
  /// Whichever is more.
  [[nodiscard]] double gap() const { return distance > angle ? distance : angle; }
};
WorstClosure compute_worst_closure(ClosedWorkspace& work, const ConstVectorRef& q);

/// "closure 'left' is open by 0.02 m and 0.1 rad".
std::string describe(const System& system, const WorstClosure& worst);

}  // namespace linkwright
