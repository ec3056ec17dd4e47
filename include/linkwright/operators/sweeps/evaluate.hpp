#pragma once
/// Expressions into sweeps.
///
/// Everything that looks in one direction is evaluated in one pass over the tree, node by node,
/// however many letters it has. The parts that look in the other direction are evaluated before it,
/// all of them in one pass of their own (and what these need before that, in one pass again), and
/// then are stacked vectors like any other.
/// Cost     O(N) per letter and pass; nothing is allocated once an expression has run.

#include <deque>
#include <string>
#include <type_traits>
#include <vector>

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

/// The data of the letters with room for the vectors between sweeps, for double and Counting. Its
/// functions are compiled once, not once per instruction set.
template <class T>
struct Evaluation {
  explicit Evaluation(OperatorData<T>& of) : data(of) {}

  OperatorData<T>& data;
  std::deque<std::vector<T>> between;
  std::size_t in_use = 0;
  std::vector<SweepNote>* notes = nullptr;  // for Counting

  [[nodiscard]] std::size_t size(Space s) const;
  T* take(std::size_t n);
  /// Room for n letters with memory.
  void grow_memories(std::size_t n);
};

inline namespace LINKWRIGHT_ISA {

/// An expression without what looks the other way, and the assignments that must run before it.
template <class V, class L>
struct Lowered {
  V v;
  L before;
};

template <Direction d, class T, Space s, class L>
Lowered<Stacked<s, T>, L> lower(Evaluation<T>&, const Stacked<s, T>& v, const L& before) {
  return {v, before};
}
template <Direction d, class T, class X, class V, class L>
auto lower(Evaluation<T>& e, const Applied<X, V>& v, const L& before) {
  constexpr Direction own = direction(X::kind);
  if constexpr (own == Direction::any || own == d) {
    const auto inner = lower<d>(e, v.v, before);
    using Inner = Applied<X, std::decay_t<decltype(inner.v)>>;
    return Lowered<Inner, std::decay_t<decltype(inner.before)>>{{inner.v}, inner.before};
  } else {
    using Found = List<Assignment<Applied<X, V>, T>, L>;
    T* out = e.take(e.size(X::range));
    return Lowered<Stacked<X::range, T>, Found>{{out}, {{v, out}, before}};
  }
}
template <Direction d, class T, class V, class L>
auto lower(Evaluation<T>& e, const Negated<V>& v, const L& before) {
  const auto inner = lower<d>(e, v.v, before);
  using Inner = Negated<std::decay_t<decltype(inner.v)>>;
  return Lowered<Inner, std::decay_t<decltype(inner.before)>>{{inner.v}, inner.before};
}
template <Direction d, class T, class V, class W, class L>
auto lower(Evaluation<T>& e, const Added<V, W>& v, const L& before) {
  const auto second = lower<d>(e, v.w, before);
  const auto first = lower<d>(e, v.v, second.before);
  using Both = Added<std::decay_t<decltype(first.v)>, std::decay_t<decltype(second.v)>>;
  return Lowered<Both, std::decay_t<decltype(first.before)>>{{first.v, second.v}, first.before};
}
template <Direction d, class T>
Lowered<None, None> lower(Evaluation<T>&, None, None) {
  return {};
}
template <Direction d, class T, class V, class Rest>
auto lower(Evaluation<T>& e, const List<Assignment<V, T>, Rest>& all, None) {
  const auto others = lower<d>(e, all.rest, None{});
  const auto first = lower<d>(e, all.first.v, others.before);
  using All =
      List<Assignment<std::decay_t<decltype(first.v)>, T>, std::decay_t<decltype(others.v)>>;
  return Lowered<All, std::decay_t<decltype(first.before)>>{{{first.v, all.first.out}, others.v},
                                                            first.before};
}

inline std::string text_of(None) { return ""; }
template <class V, class T, class Rest>
std::string text_of(const List<Assignment<V, T>, Rest>& all) {
  const std::string rest = text_of(all.rest);
  return describe(all.first.v) + (rest.empty() ? "" : ", " + rest);
}

/// Runs all assignments, the last pass in direction d.
template <Direction d, class T, class L>
void evaluate_all(Evaluation<T>& e, const L& assignments) {
  const std::size_t before = e.in_use;
  const auto lowered = lower<d>(e, assignments, None{});
  if constexpr (!std::is_same_v<std::decay_t<decltype(lowered.before)>, None>)
    evaluate_all<opposite(d)>(e, lowered.before);
  e.grow_memories(memories<std::decay_t<decltype(lowered.v)>>);
  if constexpr (std::is_same_v<T, spatial::Counting>) spatial::counted() = {};
  sweep<d>(e.data, lowered.v);
  if constexpr (std::is_same_v<T, spatial::Counting>)
    if (e.notes != nullptr) e.notes->push_back({d, text_of(lowered.v), spatial::counted()});
  e.in_use = before;
}

/// Each of the assignments; all of them end in one and the same pass. One may read what another
/// before it writes, through memoryless letters only.
template <class T, class... V>
void evaluate(Evaluation<T>& e, const Assignment<V, T>&... assignments) {
  constexpr int inward = std::max({passes_before<Direction::inward, V>...});
  constexpr int outward = std::max({passes_before<Direction::outward, V>...});
  evaluate_all<inward <= outward ? Direction::inward : Direction::outward>(e, list(assignments...));
}
/// out = v
template <class T, class V>
void evaluate(Evaluation<T>& e, const V& v, T* out) {
  evaluate(e, assign_to(out, v));
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
