#pragma once
/// Ω = J M⁻¹ Jᵀ = Bᵀ ψᵀ Hᵀ D⁻¹ H ψ B (part 2, 6.7) of the frames that B speaks for, on a tree.
///
/// Given    place(k), D and G of `factorize`, the tips
/// Computes base → tip, on the nodes inboard of a frame (6.10b):
///            Λ(k) = ψᵀ(p, k) Λ(p) ψ(p, k) + Hᵀ(k) D⁻¹(k) H(k)
///          tip → base, from every frame i until all frames have met (6.9):
///            z_i(k) = ψ(k, k_i) B_i
///            Ω(i, j) = z_iᵀ(k) Λ(k) z_j(k)  at the node k where the frames i and j meet
/// Cost     O(N) for Λ, O(depth) for each frame that has another to meet, O(m²) for the blocks
///
/// Of an aggregate Λ is kept body by body; between frames on two of its bodies it is read off what passes
/// and what gives way: Ω(i, j) = (ψ z_i)ᵀ Λ(p) (ψ z_j) + (H z_i)ᵀ D⁻¹ (H z_j).
///
/// Nothing outboard of the meeting node adds to Ω(i, j): there ψᵀ Hᵀ D⁻¹ H ψ has no term that feels
/// both forces. Frames on the world keep zero rows and columns.

#include <algorithm>
#include <array>

#include "linkwright/operators/sweeps/values.hpp"

namespace linkwright::operators {

/// The columns of a 6×6 matrix that maps forces to motions, and forces per unit of something.
template <class T>
using SixMotions = std::array<spatial::Motion<T>, 6>;
template <class T>
using SixForces = std::array<spatial::Force<T>, 6>;

/// Everything the sweeps write.
template <class T>
struct OperationalData {
  std::vector<SixMotions<T>> Lambda;  // [N + 1], where `inboard`
  std::vector<char> inboard;          // [N + 1]: carries a frame, itself or further out
  std::vector<SixForces<T>> z;        // [m]
  // Frames that have come to a node: a list, as they arrive.
  std::vector<int> first;  // [N + 1], −1: none
  std::vector<int> count;  // [N + 1]
  std::vector<int> next;   // [m]
  std::vector<T> Omega;    // [6m × 6m], symmetric
  std::vector<T> felt;     // [6m × most_independents]: L⁻¹ H z of frames in an aggregate
  std::size_t most_independents = 0;  // of any aggregate

