#pragma once
/// The expressions that everybody applies, behind function pointers: kernels.cpp is compiled once
/// per instruction set. Other expressions are compiled where they are written.

#include "linkwright/operators/sweeps/factorize.hpp"
#include "linkwright/operators/sweeps/operational_space.hpp"
#include "operators/algorithms.hpp"

namespace linkwright::operators {

struct OperatorKernels {
  /// y = H φ M φᵀ Hᵀ x
  void (*mass)(Evaluation<double>&, const double* x, double* y);
  /// y = (H φ M φᵀ Hᵀ + R)⁻¹ x, aggregates among the nodes
  void (*solve)(Evaluation<double>&, const double* x, double* y);
  /// P, D and G, aggregates among the nodes
  void (*factorize)(OperatorData<double>&);
  /// FD1–FD4
  void (*run)(Algorithm, Evaluation<double>&, const Given<double>&, const Wanted<double>&);
  /// Ω
  void (*operational_space)(OperatorData<double>&, OperationalData<double>&);
};

extern const OperatorKernels operators_baseline, operators_avx2, operators_avx512;

/// The table in use.
const OperatorKernels& operator_kernels();

}  // namespace linkwright::operators
