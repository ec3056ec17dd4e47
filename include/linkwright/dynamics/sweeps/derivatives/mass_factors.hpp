#pragma once
/// 𝓜⁻¹ as a square, and its products with squares.
///
/// Given     the rows of 𝓜, packed: entry (k, j) for every freedom j between freedom k and the base,
///           at place depth(j) of row k. Freedoms are in tree order
/// Factors   𝓜 = Lᵀ D L, L with ones on its diagonal and entries at the same places: elimination from
///           the tips inward fills nothing in. Row k changes the rows of the freedoms inboard of it,
///           whose entries are the first of its own
/// Inverse   L x = D⁻¹ y, Lᵀ y = e, for a group of unit columns e at a time; 𝓜⁻¹ is symmetric, so rows
///           up to those of the group are enough
/// Storage   rows of moderate systems stand in the scratch. Those of larger ones stand in the square
///           of the result itself, row k in its column k: what is found then goes below the diagonal,
///           where no factor stands, and is mirrored and put into the order of v at the end
/// Cost      factors O(N · depth²), inverse O(N² · depth), products O(N³) at most: a column has entries
///           only inboard and outboard of its freedom

#include "linkwright/dynamics/sweeps/derivatives/inverse_dynamics.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

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

/// Where the rows of 𝓜 and then of L stand.
template <class T>
LINKWRIGHT_INLINE Square<T> factor_room(DerivativeScratch<T>& d, const Square<T>& result) {
  if (d.factors.empty()) return result;
  return {reinterpret_cast<T*>(d.factors.data()),
          static_cast<std::ptrdiff_t>(d.groups) * slots_of<T, Slots<T>>};
}

/// step(lo, hi, depth of lo) for the freedoms inboard of f, in stretches that are neighbours.
template <class T, class Step>
LINKWRIGHT_INLINE void each_stretch(const DerivativeScratch<T>& d, int f, Step&& step) {
  const int *inboard = d.inboard.data(), *start = d.stretch.data(), *depth = d.depth.data();
  for (int hi = inboard[f]; hi >= 0;) {
    const int lo = start[hi];
    step(lo, hi, depth[lo]);
    hi = inboard[lo];
  }
}

/// 1/D in inverse_pivot.
template <class T>
void factorize_mass_matrix(int nv, DerivativeScratch<T>& d, const Square<T>& room) {
  constexpr int lanes = slots_of<T, Slots<T>>;
  const int *inboard = d.inboard.data(), *depth = d.depth.data();
  const bool padded = !d.factors.empty();
  for (int k = nv - 1; k >= 0; --k) {
    T* row = room.data + k * room.stride;
    const T inverse = T(1) / row[depth[k]];
    d.inverse_pivot[static_cast<std::size_t>(k)] = inverse;
    for (int i = inboard[k]; i >= 0; i = inboard[i]) {
      T* target = room.data + i * room.stride;
      const T factor = inverse * row[depth[i]];
      // What stands behind the diagonal entry is nobody's.
      if (padded)
        for (int c = 0; c <= depth[i]; c += lanes)
          store_slots<T>(load_slots<T>(target + c) - factor * load_slots<T>(row + c), target + c);
      else
        for (int c = 0; c <= depth[i]; ++c) target[c] -= factor * row[c];
    }
    if (padded)
      for (int c = 0; c < depth[k]; c += lanes)
        store_slots<T>(inverse * load_slots<T>(row + c), row + c);
    else
      for (int c = 0; c < depth[k]; ++c) row[c] = inverse * row[c];
  }
}

