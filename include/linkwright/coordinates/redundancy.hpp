#pragma once
/// Arms with more joints than the task asks for: the joint rates of least weight (Freeman, 4-65 … 4-75).
///
///     Influence tip = compute_frame_influence(work, q, system.frame("tip"), linkwright::Axes::world);
///     RedundantTransfer hand(tip, compute_kinetic_energy_weight(work, q));
///     DynamicModel effort = refer_to(compute_joint_model(work, state, {}), hand.initial());   // T_φ by u
///     Eigen::VectorXd v = hand.initial().G.view() * tip_rate;                         // least energy
///
/// At velocity level φ̇ᵀ W φ̇ is least; [H] of initial() is the rate of that answer, with the weight's own
/// derivative. The paper's (4-72) leaves out the rates of W and of the pseudo-inverse's null space; it
/// is the answer whose *acceleration* is least: least_acceleration().

#include "linkwright/coordinates/dynamic_model.hpp"

namespace linkwright::coordinates {

/// W, positive definite, and its derivatives.
struct Weight {
  Matrix W;    ///< n × n
  Array rate;  ///< plane k: Ẇ while coordinate k alone moves at unit rate
};
/// The same at every position.
Weight constant_weight(const ConstMatrixRef& W);
/// The mass matrix: φ̇ᵀ W φ̇ is twice the kinetic energy.
Weight compute_kinetic_energy_weight(Workspace& work, const ConstVectorRef& q);

class RedundantTransfer {
 public:
  /// Throws Error where u are more than φ or W is not positive definite, and (failed_computation) where
  /// u cannot be moved independently (Transfer::worst_condition).
  RedundantTransfer(const Influence& u_by_phi, Weight weight);

  [[nodiscard]] double condition() const { return condition_; }
  /// φ by u: [G]⁻ᴿ = W⁻¹[G]ᵀ([G]W⁻¹[G]ᵀ)⁻¹ (4-69), (4-70) and its rate.
  [[nodiscard]] const Influence& initial() const { return initial_; }
  /// φ by u: the same [G], and [H] = −[G]⁻ᴿᵀ([G]⁻ᴿ • [H^u])[G]⁻ᴿ (4-72).
  [[nodiscard]] const Influence& least_acceleration() const { return least_acceleration_; }
  /// N = I − [G]⁻ᴿ[G]: rates N ξ move u not at all.
  [[nodiscard]] const Matrix& null_space() const { return null_space_; }

  /// φ̇ = [G]⁻ᴿ u̇ + N ξ.
  void compute_rates(const ConstVectorRef& u_rate, const ConstVectorRef& xi, VectorRef rates) const;
  /// Its rate, φ̈, for ü and ξ̇.
  void compute_accelerations(const ConstVectorRef& u_rate, const ConstVectorRef& u_acceleration,
                             const ConstVectorRef& xi, const ConstVectorRef& xi_rate,
                             VectorRef accelerations) const;

 private:
  Influence u_by_phi_, initial_, least_acceleration_;
  Weight weight_;
  Matrix null_space_, flexible_;  // W⁻¹ Nᵀ = N W⁻¹
  Matrix Lambda_;                 // ([G]W⁻¹[G]ᵀ)⁻¹
  double condition_ = 1;
};

}  // namespace linkwright::coordinates
