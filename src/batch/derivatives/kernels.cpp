// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy. The sweeps
// are those of the single state, on packs; here are only the loops over lane groups around them.
#include "batch/columns.hpp"
#include "batch/derivatives/derivative_batch.hpp"
#include "linkwright/dynamics/sweeps/derivatives/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

using LaneGroup = BatchPack<double>;

/// A block of four by four: the rows a … d, to be columns of what stands at `to`.
LINKWRIGHT_INLINE void transpose_block(const double* row_a, const double* row_b,
                                       const double* row_c, const double* row_d, double* to,
                                       std::ptrdiff_t to_stride) {
  using P = spatial::Pack<double, 4>;
  const auto a = P::load(row_a).x, b = P::load(row_b).x, c = P::load(row_c).x, d = P::load(row_d).x;
  const auto ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6),
             ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7),
             cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6),
             cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  P(__builtin_shufflevector(ab0, cd0, 0, 1, 4, 5)).store(to);
  P(__builtin_shufflevector(ab1, cd1, 0, 1, 4, 5)).store(to + to_stride);
  P(__builtin_shufflevector(ab0, cd0, 2, 3, 6, 7)).store(to + 2 * to_stride);
  P(__builtin_shufflevector(ab1, cd1, 2, 3, 6, 7)).store(to + 3 * to_stride);
}
/// One column of a square to those of the users, state by state: at(i) is the pack of entry i.
template <class At>
LINKWRIGHT_INLINE void store_column(int nv, double* to, std::ptrdiff_t stride, int lanes, At&& at) {
  constexpr int width = LaneGroup::size;
  const auto number = [&](int i) LINKWRIGHT_INLINE_LAMBDA {
    return reinterpret_cast<const double*>(&at(i));
  };
  if (nv < 4 || lanes < width) {
    for (int i = 0; i < nv; ++i)
      for (int l = 0; l < lanes; ++l) to[l * stride + i] = number(i)[l];
    return;
  }
  // The last block begins early where the rows do not fill it.
  for (int block = 0; block < nv; block += 4) {
    const int i = std::min(block, nv - 4);
    const double *a = number(i), *b = number(i + 1), *c = number(i + 2), *d = number(i + 3);
    for (int l = 0; l < width; l += 4)
      transpose_block(a + l, b + l, c + l, d + l, to + l * stride + i, stride);
  }
}

/// Columns and rows of a product that are summed at a time: as many sums as there are registers for.
inline constexpr int tile_width = DerivativeBatchScratch::tile_columns;
inline constexpr int sum_columns = spatial::register_bytes == 64 ? 8 : 4;
inline constexpr int sum_rows = spatial::register_bytes == 64 ? 3 : 1;

/// Keeps a number in a register: compilers load what several products share once for each of them.
template <class Lanes>
LINKWRIGHT_INLINE void keep_loaded(Lanes& x) {
#ifdef __AVX__
  if constexpr (spatial::is_split<Lanes>)
    keep_loaded(x.lo), keep_loaded(x.hi);
  else
    asm("" : "+v"(x));
#else
  static_cast<void>(x);
#endif
}

/// Rows first … first + rows − 1 of −A x; x has rows for the `count` freedoms of `related`.
template <int rows>
LINKWRIGHT_INLINE void multiply_rows(const Tree<double>& tree, const Square<LaneGroup>& A,
                                     const int* related, int count, int first, const LaneGroup* x,
                                     LaneGroup* to) {
  LaneGroup sum[rows][sum_columns];
  for (auto& s : sum)
    for (LaneGroup& y : s) y = LaneGroup(0.0);
  for (int i = 0; i < count; ++i) {
    const int f = related[i];
    const LaneGroup *a = A.data + first + tree.velocity_of[static_cast<std::size_t>(f)] * A.stride,
                    *row = x + f * tile_width;
    for (int c = 0; c < sum_columns; ++c) {
      LaneGroup value = row[c];
      keep_loaded(value.x);
      for (int r = 0; r < rows; ++r) sum[r][c] -= a[r] * value;
    }
  }
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < sum_columns; ++c) to[(first + r) * tile_width + c] = sum[r][c];
}

/// The squares of one lane group on their way to the users' columns.
struct GroupSquares {
  const Tree<double>& tree;
  DerivativeBatchScratch& w;
  const DerivativeJob& job;
  const Tile<double>& tile;
  GroupLoads<double> loads;
  Square<LaneGroup> by_q, by_v, by_x;
  static constexpr int half = tile_width / 2;