/// The columns first … last of 𝓜⁻¹, of each the rows up to `last`, into X: one number per slot of a single state.
template <class T>
requires std::is_floating_point_v<T> LINKWRIGHT_INLINE void invert_group(DerivativeScratch<T>& d,
                                                                         const Square<T>& room,
                                                                         int first, int last) {
  using L = Slots<T>;
  const L zero(Constant<T>(0)), one(Constant<T>(1));
  L* X = d.tile.data();
  for (int r = 0; r < first; ++r) X[r] = zero;
  for (int r = first; r <= last; ++r) X[r] = select(L::one_lane(r - first), one, zero);
  for (int i = last; i >= 0; --i) {
    if (d.end[static_cast<std::size_t>(i)] <= first) continue;  // zero
    const T* row = room.data + i * room.stride;
    const L x = X[i];
    each_stretch(d, i, [&](int lo, int hi, int at) LINKWRIGHT_INLINE_LAMBDA {
      for (int j = lo; j <= hi; ++j, ++at) X[j] -= row[at] * x;
    });
    X[i] = d.inverse_pivot[static_cast<std::size_t>(i)] * x;
  }
  for (int i = 0; i <= last; ++i) {
    const T* row = room.data + i * room.stride;
    // Four sums, so that none waits for the one before.
    L x[4] = {X[i], zero, zero, zero};
    each_stretch(d, i, [&](int lo, int hi, int at) LINKWRIGHT_INLINE_LAMBDA {
      int j = lo;
      for (; j + 3 <= hi; j += 4, at += 4) {
        x[0] -= row[at] * X[j];
        x[1] -= row[at + 1] * X[j + 1];
        x[2] -= row[at + 2] * X[j + 2];
        x[3] -= row[at + 3] * X[j + 3];
      }
      for (; j <= hi; ++j, ++at) x[j & 1] -= row[at] * X[j];
    });
    X[i] = (x[0] + x[1]) + (x[2] + x[3]);
  }
}

