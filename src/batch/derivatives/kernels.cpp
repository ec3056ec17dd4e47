// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy. The sweeps
// are those of the single state, on packs; here are only the loops over lane groups around them.
#include "batch/columns.hpp"
#include "batch/derivatives/derivative_batch.hpp"
#include "linkwright/dynamics/sweeps/derivatives/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

using LaneGroup = BatchPack<double>;

/// A block of four by four: row r at from + r·stride, to be column r of what stands at `to`.
LINKWRIGHT_INLINE void transpose_block(const double* from, std::ptrdiff_t stride, double* to,
                                       std::ptrdiff_t to_stride) {
  using P = spatial::Pack<double, 4>;
  const auto a = P::load(from).x, b = P::load(from + stride).x, c = P::load(from + 2 * stride).x,
             d = P::load(from + 3 * stride).x;
  const auto ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6),
             ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7),
             cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6),
             cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  P(__builtin_shufflevector(ab0, cd0, 0, 1, 4, 5)).store(to);
  P(__builtin_shufflevector(ab1, cd1, 0, 1, 4, 5)).store(to + to_stride);
  P(__builtin_shufflevector(ab0, cd0, 2, 3, 6, 7)).store(to + 2 * to_stride);
  P(__builtin_shufflevector(ab1, cd1, 2, 3, 6, 7)).store(to + 3 * to_stride);
}
/// A square of a lane group to the columns of its states, `lanes` of which exist.
LINKWRIGHT_INLINE void store_squares(const LaneGroup* square, int size, const Rows<double>& out,
                                     int first, int lanes) {
  constexpr int width = LaneGroup::size;
  const auto* from = reinterpret_cast<const double*>(square);
  double* to = out.data + first * out.stride;
  const int whole = size / 4 * 4;
  for (int l = 0; l + 4 <= lanes; l += 4)
    for (int c = 0; c < whole; c += 4)
      transpose_block(from + c * width + l, width, to + l * out.stride + c, out.stride);
  for (int l = lanes / 4 * 4; l < lanes; ++l)
    for (int c = 0; c < whole; ++c) to[l * out.stride + c] = from[c * width + l];
  for (int l = 0; l < lanes; ++l)
    for (int c = whole; c < size; ++c) to[l * out.stride + c] = from[c * width + l];
}

/// NaN in the lanes where a result is not finite, told by what all results are products of; springs
/// between bodies and on poses show in the results alone.
LINKWRIGHT_INLINE LaneGroup result_poison(const Tree<double>& tree, const DerivativeBatchScratch& w,
                                          const LaneGroup* results, int count) {
  if (!tree.body_forces.line_springs.empty() || !tree.joint_forces.pose_springs.empty())
    return poison(results, count);
  const auto& felt = w.derivatives.felt;
  constexpr int numbers = sizeof(Felt<LaneGroup>) / sizeof(LaneGroup);
  return poison(reinterpret_cast<const LaneGroup*>(felt.data()),
                numbers * static_cast<int>(felt.size()));
}

/// Lists the lanes without an answer; theirs are NaN, which must not stay in the results.
LINKWRIGHT_INLINE void store_spoilt(const Tree<double>& tree, DerivativeBatchScratch& w,
                                    const LaneGroup& check, const LaneGroup* results,
                                    const Rows<double>* outs, int squares,
                                    const Tile<double>& tile) {
  const int size = tree.nv * tree.nv;
  for (int k = 0; k < squares; ++k)
    store_squares(results + k * size, size, outs[k], tile.first, tile.rows);
  for (int l = 0; l < tile.rows; ++l) {
    if (check.x[l] == check.x[l]) continue;
    w.bad[w.bad_count++] = tile.first + l;
    for (int k = 0; k < squares; ++k)
      std::fill_n(outs[k].data + (tile.first + l) * outs[k].stride, size,
                  std::numeric_limits<double>::quiet_NaN());
  }
}

/// Loads q, v and x group by group; compute() fills `squares` squares and returns NaN for lanes without
/// an answer.
template <class Compute>
LINKWRIGHT_INLINE void each_group(const Tree<double>& tree, DerivativeBatchScratch& w,
                                  const DerivativeJob& job, int first, int last, LaneGroup* results,
                                  int squares, Compute&& compute) {
  using P = LaneGroup;
  const int nv = tree.nv, size = nv * nv;
  const Rows<double> outs[3] = {job.out, job.out_v, job.out_x};
  each_tile<double>(first, last, 1, [&](const Tile<double>& tile) {
    load(job.q, tree.nq, tile, w.q.data());
    load(job.v, nv, tile, w.v.data());
    load(job.x, nv, tile, w.x.data());
    const P bad =
        position_poison(tree, w.q.data()) + poison(w.v.data(), nv) + poison(w.x.data(), nv);
    const P worse = bad + compute();
    const P check = worse + result_poison(tree, w, results, squares * size);
    if (spatial::any(typename P::Bits(check.x != check.x))) [[unlikely]]
      return store_spoilt(tree, w, check, results, outs, squares, tile);
    for (int k = 0; k < squares; ++k)
      store_squares(results + k * size, size, outs[k], tile.first, tile.rows);
  });
}

LINKWRIGHT_INLINE Square<LaneGroup> square_of(LaneGroup* squares, int nv, int k) {
  return {squares + static_cast<std::ptrdiff_t>(k) * nv * nv, nv};
}

void batch_inverse_derivatives(const Tree<double>& tree, DerivativeBatchScratch& w,
                               const DerivativeJob& job, int first, int last) {
  LaneGroup* results = w.inverse.data();
  each_group(tree, w, job, first, last, results, 2, [&] {
    // Springs between bodies reach where no pair is.
    if (!tree.body_forces.line_springs.empty())
      std::fill(w.inverse.begin(), w.inverse.end(), LaneGroup(0.0));
    place_joints(tree, w.sweep, w.q.data());
    inverse_dynamics_derivatives(tree, w.sweep, w.derivatives, w.q.data(), w.v.data(), w.x.data(),
                                 loads_of<double>(job), square_of(results, tree.nv, 0),
                                 square_of(results, tree.nv, 1));
    return LaneGroup(0.0);
  });
}

void batch_forward_derivatives(const Tree<double>& tree, DerivativeBatchScratch& w,
                               const DerivativeJob& job, int first, int last) {
  LaneGroup* results = w.forward.data();
  each_group(tree, w, job, first, last, results, 3, [&] {
    if (!tree.body_forces.line_springs.empty())
      std::fill(w.forward.begin(), w.forward.end(), LaneGroup(0.0));
    const auto loads = loads_of<double>(job);
    forward_dynamics_filter(tree, w.sweep, w.q.data(), w.v.data(), w.x.data(), w.x.data(), loads);
    const LaneGroup loose = loose_poison(tree, w.sweep);
    forward_dynamics_smoother(tree, w.sweep, w.y.data());
    forward_dynamics_derivatives(tree, w.sweep, w.derivatives, w.q.data(), w.v.data(), w.y.data(),
                                 loads, square_of(results, tree.nv, 0),
                                 square_of(results, tree.nv, 1), square_of(results, tree.nv, 2));
    return loose;
  });
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA

#define LINKWRIGHT_TABLE_(isa) derivative_batch_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)

namespace linkwright {

const DerivativeBatchKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {
    .inverse_dynamics = sweeps::batch_inverse_derivatives,
    .forward_dynamics = sweeps::batch_forward_derivatives,
};

}  // namespace linkwright
