#pragma once
/// The lane-group loops of derivatives behind function pointers; kernels.cpp is compiled once per
/// instruction set.

#include "batch/batch_kernels.hpp"
#include "linkwright/dynamics/sweeps/derivatives/scratch.hpp"

namespace linkwright {

/// One call, as every thread sees it: out and out_v are the squares by q and by v.
struct DerivativeJob : BatchJob<double> {
  Rows<double> out_x{};  // forward dynamics: by the efforts
};

/// What one thread writes.
struct DerivativeBatchScratch : BadStates {
  using P = BatchPack<double>;
  explicit DerivativeBatchScratch(const Tree<double>& tree)
      : sweep(tree),
        derivatives(tree),
        q(static_cast<std::size_t>(tree.nq)),
        v(static_cast<std::size_t>(tree.nv)),
        x(v.size()),
        y(v.size()),
        inverse(2 * v.size() * v.size()),
        forward(3 * v.size() * v.size()) {}

  Scratch<P> sweep;
  DerivativeScratch<P> derivatives;
  std::vector<P> q, v, x, y;
  // Squares of nv × nv. What is zero by structure stays zero in the first two.
  std::vector<P> inverse, forward;
};

using DerivativeBatchKernel = void (*)(const Tree<double>&, DerivativeBatchScratch&,
                                       const DerivativeJob&, int first, int last);

struct DerivativeBatchKernels {
  DerivativeBatchKernel inverse_dynamics, forward_dynamics;
};

extern const DerivativeBatchKernels derivative_batch_baseline, derivative_batch_avx2,
    derivative_batch_avx512;

}  // namespace linkwright
