#pragma once
/// The hot sweeps of closed systems behind function pointers: kernels.cpp is compiled once per
/// instruction set.

#include "linkwright/closure/sweeps/loop_scratch.hpp"

namespace linkwright::closure {

struct ClosureKernels {
  /// After forward_dynamics_filter, poses and velocities: λ, and the innovations with it.
  void (*close)(const Tree<double>&, Scratch<double>&, const std::vector<ClosurePlace>&,
                LoopScratch&);
};

extern const ClosureKernels closure_kernels_baseline, closure_kernels_avx2, closure_kernels_avx512;

/// The table in use.
const ClosureKernels& closure_kernels();

}  // namespace linkwright::closure
