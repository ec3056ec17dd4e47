#pragma once
/// First derivatives of forward dynamics from those of inverse dynamics at the accelerations that the
/// efforts produce:
///
///     dv̇/dT = 𝓜⁻¹,  dv̇/dq = −𝓜⁻¹ dT/dq,  dv̇/dv = −𝓜⁻¹ dT/dv
///
/// Given    place(k), q, v, v̇, forces
/// Cost     that of inverse dynamics' derivatives with 𝓜, of 𝓜⁻¹ and of two products (mass_factors.hpp)

#include "linkwright/dynamics/sweeps/derivatives/forces.hpp"
#include "linkwright/dynamics/sweeps/derivatives/mass_factors.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// Springs between bodies reach where no pair is.
template <class B>
LINKWRIGHT_INLINE Entries entries_of(const Tree<B>& tree) {
  return tree.body_forces.line_springs.empty() ? Entries::related : Entries::full;
}

template <class T>
void forward_dynamics_derivatives(const Tree<Constant<T>>& tree, Scratch<T>& s,
                                  DerivativeScratch<T>& d, const T* q, const T* v, const T* a,
                                  const ExternalLoads<Constant<T>>& loads, const Square<T>& by_q,
                                  const Square<T>& by_v, const Square<T>& by_tau) {
  const Square<T> room = factor_room(d, by_tau);
  derivatives_and_mass(tree, s, d, v, a, loads, by_q, by_v, PackedMass<T>{room});
  add_force_derivatives(tree, s, d, q, loads, by_q, by_v);
  factorize_mass_matrix(tree.nv, d, room);
  invert_mass_matrix(tree, d, room, by_tau);
  const Entries entries = entries_of(tree);
  multiply_by_inverse(tree, d, by_tau, entries, by_q);
  multiply_by_inverse(tree, d, by_tau, entries, by_v);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
