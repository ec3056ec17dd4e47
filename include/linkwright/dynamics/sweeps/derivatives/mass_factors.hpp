#pragma once
/// 𝓜⁻¹ as a square, and its products with squares, in the storage of the results: nothing of size nv²
/// is kept.
///
/// Given     the rows of 𝓜, packed: entry (k, j) for every freedom j between freedom k and the base,
///           at place depth(j) of column k. Freedoms are in tree order
/// Factors   𝓜 = Lᵀ D L, L with ones on its diagonal and entries at the same places: elimination from
///           the tips inward fills nothing in. Row k changes the rows of the freedoms inboard of it,
///           whose entries are the first of its own
/// Inverse   L x = D⁻¹ y, Lᵀ y = e, for a group of unit columns e at a time. 𝓜⁻¹ is symmetric: what is
///           found goes below the diagonal, where no factor stands
/// Cost      factors O(N · depth²), inverse O(N² · depth), products O(N³) at most: a column has entries
///           only inboard and outboard of its freedom

#include "linkwright/dynamics/sweeps/derivatives/inverse_dynamics.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// D in the place of the diagonal entries, 1/D in inverse_pivot.
template <class T>
void factorize_mass_matrix(int nv, DerivativeScratch<T>& d, const Square<T>& room) {
  const int *inboard = d.inboard.data(), *depth = d.depth.data();
  for (int k = nv - 1; k >= 0; --k) {
    T* row = room.data + k * room.stride;
    const T inverse = T(1) / row[depth[k]];
    d.inverse_pivot[static_cast<std::size_t>(k)] = inverse;
    for (int i = inboard[k]; i >= 0; i = inboard[i]) {
      T* target = room.data + i * room.stride;
      const T factor = inverse * row[depth[i]];
      for (int c = 0; c <= depth[i]; ++c) target[c] -= factor * row[c];
    }
    for (int c = 0; c < depth[k]; ++c) row[c] = inverse * row[c];
  }
}

/// The columns first … last of 𝓜⁻¹, of each the rows up to `last`.
template <class T>
LINKWRIGHT_INLINE void invert_group(DerivativeScratch<T>& d, const Square<T>& room, int first,
                                    int last) {
  using L = Slots<T>;
  const int *inboard = d.inboard.data(), *depth = d.depth.data();
  L* X = d.tile.data();
  for (int r = 0; r < first; ++r) X[r] = L(Constant<T>(0));
  for (int r = first; r <= last; ++r) {
    if constexpr (std::is_same_v<L, T>)
      X[r] = T(Constant<T>(1));
    else
      X[r] = select(L::one_lane(r - first), L(Constant<T>(1)), L(Constant<T>(0)));
  }
  for (int i = last; i >= 0; --i) {
    if (d.end[static_cast<std::size_t>(i)] <= first) continue;  // zero
    const T* row = room.data + i * room.stride;
    const L x = X[i];
    for (int j = inboard[i]; j >= 0; j = inboard[j]) X[j] -= row[depth[j]] * x;
    X[i] = d.inverse_pivot[static_cast<std::size_t>(i)] * x;
  }
  for (int i = 0; i <= last; ++i) {
    const T* row = room.data + i * room.stride;
    L x = X[i];
    for (int j = inboard[i]; j >= 0; j = inboard[j]) x -= row[depth[j]] * X[j];
    X[i] = x;
  }
  for (int r = 0; r <= last; ++r) {
    T* column = room.data + r * room.stride;
    if constexpr (std::is_same_v<L, T>) {
      column[first] = X[r];
    } else {
      T lanes[L::size];
      X[r].store(lanes);
      for (int c = std::max(first, r); c <= last; ++c) column[c] = lanes[c - first];
    }
  }
}

/// From tree order to the order of v, rows and columns.
template <class T>
void permute_square(const std::vector<int>& velocity_of, T* room, const Square<T>& x) {
  const int n = static_cast<int>(velocity_of.size());
  const auto to = [&](int i) { return velocity_of[static_cast<std::size_t>(i)]; };
  bool moved = false;
  for (int i = 0; i < n; ++i) moved = moved || to(i) != i;
  if (!moved) return;
  for (int j = 0; j < n; ++j) {
    T* column = x.data + j * x.stride;
    for (int i = 0; i < n; ++i) room[to(i)] = column[i];
    std::copy_n(room, n, column);
  }
  // Columns along the cycles of the permutation; each is walked from its least member.
  for (int start = 0; start < n; ++start) {
    int least = to(start);
    while (least > start) least = to(least);
    if (least != start || to(start) == start) continue;
    std::copy_n(x.data + start * x.stride, n, room);
    int at = start;
    do {
      at = to(at);
      std::swap_ranges(room, room + n, x.data + at * x.stride);
    } while (at != start);
  }
}

