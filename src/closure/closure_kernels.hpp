#pragma once
/// The hot sweeps of closed systems behind function pointers: kernels.cpp is compiled once per
/// instruction set.

#include "linkwright/closure/sweeps/loop_scratch.hpp"

namespace linkwright::closure {

struct ClosureKernels {
  /// Poses and velocities of the nodes between closures and the world.
  void (*place_loops)(const BundledTree&, BundledScratch&, const LoopScratch&, const double* v);
  /// After forward_dynamics_filter and place_loops: λ, and the innovations with it.
  void (*close)(const BundledTree&, BundledScratch&, const std::vector<ClosurePlace>&,
                LoopScratch&);
};

extern const ClosureKernels closure_kernels_baseline, closure_kernels_avx2, closure_kernels_avx512;

/// The table in use.
const ClosureKernels& closure_kernels();

}  // namespace linkwright::closure
