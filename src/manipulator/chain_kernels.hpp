#pragma once
/// The sweeps of RCCFD2 behind function pointers: kernels.cpp is compiled once per instruction set. The other
/// algorithms are compiled where they are written.

#include "linkwright/operators/sweeps/operational_shares.hpp"
#include "operators/algorithms.hpp"

namespace linkwright::manipulator {

struct ChainKernels {
  /// Ω by arms, and what they share
  void (*shares)(operators::OperatorData<double>&, operators::OperationalShares<double>&,
                 int meeting, std::span<const int> bodies);
  /// T′ = T − Hφ(Mφᵀa + b) (6.11a)
  void (*free_efforts)(operators::Evaluation<double>&, const operators::Given<double>&,
                       double* T_free);
  /// Bᵀ(ψᵀHᵀD⁻¹(I − HΨL)T′ + φᵀa), the tips' accelerations without contact (6.18d)
  void (*predict)(operators::Evaluation<double>&, const operators::Given<double>&,
                  const double* T_free, double* alpha);
  /// (I − HΨL)ᵀD⁻¹{T′ − Hψ(SLT′ − Bt)} under the forces t on the tips (6.18e)
  void (*correct)(operators::Evaluation<double>&, const double* T_free, const double* t, double* a);
};

extern const ChainKernels chains_baseline, chains_avx2, chains_avx512;

/// The table in use.
const ChainKernels& chain_kernels();

}  // namespace linkwright::manipulator