  GroupSquares(const Tree<double>& of, DerivativeBatchScratch& scratch, const DerivativeJob& call,
               const Tile<double>& rows)
      : tree(of), w(scratch), job(call), tile(rows), loads(call, rows.first, rows.rows) {
    const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(tree.nv) * tree.nv;
    LaneGroup* squares = w.squares.data();
    by_q = {squares, tree.nv}, by_v = {squares + size, tree.nv},
    by_x = {squares + 2 * size, tree.nv};
  }

  template <class At>
  LINKWRIGHT_INLINE void store(const Rows<double>& out, std::ptrdiff_t column, At&& at) const {
    store_column(tree.nv, out.data + tile.first * out.stride + column * tree.nv, out.stride,
                 tile.rows, at);
  }
  LINKWRIGHT_INLINE void store(const Rows<double>& out, const Square<LaneGroup>& x) const {
    for (int c = 0; c < tree.nv; ++c)
      store(out, c, [&](int i) LINKWRIGHT_INLINE_LAMBDA -> const LaneGroup& {
        return x.data[i + c * x.stride];
      });
  }

  /// The columns first … end − 1 in tree order of dT/dq and dT/dv into the tile.
  LINKWRIGHT_INLINE void find_tile(int first, int end) const {
    LaneGroup* X = w.tile.data();
    std::fill_n(X, tree.nv * tile_width, LaneGroup(0.0));
    for (int c = first; c < end; ++c) {
      LaneGroup *q = X + (c - first), *v = q + half;
      each_pair(tree, w.derivatives, c,
                [&](int j, const LaneGroup& dq, const LaneGroup& dv)
                    LINKWRIGHT_INLINE_LAMBDA { q[j * tile_width] = dq, v[j * tile_width] = dv; });
      const auto& forces = tree.joint_forces;
      if (!forces.any) continue;
      const int own = tree.velocity_of[static_cast<std::size_t>(c)];
      v[c * tile_width] += forces.damping[static_cast<std::size_t>(own)];
      for (const auto& spring : forces.springs)
        if (spring.v == own) q[c * tile_width] += spring.stiffness;
    }
  }
  /// row_of(i) is the row of the tile for entry i of v.
  template <class RowOf>
  LINKWRIGHT_INLINE void store_tile(const LaneGroup* X, int first, int end, RowOf&& row_of) const {
    for (int c = first; c < end; ++c) {
      const int own = tree.velocity_of[static_cast<std::size_t>(c)];
      const LaneGroup* column = X + (c - first);
      const auto at = [&](int i) LINKWRIGHT_INLINE_LAMBDA -> const LaneGroup& {
        return column[row_of(i) * tile_width];
      };
      store(job.out, own, at);
      column += half;
      store(job.out_v, own, at);
    }
  }
  /// The product of −𝓜⁻¹ and a tile whose columns have their entries where that of `first` has some.
  LINKWRIGHT_INLINE void multiply_tile(int first) const {
    int* related = w.related.data();
    int count = 0;
    each_related(w.derivatives, first,
                 [&](int j) LINKWRIGHT_INLINE_LAMBDA { related[count++] = j; });
    for (int c = 0; c < tile_width; c += sum_columns) {
      const LaneGroup* x = w.tile.data() + c;
      LaneGroup* to = w.product.data() + c;
      int i = 0;
      for (; i + sum_rows <= tree.nv; i += sum_rows)
        multiply_rows<sum_rows>(tree, by_x, related, count, i, x, to);
      for (; i < tree.nv; ++i) multiply_rows<1>(tree, by_x, related, count, i, x, to);
    }
  }

