#pragma once
/// Ω = J M⁻¹ Jᵀ of frames whose ways inward meet at one node and nowhere before it, in O(N): what each frame
/// has for itself, and what all share.
///
/// Given    place(k), D and G of `factorize`, the tips, the node b where they meet (0: the world, which gives way
///          to nobody), and bodies elsewhere whose mobility is wanted. An open tree
/// Computes tip → base, from every frame on b's side as far as b (part 2, 6.9):
///            z_i(p) = ψ(p, k) z_i(k), starting with B_i;   own(i) = Σ z_iᵀ(k) Hᵀ(k) D⁻¹(k) H(k) z_i(k)
///          base → tip, on the way to b and to the bodies (6.10b):
///            Λ(k) = ψᵀ(p, k) Λ(p) ψ(p, k) + Hᵀ(k) D⁻¹(k) H(k)
///          so that Ω(i, j) = δ_ij own(i) + z_iᵀ Λ(b) z_j
/// Cost     O(depth) for each frame and each body: no pairs of frames, unlike `operational_space`
///
///     operational_shares(data, shares, node, bodies);
///     const SixMotions<double>& alone = shares.own[i];     // i as in OperatorData::tips

#include <span>

#include "linkwright/operators/sweeps/operational_space.hpp"

namespace linkwright::operators {

template <class T>
struct OperationalShares {
  OperationalData<T> o;  // Λ of the meeting node and of the bodies; z at the meeting node
  std::vector<SixMotions<T>> own;  // [m], in the frame; 0 of frames on the bodies

  void resize(std::size_t nodes, std::size_t frames) {
    o.Lambda.resize(nodes), o.inboard.resize(nodes), o.first.resize(nodes);
    o.z.resize(frames), o.next.resize(frames), own.resize(frames);
  }
};

inline namespace LINKWRIGHT_ISA {

/// own(i) += zᵀ Hᵀ D⁻¹ H z at one node.
template <class T, class J>
LINKWRIGHT_INLINE void add_own(const Here<T, J>& here, const SixForces<T>& z, SixMotions<T>& own) {
  std::array<JointVector<T, J>, 6> u{apply_H(here, z[0]), apply_H(here, z[1]), apply_H(here, z[2]),
                                     apply_H(here, z[3]), apply_H(here, z[4]), apply_H(here, z[5])};
  for (std::size_t b = 0; b < 6; ++b) {
    const JointVector<T, J> w = apply_D_inverse(here, u[b]);
    const auto felt = [&](std::size_t a) {
      T sum = u[a][0] * w[0];
      for (int i = 1; i < w.count; ++i) sum += u[a][i] * w[i];
      return sum;
    };
    own[b] += Motion<T>{{felt(0), felt(1), felt(2)}, {felt(3), felt(4), felt(5)}};
  }
}
template <class T, class J>
LINKWRIGHT_INLINE void carry_apart(const Here<T, J>& here, OperationalShares<T>& s) {
  const auto at = static_cast<std::size_t>(here.k), p = static_cast<std::size_t>(here.n.parent);
  // Inboard are the way to the meeting node and the bodies: there nothing is a frame's own.
  if (s.o.first[at] < 0 || s.o.inboard[at] != 0) return;
  int last = -1;
  for (int i = s.o.first[at]; i >= 0; i = s.o.next[static_cast<std::size_t>(i)]) {
    SixForces<T>& of = s.o.z[static_cast<std::size_t>(i)];
    add_own(here, of, s.own[static_cast<std::size_t>(i)]);
    if (here.n.parent != 0)
      for (Force<T>& z : of) z = here.to_parent(give_way(here, z));
    last = i;
  }
  s.o.next[static_cast<std::size_t>(last)] = s.o.first[p];
  s.o.first[p] = s.o.first[at];
}
// Nodes of closed loops are none of an open tree.
template <class T>
void carry_apart(const AggregateHere<T>&, OperationalShares<T>&) {}

/// Every frame on its own node.
template <class T>
void place_apart(const OperatorData<T>& data, OperationalShares<T>& s) {
  const SixForces<T> unit = unit_forces<T>();
  std::fill(s.o.first.begin(), s.o.first.end(), -1);
  for (std::size_t i = 0; i < data.tips.size(); ++i) {
    const auto k = static_cast<std::size_t>(data.tips[i].node);
    s.own[i] = {};
    for (std::size_t c = 0; c < 6; ++c) s.o.z[i][c] = to_parent(data.tips[i].pose, unit[c]);
    s.o.next[i] = s.o.first[k];
    s.o.first[k] = static_cast<int>(i);
  }
}

/// `s` has been resized to N + 1 nodes and the number of frames.
template <class T>
void operational_shares(OperatorData<T>& data, OperationalShares<T>& s, int meeting,
                        std::span<const int> bodies) {
  std::fill(s.o.inboard.begin(), s.o.inboard.end(), char{0});
  const auto mark = [&](int node) {
    for (auto k = static_cast<std::size_t>(node); k != 0;
         k = static_cast<std::size_t>(data.tree->nodes[k].parent))
      s.o.inboard[k] = 1;
  };
  mark(meeting);
  for (const int body : bodies) mark(body);
  outward(data, [&](const auto& here) { find_Lambda(here, s.o); });
  place_apart(data, s);
  inward(data, [&](const auto& here) { carry_apart(here, s); });
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
