#pragma once
/// The letters with memory. Each occurrence in an expression owns one spatial vector per node.
///
/// Causal, tip → base: `left[k]` is the sum of what the children of k sent.
///   z = left(k) (+ x(k)),  sends φ(p, k) w to the parent, w = z or (I − G H) z, plus x where it is
///   an inboard vector or a tilde
/// Anticausal, base → tip: `left[k]` is λ(k).
///   m = φᵀ(p, k) λ(p),  λ(k) = x(k) + m or (I − G H)ᵀ m

#include "linkwright/operators/sweeps/aggregate_letters.hpp"

namespace linkwright::operators {
inline namespace LINKWRIGHT_ISA {

/// a + b and −a of whatever an expression is at a node, joint vectors number by number.
template <class V, class W>
LINKWRIGHT_INLINE auto plus(V a, const W& b) {
  if constexpr (requires { a.count; }) {
    for (int i = 0; i < a.count; ++i) a[i] += b[i];
    return a;
  } else {
    return a + b;
  }
}
template <class V>
LINKWRIGHT_INLINE auto minus(V a) {
  if constexpr (requires { a.count; }) {
    for (int i = 0; i < a.count; ++i) a[i] = -a[i];
    return a;
  } else {
    return -a;
  }
}

constexpr bool gives_way(Letter l) {
  return l == Letter::psi || l == Letter::Psi || l == Letter::psi_tilde;
}

/// φ, Φ, φ̃, ψ, Ψ, ψ̃ and S at one node, x being a link or an inboard vector.
template <Letter l, class At, class X, class T>
LINKWRIGHT_INLINE auto recur(const At& here, const X& x, Force<T>* left) {
  auto z = here.read(left);
  if constexpr (l == Letter::phi || l == Letter::psi) z = plus(z, x);
  if (here.parent() == 0) return z;
  if constexpr (l == Letter::S) {
    left[here.parent()] += here.arrive(x);
  } else {
    auto sends = z;
    if constexpr (l == Letter::phi_tilde || l == Letter::psi_tilde) sends = plus(sends, x);
    if constexpr (gives_way(l)) sends = give_way(here, sends);
    Force<T> u = here.inboard(sends);
    if constexpr (l == Letter::Phi || l == Letter::Psi) u += x;
    left[here.parent()] += here.arrive(u);
  }
  return z;
}
/// Their transposes.
template <Letter l, class At, class X, class T>
LINKWRIGHT_INLINE auto recur(const At& here, const X& x, Motion<T>* left) {
  Motion<T> m{};
  if (here.parent() != 0) m = here.depart(left[here.parent()]);
  if constexpr (l == Letter::S) {
    here.write(x, left);
    return m;
  } else {
    auto passed = X(here.outboard(m));
    if constexpr (gives_way(l)) passed = give_way(here, passed);
    const auto sum = plus(passed, x);
    here.write(sum, left);
    if constexpr (l == Letter::phi || l == Letter::psi)
      return sum;
    else if constexpr (l == Letter::phi_tilde || l == Letter::psi_tilde)
      return passed;
    else
      return m;
  }
}

constexpr bool has_memory(Letter l) { return l <= Letter::S; }

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
