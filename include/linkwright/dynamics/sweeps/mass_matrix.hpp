#pragma once
/// Mass matrix by composite rigid bodies: M = H φ M φᵀ H*, row by row (3.20).
///
/// Given    place(k)
/// Sweep, inward   C(k) = M(k) + Σ φ C(child) φᵀ: everything outboard of joint k as one rigid body
///                 F = [Σ φ F(child), C H*]: one column per freedom outboard of joint k and its
///                 own, the force through the joint per unit acceleration of that freedom
///                 M(k, ·) = H F
/// The columns that pass through a joint are neighbours (the tree is numbered depth first), so a
/// single state turns and shifts four of them at once, a group that always starts at a multiple of
/// four: what a store wrote together, the next load reads together.
/// mass_matrix_rows hands the rows to whoever asked; mass_matrix writes them into a square,
/// mass_matrix_lower into its lower triangle.
/// Cost     O(N) for the composites; 20 multiplications and 12 additions per pair of a joint and
///          a freedom outboard of it, of which a single state does four pairs at a time

#include <algorithm>

#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/spatial/pack.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

template <class T>
using ColumnGroup = typename ColumnGroupOf<T>::type;

/// Puts x into lane `lane` of the group, where it has one.
template <class T>
LINKWRIGHT_INLINE void insert_lane(ColumnGroup<T>& group, int lane, const T& x) {
  using L = ColumnGroup<T>;
  if constexpr (std::is_same_v<L, T>) {
    if (lane == 0) group = x;
  } else {
    group = select(L::one_lane(lane), L(x), group);
  }
}
/// The columns of the joint's own freedoms, C H*, into those lanes of the group from `first` on
/// that are theirs.
template <class J, class T, class B>
LINKWRIGHT_INLINE void insert_own(J joint, const Tree<B>& tree, const Node<B>& n,
                                  const Inertia<T>& C, int first, Force<ColumnGroup<T>>& F) {
  for (int i = 0; i < J::freedoms(n); ++i) {
    const int lane = n.freedom + i - first;
    const Force<T> own = joint.reaction(tree, n, C, i);
    insert_lane<T>(F.moment.x, lane, own.moment.x);
    insert_lane<T>(F.moment.y, lane, own.moment.y);
    insert_lane<T>(F.moment.z, lane, own.moment.z);
    insert_lane<T>(F.force.x, lane, own.force.x);
    insert_lane<T>(F.force.y, lane, own.force.y);
    insert_lane<T>(F.force.z, lane, own.force.z);
  }
}
/// f in the lanes from `first` to before `end`; the others belong to other branches and stay as they
/// were.
template <class T, class L>
LINKWRIGHT_INLINE Force<L> lanes_of(const Force<L>& f, const Force<L>& before, int first, int end) {
  if constexpr (std::is_same_v<L, T>) {
    return f;
  } else {
    const typename L::Bits mask = L::first_lanes(end) & ~L::first_lanes(first);
    return {{select(mask, f.moment.x, before.moment.x), select(mask, f.moment.y, before.moment.y),
             select(mask, f.moment.z, before.moment.z)},
            {select(mask, f.force.x, before.force.x), select(mask, f.force.y, before.force.y),
             select(mask, f.force.z, before.force.z)}};
  }
}
/// H F of joint k into its rows, for its own columns and all those outboard of it, and these
/// columns on to its parent.
template <class J, class T, class B>
LINKWRIGHT_INLINE void pass_columns(J joint, const Tree<B>& tree, Scratch<T>& s, int k,
                                    const Inertia<T>& C) {
  using L = ColumnGroup<T>;
  constexpr int lanes = spatial::lane_count<L> / spatial::lane_count<T>;
  const auto& n = tree.nodes[static_cast<std::size_t>(k)];
  const Place<T>& x = s.place[k];
  Force<L>* F = s.force_columns.data();
  const auto pass = [&](int g, const Force<L>& f) LINKWRIGHT_INLINE_LAMBDA {
    L effort[J::most_freedoms];
    joint.project(tree, n, f, effort);
    for (int i = 0; i < J::freedoms(n); ++i) s.rows[i][static_cast<std::size_t>(g)] = effort[i];
    const Force<L> turned{joint.to_parent(n, x, f.moment), joint.to_parent(n, x, f.force)};
    return shift(joint.offset(n, x), turned);
  };
  int g = n.freedom / lanes;
  do {
    Force<L> f = F[g];
    insert_own(joint, tree, n, C, g * lanes, f);
    F[g] = lanes_of<T>(pass(g, f), f, n.freedom - g * lanes, n.end - g * lanes);
  } while (++g * lanes < n.freedom + J::freedoms(n));
  // From here on no column is this joint's own, and but for the last group none another branch's.
  for (; (g + 1) * lanes <= n.end; ++g) F[g] = pass(g, F[g]);
  if (g * lanes < n.end) {
    const Force<L> f = F[g];
    F[g] = lanes_of<T>(pass(g, f), f, 0, n.end - g * lanes);
  }
}

