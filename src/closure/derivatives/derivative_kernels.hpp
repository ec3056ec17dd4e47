#pragma once
/// Loops over the freedoms of closures, compiled once per instruction set (kernels.cpp).

#include <cstddef>

#include "closure/derivatives/pair_motion.hpp"

namespace linkwright::closure {

struct ClosedDerivativeKernels {
  /// PairMotion of two frames on nodes.
  void (*find_motion)(const Tree<double>& tree, const Scratch<double>& s, int node_a,
                      const Pose& at_a, int node_b, const Pose& at_b, PairMotion& out);
  /// out = forces · twists, or out += as much: `count` forces of six numbers, one after the other; twists of `freedoms` freedoms, component c
  /// of freedom k at [c · stride + k], the same for `out`. Whole packs are written.
  void (*project)(const double* forces, int count, const double* twists, std::ptrdiff_t stride,
                  int freedoms, bool add, double* out);
};

extern const ClosedDerivativeKernels closed_derivative_kernels_baseline,
    closed_derivative_kernels_avx2, closed_derivative_kernels_avx512;

/// The table in use.
const ClosedDerivativeKernels& derivative_kernels();

}  // namespace linkwright::closure
