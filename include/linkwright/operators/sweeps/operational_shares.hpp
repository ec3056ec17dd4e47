#pragma once
/// Ω = J M⁻¹ Jᵀ of frames whose ways inward meet at one node and nowhere before it, in O(N): what each frame
/// has for itself, and what all share.
///
/// Given    place(k), D and G of `factorize`, the tips, the node where they meet (0: the world, which gives way
///          to nobody). An open tree
/// Computes base → tip (6.10b) with Λ = 0 where they meet:
///            Λ(k) = ψᵀ(p, k) Λ(p) ψ(p, k) + Hᵀ(k) D⁻¹(k) H(k)
///          tip → base z_i = ψ B_i, as far as the meeting node b. Then
///            Ω(i, j) = δ_ij own(i) + z_iᵀ Λ_b z_j,   own(i) = B_iᵀ Λ(k_i) B_i
/// Cost     O(N) for Λ, O(depth) for each frame: no pairs of frames, unlike `operational_space`
///
///     operational_shares(data, shares, node);
///     const SixMotions<double>& alone = shares.own[i];     // i as in OperatorData::tips

#include "linkwright/operators/sweeps/operational_space.hpp"

namespace linkwright::operators {

template <class T>
struct OperationalShares {
  OperationalData<T> o;            // Λ where the frames meet is 0; z at the meeting node
  std::vector<SixMotions<T>> own;  // [m], in the frame
  SixMotions<T> shared{};          // Λ_b

  void resize(std::size_t nodes, std::size_t frames) {
    o.Lambda.resize(nodes), o.inboard.resize(nodes), o.first.resize(nodes);
    o.z.resize(frames), o.next.resize(frames), own.resize(frames);
  }
};

inline namespace LINKWRIGHT_ISA {

template <class T, class J>
LINKWRIGHT_INLINE void find_own_Lambda(const Here<T, J>& here, OperationalShares<T>& s,
                                       int meeting) {
  find_Lambda(here, s.o);
  if (here.k != meeting) return;
  s.shared = s.o.Lambda[static_cast<std::size_t>(meeting)];
  s.o.Lambda[static_cast<std::size_t>(meeting)] = {};
}
template <class T, class J>
LINKWRIGHT_INLINE void carry_apart(const Here<T, J>& here, OperationalShares<T>& s, int meeting) {
  const auto at = static_cast<std::size_t>(here.k), p = static_cast<std::size_t>(here.n.parent);
  if (s.o.first[at] < 0 || here.n.parent == 0 || here.k == meeting) return;
  int last = -1;
  for (int i = s.o.first[at]; i >= 0; i = s.o.next[static_cast<std::size_t>(i)]) {
    for (Force<T>& z : s.o.z[static_cast<std::size_t>(i)]) z = here.to_parent(give_way(here, z));
    last = i;
  }
  s.o.next[static_cast<std::size_t>(last)] = s.o.first[p];
  s.o.first[p] = s.o.first[at];
}
// Nodes of closed loops are none of an open tree.
template <class T>
void find_own_Lambda(const AggregateHere<T>&, OperationalShares<T>&, int) {}
template <class T>
void carry_apart(const AggregateHere<T>&, OperationalShares<T>&, int) {}

/// own(i), and every frame on its own node.
template <class T>
void place_apart(const OperatorData<T>& data, OperationalShares<T>& s) {
  const SixForces<T> unit = unit_forces<T>();
  std::fill(s.o.first.begin(), s.o.first.end(), -1);
  for (std::size_t i = 0; i < data.tips.size(); ++i) {
    const auto& tip = data.tips[i];
    const auto k = static_cast<std::size_t>(tip.node);
    s.own[i] = {};
    if (tip.node == 0) continue;
    for (std::size_t c = 0; c < 6; ++c) {
      s.o.z[i][c] = to_parent(tip.pose, unit[c]);
      s.own[i][c] = to_child(tip.pose, times(s.o.Lambda[k], s.o.z[i][c]));
    }
    s.o.next[i] = s.o.first[k];
    s.o.first[k] = static_cast<int>(i);
  }
}

/// `s` has been resized to N + 1 nodes and the number of frames.
template <class T>
void operational_shares(OperatorData<T>& data, OperationalShares<T>& s, int meeting) {
  mark_inboard(data, s.o);
  outward(data, [&](const auto& here) { find_own_Lambda(here, s, meeting); });
  place_apart(data, s);
  inward(data, [&](const auto& here) { carry_apart(here, s, meeting); });
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