/// Row i of a joint, given in tree order from its diagonal entry to that of the last freedom
/// outboard, into both triangles.
template <class T, class B>
LINKWRIGHT_INLINE void write_row(const Tree<B>& tree, const Node<B>& n, int i, const T* row, T* out,
                                 std::ptrdiff_t stride) {
  const std::ptrdiff_t own = n.v + i;
  T* down = out + own * stride;
  T* across = out + own;
  if (n.neighbours) {
    const std::ptrdiff_t first = n.v - n.freedom;
    for (int c = n.freedom + i; c < n.end; ++c)
      down[c + first] = row[c], across[(c + first) * stride] = row[c];
  } else {
    for (int c = n.freedom + i; c < n.end; ++c) {
      const std::ptrdiff_t velocity = tree.velocity_of[static_cast<std::size_t>(c)];
      down[velocity] = row[c], across[velocity * stride] = row[c];
    }
  }
}

/// Entries first … end − 1, read in the groups that they were stored in: a load across two stores
/// waits for both.
template <class T>
LINKWRIGHT_INLINE void copy_row(const T* row, int first, int end, T* to) {
  int c = first;
  if constexpr (std::is_same_v<T, double>) {
    constexpr int lanes = spatial::lane_count<ColumnGroup<T>>;
    for (; c % lanes != 0 && c < end; ++c) to[c] = row[c];
    for (; c + lanes <= end; c += lanes) ColumnGroup<T>::load(row + c).store(to + c);
  }
  for (; c < end; ++c) to[c] = row[c];
}

/// The same as write_row into the lower triangle alone.
template <class T, class B>
LINKWRIGHT_INLINE void write_lower(const Tree<B>& tree, const Node<B>& n, int i, const T* row,
                                   T* out, std::ptrdiff_t stride) {
  const std::ptrdiff_t own = n.v + i;
  const int* velocity = tree.velocity_of.data();
  T* down = out + own * stride;
  if (n.neighbours)
    copy_row(row, n.freedom + i, n.end, down + n.v - n.freedom);
  else if (tree.outward)
    for (int c = n.freedom + i; c < n.end; ++c) down[velocity[c]] = row[c];
  else
    for (int c = n.freedom + i; c < n.end; ++c)
      out[std::max<std::ptrdiff_t>(own, velocity[c]) +
          std::min<std::ptrdiff_t>(own, velocity[c]) * stride] = row[c];
}

/// The square of four columns at `from`, transposed, to the square at `to`.
template <class T>
LINKWRIGHT_INLINE void transpose_square(const T* from, T* to, std::ptrdiff_t stride) {
  if constexpr (std::is_floating_point_v<T>) {
    using P = spatial::Pack<T, 4>;
    const auto a = P::load(from).x, b = P::load(from + stride).x, c = P::load(from + 2 * stride).x,
               d = P::load(from + 3 * stride).x;
    const auto ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6),
               ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7),
               cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6),
               cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    P(__builtin_shufflevector(ab0, cd0, 0, 1, 4, 5)).store(to);
    P(__builtin_shufflevector(ab1, cd1, 0, 1, 4, 5)).store(to + stride);
    P(__builtin_shufflevector(ab0, cd0, 2, 3, 6, 7)).store(to + 2 * stride);
    P(__builtin_shufflevector(ab1, cd1, 2, 3, 6, 7)).store(to + 3 * stride);
  } else {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) to[j + i * stride] = from[i + j * stride];
  }
}
/// The upper triangle from the lower one.
template <class T>
LINKWRIGHT_INLINE void mirror(int n, T* out, std::ptrdiff_t stride) {
  constexpr int side = 4;
  const int whole = n / side * side;
  // Eight columns at a time: the lines that the transposed squares fill are met twice in a row.
  for (int j = 0; j < whole; j += 2 * side)
    for (int i = j; i < whole; i += side)
      for (int l = j; l < std::min(j + 2 * side, whole); l += side)
        if (i > l) transpose_square(out + i + l * stride, out + l + i * stride, stride);
  // Within the squares on the diagonal, and the last rows behind all squares.
  for (int j = 0; j < n; ++j) {
    const int end = std::min(j / side * side + side, n);
    for (int i = j + 1; i < end; ++i) out[j + i * stride] = out[i + j * stride];
    for (int i = std::max(end, whole); i < n; ++i) out[j + i * stride] = out[i + j * stride];
  }
}

