#pragma once
/// P, D and G of every joint, tip → base (4.4)–(4.6), (5.12).
///
/// Given    place(k)
/// Computes P(k), and D, G in Scratch::gain and Scratch::wide
/// Cost     O(N)

#include "linkwright/operators/sweeps/letters.hpp"

namespace linkwright::operators {
inline namespace LINKWRIGHT_ISA {

template <class T>
void factorize(OperatorData<T>& data) {
  const auto& tree = *data.tree;
  Scratch<T>& s = data.s;
  for (std::size_t k = 1; k < tree.nodes.size(); ++k)
    data.P[k] = spatial::to_articulated<T>(tree.nodes[k].M);
  sweeps::inward(tree, [&](auto joint, int k) {
    const auto& n = tree.nodes[static_cast<std::size_t>(k)];
    const auto& P = data.P[static_cast<std::size_t>(k)];
    sweeps::eliminate(joint, tree, n, P, s, k);
    if (n.parent == 0) return;
    const auto& x = s.place[static_cast<std::size_t>(k)];
    data.P[static_cast<std::size_t>(n.parent)] += shift(
        joint.offset(n, x), joint.congruence(n, x, sweeps::remainder(joint, tree, n, P, s, k)));
  });
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
