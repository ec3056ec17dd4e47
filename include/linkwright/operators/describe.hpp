#pragma once
/// Expressions in the paper's letters: "(I − H Ψ L)ᵀ" is printed as "I − Lᵀ Ψᵀ Hᵀ".
///
///     std::cout << describe(H * phi * M * transpose(phi) * transpose(H));   // H φ M φᵀ Hᵀ

#include <string>

#include "linkwright/operators/vectors.hpp"

namespace linkwright::operators {

constexpr const char* name(Letter l) {
  constexpr const char* names[] = {"φ", "Φ", "φ̃", "ψ",   "Ψ",   "ψ̃", "S", "Δφ", "Δψ", "H",
                                   "M", "P", "D", "D⁻¹", "D⁻¹", "G", "L", "R",  "B",  "E"};
  return names[static_cast<int>(l)];
}

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
  const std::string text = factor(X{});
  return "−" + (text.starts_with("−") ? "(" + text + ")" : text);
}
/// "a + b", or "a − b" where the second begins with a minus.
inline std::string joined(const std::string& first, const std::string& second) {
  constexpr std::string_view minus = "−";
  if (second.starts_with(minus)) return first + " − " + second.substr(minus.size());
  return first + " + " + second;
}
template <class X, class Y>
std::string text_of(Sum<X, Y>) {
  return joined(text_of(X{}), text_of(Y{}));
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
/// As the operand of a letter or of a minus.
template <class V>
std::string bracketed(const V& v) {
  const std::string text = text_of(v);
  return is_added<V> || text.starts_with("−") ? "(" + text + ")" : text;
}
template <class V>
std::string text_of(const Negated<V>& v) {
  return "−" + bracketed(v.v);
}
template <class V, class W>
std::string text_of(const Added<V, W>& v) {
  return joined(text_of(v.v), text_of(v.w));
}
template <class X, class V>
std::string text_of(const Applied<X, V>& v) {
  return factor(X{}) + " " + bracketed(v.v);
}

template <class X>
std::string describe(X x) {
  return text_of(x);
}

}  // namespace linkwright::operators
