#pragma once
/// The derivative sweeps behind function pointers; kernels.cpp is compiled once per instruction set.

#include "linkwright/dynamics/sweeps/acting_forces.hpp"
#include "linkwright/dynamics/sweeps/derivatives/scratch.hpp"

namespace linkwright {

using DerivativeScratchD = DerivativeScratch<double>;

struct DerivativeKernels {
  using TreeD = Tree<double>;
  using ScratchD = Scratch<double>;
  using LoadsD = ExternalLoads<double>;
  using SquareD = sweeps::Square<double>;

  /// The joints stand already.
  void (*inverse_dynamics)(const TreeD&, ScratchD&, DerivativeScratchD&, const double* q,
                           const double* v, const double* a, const LoadsD& loads,
                           const SquareD& by_q, const SquareD& by_v);
  void (*inverse_dynamics_and_mass)(const TreeD&, ScratchD&, DerivativeScratchD&, const double* q,
                                    const double* v, const double* a, const LoadsD& loads,
                                    const SquareD& by_q, const SquareD& by_v, const SquareD& mass);
  void (*forward_dynamics)(const TreeD&, ScratchD&, DerivativeScratchD&, const double* q,
                           const double* v, const double* a, const LoadsD& loads,
                           const SquareD& by_q, const SquareD& by_v, const SquareD& by_tau);
  /// x ← −A x.
  void (*multiply)(const TreeD&, DerivativeScratchD&, const SquareD& A, const SquareD& x);
};

extern const DerivativeKernels derivative_kernels_baseline, derivative_kernels_avx2,
    derivative_kernels_avx512;
/// The table in use.
const DerivativeKernels& derivative_kernels();

}  // namespace linkwright
