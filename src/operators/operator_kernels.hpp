#pragma once
/// The expressions that everybody applies, behind function pointers: kernels.cpp is compiled once
/// per instruction set. Other expressions are compiled where they are written.

#include "linkwright/operators/sweeps/evaluate.hpp"

namespace linkwright::operators {

struct OperatorKernels {
  void (*factorize)(OperatorData<double>&);
  /// y = H φ M φᵀ Hᵀ x
  void (*mass)(Evaluation<double>&, const double* x, double* y);
  /// y = (I − H Ψ L)ᵀ D⁻¹ (I − H Ψ L) x
  void (*inverse_mass)(Evaluation<double>&, const double* x, double* y);
};

extern const OperatorKernels operators_baseline, operators_avx2, operators_avx512;

/// The table in use.
const OperatorKernels& operator_kernels();

}  // namespace linkwright::operators
