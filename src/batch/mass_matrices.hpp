#pragma once
/// Mass matrices of many states into the user's columns.
///
/// nv² numbers per state are more than any other result, so what they cost is writing them. The sweep
/// gives each pair of freedoms once; a tile of lane groups is gathered, entry by entry, and then goes
/// to both triangles, up to a thousand bytes in a row per column. Results that the second cache cannot
/// hold go past the caches: reading a line in order to overwrite all of it would double the traffic.

#include <cstdint>

#include "batch/columns.hpp"
#include "linkwright/dynamics/sweeps/mass_matrix.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// How lane groups reach one of the user's columns: as they are, or past the caches.
enum class Store { plain, streamed };

/// Rows of a tile into one column.
template <Store how, class B>
LINKWRIGHT_INLINE void store_column(const BatchPack<B>* from, B* to, const Tile<B>& tile) {
  using P = BatchPack<B>;
  const int whole = tile.rows / P::size, ragged = tile.rows % P::size;
  for (int g = 0; g < whole; ++g) {
    if constexpr (how == Store::streamed)
      from[g].stream(to + g * P::size);
    else
      from[g].store(to + g * P::size);
  }
  for (int l = 0; l < ragged; ++l) to[whole * P::size + l] = from[whole].x[l];
}
/// The mass matrices of a tile: both triangles, and the zeros between branches.
template <Store how, class B>
LINKWRIGHT_INLINE void store_matrices(const Tree<B>& tree, const BatchScratch<B>& w,
                                      const Rows<B>& out, const Tile<B>& tile) {
  const std::ptrdiff_t nv = tree.nv;
  B* first = out.data + tile.first;
  const BatchPack<B>* from = w.mass.data();
  for (const MassEntry& e : w.layout.entries) {
    store_column<how>(from, first + (e.row + nv * e.column) * out.stride, tile);
    if (e.row != e.column)
      store_column<how>(from, first + (e.column + nv * e.row) * out.stride, tile);
    from += w.mass_tile;
  }
  for (const int z : w.layout.zeros)
    store_column<how>(w.zeros.data(), first + z * out.stride, tile);
}

/// The mass matrices of a tile into w.mass; lists the states that have none.
template <class B>
LINKWRIGHT_INLINE void compute_matrices(const Tree<B>& tree, BatchScratch<B>& w,
                                        const BatchJob<B>& job, const Tile<B>& tile) {
  using P = BatchPack<B>;
  load(job.q, tree.nq, tile, w.q.data());
  for (int g = 0; g < tile.groups(); ++g) {
    const P* q = w.q.data() + g * tree.nq;
    P* to = w.mass.data() + g;
    P bad = position_poison(tree, q);
    place_joints(tree, w.sweep, q);
    mass_matrix_rows(tree, w.sweep,
                     [&](const auto& n, int i, const P* row) LINKWRIGHT_INLINE_LAMBDA {
                       bad += poison(row + n.freedom + i, n.end - n.freedom - i);
                       for (int c = n.freedom + i; c < n.end; ++c, to += w.mass_tile) *to = row[c];
                     });
    const typename P::Bits fails = bad.x != bad.x;
    if (!spatial::any(fails)) [[likely]]
      continue;
    for (int l = 0; l < tile.lanes_of(g); ++l)
      if (fails[l] != 0) w.bad[w.bad_count++] = tile.first + g * P::size + l;
  }
}

/// Rows from `first` on until one starts a cache line in every column.
template <class B>
LINKWRIGHT_INLINE int rows_before_line(const Rows<B>& out, int first) {
  const auto at = reinterpret_cast<std::uintptr_t>(out.data + first);
  return static_cast<int>((64 - at % 64) % 64 / sizeof(B));
}

template <class B>
void batch_mass_matrix(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job, int first,
                       int last) {
  constexpr std::ptrdiff_t second_cache = 1 << 20;
  const std::ptrdiff_t size = sizeof(B), columns = tree.nv * static_cast<std::ptrdiff_t>(tree.nv);
  const bool streams = job.count * columns * size > second_cache && job.out.stride * size % 64 == 0;
  const int lead = streams ? std::min(rows_before_line(job.out, first), last - first) : 0;
  const auto do_tiles = [&](int from, int to, auto store_tile) LINKWRIGHT_INLINE_LAMBDA {
    each_tile<B>(from, to, w.mass_tile, [&](const Tile<B>& tile) {
      const std::size_t bad_before = w.bad_count;
      compute_matrices(tree, w, job, tile);
      store_tile(tile);
      for (std::size_t b = bad_before; b < w.bad_count; ++b)
        for (std::ptrdiff_t c = 0; c < columns; ++c)
          job.out.data[w.bad[b] + c * job.out.stride] = std::numeric_limits<B>::quiet_NaN();
    });
  };
  const auto plain = [&](const Tile<B>& tile) LINKWRIGHT_INLINE_LAMBDA {
    store_matrices<Store::plain>(tree, w, job.out, tile);
  };
  if (!streams) return do_tiles(first, last, plain);
  do_tiles(first, first + lead, plain);
  do_tiles(first + lead, last, [&](const Tile<B>& tile) LINKWRIGHT_INLINE_LAMBDA {
    store_matrices<Store::streamed>(tree, w, job.out, tile);
  });
  spatial::finish_streams();
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