/// Over some of the runs. write(n, i, row): row i of the joint of node n in tree order, from its diagonal entry row[n.freedom +
/// i] to that of the last freedom outboard, row[n.end − 1]. From the tips inward. What hangs on the
/// runs comes first, and stands in Scratch::composite and Scratch::force_columns.
template <class T, class B, class Write>
LINKWRIGHT_INLINE void row_sweep(const Tree<B>& tree, const std::vector<Run>& runs, Scratch<T>& s,
                                 Write&& write) {
  const auto* nodes = tree.nodes.data();
  inward(
      runs, [&](int k) LINKWRIGHT_INLINE_LAMBDA { return s.composite[k]; },
      [&](auto joint, int k, const Inertia<T>& from) LINKWRIGHT_INLINE_LAMBDA {
        const auto& n = nodes[k];
        const Inertia<T> C = n.M + from;
        pass_columns(joint, tree, s, k, C);
        for (int i = 0; i < joint.freedoms(n); ++i) {
          T* row = s.row(i);
          row[n.freedom + i] += joint.rotor(tree, n, i);
          write(n, i, static_cast<const T*>(row));
        }
        if (n.parent == 0) return Inertia<T>{};
        return shift(joint.offset(n, s.place[k]), joint.congruence(n, s.place[k], C));
      },
      [&](const Run& run, const Inertia<T>& end)
          LINKWRIGHT_INLINE_LAMBDA { s.composite[run.parent] += end; });
}

/// Nothing hangs on the runs yet.
template <class T>
LINKWRIGHT_INLINE void clear_composites(const std::vector<Run>& runs, Scratch<T>& s) {
  for (const Run& run : runs) s.composite[run.last] = {};
}
/// All rows.
template <class T, class Write>
LINKWRIGHT_INLINE void mass_matrix_rows(const Tree<Constant<T>>& tree, Scratch<T>& s,
                                        Write&& write) {
  clear_composites(tree.runs, s);
  row_sweep(tree, tree.runs, s, write);
}

template <class T>
LINKWRIGHT_INLINE void clear_square(int n, T* out, std::ptrdiff_t stride) {
  const bool dense = stride == n;
  const int columns = dense ? 1 : n, length = dense ? n * n : n;
  for (int j = 0; j < columns; ++j) std::fill_n(out + j * stride, length, T(0));
}

/// From this many freedoms on a full matrix leaves the second cache, and the entries of a row are
/// better mirrored in squares than stored one by one, each into a line of its own.
inline constexpr int mirrored_size = 160;

/// Entry (i, j) at out[i + j·stride].
template <class T>
void mass_matrix(const Tree<Constant<T>>& tree, Scratch<T>& s, T* out, std::ptrdiff_t stride) {
  if (!tree.branches && tree.nv >= mirrored_size) {
    mass_matrix_rows(tree, s, [&](const auto& n, int i, const T* row) LINKWRIGHT_INLINE_LAMBDA {
      write_lower(tree, n, i, row, out, stride);
    });
    return mirror(tree.nv, out, stride);
  }
  if (tree.branches) clear_square(tree.nv, out, stride);
  mass_matrix_rows(tree, s, [&](const auto& n, int i, const T* row) LINKWRIGHT_INLINE_LAMBDA {
    write_row(tree, n, i, row, out, stride);
  });
}

/// The lower triangle alone, where what is zero by structure is zero already.
template <class T>
void mass_matrix_lower(const Tree<Constant<T>>& tree, Scratch<T>& s, T* out,
                       std::ptrdiff_t stride) {
  mass_matrix_rows(tree, s, [&](const auto& n, int i, const T* row) LINKWRIGHT_INLINE_LAMBDA {
    write_lower(tree, n, i, row, out, stride);
  });
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
