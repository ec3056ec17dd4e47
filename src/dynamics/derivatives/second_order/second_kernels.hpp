#pragma once
/// The sweep of second derivatives behind a function pointer; kernels.cpp is compiled once per
/// instruction set.

#include "linkwright/dynamics/sweeps/derivatives/force_curvature.hpp"

namespace linkwright {

/// Everything that it writes besides the workspace.
struct SecondRoom {
  SecondRoom(const Tree<double>& tree, int groups) : sweep(groups), curvature(tree) {}
  SecondScratch<double> sweep;
  CurvatureScratch<double> curvature;
};

struct SecondKernels {
  /// The joints stand already.
  void (*second_derivatives)(const Tree<double>&, Scratch<double>&, DerivativeScratch<double>&,
                             SecondRoom&, const double* q, const double* v, const double* a,
                             const ExternalLoads<double>& loads, const sweeps::Cubes<double>& out);
};

extern const SecondKernels second_kernels_baseline, second_kernels_avx2, second_kernels_avx512;

}  // namespace linkwright
