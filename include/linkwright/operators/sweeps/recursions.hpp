#pragma once
/// The letters with memory. Each occurrence in an expression owns one spatial vector per node.
///
/// Causal, tip → base: `left[k]` is the sum of what the children of k sent.
///   z = left(k) (+ x(k)),  sends φ(p, k) w to the parent, w = z or (I − G H) z, plus x where it is
///   an inboard vector or a tilde
/// Anticausal, base → tip: `left[k]` is λ(k).
///   m = φᵀ(p, k) λ(p),  λ(k) = x(k) + m or (I − G H)ᵀ m

#include "linkwright/operators/sweeps/letters.hpp"

namespace linkwright::operators {
inline namespace LINKWRIGHT_ISA {

constexpr bool gives_way(Letter l) {
  return l == Letter::psi || l == Letter::Psi || l == Letter::psi_tilde;
}

/// φ, Φ, φ̃, ψ, Ψ, ψ̃ and S at node k.
template <Letter l, class T, class J>
LINKWRIGHT_INLINE Force<T> recur(const Here<T, J>& here, const Force<T>& x, Force<T>* left) {
  Force<T> z = left[here.k];
  if constexpr (l == Letter::phi || l == Letter::psi) z += x;
  if (here.n.parent == 0) return z;
  Force<T> sends = z;
  if constexpr (l == Letter::S) sends = {};
  if constexpr (l == Letter::phi_tilde || l == Letter::psi_tilde) sends += x;
  if constexpr (gives_way(l)) sends = give_way(here, sends);
  if constexpr (l == Letter::Phi || l == Letter::Psi || l == Letter::S) sends += x;
  left[here.n.parent] += here.to_parent(sends);
  return z;
}
/// Their transposes.
template <Letter l, class T, class J>
LINKWRIGHT_INLINE Motion<T> recur(const Here<T, J>& here, const Motion<T>& x, Motion<T>* left) {
  Motion<T> m{};
  if (here.n.parent != 0) m = here.to_child(left[here.n.parent]);
  Motion<T> passed = m;
  if constexpr (gives_way(l)) passed = give_way(here, m);
  if constexpr (l == Letter::S)
    left[here.k] = x;
  else
    left[here.k] = passed + x;
  if constexpr (l == Letter::phi || l == Letter::psi) return left[here.k];
  if constexpr (l == Letter::phi_tilde || l == Letter::psi_tilde) return passed;
  return m;
}

constexpr bool has_memory(Letter l) { return l <= Letter::S; }

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
