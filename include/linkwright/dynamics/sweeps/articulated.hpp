#pragma once
/// The filter's step at one joint, shared by forward dynamics and by M⁻¹ times a vector:
/// elimination of the joint's own freedoms from the articulated inertia, and the matching step for
/// forces and accelerations. What is kept in between is in gains.hpp.

#include "linkwright/dynamics/sweeps/scratch.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// Eliminates the joint's own freedoms as far as the joint itself needs to know.
template <class J, class T, class B>
LINKWRIGHT_INLINE void eliminate(J joint, const Tree<B>& tree, const Node<B>& n,
                                 const ArticulatedInertia<T>& P, Scratch<T>& s, int k) {
  J::gain(s, n, k).find(joint, tree, n, P);
}
/// P⁺, what the parent feels of P through the joint.
template <class J, class T, class B>
LINKWRIGHT_INLINE auto remainder(J joint, const Tree<B>& tree, const Node<B>& n,
                                 const ArticulatedInertia<T>& P, const Scratch<T>& s, int k) {
  return J::gain(s, n, k).remainder(joint, tree, n, P);
}
/// ε = T − H z, and z + G ε: what the joint passes on towards the base.
template <class J, class T, class B>
LINKWRIGHT_INLINE Force<T> filter(J joint, const Tree<B>& tree, const Node<B>& n, const T* tau,
                                  const Force<T>& z, Scratch<T>& s, int k) {
  return J::gain(s, n, k).filter(joint, tree, n, tau, z);
}
/// v̇ = ν − Gᵀ α′, and α = α′ + H* v̇, for α′ = φᵀ α(parent) + a.
template <class J, class T, class B>
LINKWRIGHT_INLINE void smooth(J joint, const Tree<B>& tree, const Node<B>& n, Motion<T>& alpha,
                              T* a, const Scratch<T>& s, int k) {
  J::gain(s, n, k).smooth(joint, n, alpha, a);
  joint.accelerate(tree, n, a, alpha);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
