#pragma once
/// The sweep of second derivatives behind a function pointer; kernels.cpp is compiled once per
/// instruction set.

#include "linkwright/dynamics/sweeps/derivatives/force_curvature.hpp"

namespace linkwright {

/// Everything that it writes besides the workspace.
struct SecondRoom {
  explicit SecondRoom(const Tree<double>& tree) : sweep(tree), curvature(tree) {}
  SecondScratch<double> sweep;
  CurvatureScratch<double> curvature;
};

struct SecondKernels {
  /// The joints stand already. Tells whether forces wrote where the bodies' inertias give zeros, which must
  /// be there when it is called.
  bool (*second_derivatives)(const Tree<double>&, Scratch<double>&, DerivativeScratch<double>&,
                             SecondRoom&, const double* q, const double* v, const double* a,
                             const ExternalLoads<double>& loads, const sweeps::Cubes<double>& out);
};

extern const SecondKernels second_kernels_baseline, second_kernels_avx2, second_kernels_avx512;

}  // namespace linkwright