/// The same for a pack of states: several columns side by side, so that an entry of L is loaded once for all, and
/// none of their sums waits for another.
template <class T>
requires(!std::is_floating_point_v<T>) LINKWRIGHT_INLINE
    void invert_group(DerivativeScratch<T>& d, const Square<T>& room, int first, int last) {
  constexpr int columns = DerivativeScratch<T>::inverse_columns;
  const T zero(Constant<T>(0)), one(Constant<T>(1));
  T* X = d.tile.data();
  std::fill_n(X, (last + 1) * columns, zero);
  for (int r = first; r <= last; ++r) X[r * columns + r - first] = one;
  for (int i = last; i >= 0; --i) {
    if (d.end[static_cast<std::size_t>(i)] <= first) continue;  // zero
    const T* row = room.data + i * room.stride;
    T* own = X + i * columns;
    T x[columns];
    for (int c = 0; c < columns; ++c) x[c] = own[c];
    each_stretch(d, i, [&](int lo, int hi, int at) LINKWRIGHT_INLINE_LAMBDA {
      for (int j = lo; j <= hi; ++j, ++at) {
        const T l = row[at];
        for (int c = 0; c < columns; ++c) X[j * columns + c] -= l * x[c];
      }
    });
    const T inverse = d.inverse_pivot[static_cast<std::size_t>(i)];
    for (int c = 0; c < columns; ++c) own[c] = inverse * x[c];
  }
  for (int i = 0; i <= last; ++i) {
    const T* row = room.data + i * room.stride;
    T x[columns];
    for (int c = 0; c < columns; ++c) x[c] = X[i * columns + c];
    each_stretch(d, i, [&](int lo, int hi, int at) LINKWRIGHT_INLINE_LAMBDA {
      for (int j = lo; j <= hi; ++j, ++at) {
        const T l = row[at];
        for (int c = 0; c < columns; ++c) x[c] -= l * X[j * columns + c];
      }
    });
    for (int c = 0; c < columns; ++c) X[i * columns + c] = x[c];
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

/// What invert_group found, to both triangles of the result.
template <class T>
LINKWRIGHT_INLINE void write_group(const Tree<Constant<T>>& tree, const DerivativeScratch<T>& d,
                                   const Square<T>& out, int first, int last) {
  const int* v = tree.velocity_of.data();
  const T* numbers = reinterpret_cast<const T*>(d.tile.data());
  constexpr int lanes = DerivativeScratch<T>::inverse_columns;
  for (int r = 0; r <= last; ++r, numbers += lanes) {
    const std::ptrdiff_t own = v[r];
    for (int c = std::max(first, r); c <= last; ++c)
      out.data[v[c] + own * out.stride] = out.data[own + v[c] * out.stride] = numbers[c - first];
  }
}
/// The same below the diagonal alone, in tree order.
template <class T>
LINKWRIGHT_INLINE void write_group_below(const DerivativeScratch<T>& d, const Square<T>& out,
                                         int first, int last) {
  const T* numbers = reinterpret_cast<const T*>(d.tile.data());
  constexpr int lanes = DerivativeScratch<T>::inverse_columns;
  for (int r = 0; r <= last; ++r, numbers += lanes)
    for (int c = std::max(first, r); c <= last; ++c)
      out.data[c + r * out.stride] = numbers[c - first];
}

template <class T>
void invert_mass_matrix(const Tree<Constant<T>>& tree, DerivativeScratch<T>& d,
                        const Square<T>& room, const Square<T>& out) {
  constexpr int lanes = DerivativeScratch<T>::inverse_columns;
  const bool apart = !d.factors.empty();
  for (int first = 0; first < tree.nv; first += lanes) {
    const int last = std::min(first + lanes, tree.nv) - 1;
    invert_group(d, room, first, last);
    if (apart)
      write_group<T>(tree, d, out, first, last);
    else
      write_group_below<T>(d, out, first, last);
  }
  if (apart) return;
  mirror(tree.nv, out.data, out.stride);
  permute_square(tree.velocity_of, d.columns.data(), out);
}

/// Columns at a time, and groups of rows: as many sums as there are registers for.
inline constexpr int product_columns = spatial::register_bytes == 64 ? 4 : 2;
inline constexpr int product_groups = spatial::register_bytes == 64 ? 5 : 2;

/// Columns `columns` of x, copied one after the other to `from`, over the entries that each_entry
/// names: y = −A x for the groups of rows that begin at the given ones.
template <int groups, class T, class EachEntry>
LINKWRIGHT_INLINE void multiply_rows(const T* A, std::ptrdiff_t stride, const T* from, int n,
                                     T* const* to, const int* rows, int columns,
                                     EachEntry&& each_entry) {
  using L = Slots<T>;
  constexpr int most = product_columns;
  L sum[most][groups];
  for (auto& s : sum)
    for (L& x : s) x = L(Constant<T>(0));
  each_entry([&](std::ptrdiff_t r) LINKWRIGHT_INLINE_LAMBDA {
    const T *column = A + r * stride, *x = from + r;
    L a[groups];
    for (int g = 0; g < groups; ++g) a[g] = load_slots<T>(column + rows[g]);
    for (int c = 0; c < most; ++c, x += n)
      for (int g = 0; g < groups; ++g) sum[c][g] -= a[g] * *x;
  });
  for (int c = 0; c < most; ++c) {
    if (c == columns) break;
    for (int g = 0; g < groups; ++g) store_slots<T>(sum[c][g], to[c] + rows[g]);
  }
}
/// As many groups as are left, at most `most`; returns how many.
template <int most, class Multiply>
LINKWRIGHT_INLINE int multiply_groups(int left, Multiply&& multiply) {
  if constexpr (most > 1) {
    if (left < most) return multiply_groups<most - 1>(left, multiply);
  }
  multiply(std::integral_constant<int, most>{});
  return most;
}
/// The same where there are fewer rows than a group has: A stands in d.tile, and sums in `padded`.
template <class T, class EachEntry>
LINKWRIGHT_INLINE void multiply_few_rows(const DerivativeScratch<T>& d, const T* from, int n,
                                         T* const* to, int columns, EachEntry&& each_entry) {
  using L = Slots<T>;
  constexpr int lanes = slots_of<T, L>, most = product_columns;
  alignas(64) T padded[most * lanes];
  T* rows[most];
  for (int c = 0; c < most; ++c) rows[c] = padded + c * lanes;
  const int first = 0;
  multiply_rows<1>(reinterpret_cast<const T*>(d.tile.data()), lanes, from, n, rows, &first, columns,
                   each_entry);
  for (int c = 0; c < columns; ++c)
    for (int i = 0; i < n; ++i) to[c][i] = rows[c][i];
}

/// Whether column f (tree order) has entries only inboard and outboard of f.
enum class Entries { related, full };

/// step(j) for the freedoms inboard and outboard of f, and f itself.
template <class T, class Step>
LINKWRIGHT_INLINE void each_related(const DerivativeScratch<T>& d, int f, Step&& step) {
  each_stretch(d, f, [&](int lo, int hi, int) LINKWRIGHT_INLINE_LAMBDA {
    for (int j = lo; j <= hi; ++j) step(j);
  });
  for (int j = f; j < d.end[static_cast<std::size_t>(f)]; ++j) step(j);
}

/// x ← −A x in place.
template <class T>
void multiply_by_inverse(const Tree<Constant<T>>& tree, DerivativeScratch<T>& d, const Square<T>& A,
                         Entries entries, const Square<T>& x) {
  constexpr int lanes = slots_of<T, Slots<T>>;
  const int n = tree.nv;
  const int* v = tree.velocity_of.data();
  const int* end = d.end.data();
  T* from = d.columns.data();
  if (n < lanes)
    for (int r = 0; r < n; ++r)
      for (int i = 0; i < n; ++i)
        reinterpret_cast<T*>(&d.tile[static_cast<std::size_t>(r)])[i] = A.data[i + r * A.stride];
  for (int f = 0, columns = 0; f < n; f += columns) {
    T* to[product_columns];
    // Only those outboard of the first: they have their entries where it has some.
    const int last = entries == Entries::full ? n : end[f];
    for (columns = 0; columns < product_columns && f + columns < last; ++columns) {
      T *column = x.data + v[f + columns] * x.stride, *copy = from + columns * n;
      to[columns] = column;
      // A single state finds zeros where a column has no entries, a pack of them anything.
      if (entries == Entries::full || std::is_floating_point_v<T>) {
        std::copy_n(column, n, copy);
        continue;
      }
      std::fill_n(copy, n, T(Constant<T>(0)));
      each_related(d, f + columns,
                   [&](int j) LINKWRIGHT_INLINE_LAMBDA { copy[v[j]] = column[v[j]]; });
    }
    const auto each_entry = [&](auto&& step) LINKWRIGHT_INLINE_LAMBDA {
      if (entries == Entries::full)
        for (int r = 0; r < n; ++r) step(r);
      else
        each_related(d, f, [&](int j) LINKWRIGHT_INLINE_LAMBDA { step(v[j]); });
    };
    if (n < lanes) {
      multiply_few_rows(d, from, n, to, columns, each_entry);
      continue;
    }
    // The last group begins early where the rows do not fill it, and computes some once more.
    const int count = (n + lanes - 1) / lanes;
    for (int g = 0; g < count;) {
      g += multiply_groups<product_groups>(count - g, [&](auto groups) LINKWRIGHT_INLINE_LAMBDA {
        int rows[groups.value];
        for (int i = 0; i < groups.value; ++i) rows[i] = std::min((g + i) * lanes, n - lanes);
        multiply_rows<groups.value>(A.data, A.stride, from, n, to, rows, columns, each_entry);
      });
    }
  }
}

/// The same for any squares.
template <class T>
void multiply_square(const Tree<Constant<T>>& tree, DerivativeScratch<T>& d, const Square<T>& A,
                     const Square<T>& x) {
  multiply_by_inverse(tree, d, A, Entries::full, x);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