  template <bool forward>
  LINKWRIGHT_INLINE void write_by_tiles() const {
    for (int first = 0, end = 0; first < tree.nv; first = end) {
      const int outboard = forward ? w.derivatives.end[static_cast<std::size_t>(first)] : tree.nv;
      end = std::min(first + half, outboard);
      find_tile(first, end);
      if constexpr (forward) {
        multiply_tile(first);
        store_tile(w.product.data(), first, end, [](int i) LINKWRIGHT_INLINE_LAMBDA { return i; });
      } else {
        store_tile(w.tile.data(), first, end, [&](int i) LINKWRIGHT_INLINE_LAMBDA {
          return w.slot_of[static_cast<std::size_t>(i)];
        });
      }
    }
  }
  /// Where forces reach any entry; these show in the results alone.
  template <bool forward>
  LINKWRIGHT_INLINE LaneGroup write_at_once() const {
    const int size = tree.nv * tree.nv;
    std::fill_n(by_q.data, 2 * size, LaneGroup(0.0));
    write_pairs(tree, w.derivatives, by_q, by_v, NoMass{});
    add_force_derivatives(tree, w.sweep, w.derivatives, w.q.data(), loads, by_q, by_v);
    if constexpr (forward)
      for (const auto* x : {&by_q, &by_v})
        multiply_by_inverse(tree, w.derivatives, by_x, entries_of(tree), *x);
    store(job.out, by_q), store(job.out_v, by_v);
    return poison(by_q.data, 2 * size);
  }
  /// Returns NaN in the lanes without an answer, as told by what all results are products of. Everything
  /// before the pairs is done.
  template <bool forward>
  LINKWRIGHT_INLINE LaneGroup write() const {
    auto& d = w.derivatives;
    if constexpr (forward) {
      const Square<LaneGroup> room = factor_room(d, by_x);
      for (int c = 0; c < tree.nv; ++c) write_mass_row(tree, d, c, PackedMass<LaneGroup>{room});
      factorize_mass_matrix(tree.nv, d, room);
      invert_mass_matrix(tree, d, room, by_x);
      store(job.out_x, by_x);
    }
    constexpr int numbers = sizeof(Felt<LaneGroup>) / sizeof(LaneGroup);
    LaneGroup bad = poison(reinterpret_cast<const LaneGroup*>(d.felt.data()),
                           numbers * static_cast<int>(d.felt.size()));
    if (forces_curve(tree, loads))
      bad += write_at_once<forward>();
    else
      write_by_tiles<forward>();
    return bad;
  }
};

/// NaN in all squares of the lanes without an answer, which are listed.
LINKWRIGHT_INLINE void spoil(DerivativeBatchScratch& w, const DerivativeJob& job, int size,
                             const LaneGroup& check, const Tile<double>& tile) {
  for (int l = 0; l < tile.rows; ++l) {
    if (check.x[l] == check.x[l]) continue;
    w.bad[w.bad_count++] = tile.first + l;
    for (const Rows<double>& out : {job.out, job.out_v, job.out_x})
      if (out.data != nullptr)
        std::fill_n(out.data + (tile.first + l) * out.stride, size,
                    std::numeric_limits<double>::quiet_NaN());
  }
}

/// Group by group; find_motion(loads) leaves accelerations in w.x and returns NaN for lanes without any.
template <bool forward, class FindMotion>
LINKWRIGHT_INLINE void each_group(const Tree<double>& tree, DerivativeBatchScratch& w,
                                  const DerivativeJob& job, int first, int last,
                                  FindMotion&& find_motion) {
  using P = LaneGroup;
  const int nv = tree.nv;
  each_tile<double>(first, last, 1, [&](const Tile<double>& tile) {
    load(job.q, tree.nq, tile, w.q.data());
    load(job.v, nv, tile, w.v.data());
    load(job.x, nv, tile, w.x.data());
    const GroupSquares squares(tree, w, job, tile);
    P bad = position_poison(tree, w.q.data()) + poison(w.v.data(), nv) + poison(w.x.data(), nv);
    squares.loads.spoil(bad);
    const P worse = bad + find_motion(squares.loads);
    prepare_derivatives(tree, w.sweep, w.derivatives, w.v.data(), w.x.data(), squares.loads);
    const P check = worse + squares.write<forward>();
    if (spatial::any(typename P::Bits(check.x != check.x))) [[unlikely]]
      spoil(w, job, nv * nv, check, tile);
  });
}

void batch_inverse_derivatives(const Tree<double>& tree, DerivativeBatchScratch& w,
                               const DerivativeJob& job, int first, int last) {
  each_group<false>(tree, w, job, first, last, [&](const GroupLoads<double>&) {
    place_joints(tree, w.sweep, w.q.data());
    return LaneGroup(0.0);
  });
}

void batch_forward_derivatives(const Tree<double>& tree, DerivativeBatchScratch& w,
                               const DerivativeJob& job, int first, int last) {
  each_group<true>(tree, w, job, first, last, [&](const GroupLoads<double>& loads) {
    forward_dynamics_filter(tree, w.sweep, w.q.data(), w.v.data(), w.x.data(), w.x.data(), loads);
    const LaneGroup loose = loose_poison(tree, w.sweep);
    forward_dynamics_smoother(tree, w.sweep, w.x.data());
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
