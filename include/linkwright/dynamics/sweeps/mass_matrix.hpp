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
/// f in the first `count` lanes; those behind belong to other branches and stay as they were.
template <class T, class L>
LINKWRIGHT_INLINE Force<L> first_lanes_of(const Force<L>& f, const Force<L>& before, int count) {
  if constexpr (std::is_same_v<L, T>) {
    return f;
  } else {
    const auto mask = L::first_lanes(count);
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
  for (int g = n.freedom / lanes; g * lanes < n.end; ++g) {
    Force<L> f = F[g];
    if (g * lanes < n.freedom + J::freedoms(n)) insert_own(joint, tree, n, C, g * lanes, f);
    L effort[J::most_freedoms];
    joint.project(tree, n, f, effort);
    for (int i = 0; i < J::freedoms(n); ++i) s.rows[i][static_cast<std::size_t>(g)] = effort[i];
    if (n.parent == 0) continue;
    const Force<L> turned{joint.to_parent(n, x, f.moment), joint.to_parent(n, x, f.force)};
    F[g] = first_lanes_of<T>(shift(joint.offset(n, x), turned), f, n.end - g * lanes);
  }
}

/// Row i of a joint, given in tree order from its diagonal entry to that of the last freedom
/// outboard, into both triangles.
template <class T, class B>
LINKWRIGHT_INLINE void write_row(const Tree<B>& tree, const Node<B>& n, int i, const T* row, T* out,
                                 std::ptrdiff_t stride) {
  const std::ptrdiff_t own = n.v + i;
  int c = n.freedom + i;
  for (const FreedomPart* part = tree.freedoms.data() + n.part; c < n.end; ++part) {
    T* down = out + own * stride + part->velocity - part->first;
    T* across = out + own + (part->velocity - part->first) * stride;
    for (const int end = std::min(part->end, n.end); c < end; ++c)
      down[c] = row[c], across[c * stride] = row[c];
  }
}

/// Entry (i, j) at out[i + j·stride]; every entry is written.
template <class T>
void mass_matrix(const Tree<Constant<T>>& tree, Scratch<T>& s, T* out, std::ptrdiff_t stride) {
  const auto* nodes = tree.nodes.data();
  for (const Run& run : tree.runs) s.composite[run.last] = {};
  if (tree.branches) {
    const bool dense = stride == tree.nv;
    const int columns = dense ? 1 : tree.nv, length = dense ? tree.nv * tree.nv : tree.nv;
    for (int j = 0; j < columns; ++j) std::fill_n(out + j * stride, length, T(0));
  }
  inward(
      tree, [&](int k) LINKWRIGHT_INLINE_LAMBDA { return s.composite[k]; },
      [&](auto joint, int k, const Inertia<T>& from) LINKWRIGHT_INLINE_LAMBDA {
        const auto& n = nodes[k];
        const Inertia<T> C = n.M + from;
        pass_columns(joint, tree, s, k, C);
        for (int i = 0; i < joint.freedoms(n); ++i) {
          T* row = s.row(i);
          row[n.freedom + i] += joint.rotor(tree, n, i);
          write_row(tree, n, i, row, out, stride);
        }
        if (n.parent == 0) return Inertia<T>{};
        return shift(joint.offset(n, s.place[k]), joint.congruence(n, s.place[k], C));
      },
      [&](int p, const Inertia<T>& end) LINKWRIGHT_INLINE_LAMBDA { s.composite[p] += end; });
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
