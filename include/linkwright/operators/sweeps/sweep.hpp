#pragma once
/// One pass over the tree: everything that looks in one direction is evaluated node by node, however
/// many letters it has.

#include "linkwright/operators/sweeps/values.hpp"

namespace linkwright::operators {
inline namespace LINKWRIGHT_ISA {

/// A vector expression and where its value goes.
template <class V, class T>
struct Assignment {
  V v;
  T* out;
};
template <class T, class V>
LINKWRIGHT_INLINE Assignment<V, T> assign_to(T* out, const V& v) {
  return {v, out};
}
template <class... A>
inline constexpr std::size_t memories_of = (0 + ... + memories<decltype(A::v)>);

template <std::size_t memory, class H>
LINKWRIGHT_INLINE void assign(const H&) {}
template <std::size_t memory, class H, class V, class T, class... Rest>
LINKWRIGHT_INLINE void assign(const H& here, const Assignment<V, T>& first, const Rest&... rest) {
  store<V::space>(value<memory>(first.v, here), here, first.out);
  assign<memory + memories<V>>(here, rest...);
}
/// What no node writes, or several add to: frames on the world, the base.
template <class V, class T>
LINKWRIGHT_INLINE void clear(const OperatorData<T>& data, const Assignment<V, T>& a) {
  constexpr bool base = V::space == Space::base_force || V::space == Space::base_motion;
  const std::size_t count = base ? 6 : is_tip(V::space) ? 6 * data.tips.size() : 0;
  for (std::size_t i = 0; i < count; ++i) a.out[i] = T(0);
}

/// One pass over the tree for all assignments, whose memories have room.
template <Direction d, class T, class... A>
void sweep(OperatorData<T>& data, const A&... assignments) {
  const auto& tree = *data.tree;
  if constexpr (d == Direction::inward)
    for (std::size_t i = 0; i < memories_of<A...>; ++i)
      for (Force<T>& f : data.forces[i]) f = {};
  (clear(data, assignments), ...);
  const auto step = [&](auto joint, int k) LINKWRIGHT_INLINE_LAMBDA {
    const auto i = static_cast<std::size_t>(k);
    const Here<T, decltype(joint)> here{data, tree.nodes[i], data.s.place[i], k};
    assign<0>(here, assignments...);
  };
  if constexpr (d == Direction::outward)
    sweeps::outward(tree, step);
  else
    sweeps::inward(tree, step);
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
