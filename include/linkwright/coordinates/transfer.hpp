#pragma once
/// Transfer of generalized coordinates: from those in which a model is easily written to those in which
/// it is wanted (Freeman, chapter III).
///
///     Influence tip = compute_frame_influence(work, q, system.frame("tip"), linkwright::Axes::world);
///     Transfer to_tip(tip);                                       // six joints: φ → q = [ω; v]
///     DynamicModel at_tip = to_tip.apply(compute_joint_model(work, state, {}));
///     Influence joints = to_tip.initial();                        // φ̇ = [G] q̇, φ̈ = [G] q̈ + q̇ᵀ[H] q̇

#include "linkwright/coordinates/dynamic_model.hpp"

namespace linkwright::coordinates {

class Transfer {
 public:
  /// From φ to q, given q by φ: as many as there are φ. Throws Error where they are not, naming what stays
  /// open or depends on others, and (failed_computation) where they do not determine φ: where the scaled
  /// condition number exceeds `worst_condition`; it tells the smallest singular value, the direction of q that
  /// is lost, in words, the q that depend on each other, and the motion that they leave open.
  explicit Transfer(const Influence& q_by_phi);

  static constexpr double worst_condition = 1e6;
  /// Largest singular value of [G^q_φ] (at least 1) over the smallest, every parameter measured in its
  /// unit: 1 at best.
  [[nodiscard]] double condition() const { return condition_; }

  /// φ by q: [G^q_φ]⁻¹ (3-15), −[G]⁻ᵀ([G]⁻¹ • [H^q_φφ])[G]⁻¹ (3-19), and, where q by φ has it, the third
  /// order that the paper leaves as (3-47).
  [[nodiscard]] const Influence& initial() const { return initial_; }
  /// u by q from u by φ (3-22), (3-26).
  [[nodiscard]] Influence apply(const Influence& u_by_phi) const;
  /// S_q from S_φ (3-34)–(3-36).
  [[nodiscard]] DynamicModel apply(const DynamicModel& model) const;

 private:
  Influence initial_;
  double condition_ = 1;
};

}  // namespace linkwright::coordinates
