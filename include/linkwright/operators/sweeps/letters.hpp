#pragma once
/// What each letter does at one node, given the values there and what its neighbours left.
///
/// An inboard vector u(k) = φ(p, k) u′ is kept as u′, in the child's frame: L, Δφ and Δψ then cost
/// nothing extra, and S, Φ and Ψ shift the sum of all that goes to the parent once.

#include <array>

#include "linkwright/dynamics/sweeps/articulated.hpp"
#include "linkwright/operators/expressions.hpp"

namespace linkwright::operators {

/// A frame for which B and Bᵀ speak.
template <class B>
struct Tip {
  int node;
  spatial::Pose<B> pose;  // in the node's frame
};

/// Everything the letters are made of at one configuration, and the memory of the sweeps.
template <class T>
struct OperatorData {
  using Constant = spatial::Constant<T>;
  explicit OperatorData(const Tree<Constant>& of)
      : tree(&of), s(of), P(of.nodes.size()), first_tip(of.nodes.size() + 1, 0) {}

  const Tree<Constant>* tree;
  Scratch<T> s;                                   // place, gain, wide
  std::vector<spatial::ArticulatedInertia<T>> P;  // [N + 1]
  std::vector<Tip<Constant>> tips;                // by node
  std::vector<int> tip_place;                     // where each of them is in a stacked vector
  std::vector<int> first_tip;                     // [N + 2]: those of node k start here
  // By number of the recursion within an expression.
  std::vector<std::vector<spatial::Force<T>>> forces;
  std::vector<std::vector<spatial::Motion<T>>> motions;
};

inline namespace LINKWRIGHT_ISA {

using spatial::Force, spatial::Motion, spatial::Vector3;

/// A node in a sweep.
template <class T, class J>
struct Here {
  OperatorData<T>& data;
  const Node<spatial::Constant<T>>& n;
  const sweeps::Place<T>& x;
  int k;

  [[nodiscard]] const Tree<spatial::Constant<T>>& tree() const { return *data.tree; }
  /// φ(p, k) f
  LINKWRIGHT_INLINE Force<T> to_parent(const Force<T>& f) const {
    return shift(J::offset(n, x),
                 Force<T>{J::to_parent(n, x, f.moment), J::to_parent(n, x, f.force)});
  }
  /// φᵀ(p, k) m
  LINKWRIGHT_INLINE Motion<T> to_child(const Motion<T>& m) const {
    const Motion<T> moved = shift(J::offset(n, x), m);
    return {J::to_child(n, x, moved.angular), J::to_child(n, x, moved.linear)};
  }
};
template <class T, class J>
using JointVector = std::array<T, J::freedoms>;

template <class T, class J>
LINKWRIGHT_INLINE JointVector<T, J> apply_H(const Here<T, J>& here, const Force<T>& f) {
  JointVector<T, J> tau;
  J::project(here.tree(), here.n, f, tau.data());
  return tau;
}
template <class T, class J>
LINKWRIGHT_INLINE Motion<T> apply_Ht(const Here<T, J>& here, const JointVector<T, J>& rate) {
  Motion<T> m{};
  J::accelerate(here.tree(), here.n, rate.data(), m);
  return m;
}
/// The factor of D = C Cᵀ, with reciprocals on its diagonal, and Y of a joint with several freedoms.
template <class T, class J>
LINKWRIGHT_INLINE const sweeps::WideGain<T>& wide_gain(const Here<T, J>& here) {
  return here.data.s.wide[static_cast<std::size_t>(here.n.wide)];
}
/// x = C⁻¹ x
template <class T, std::size_t d>
LINKWRIGHT_INLINE void solve_factor(const sweeps::WideGain<T>& gain, std::array<T, d>& x) {
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < i; ++j) x[i] -= gain.C[i][j] * x[j];
    x[i] = x[i] * gain.C[i][i];
  }
}
/// x = C⁻ᵀ x
template <class T, std::size_t d>
LINKWRIGHT_INLINE void solve_factor_transposed(const sweeps::WideGain<T>& gain,
                                               std::array<T, d>& x) {
  for (std::size_t i = d; i-- > 0;) {
    for (std::size_t j = i + 1; j < d; ++j) x[i] -= gain.C[j][i] * x[j];
    x[i] = x[i] * gain.C[i][i];
  }
}
/// G τ: G = P H*/D, or Y C⁻¹.
template <class T, class J>
LINKWRIGHT_INLINE Force<T> apply_G(const Here<T, J>& here, JointVector<T, J> tau) {
  if constexpr (std::is_base_of_v<sweeps::Wide, J>) {
    const auto& gain = wide_gain(here);
    solve_factor(gain, tau);
    Force<T> f{};
    for (std::size_t i = 0; i < tau.size(); ++i) f += tau[i] * gain.Y[i];
    return f;
  } else {
    return tau[0] * here.data.s.gain[static_cast<std::size_t>(here.k)].G;
  }
}
/// Gᵀ m
template <class T, class J>
LINKWRIGHT_INLINE JointVector<T, J> apply_Gt(const Here<T, J>& here, const Motion<T>& m) {
  JointVector<T, J> a;
  if constexpr (std::is_base_of_v<sweeps::Wide, J>) {
    const auto& gain = wide_gain(here);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = dot(gain.Y[i], m);
    solve_factor_transposed(gain, a);
  } else {
    a[0] = dot(here.data.s.gain[static_cast<std::size_t>(here.k)].G, m);
  }
  return a;
}
/// D⁻¹ τ
template <class T, class J>
LINKWRIGHT_INLINE JointVector<T, J> apply_D_inverse(const Here<T, J>& here, JointVector<T, J> tau) {
  if constexpr (std::is_base_of_v<sweeps::Wide, J>) {
    solve_factor(wide_gain(here), tau);
    solve_factor_transposed(wide_gain(here), tau);
  } else {
    tau[0] = here.data.s.gain[static_cast<std::size_t>(here.k)].D_inv * tau[0];
  }
  return tau;
}
template <class T, class J>
LINKWRIGHT_INLINE JointVector<T, J> apply_R(const Here<T, J>& here, const JointVector<T, J>& a) {
  JointVector<T, J> tau{};
  J::add_rotor(here.tree(), here.n, a.data(), tau.data());
  return tau;
}
/// D a = H P Hᵀ a + R a
template <class T, class J>
LINKWRIGHT_INLINE JointVector<T, J> apply_D(const Here<T, J>& here, const JointVector<T, J>& a) {
  JointVector<T, J> tau =
      apply_H(here, here.data.P[static_cast<std::size_t>(here.k)] * apply_Ht(here, a));
  J::add_rotor(here.tree(), here.n, a.data(), tau.data());
  return tau;
}
/// (I − G H) f and (I − G H)ᵀ m: what passes a joint that gives way.
template <class T, class J>
LINKWRIGHT_INLINE Force<T> give_way(const Here<T, J>& here, const Force<T>& f) {
  return f - apply_G(here, apply_H(here, f));
}
template <class T, class J>
LINKWRIGHT_INLINE Motion<T> give_way(const Here<T, J>& here, const Motion<T>& m) {
  return m - apply_Ht(here, apply_Gt(here, m));
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
