#pragma once
/// Operators applied to stacked vectors: `T - H * phi * (M * zeta + b)` as the paper writes it.
/// The expression holds pointers; nothing is computed before evaluate().
///
///     auto zeta = transpose(phi) * (at.a() + E * at.g());          // nothing has been computed yet
///     Eigen::VectorXd f = evaluate(at, M * zeta + at.b());         // two sweeps

#include <algorithm>
#include <cstdint>

#include "linkwright/operators/expressions.hpp"

namespace linkwright::operators {

template <class V>
concept VectorExpression = requires {
  { V::space } -> std::convertible_to<Space>;
};

/// A stacked vector in somebody's storage.
template <Space s, class T>
struct Stacked {
  static constexpr Space space = s;
  const T* data;
  /// The Operators::id() that it was made for and the configuration() that it belongs to; 0: any.
  std::uint64_t owner = 0, configuration = 0;
};
template <class X, class V>
struct Applied {
  static constexpr Space space = X::range;
  V v;
};
template <class V, class W>
struct Added {
  static constexpr Space space = V::space;
  V v;
  W w;
};
template <class V>
struct Negated {
  static constexpr Space space = V::space;
  V v;
};

template <class X>
inline constexpr bool is_sum = false;
template <class X, class Y>
inline constexpr bool is_sum<Sum<X, Y>> = true;

template <class V>
inline constexpr bool is_added = false;
template <class V, class W>
inline constexpr bool is_added<Added<V, W>> = true;

template <VectorExpression V>
LINKWRIGHT_INLINE constexpr Negated<V> operator-(V v) {
  return {v};
}
template <VectorExpression V, VectorExpression W>
requires(V::space == W::space) LINKWRIGHT_INLINE constexpr Added<V, W> operator+(V v, W w) {
  return {v, w};
}
template <VectorExpression V, VectorExpression W>
requires(V::space == W::space) LINKWRIGHT_INLINE constexpr Added<V, Negated<W>> operator-(V v,
                                                                                          W w) {
  return {v, {w}};
}

template <Operator X, VectorExpression V>
requires(X::domain == V::space) LINKWRIGHT_INLINE constexpr auto operator*(X x, V v);

/// Products are applied from the right; term by term sums of unlike directions, and those of vectors
/// that have no nodes.
template <class X, class Y, class V>
LINKWRIGHT_INLINE constexpr auto apply_to(Product<X, Y>, V v) {
  return X{} * (Y{} * v);
}
template <class X, class Y, class V>
LINKWRIGHT_INLINE constexpr auto apply_to(Sum<X, Y> sum, V v) {
  if constexpr (sum.kind == Kind::general || is_sink(sum.domain) || is_source(sum.range))
    return X{} * v + Y{} * v;
  else
    return Applied<Sum<X, Y>, V>{v};
}
template <class X, class V>
LINKWRIGHT_INLINE constexpr auto apply_to(Negative<X>, V v) {
  return -(X{} * v);
}
template <Space s, class V>
LINKWRIGHT_INLINE constexpr V apply_to(Identity<s>, V v) {
  return v;
}
template <class X, class V>
LINKWRIGHT_INLINE constexpr Applied<X, V> apply_to(X, V v) {
  return {v};
}
template <Operator X, VectorExpression V>
requires(X::domain == V::space) LINKWRIGHT_INLINE constexpr auto operator*(X x, V v) {
  return apply_to(x, v);
}

/// Which way a pass runs; `any` for what needs none of its own.
enum class Direction { any, inward, outward };
constexpr Direction direction(Kind k) {
  if (looks_outward(k)) return Direction::inward;
  if (looks_inward(k)) return Direction::outward;
  return Direction::any;
}
constexpr Direction opposite(Direction d) {
  return d == Direction::inward ? Direction::outward : Direction::inward;
}

/// How many passes an expression needs before one in direction d can finish it.
template <Direction d, class V>
inline constexpr int passes_before = 0;
template <Direction d, class X, class V>
inline constexpr int passes_before<d, Applied<X, V>> = direction(X::kind) == Direction::any ||
                                                               direction(X::kind) == d
                                                           ? passes_before<d, V>
                                                           : 1 + passes_before<opposite(d), V>;
template <Direction d, class V>
inline constexpr int passes_before<d, Negated<V>> = passes_before<d, V>;
template <Direction d, class V, class W>
inline constexpr int passes_before<d, Added<V, W>> = std::max(passes_before<d, V>,
                                                              passes_before<d, W>);

}  // namespace linkwright::operators
