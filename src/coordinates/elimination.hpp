#pragma once
/// c(φ) = const solved for as many of the φ as c determines.
///
/// Given    c by φ, and which of the φ may be eliminated
/// Computes β, the best conditioned of them; y, all others; φ by y; what is left of c
/// Equations  J = [J_y J_β]:  β̇ = −J_β⁺ J_y ẏ,  β̈ = … − J_β⁺ • ([G]ᵀ[H^c][G])   (4-18)–(4-23)
///          and the third order by the chain rule (third_order.hpp), where c has it.
///          J_β⁺ is the inverse where c is exactly enough, the least-squares one where rows of c say
///          the same twice (appendix D, Bricard). Rows that β cannot satisfy remain: Zᵀ c, Zᵀ J_β = 0.
/// Cost     O(n³), O(n⁴) for the n³ numbers of [H], O(n⁵) for the n⁴ of [D]

#include <Eigen/Core>

#include "linkwright/coordinates/influence.hpp"

namespace linkwright::coordinates {

struct Elimination {
  std::vector<Eigen::Index> beta;  // places among φ, in order of the pivots
  std::vector<Eigen::Index> y;     // ascending
  Influence initial;               // φ by y
  /// λ = carried · (loads that are missing at φ): c × φ, zero but at β. Of least norm in units.
  Eigen::MatrixXd carried;
  Eigen::MatrixXd Z;  // c × rest: forces on c that β does not feel, orthonormal in units
  Influence rest;     // Zᵀ c by y, to second order; rows that vanish are left out, of Z too
  double condition = 1;
};

/// `candidates`: places of φ that may be eliminated, each once.
Elimination eliminate(const Influence& c_by_phi, const std::vector<Eigen::Index>& candidates);

}  // namespace linkwright::coordinates