  void resize(std::size_t nodes, std::size_t frames, std::size_t independents) {
    most_independents = independents;
    felt.resize(6 * frames * independents);
    Lambda.resize(nodes), inboard.resize(nodes), first.resize(nodes), count.resize(nodes);
    z.resize(frames), next.resize(frames), Omega.resize(36 * frames * frames);
  }
};

inline namespace LINKWRIGHT_ISA {

template <class T>
LINKWRIGHT_INLINE Motion<T> times(const SixMotions<T>& X, const Force<T>& f) {
  Motion<T> m = f.moment.x * X[0];
  m += f.moment.y * X[1], m += f.moment.z * X[2];
  m += f.force.x * X[3], m += f.force.y * X[4], m += f.force.z * X[5];
  return m;
}
template <class T>
LINKWRIGHT_INLINE SixForces<T> unit_forces() {
  SixForces<T> unit{};
  unit[0].moment.x = unit[1].moment.y = unit[2].moment.z = T(1);
  unit[3].force.x = unit[4].force.y = unit[5].force.z = T(1);
  return unit;
}

/// Marks the nodes between the frames and the world; the others need no Λ.
template <class T>
void mark_inboard(const OperatorData<T>& data, OperationalData<T>& o) {
  std::fill(o.inboard.begin(), o.inboard.end(), char{0});
  for (const auto& tip : data.tips)
    for (auto k = static_cast<std::size_t>(tip.node); k != 0 && o.inboard[k] == 0;
         k = static_cast<std::size_t>(data.tree->nodes[k].parent))
      o.inboard[k] = 1;
}

/// Λ(k), column by column.
template <class T, class J>
LINKWRIGHT_INLINE void find_Lambda(const Here<T, J>& here, OperationalData<T>& o) {
  const SixForces<T> unit = unit_forces<T>();
  const auto at = static_cast<std::size_t>(here.k), p = static_cast<std::size_t>(here.n.parent);
  if (o.inboard[at] == 0) return;
  for (std::size_t c = 0; c < 6; ++c) {
    Motion<T> m = apply_Ht(here, apply_D_inverse(here, apply_H(here, unit[c])));
    if (p != 0) {
      const Force<T> felt = here.to_parent(give_way(here, unit[c]));
      m += give_way(here, here.to_child(times(o.Lambda[p], felt)));
    }
    o.Lambda[at][c] = m;
  }
}
/// A force on one body of an aggregate, as a force on all of it.
template <class T>
AggregateForces<T> on_body(const AggregateHere<T>& here, int body, const Force<T>& f) {
  const AggregateForces<T> all = here.forces();
  for (std::size_t i = 0; i < all.size; ++i) all.x[i] = T(0);
  write_six(f.moment, f.force, all.x + 6 * body);
  return all;
}
template <class T>
void find_Lambda(const AggregateHere<T>& here, OperationalData<T>& o) {
  const SixForces<T> unit = unit_forces<T>();
  const auto p = static_cast<std::size_t>(here.parent());
  for (int b = 0; b < here.bodies(); ++b) {
    if (o.inboard[here.node(b)] == 0) continue;
    for (std::size_t c = 0; c < 6; ++c) {
      here.data.room.in_use = 0;
      const AggregateForces<T> f = on_body(here, b, unit[c]);
      AggregateMotions<T> m = apply_Ht(here, apply_D_inverse(here, apply_H(here, f)));
      if (p != 0) {
        const Force<T> felt = here.to_parent(give_way(here, f));
        m = plus(m, give_way(here, here.to_child(times(o.Lambda[p], felt))));
      }
      o.Lambda[here.node(b)][c] = read_motion(m.x + 6 * b);
    }
  }
}

/// Axis a of frame i and axis b of frame j.
template <class T>
LINKWRIGHT_INLINE void put(const OperatorData<T>& data, OperationalData<T>& o, int i, std::size_t a,
                           int j, std::size_t b, const T& x) {
  const std::size_t rows = 6 * o.z.size();
  const auto place = [&](int tip) {
    return 6 * static_cast<std::size_t>(data.tip_place[static_cast<std::size_t>(tip)]);
  };
  o.Omega[(place(i) + a) * rows + place(j) + b] = x;
  o.Omega[(place(j) + b) * rows + place(i) + a] = x;
}
/// Ω(i, j) = z_iᵀ(k) Λ(k) z_j(k) for all j of the list that starts at `there`, mirrored.
template <class T>
void meet(const OperatorData<T>& data, OperationalData<T>& o, int k, int i, int there) {
  const SixMotions<T>& Lambda = o.Lambda[static_cast<std::size_t>(k)];
  SixMotions<T> m;
  for (std::size_t b = 0; b < 6; ++b) m[b] = times(Lambda, o.z[static_cast<std::size_t>(i)][b]);
  for (int j = there; j >= 0; j = o.next[static_cast<std::size_t>(j)])
    for (std::size_t a = 0; a < 6; ++a)
      for (std::size_t b = 0; b < (i == j ? a + 1 : 6); ++b)
        put(data, o, j, a, i, b, dot(o.z[static_cast<std::size_t>(j)][a], m[b]));
}

/// Puts every frame on its own node, where it meets itself and those that are there.
template <class T>
void place_frames(const OperatorData<T>& data, OperationalData<T>& o) {
  const SixForces<T> unit = unit_forces<T>();
  std::fill(o.first.begin(), o.first.end(), -1);
  std::fill(o.count.begin(), o.count.end(), 0);
  for (std::size_t i = 0; i < data.tips.size(); ++i) {
    const auto& tip = data.tips[i];
    if (tip.node == 0) continue;
    const auto k = static_cast<std::size_t>(tip.node);
    for (std::size_t c = 0; c < 6; ++c) o.z[i][c] = to_parent(tip.pose, unit[c]);
    o.next[i] = o.first[k];
    o.first[k] = static_cast<int>(i);
    ++o.count[k];
    meet(data, o, tip.node, static_cast<int>(i), o.first[k]);
  }
}

/// The frames of node k, which stand at its parent now, meet those that are there and join them.
template <class T>
void join_parent(const OperatorData<T>& data, OperationalData<T>& o, std::size_t k, std::size_t p) {
  int last = -1;
  for (int i = o.first[k]; i >= 0; i = o.next[static_cast<std::size_t>(i)]) {
    if (o.first[p] >= 0) meet(data, o, static_cast<int>(p), i, o.first[p]);
    last = i;
  }
  o.next[static_cast<std::size_t>(last)] = o.first[p];
  o.first[p] = o.first[k];
  o.count[p] += o.count[k];
}
/// Carries the frames of a node inwards; a node that holds them all lets none go.
template <class T, class J>
LINKWRIGHT_INLINE void carry_frames(const Here<T, J>& here, OperationalData<T>& o, int all) {
  const auto at = static_cast<std::size_t>(here.k);
  if (o.first[at] < 0 || here.n.parent == 0 || o.count[at] == all) return;
  for (int i = o.first[at]; i >= 0; i = o.next[static_cast<std::size_t>(i)])
    for (Force<T>& z : o.z[static_cast<std::size_t>(i)]) z = here.to_parent(give_way(here, z));
  join_parent(here.data, o, at, static_cast<std::size_t>(here.n.parent));
}
/// Frame i on one body of an aggregate: L⁻¹ H z, and z ← ψ(p, S) z.
template <class T>
void pass_aggregate(const AggregateHere<T>& here, OperationalData<T>& o, int body, int i) {
  const std::size_t r = here.n.independent.size();
  for (std::size_t c = 0; c < 6; ++c) {
    here.data.room.in_use = 0;
    const AggregateForces<T> f = on_body(here, body, o.z[static_cast<std::size_t>(i)][c]);
    T* u = o.felt.data() + (6 * static_cast<std::size_t>(i) + c) * o.most_independents;
    const AggregateJoint<T> Hz = apply_H(here, f);
    for (std::size_t j = 0; j < r; ++j) u[j] = Hz.x[j];
    divide_by_L(here.n, u);
    o.z[static_cast<std::size_t>(i)][c] =
        here.parent() == 0 ? Force<T>{} : here.to_parent(give_way(here, f));
  }
}
/// Two frames that have passed an aggregate.
template <class T>
void meet_in_aggregate(const AggregateHere<T>& here, OperationalData<T>& o, int i, int j) {
  const std::size_t r = here.n.independent.size();
  const auto felt = [&](int tip, std::size_t c) {
    return o.felt.data() + (6 * static_cast<std::size_t>(tip) + c) * o.most_independents;
  };
  for (std::size_t a = 0; a < 6; ++a) {
    Motion<T> m{};
    if (here.parent() != 0)
      m = times(o.Lambda[static_cast<std::size_t>(here.parent())],
                o.z[static_cast<std::size_t>(i)][a]);
    for (std::size_t b = 0; b < 6; ++b) {
      T x = dot(o.z[static_cast<std::size_t>(j)][b], m);
      for (std::size_t l = 0; l < r; ++l)
        x += here.n.inverse_Delta[l] * felt(i, a)[l] * felt(j, b)[l];
      put(here.data, o, i, a, j, b, x);
    }
  }
}
/// Frames on different bodies meet in the aggregate; all leave it by its first node.
template <class T>
void carry_frames(const AggregateHere<T>& here, OperationalData<T>& o, int all) {
  const std::size_t first = here.node(0);
  int gathered = -1, count = 0, holders = 0;
  for (int b = 0; b < here.bodies(); ++b) holders += o.first[here.node(b)] >= 0 ? 1 : 0;
  for (int b = 0; b < here.bodies(); ++b) count += o.count[here.node(b)];
  if (holders == 0 || (holders == 1 && (count == all || here.parent() == 0))) return;
  for (int b = 0; b < here.bodies(); ++b) {
    const int own = o.first[here.node(b)];
    int last = -1;
    for (int i = own; i >= 0; i = o.next[static_cast<std::size_t>(i)]) {
      pass_aggregate(here, o, b, i);
      for (int j = gathered; j >= 0; j = o.next[static_cast<std::size_t>(j)])
        meet_in_aggregate(here, o, i, j);
      last = i;
    }
    if (last < 0) continue;
    o.next[static_cast<std::size_t>(last)] = gathered;
    gathered = own;
  }
  if (here.parent() == 0 || count == all) return;
  o.first[first] = gathered, o.count[first] = count;
  join_parent(here.data, o, first, static_cast<std::size_t>(here.parent()));
}

/// Ω of all frames. `o` has been resized to N + 1 nodes and the number of frames.
template <class T>
void operational_space(OperatorData<T>& data, OperationalData<T>& o) {
  std::fill(o.Omega.begin(), o.Omega.end(), T(0));
  mark_inboard(data, o);
  outward(data, [&](const auto& here) { find_Lambda(here, o); });
  place_frames(data, o);
  const auto all =
      static_cast<int>(data.tips.size()) - data.first_tip[1];  // not those on the world
  inward(data, [&](const auto& here) { carry_frames(here, o, all); });
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
