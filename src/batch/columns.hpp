#pragma once
/// Between the user's columns and the packs of the sweeps.
///
/// Columns of a few thousand rows often lie a multiple of 4096 bytes apart, where they compete for
/// the same few places in the caches. So a tile of several lane groups is copied at once: each
/// column gives up some hundred bytes in a row, which the processor sees coming.

#include <algorithm>
#include <limits>
#include <type_traits>

#include "batch/batch_kernels.hpp"
#include "linkwright/dynamics/sweeps/acting_forces.hpp"
#include "linkwright/dynamics/sweeps/resistance.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// Rows first … first + rows − 1 of the user's arrays, as lane groups; the last may be ragged.
template <class B>
struct Tile {
  static constexpr int lanes = BatchPack<B>::size;
  int first, rows;
  [[nodiscard]] int groups() const { return (rows + lanes - 1) / lanes; }
  [[nodiscard]] int lanes_of(int group) const { return std::min(lanes, rows - group * lanes); }
};

/// Calls step(tile) for consecutive tiles of at most `groups` lane groups.
template <class B, class Step>
LINKWRIGHT_INLINE void each_tile(int first, int last, int groups, Step&& step) {
  const int most = groups * Tile<B>::lanes;
  for (int s = first; s < last; s += most) step(Tile<B>{s, std::min(most, last - s)});
}

/// n columns into to[group·n + column]. Missing lanes repeat the last row.
template <class B>
LINKWRIGHT_INLINE void load(const Rows<const B>& rows, int n, const Tile<B>& tile,
                            BatchPack<B>* to) {
  using P = BatchPack<B>;
  if (n == 0) return;  // there may be no array
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
  if (n == 0) return;
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
  using P = spatial::Pack<B, N>;
  P sum[4] = {P(B(0)), P(B(0)), P(B(0)), P(B(0))};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int j = 0; j < 4; ++j) sum[j] += zero * x[i + j];
  for (; i < n; ++i) sum[0] += zero * x[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
/// NaN in the lanes of a mask, 0 in the others.
template <class P>
LINKWRIGHT_INLINE P poison_where(const typename P::Bits& bad) {
  using B = typename P::Number;
  return select(bad, P(std::numeric_limits<B>::quiet_NaN()), P(B(0)));
}
/// NaN for what the door of a single state refuses: numbers that are not finite, quaternions more
/// than 1e-3 from unit norm, poses that their joint's modes cannot reach.
template <class B, class P>
LINKWRIGHT_INLINE P position_poison(const Tree<B>& tree, const P* q) {
  P sum = poison(q, tree.nq);
  for (const int at : tree.quaternions) {
    const P* r = q + at;
    const P square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    const typename P::Bits bad = (square.x > B(1.001 * 1.001)) | (square.x < B(0.999 * 0.999));
    sum += poison_where<P>(bad);
  }
  for (const BoundPose& pose : tree.bound_poses) {
    const P* x = q + pose.q;
    typename P::Bits bad{};
    for (int l = 0; l < P::size; ++l) {
      const auto at = [&](int i)
                          LINKWRIGHT_INLINE_LAMBDA { return static_cast<double>(x[i].x[l]); };
      const auto r = normalized(Quaternion<double>{at(0), at(1), at(2), at(3)});
      bad[l] = misfit(pose.group, r, {at(4), at(5), at(6)}).passes() ? 0 : -1;
    }
    sum += poison_where<P>(bad);
  }
  return sum;
}
/// NaN in the lanes where a joint is held by nothing. After forward_dynamics_filter.
template <class B>
LINKWRIGHT_INLINE BatchPack<B> loose_poison(const Tree<B>& tree, const Scratch<BatchPack<B>>& s) {
  typename BatchPack<B>::Bits held = ~typename BatchPack<B>::Bits{};
  for (int k = 1; k < tree.count(); ++k) held = held & is_resisted(tree, s, k);
  return poison_where<BatchPack<B>>(~held);
}

/// NaN for all n results of every lane where `bad` says so or where one of them is not finite.
/// Lists those lanes, of which the first is the user's row `row`; `here` of them exist.
template <class B, int N>
LINKWRIGHT_INLINE void judge(BadStates& w, spatial::Pack<B, N>* result, int n,
                             const spatial::Pack<B, N>& bad, int row, int here) {
  using P = spatial::Pack<B, N>;
  const P check = bad + poison(result, n);
  const typename P::Bits fails = check.x != check.x;
  if (!spatial::any(fails)) [[likely]]
    return;
  for (int i = 0; i < n; ++i)
    result[i] = select(fails, P(std::numeric_limits<B>::quiet_NaN()), result[i]);
  for (int l = 0; l < here; ++l)
    if (fails[l] != 0) w.bad[w.bad_count++] = row + l;
}

/// The call's forces on one lane group, the users' rows `first` … first + here − 1, as the sweeps take them.
template <class B>
class GroupLoads {
 public:
  using P = BatchPack<B>;
  LINKWRIGHT_INLINE GroupLoads(const BatchJob<B>& job, int first, int here)
      : loads_(*job.loads), rows_{first, here} {}

  [[nodiscard]] LINKWRIGHT_INLINE bool empty() const {
    return loads_.alike.empty() && loads_.own.empty();
  }
  template <class Visit>
  LINKWRIGHT_INLINE void each(Visit&& visit) const {
    for (const auto& load : loads_.alike) visit(load);
    for (const OwnLoad<B>& own : loads_.own) visit(read(own));
  }
  /// Makes `bad` NaN in the lanes whose own forces are not finite.
  LINKWRIGHT_INLINE void spoil(P& bad) const {
    if (loads_.own.empty()) [[likely]]
      return;
    P numbers[6];
    for (const OwnLoad<B>& own : loads_.own) {
      load(own.wrench, 6, rows_, numbers);
      bad += poison(numbers, 6);
    }
  }

 private:
  struct Load {
    int node;
    Vector3<B> at;
    Force<P> force;
    bool in_world;
  };
  LINKWRIGHT_INLINE Load read(const OwnLoad<B>& own) const {
    P n[6];
    load(own.wrench, 6, rows_, n);
    Force<P> force{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
    if (!own.in_world) force = {own.turn * force.moment, own.turn * force.force};
    return {own.node, own.at, force, own.in_world};
  }

  const BatchLoads<B>& loads_;
  Tile<B> rows_;
};

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
