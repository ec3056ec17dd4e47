#pragma once
/// How motors share what a motion needs, with derivatives in time.
///
/// Given    the needs n of all joints as series (effort_series.hpp), S the shafts' rates per joint rate, J the rows
///          of the closures, all moving
/// Computes torques T of least Σ T² with Sᵀ T + Jᵀ λ = n, as series:
///            T = S μ,   Sᵀ T + Jᵀ λ = n,   J μ = 0
///          Order k holds S, J times the k-th coefficients of T, λ, μ and what follows from lower orders. Without
///          motors to spare μ is not asked. Its solution takes N, the motions that the closures allow, and
///          B = Nᵀ Sᵀ, whose rank decides as that of closures does (closure/rank).
/// Cost     O(nv³) once, and one effort series per order

#include "actuation/effort_series.hpp"
#include "closure/rank/orthogonal.hpp"
#include "linkwright/actuation/drives.hpp"

namespace linkwright::actuation {

class SharedTorques {
 public:
  SharedTorques(const System& system, const Drives& drives);

  /// Fills `torques` and, of the shafts' gear sides, `speeds`, up to derivative `order`. Columns of `rates` as in
  /// EffortSeries::place, order + 1 of them at least. Throws Error (failed_computation) naming the joint where
  /// the motors cannot give the motion, and the closure that the motion does not keep.
  void compute(ClosedWorkspace& work, const State& state, const ConstMatrixRef& rates, int order);

  SeriesVector torques, speeds;  ///< one per motor

 private:
  void prepare(ClosedWorkspace& work, const State& state);
  void solve_order(ClosedWorkspace& work, const State& state, int k);
  void require_closed(const State& state, const ConstMatrixRef& rates, int order) const;
  void require_motors(const State& state, const Eigen::VectorXd& missing, double needed,
                      int k) const;
  void write_speeds();

  const System* system_;
  const Drives* drives_;
  EffortSeries efforts_;
  SeriesVector lambda_, closing_, rest_, mu_, rows_of_mu_, closing_of_mu_;
  Eigen::MatrixXd S_, N_, B_;
  closure::Orthogonal space_;  // of Bᵀ
  Eigen::VectorXd r1_, r2_, r3_;
};

}  // namespace linkwright::actuation
