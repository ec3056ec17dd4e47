#pragma once
/// The lane-group loops of closed systems behind function pointers; kernels.cpp is compiled once per
/// instruction set.

#include "closure/batch/plan.hpp"

namespace linkwright::closure {

/// One call, as every thread sees it; x: efforts or accelerations.
struct ClosedJob : BatchJob<double> {
  int x_columns = 0, out_columns = 0;
};

/// What one thread writes.
struct ClosedBatchScratch : BadStates {
  explicit ClosedBatchScratch(const BatchPlan& plan);

  Scratch<States> sweep;
  int tile;                        // lane groups copied at once
  std::vector<States> q, v, x, y;  // [tile] of their columns
  // Rows of one closure on their way to the world: six per node of its path.
  std::vector<spatial::Force<States>> force;
  spatial::Force<States> on_world[6];  // and those on the world
  // Of all closures.
  std::vector<States> u,
      weighted;  // ε of every kept row at every freedom it passes, and D⁻¹ times it
  std::vector<States> omega;
  std::vector<States> inverse_pivot, lambda;  // by position in the order of elimination
  // Of legs.
  LegForces<States> leg_forces;
  std::vector<LegRows<States>> leg_rows;
  // Inverse dynamics.
  std::vector<States> j, A, unknown;
  std::vector<double> one_q;  // of one lane
};

using ClosedKernel = void (*)(const BatchPlan&, ClosedBatchScratch&, const ClosedJob&, int first,
                              int last);
struct ClosedBatchKernels {
  ClosedKernel forward_dynamics, inverse_dynamics, residual;
};
extern const ClosedBatchKernels closed_batch_baseline, closed_batch_avx2, closed_batch_avx512;

}  // namespace linkwright::closure
