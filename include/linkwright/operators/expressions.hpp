#pragma once
/// The spatial operators and their algebra. An expression is a type without data: it says what to
/// do, not at which configuration (that is an Operators object).
///
///     using namespace linkwright::operators;
///     auto mass = H * phi * M * transpose(phi) * transpose(H);                         // (3.20)
///     auto minv = transpose(I - H * Psi * L) * inverse(D) * (I - H * Psi * L);         // (4.16)
///
/// Expressions whose spaces do not match do not compile: in `H * H` the right factor gives joint
/// efforts, the left one takes link forces.

#include <concepts>
#include <type_traits>

#include "linkwright/operators/spaces.hpp"

namespace linkwright::operators {

/// What every expression knows of itself.
template <Space to, Space from, Kind k>
struct Expression {
  static constexpr Space range = to, domain = from;
  static constexpr Kind kind = k;
};
template <class X>
concept Operator = requires {
  { X::range } -> std::convertible_to<Space>;
  { X::domain } -> std::convertible_to<Space>;
  { X::kind } -> std::convertible_to<Kind>;
};

/// The left factor takes what the right factor gives.
template <class X, class Y>
concept Chains = Operator<X> && Operator<Y> && X::domain == Y::range;
/// The terms map between the same spaces.
template <class X, class Y>
concept Adds = Operator<X> && Operator<Y> && X::range == Y::range&& X::domain == Y::domain;
template <class X>
concept Square = Operator<X> && X::range == X::domain;

/// The operators of the paper. `Letter` says which; the sweeps give it a meaning.
enum class Letter {
  phi,        // φ(k, j), link forces carried rigidly to all nodes inboard       (3.4)
  Phi,        // Φ = φ S                                                         (4.9)
  phi_tilde,  // φ̃ = φ − I                                                       (a.3)
  psi,        // ψ, the same with the joints in between free to give way         (5.1)
  Psi,        // Ψ = ψ S                                                         (4.10)
  psi_tilde,  // ψ̃ = ψ − I                                                       (5.11)
  S,          // inboard forces of the children, summed at the parent            (5.2)
  delta_phi,  // Δφ = diag φ(p, k)                                               (a.4)
  delta_psi,  // Δψ = diag ψ(p, k)                                               (a.5)
  H,          // joint efforts of link forces                                    (3.5)
  M,          // body inertias                                                   (3.6)
  P,          // articulated inertias                                            (4.5)
  D,          // joint inertias H P Hᵀ + R                                       (4.6)
  D_inverse,
  HPH_inverse,  // (H P Hᵀ)⁻¹: D⁻¹ of a system without rotors, and refused on any other
  G,            // Kalman gain P Hᵀ D⁻¹                                            (5.12)
  L,            // Δφ G                                                            (a.12)
  R,            // rotor inertias, which the paper does not have
  B,            // tip forces to the links that carry the frames                   (3.7)
  E,            // base motion to the links that stand on the world                (3.8)
};

template <Letter letter, Space to, Space from, Kind k>
struct Leaf : Expression<to, from, k> {};
template <class X>
struct Transposed : Expression<dual(X::domain), dual(X::range), transposed(X::kind)> {};
template <class X, class Y>
struct Product : Expression<X::range, Y::domain, product_kind(X::kind, Y::kind)> {};
template <class X, class Y>
struct Sum : Expression<X::range, X::domain, sum_kind(X::kind, Y::kind)> {};
template <class X>
struct Negative : Expression<X::range, X::domain, X::kind> {};
template <Space s>
struct Identity : Expression<s, s, Kind::memoryless> {};
/// I of whichever space the rest of a sum is on.
struct AnyIdentity {};

inline constexpr AnyIdentity I;
inline constexpr Leaf<Letter::phi, Space::link_force, Space::link_force, Kind::causal> phi;
inline constexpr Leaf<Letter::Phi, Space::link_force, Space::inboard_force, Kind::strictly_causal>
    Phi;
inline constexpr Leaf<Letter::phi_tilde, Space::link_force, Space::link_force,
                      Kind::strictly_causal>
    phi_tilde;
inline constexpr Leaf<Letter::psi, Space::link_force, Space::link_force, Kind::causal> psi;
inline constexpr Leaf<Letter::Psi, Space::link_force, Space::inboard_force, Kind::strictly_causal>
    Psi;
inline constexpr Leaf<Letter::psi_tilde, Space::link_force, Space::link_force,
                      Kind::strictly_causal>
    psi_tilde;
inline constexpr Leaf<Letter::S, Space::link_force, Space::inboard_force, Kind::strictly_causal> S;
inline constexpr Leaf<Letter::delta_phi, Space::inboard_force, Space::link_force, Kind::memoryless>
    Delta_phi;
inline constexpr Leaf<Letter::delta_psi, Space::inboard_force, Space::link_force, Kind::memoryless>
    Delta_psi;
inline constexpr Leaf<Letter::H, Space::joint_effort, Space::link_force, Kind::memoryless> H;
inline constexpr Leaf<Letter::M, Space::link_force, Space::link_motion, Kind::memoryless> M;
inline constexpr Leaf<Letter::P, Space::link_force, Space::link_motion, Kind::memoryless> P;
inline constexpr Leaf<Letter::D, Space::joint_effort, Space::joint_rate, Kind::memoryless> D;
inline constexpr Leaf<Letter::G, Space::link_force, Space::joint_effort, Kind::memoryless> G;
inline constexpr Leaf<Letter::L, Space::inboard_force, Space::joint_effort, Kind::memoryless> L;
inline constexpr Leaf<Letter::R, Space::joint_effort, Space::joint_rate, Kind::memoryless> R;
inline constexpr Leaf<Letter::B, Space::link_force, Space::tip_force, Kind::memoryless> B;
inline constexpr Leaf<Letter::E, Space::link_motion, Space::base_motion, Kind::memoryless> E;

// Products, sums.
template <class X, class Y>
requires Chains<X, Y>
constexpr Product<X, Y> operator*(X, Y) { return {}; }
template <class X, class Y>
requires Adds<X, Y>
constexpr Sum<X, Y> operator+(X, Y) { return {}; }
template <Operator X>
constexpr Negative<X> operator-(X) {
  return {};
}
template <class X, class Y>
requires Adds<X, Y>
constexpr Sum<X, Negative<Y>> operator-(X, Y) { return {}; }
template <Square X>
constexpr Sum<Identity<X::range>, X> operator+(AnyIdentity, X) {
  return {};
}
template <Square X>
constexpr Sum<Identity<X::range>, Negative<X>> operator-(AnyIdentity, X) {
  return {};
}
template <Square X>
constexpr Sum<X, Identity<X::range>> operator+(X, AnyIdentity) {
  return {};
}
template <Square X>
constexpr Sum<X, Negative<Identity<X::range>>> operator-(X, AnyIdentity) {
  return {};
}

// Transposes move inwards, down to the letters.
template <Letter l, Space to, Space from, Kind k>
constexpr Transposed<Leaf<l, to, from, k>> transpose(Leaf<l, to, from, k>) {
  return {};
}
template <class X>
constexpr X transpose(Transposed<X>) {
  return {};
}
template <Space s>
constexpr Identity<dual(s)> transpose(Identity<s>) {
  return {};
}
template <class X>
constexpr auto transpose(Negative<X>) {
  return -transpose(X{});
}
template <class X, class Y>
constexpr auto transpose(Product<X, Y>) {
  return transpose(Y{}) * transpose(X{});
}
template <class X, class Y>
constexpr auto transpose(Sum<X, Y>) {
  return transpose(X{}) + transpose(Y{});
}
// Block diagonal and symmetric letters are their own transposes.
using InverseD = Leaf<Letter::D_inverse, Space::joint_rate, Space::joint_effort, Kind::memoryless>;
using InverseHPH =
    Leaf<Letter::HPH_inverse, Space::joint_rate, Space::joint_effort, Kind::memoryless>;
constexpr auto transpose(decltype(M)) { return M; }
constexpr auto transpose(decltype(P)) { return P; }
constexpr auto transpose(decltype(D)) { return D; }
constexpr auto transpose(decltype(R)) { return R; }
constexpr auto transpose(InverseD x) { return x; }
constexpr auto transpose(InverseHPH x) { return x; }

/// An expression with its products bracketed from the left, as they are without brackets: the same
/// line is the same type however it was put together.
template <class X>
constexpr X flat(X x) {
  return x;
}
template <class X, class Y>
constexpr auto append(X, Y) {
  return Product<X, Y>{};
}
template <class X, class Y, class Z>
constexpr auto append(X x, Product<Y, Z>) {
  return Product<decltype(append(x, Y{})), Z>{};
}
template <class X>
constexpr auto flat(Negative<X>) {
  return Negative<decltype(flat(X{}))>{};
}
template <class X, class Y>
constexpr auto flat(Sum<X, Y>) {
  return Sum<decltype(flat(X{})), decltype(flat(Y{}))>{};
}
template <class X, class Y>
constexpr auto flat(Product<X, Y>) {
  return append(flat(X{}), flat(Y{}));
}
template <class X>
inline constexpr bool is_flat = std::is_same_v<decltype(flat(X{})), X>;

/// The inverses that the paper knows.
constexpr auto inverse(decltype(D)) { return InverseD{}; }
constexpr auto inverse(InverseD) { return D; }
constexpr auto inverse(decltype(phi)) { return I - S * Delta_phi; }  // (a.11)
constexpr auto inverse(decltype(psi)) { return I - S * Delta_psi; }  // (a.10)
constexpr auto inverse(decltype(I - S * Delta_phi)) { return phi; }
constexpr auto inverse(decltype(I - S * Delta_psi)) { return psi; }
constexpr auto inverse(decltype(I + H * Phi * L)) { return I - H * Psi * L; }  // (4.14)
constexpr auto inverse(decltype(I - H * Psi * L)) { return I + H * Phi * L; }
constexpr auto inverse(decltype(transpose(phi))) { return transpose(inverse(phi)); }
constexpr auto inverse(decltype(transpose(psi))) { return transpose(inverse(psi)); }
constexpr auto inverse(decltype(transpose(I - S * Delta_phi))) { return transpose(phi); }
constexpr auto inverse(decltype(transpose(I - S * Delta_psi))) { return transpose(psi); }
constexpr auto inverse(decltype(flat(transpose(I + H * Phi * L)))) {
  return transpose(I - H * Psi * L);
}
constexpr auto inverse(decltype(flat(transpose(I - H * Psi * L)))) {
  return transpose(I + H * Phi * L);
}
constexpr auto inverse(decltype(I + Phi * L * H)) { return I - Psi * L * H; }  // (a.15), (a.22)
constexpr auto inverse(decltype(I - Psi * L * H)) { return I + Phi * L * H; }
constexpr auto inverse(decltype(I + S * L * H * phi)) {
  return I - S * L * H * psi;
}  // (a.14), (a.23)
constexpr auto inverse(decltype(I - S * L * H * psi)) { return I + S * L * H * phi; }
constexpr auto inverse(decltype(I + L * H * Phi)) { return I - L * H * Psi; }  // (a.16), (a.25)
constexpr auto inverse(decltype(I - L * H * Psi)) { return I + L * H * Phi; }
/// The mass operator H φ M φᵀ Hᵀ + R, whose factors have no inverses of their own: theorem 4.1.
using MassOperator = std::remove_const_t<decltype(H * phi * M * transpose(phi) * transpose(H))>;
constexpr auto inverse(decltype(MassOperator{} + R)) {
  return transpose(I - H * Psi * L) * inverse(D) * (I - H * Psi * L);
}
constexpr auto inverse(decltype(R + MassOperator{})) { return inverse(MassOperator{} + R); }
/// As the paper writes it, without R. D contains R, so that this is the same on a system without
/// rotors, and on any other is refused when it is applied.
constexpr auto inverse(MassOperator) {
  return transpose(I - H * Psi * L) * InverseHPH{} * (I - H * Psi * L);
}
/// Factor by factor, unless the product as a whole has an inverse. That of inverse(mass) is mass, and
/// not made of H P Hᵀ: on a system with rotors the factors around it are not those of mass alone.
template <class X, class Y>
constexpr auto inverse(Product<X, Y> product) {
  using Flat = decltype(flat(product));
  if constexpr (std::is_same_v<Flat, MassOperator>)
    return inverse(MassOperator{});
  else if constexpr (std::is_same_v<Flat, decltype(flat(inverse(MassOperator{})))>)
    return MassOperator{};
  else
    return inverse(Y{}) * inverse(X{});
}
template <class X, class Y>
requires(!is_flat<Sum<X, Y>>) constexpr auto inverse(Sum<X, Y> sum) { return inverse(flat(sum)); }

/// Whether an expression has a meaning only on systems without rotors.
template <class X>
inline constexpr bool excludes_rotors = std::is_same_v<X, InverseHPH>;
template <class X>
inline constexpr bool excludes_rotors<Negative<X>> = excludes_rotors<X>;
template <class X, class Y>
inline constexpr bool excludes_rotors<Product<X, Y>> = excludes_rotors<X> || excludes_rotors<Y>;
template <class X, class Y>
inline constexpr bool excludes_rotors<Sum<X, Y>> = excludes_rotors<X> || excludes_rotors<Y>;

/// Whether an expression speaks of frames.
template <class X>
inline constexpr bool uses_tips = is_tip(X::range) || is_tip(X::domain);
template <class X>
inline constexpr bool uses_tips<Negative<X>> = uses_tips<X>;
template <class X, class Y>
inline constexpr bool uses_tips<Product<X, Y>> = uses_tips<X> || uses_tips<Y>;
template <class X, class Y>
inline constexpr bool uses_tips<Sum<X, Y>> = uses_tips<X> || uses_tips<Y>;

}  // namespace linkwright::operators
