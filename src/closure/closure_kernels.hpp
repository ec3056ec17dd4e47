#pragma once
/// The hot sweeps of closed systems behind function pointers: kernels.cpp is compiled once per
/// instruction set.

#include "linkwright/closure/sweeps/loop_scratch.hpp"

namespace linkwright::closure {

struct ClosureKernels {
  /// Poses and velocities of the nodes that closures have their frames on.
  void (*place_loops)(const BundledTree&, BundledScratch&, LoopScratch&, const double* v);
  /// After forward_dynamics_filter and place_loops: λ, and the innovations with it.
  void (*close)(const BundledTree&, BundledScratch&, const std::vector<ClosurePlace>&,
                LoopScratch&);
  /// After forward_dynamics_filter alone, where LoopScratch::stand is there and nothing acts on closing
  /// joints: the same. False, and nothing done, where place_loops and close must do it.
  bool (*close_stand)(const BundledTree&, BundledScratch&, LoopScratch&, const double* v);
};

extern const ClosureKernels closure_kernels_baseline, closure_kernels_avx2, closure_kernels_avx512;

/// The table in use.
const ClosureKernels& closure_kernels();

}  // namespace linkwright::closure
