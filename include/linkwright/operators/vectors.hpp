#pragma once
/// Operators applied to stacked vectors: `T - H * phi * (M * zeta + b)` as the paper writes it.
/// The expression holds pointers; nothing is computed before evaluate().

#include "linkwright/operators/expressions.hpp"

namespace linkwright::operators {

template <class V>
concept VectorExpression = requires {
  { V::space } -> std::convertible_to<Space>;
};

template <Space s, class T>
struct Stacked {
  static constexpr Space space = s;
  const T* data;
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
inline constexpr bool is_product = false;
template <class X, class Y>
inline constexpr bool is_product<Product<X, Y>> = true;
template <class X>
inline constexpr bool is_sum = false;
template <class X, class Y>
inline constexpr bool is_sum<Sum<X, Y>> = true;

template <VectorExpression V>
constexpr Negated<V> operator-(V v) {
  return {v};
}
template <VectorExpression V, VectorExpression W>
requires(V::space == W::space) constexpr Added<V, W> operator+(V v, W w) { return {v, w}; }
template <VectorExpression V, VectorExpression W>
requires(V::space == W::space) constexpr Added<V, Negated<W>> operator-(V v, W w) {
  return {v, {w}};
}

template <Operator X, VectorExpression V>
requires(X::domain == V::space) constexpr auto operator*(X x, V v);

/// Products are applied from the right, sums of unlike directions term by term.
template <class X, class Y, class V>
constexpr auto apply_to(Product<X, Y>, V v) {
  return X{} * (Y{} * v);
}
template <class X, class Y, class V>
constexpr auto apply_to(Sum<X, Y> sum, V v) {
  if constexpr (sum.kind == Kind::general)
    return X{} * v + Y{} * v;
  else
    return Applied<Sum<X, Y>, V>{v};
}
template <class X, class V>
constexpr auto apply_to(Negative<X>, V v) {
  return -(X{} * v);
}
template <Space s, class V>
constexpr V apply_to(Identity<s>, V v) {
  return v;
}
template <class X, class V>
constexpr Applied<X, V> apply_to(X, V v) {
  return {v};
}
template <Operator X, VectorExpression V>
requires(X::domain == V::space) constexpr auto operator*(X x, V v) { return apply_to(x, v); }

/// The direction in which an expression must be swept last.
enum class Direction { any, inward, outward };
constexpr Direction direction(Kind k) {
  if (looks_outward(k)) return Direction::inward;
  if (looks_inward(k)) return Direction::outward;
  return Direction::any;
}
template <class V>
struct DirectionOf;
template <Space s, class T>
struct DirectionOf<Stacked<s, T>> {
  static constexpr Direction value = Direction::any;
};
template <class X, class V>
struct DirectionOf<Applied<X, V>> {
  static constexpr Direction own = direction(X::kind);
  static constexpr Direction value = own == Direction::any ? DirectionOf<V>::value : own;
};
template <class V, class W>
struct DirectionOf<Added<V, W>> {
  static constexpr Direction first = DirectionOf<V>::value;
  static constexpr Direction value = first == Direction::any ? DirectionOf<W>::value : first;
};
template <class V>
struct DirectionOf<Negated<V>> : DirectionOf<V> {};

}  // namespace linkwright::operators