template <class T>
void invert_mass_matrix(const Tree<Constant<T>>& tree, DerivativeScratch<T>& d,
                        const Square<T>& room) {
  constexpr int lanes = slots_of<T, Slots<T>>;
  for (int first = 0; first < tree.nv; first += lanes)
    invert_group(d, room, first, std::min(first + lanes, tree.nv) - 1);
  mirror(tree.nv, room.data, room.stride);
  permute_square(tree.velocity_of, d.columns.data(), room);
}

template <class T>
LINKWRIGHT_INLINE Slots<T> load_slots(const T* from) {
  if constexpr (std::is_same_v<Slots<T>, T>)
    return *from;
  else
    return Slots<T>::load(from);
}
template <class T>
LINKWRIGHT_INLINE void store_slots(const Slots<T>& x, T* to) {
  if constexpr (std::is_same_v<Slots<T>, T>)
    *to = x;
  else
    x.store(to);
}

/// y = −A x for `blocks` groups of rows, over the entries of x that each_entry names.
template <int blocks, class T, class EachEntry>
LINKWRIGHT_INLINE void multiply_rows(const T* A, std::ptrdiff_t stride, const T* x, T* y,
                                     EachEntry&& each_entry) {
  using L = Slots<T>;
  constexpr int lanes = slots_of<T, L>;
  L sum[blocks];
  for (int b = 0; b < blocks; ++b) sum[b] = L(Constant<T>(0));
  each_entry([&](int r) LINKWRIGHT_INLINE_LAMBDA {
    const T* column = A + r * stride;
    for (int b = 0; b < blocks; ++b) sum[b] -= load_slots(column + b * lanes) * x[r];
  });
  for (int b = 0; b < blocks; ++b) store_slots(sum[b], y + b * lanes);
}

/// x ← −A x in place, for a square A; column f (tree order) of x has entries only inboard and outboard
/// of f where `full` does not say otherwise.
enum class Entries { related, full };

template <class T>
void multiply_by_inverse(const Tree<Constant<T>>& tree, DerivativeScratch<T>& d, const Square<T>& A,
                         Entries entries, const Square<T>& x) {
  constexpr int lanes = slots_of<T, Slots<T>>, most = 4;
  const int n = tree.nv;
  const int* v = tree.velocity_of.data();
  T* from = d.columns.data();
  for (int f = 0; f < n; ++f) {
    T* column = x.data + v[f] * x.stride;
    std::copy_n(column, n, from);
    const auto each_entry = [&](auto&& step) LINKWRIGHT_INLINE_LAMBDA {
      const bool full = entries == Entries::full;
      for (int j = full ? -1 : d.inboard[static_cast<std::size_t>(f)]; j >= 0;
           j = d.inboard[static_cast<std::size_t>(j)])
        step(v[j]);
      const int end = full ? n : d.end[static_cast<std::size_t>(f)];
      for (int j = full ? 0 : f; j < end; ++j) step(v[j]);
    };
    if (n < lanes) {
      std::fill_n(column, n, T(Constant<T>(0)));
      each_entry([&](int r) LINKWRIGHT_INLINE_LAMBDA {
        for (int i = 0; i < n; ++i) column[i] -= A.data[i + r * A.stride] * from[r];
      });
      continue;
    }
    int row = 0;
    for (; row + most * lanes <= n; row += most * lanes)
      multiply_rows<most>(A.data + row, A.stride, from, column + row, each_entry);
    for (; row + lanes <= n; row += lanes)
      multiply_rows<1>(A.data + row, A.stride, from, column + row, each_entry);
    // The last rows once more, together with some before them.
    if (row < n)
      multiply_rows<1>(A.data + n - lanes, A.stride, from, column + n - lanes, each_entry);
  }
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
