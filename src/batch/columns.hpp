#pragma once
/// Between the user's columns and the packs of the sweeps.
///
/// Columns of a few thousand rows often lie a multiple of 4096 bytes apart, where they compete for
/// the same few places in the caches. So a tile of several lane groups is copied at once: each
/// column gives up some hundred bytes in a row, which the processor sees coming.

#include <algorithm>
#include <limits>

#include "batch/batch_kernels.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// Rows first … first + rows − 1 of the user's arrays, as lane groups; the last may be ragged.
template <class B>
struct Tile {
  static constexpr int lanes = BatchPack<B>::size;
  int first, rows;
  [[nodiscard]] int groups() const { return (rows + lanes - 1) / lanes; }
  [[nodiscard]] int lanes_of(int group) const { return std::min(lanes, rows - group * lanes); }
};

/// n columns into to[group·n + column]. Missing lanes repeat the last row.
template <class B>
LINKWRIGHT_INLINE void load(const Rows<const B>& rows, int n, const Tile<B>& tile,
                            BatchPack<B>* to) {
  using P = BatchPack<B>;
  const int whole = tile.rows / P::size, ragged = tile.rows % P::size;
  const B* from = rows.data + tile.first;
  for (int i = 0; i < n; ++i, from += rows.stride) {
    for (int g = 0; g < whole; ++g) to[g * n + i] = P::load(from + g * P::size);
    if (ragged == 0) continue;
    B lanes[P::size];
    for (int l = 0; l < P::size; ++l) lanes[l] = from[whole * P::size + std::min(l, ragged - 1)];
    to[whole * n + i] = P::load(lanes);
  }
}
/// The way back.
template <class B>
LINKWRIGHT_INLINE void store(const BatchPack<B>* from, const Rows<B>& rows, int n,
                             const Tile<B>& tile) {
  using P = BatchPack<B>;
  const int whole = tile.rows / P::size, ragged = tile.rows % P::size;
  B* to = rows.data + tile.first;
  for (int i = 0; i < n; ++i, to += rows.stride) {
    for (int g = 0; g < whole; ++g) from[g * n + i].store(to + g * P::size);
    for (int l = 0; l < ragged; ++l) to[whole * P::size + l] = from[whole * n + i].x[l];
  }
}

/// 0 in the lanes whose numbers are all finite, NaN in the others.
template <class B, int N>
LINKWRIGHT_INLINE spatial::Pack<B, N> poison(const spatial::Pack<B, N>* x, int n) {
  // 0·x is 0 for finite x only; the compiler must not know the factor.
  B zero = 0;
  asm("" : "+m"(zero));
  spatial::Pack<B, N> even(B(0)), odd(B(0));
  int i = 0;
  for (; i + 1 < n; i += 2) even += zero * x[i], odd += zero * x[i + 1];
  if (i < n) even += zero * x[i];
  return even + odd;
}
/// NaN for quaternions more than 1e-3 from unit norm.
template <class B, class P>
LINKWRIGHT_INLINE P quaternion_poison(const Tree<B>& tree, const P* q) {
  P sum(B(0));
  for (const int at : tree.quaternions) {
    const P* r = q + at;
    const P off = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3] - B(1);
    const typename P::Bits bad = absolute(off).x > B(2e-3);
    sum += select(bad, P(std::numeric_limits<B>::quiet_NaN()), P(B(0)));
  }
  return sum;
}

/// NaN for all n results of every lane where `bad` says so or where one of them is not finite.
/// Lists those lanes, of which the first is the user's row `row`; `here` of them exist.
template <class B>
LINKWRIGHT_INLINE void judge(BatchScratch<B>& w, BatchPack<B>* result, int n,
                             const BatchPack<B>& bad, int row, int here) {
  using P = BatchPack<B>;
  const P check = bad + poison(result, n);
  const typename P::Bits fails = check.x != check.x;
  if (!spatial::any(fails)) [[likely]]
    return;
  for (int i = 0; i < n; ++i)
    result[i] = select(fails, P(std::numeric_limits<B>::quiet_NaN()), result[i]);
  for (int l = 0; l < here; ++l)
    if (fails[l] != 0) w.bad[w.bad_count++] = row + l;
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
