#pragma once
/// Expressions into sweeps.
///
/// Everything that looks in one direction is evaluated in one pass over the tree, node by node,
/// however many letters it has; a part that looks in the other direction is evaluated first, in
/// passes of its own, and then is a stacked vector like any other.
/// Cost     O(N) per letter and pass; nothing is allocated once an expression has run.

#include <deque>
#include <string>

#include "linkwright/operators/describe.hpp"
#include "linkwright/operators/sweeps/sweep.hpp"
#include "linkwright/spatial/counting.hpp"

namespace linkwright::operators {

/// One pass of an evaluation, for explain().
struct SweepNote {
  Direction direction;
  std::string what;
  spatial::Operations operations;
};

/// The data of the letters with room for the vectors between sweeps.
template <class T>
struct Evaluation {
  explicit Evaluation(OperatorData<T>& of) : data(of) {}

  OperatorData<T>& data;
  std::deque<std::vector<T>> between;
  std::size_t in_use = 0;
  std::vector<SweepNote>* notes = nullptr;

  [[nodiscard]] std::size_t size(Space s) const {
    const std::size_t nodes = data.tree->nodes.size() - 1;
    if (is_joint(s)) return static_cast<std::size_t>(data.tree->nv);
    if (is_link(s) || is_inboard(s)) return 6 * nodes;
    return is_tip(s) ? 6 * data.tips.size() : 6;
  }
  T* take(std::size_t n) {
    if (in_use == between.size()) between.emplace_back();
    std::vector<T>& room = between[in_use++];
    if (room.size() < n) room.resize(n);
    return room.data();
  }
};

/// Room for n letters with memory.
template <class T>
void grow_memories(OperatorData<T>& data, std::size_t n) {
  const std::size_t nodes = data.tree->nodes.size();
  while (data.forces.size() < n) data.forces.emplace_back(nodes);
  while (data.motions.size() < n) data.motions.emplace_back(nodes);
}

inline namespace LINKWRIGHT_ISA {

template <class T, class V>
void evaluate(Evaluation<T>& e, const V& v, T* out);

/// v with everything that does not look in direction d replaced by its value.
template <Direction d, class T, Space s>
Stacked<s, T> lower(Evaluation<T>&, const Stacked<s, T>& v) {
  return v;
}
template <Direction d, class T, class X, class V>
auto lower(Evaluation<T>& e, const Applied<X, V>& v) {
  constexpr Direction own = direction(X::kind);
  // Frames and the base are no nodes: what comes from them is known only after a whole sweep.
  constexpr bool leaves = !is_joint(X::range) && !is_link(X::range) && !is_inboard(X::range);
  if constexpr ((own == Direction::any || own == d) && !leaves) {
    const auto inner = lower<d>(e, v.v);
    return Applied<X, std::decay_t<decltype(inner)>>{inner};
  } else {
    T* out = e.take(e.size(X::range));
    evaluate(e, v, out);
    return Stacked<X::range, T>{out};
  }
}
template <Direction d, class T, class V>
auto lower(Evaluation<T>& e, const Negated<V>& v) {
  const auto inner = lower<d>(e, v.v);
  return Negated<std::decay_t<decltype(inner)>>{inner};
}
template <Direction d, class T, class V, class W>
auto lower(Evaluation<T>& e, const Added<V, W>& v) {
  const auto first = lower<d>(e, v.v);
  const auto second = lower<d>(e, v.w);
  return Added<std::decay_t<decltype(first)>, std::decay_t<decltype(second)>>{first, second};
}

/// The last letter may give to frames or the base; below it everything is lowered.
template <Direction d, class T, class V>
auto lower_below(Evaluation<T>& e, const V& v) {
  return lower<d>(e, v);
}
template <Direction d, class T, class X, class V>
auto lower_below(Evaluation<T>& e, const Applied<X, V>& v) {
  const auto inner = lower<d>(e, v.v);
  return Applied<X, std::decay_t<decltype(inner)>>{inner};
}

template <class V>
inline constexpr Direction last_direction =
    DirectionOf<V>::value == Direction::any ? Direction::inward : DirectionOf<V>::value;

template <Direction d, class T, class... A>
void run_and_note(Evaluation<T>& e, const A&... lowered) {
  grow_memories(e.data, memories_of<A...>);
  if (e.notes != nullptr) spatial::counted() = {};
  sweep<d>(e.data, lowered...);
  if (e.notes == nullptr) return;
  std::string what;
  ((what += (what.empty() ? "" : ", ") + describe(lowered.v)), ...);
  e.notes->push_back({d, what, spatial::counted()});
}

/// out = v
template <class T, class V>
void evaluate(Evaluation<T>& e, const V& v, T* out) {
  constexpr Direction d = last_direction<V>;
  const std::size_t before = e.in_use;
  const auto lowered = lower_below<d>(e, v);
  run_and_note<d>(e, assign_to(out, lowered));
  e.in_use = before;
}
/// first = v and second = w, their last sweep being one and the same.
template <class T, class V, class W>
void evaluate_both(Evaluation<T>& e, const V& v, T* first, const W& w, T* second) {
  constexpr Direction d = last_direction<V>;
  static_assert(d == last_direction<W>, "the two expressions end in different directions");
  const std::size_t before = e.in_use;
  const auto one = lower_below<d>(e, v);
  const auto two = lower_below<d>(e, w);
  run_and_note<d>(e, assign_to(first, one), assign_to(second, two));
  e.in_use = before;
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
