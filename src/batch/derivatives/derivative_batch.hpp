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
  /// Of dT/dq and dT/dv together.
  static constexpr int tile_columns = 8;
  explicit DerivativeBatchScratch(const Tree<double>& tree)
      : sweep(tree),
        derivatives(tree),
        q(static_cast<std::size_t>(tree.nq)),
        v(static_cast<std::size_t>(tree.nv)),
        x(v.size()),
        squares(3 * v.size() * v.size()),
        tile(v.size() * tile_columns),
        product(tile.size()),
        slot_of(v.size()),
        related(v.size()) {
    for (int f = 0; f < tree.nv; ++f)
      slot_of[static_cast<std::size_t>(tree.velocity_of[static_cast<std::size_t>(f)])] = f;
  }

  Scratch<P> sweep;
  DerivativeScratch<P> derivatives;
  std::vector<P> q, v, x;
  std::vector<P> squares;    // three of nv × nv
  std::vector<P> tile;       // some columns, a row of them for every freedom in tree order
  std::vector<P> product;    // −𝓜⁻¹ tile, in the order of v
  std::vector<int> slot_of;  // of an entry of v
  std::vector<int> related;  // the freedoms inboard and outboard of one
};

using DerivativeBatchKernel = void (*)(const Tree<double>&, DerivativeBatchScratch&,
                                       const DerivativeJob&, int first, int last);

struct DerivativeBatchKernels {
  DerivativeBatchKernel inverse_dynamics, forward_dynamics;
};

extern const DerivativeBatchKernels derivative_batch_baseline, derivative_batch_avx2,
    derivative_batch_avx512;

}  // namespace linkwright
