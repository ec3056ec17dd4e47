#pragma once
/// Whether something with inertia resists a joint: judged after forward_dynamics_filter or factorize,
/// for one state and for every lane of a pack by the same rule.
///
/// D is what is left of the inertia around the joint once everything outboard is free to move. When
/// that is less than 64 ε of what it came from, it is rounding, and 1/D has no digit.

#include <limits>
#include <type_traits>

#include "linkwright/dynamics/sweeps/scratch.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

using spatial::above;

/// Of truths and of masks of lanes.
template <class M>
LINKWRIGHT_INLINE M both(const M& a, const M& b) {
  if constexpr (std::is_same_v<M, bool>)
    return a && b;
  else
    return M(a & b);
}

/// The part of what D came from that is rounding.
template <class B>
inline constexpr B noise_of_D = 64 * std::numeric_limits<B>::epsilon();

/// True, or the mask of the lanes, where something resists node k's joint. Not where a number is NaN.
template <class T, class B>
LINKWRIGHT_INLINE auto is_resisted(const Tree<B>& tree, const Scratch<T>& s, int k) {
  using Truth = decltype(above(T(), T()));
  constexpr auto noise = noise_of_D<spatial::Constant<T>>;
  const Node<B>& n = tree.nodes[static_cast<std::size_t>(k)];
  if (n.modes < 0) {
    const Gain<T>& gain = s.gain[static_cast<std::size_t>(k)];
    return both(above(gain.D_inv, T(0)), above(T(1), gain.D_inv * noise * gain.around));
  }
  const MultiGain<T>& gain = s.multi_gain[static_cast<std::size_t>(n.modes)];
  Truth resisted = above(gain.pivot[0], noise * gain.most[0]);
  for (int i = 1; i < n.d; ++i)
    resisted = both(resisted, above(gain.pivot[i], noise * gain.most[i]));
  return resisted;
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
