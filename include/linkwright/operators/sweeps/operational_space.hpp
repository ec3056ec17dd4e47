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

  void resize(std::size_t nodes, std::size_t frames) {
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
template <class T>
void propagate_Lambda(OperatorData<T>& data, OperationalData<T>& o) {
  const auto& tree = *data.tree;
  const SixForces<T> unit = unit_forces<T>();
  sweeps::outward(tree, [&](auto joint, int k) {
    const auto at = static_cast<std::size_t>(k);
    if (o.inboard[at] == 0) return;
    const Here<T, decltype(joint)> here{data, tree.nodes[at], data.s.place[at], k};
    const auto p = static_cast<std::size_t>(here.n.parent);
    for (std::size_t c = 0; c < 6; ++c) {
      Motion<T> m = apply_Ht(here, apply_D_inverse(here, apply_H(here, unit[c])));
      if (p != 0) {
        const Force<T> felt = here.to_parent(give_way(here, unit[c]));
        m += give_way(here, here.to_child(times(o.Lambda[p], felt)));
      }
      o.Lambda[at][c] = m;
    }
  });
}

/// Ω(i, j) = z_iᵀ(k) Λ(k) z_j(k) for all j of the list that starts at `there`, mirrored.
template <class T>
void meet(const OperatorData<T>& data, OperationalData<T>& o, int k, int i, int there) {
  const std::size_t rows = 6 * o.z.size();
  const SixMotions<T>& Lambda = o.Lambda[static_cast<std::size_t>(k)];
  SixMotions<T> m;
  for (std::size_t b = 0; b < 6; ++b) m[b] = times(Lambda, o.z[static_cast<std::size_t>(i)][b]);
  const auto place = [&](int tip) {
    return 6 * static_cast<std::size_t>(data.tip_place[static_cast<std::size_t>(tip)]);
  };
  for (int j = there; j >= 0; j = o.next[static_cast<std::size_t>(j)])
    for (std::size_t a = 0; a < 6; ++a)
      for (std::size_t b = 0; b < (i == j ? a + 1 : 6); ++b) {
        const T x = dot(o.z[static_cast<std::size_t>(j)][a], m[b]);
        o.Omega[(place(i) + b) * rows + place(j) + a] = x;
        o.Omega[(place(j) + a) * rows + place(i) + b] = x;
      }
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

/// Carries the frames inwards; a node that holds them all lets none go.
template <class T>
void gather_frames(OperatorData<T>& data, OperationalData<T>& o) {
  const auto& tree = *data.tree;
  const auto all =
      static_cast<int>(data.tips.size()) - data.first_tip[1];  // not those on the world
  sweeps::inward(tree, [&](auto joint, int k) {
    const auto at = static_cast<std::size_t>(k);
    const Here<T, decltype(joint)> here{data, tree.nodes[at], data.s.place[at], k};
    if (o.first[at] < 0 || here.n.parent == 0 || o.count[at] == all) return;
    const auto p = static_cast<std::size_t>(here.n.parent);
    int last = -1;
    for (int i = o.first[at]; i >= 0; i = o.next[static_cast<std::size_t>(i)]) {
      for (Force<T>& z : o.z[static_cast<std::size_t>(i)]) z = here.to_parent(give_way(here, z));
      if (o.first[p] >= 0) meet(data, o, here.n.parent, i, o.first[p]);
      last = i;
    }
    o.next[static_cast<std::size_t>(last)] = o.first[p];
    o.first[p] = o.first[at];
    o.count[p] += o.count[at];
  });
}

/// Ω of all frames. `o` has been resized to N + 1 nodes and the number of frames.
template <class T>
void operational_space(OperatorData<T>& data, OperationalData<T>& o) {
  std::fill(o.Omega.begin(), o.Omega.end(), T(0));
  mark_inboard(data, o);
  propagate_Lambda(data, o);
  place_frames(data, o);
  gather_frames(data, o);
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
