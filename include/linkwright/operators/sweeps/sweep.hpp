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
/// Assignments of one pass, in the order in which each node runs them: one may read at its own node
/// what another before it has written there.
struct None {};
template <class A, class Rest>
struct List {
  A first;
  Rest rest;
};
template <class A>
LINKWRIGHT_INLINE List<A, None> list(const A& a) {
  return {a, {}};
}
template <class A, class... Rest>
LINKWRIGHT_INLINE auto list(const A& a, const Rest&... rest) {
  const auto others = list(rest...);
  return List<A, std::decay_t<decltype(others)>>{a, others};
}
template <class V, class T, class Rest>
inline constexpr std::size_t memories<List<Assignment<V, T>, Rest>> = memories<V> + memories<Rest>;

template <std::size_t memory, class H>
LINKWRIGHT_INLINE void assign(const H&, None) {}
template <std::size_t memory, class H, class V, class T, class Rest>
LINKWRIGHT_INLINE void assign(const H& here, const List<Assignment<V, T>, Rest>& all) {
  store<V::space>(value<memory>(all.first.v, here), here, all.first.out);
  assign<memory + memories<V>>(here, all.rest);
}

/// What no node writes, or several add to: vectors on frames and on the base.
template <class T>
LINKWRIGHT_INLINE void begin(const OperatorData<T>&, None) {}
template <class T, class V, class Rest>
LINKWRIGHT_INLINE void begin(const OperatorData<T>& data, const List<Assignment<V, T>, Rest>& all) {
  if constexpr (is_source(V::space) || is_sink(V::space)) {
    const std::size_t count = is_tip(V::space) ? 6 * data.tips.size() : 6;
    for (std::size_t i = 0; i < count; ++i) all.first.out[i] = entry<T>(all.first.v, i);
  }
  begin(data, all.rest);
}

/// One pass over the tree for all assignments, whose memories have room.
template <Direction d, class T, class L>
void sweep(OperatorData<T>& data, const L& assignments) {
  if constexpr (d == Direction::inward)
    for (std::size_t i = 0; i < memories<L>; ++i)
      for (Force<T>& f : data.forces[i]) f = {};
  begin(data, assignments);
  const auto step = [&](const auto& here)
                        LINKWRIGHT_INLINE_LAMBDA { assign<0>(here, assignments); };
  if constexpr (d == Direction::outward)
    outward(data, step);
  else
    inward(data, step);
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
