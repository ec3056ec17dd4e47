#pragma once
/// Expressions in the paper's letters: "(I − H Ψ L)ᵀ" is printed as "I − Lᵀ Ψᵀ Hᵀ".

#include <string>

#include "linkwright/operators/vectors.hpp"

namespace linkwright::operators {

constexpr const char* name(Letter l) {
  constexpr const char* names[] = {"φ", "Φ", "φ̃", "ψ",   "Ψ", "ψ̃", "S", "Δφ", "Δψ", "H",
                                   "M", "P", "D", "D⁻¹", "G", "L", "R", "B",  "E"};
  return names[static_cast<int>(l)];
}

template <class X>
std::string describe(X x);

template <Letter l, Space to, Space from, Kind k>
std::string text_of(Leaf<l, to, from, k>) {
  return name(l);
}
template <class X>
std::string text_of(Transposed<X>) {
  return text_of(X{}) + "ᵀ";
}
template <Space s>
std::string text_of(Identity<s>) {
  return "I";
}
template <class X>
std::string factor(X x);
template <class X>
std::string text_of(Negative<X>) {
  return "−" + factor(X{});
}
template <class X, class Y>
std::string text_of(Sum<X, Y>) {
  const std::string second = text_of(Y{});
  constexpr std::string_view minus = "−";
  if (second.starts_with(minus)) return text_of(X{}) + " − " + second.substr(minus.size());
  return text_of(X{}) + " + " + second;
}
/// A sum stands in brackets within a product.
template <class X>
std::string factor(X x) {
  return is_sum<X> ? "(" + text_of(x) + ")" : text_of(x);
}
template <class X, class Y>
std::string text_of(Product<X, Y>) {
  const std::string second = factor(Y{});
  return factor(X{}) + " " + (second.starts_with("−") ? "(" + second + ")" : second);
}
template <Space s, class T>
std::string text_of(const Stacked<s, T>&) {
  return "x";
}
template <class V>
std::string text_of(const Negated<V>& v) {
  return "−" + text_of(v.v);
}
template <class V, class W>
std::string text_of(const Added<V, W>& v) {
  return "(" + text_of(v.v) + " + " + text_of(v.w) + ")";
}
template <class X, class V>
std::string text_of(const Applied<X, V>& v) {
  return factor(X{}) + " " + text_of(v.v);
}

template <class X>
std::string describe(X x) {
  return text_of(x);
}

}  // namespace linkwright::operators
