#pragma once
/// What one closure demands and carries, and how both change when the motion of its frames does.
///
/// Given    X, V, V̇ of b in a (PairMotion), λ in its rows, efforts at its freedoms
/// Computes rows W, closing rows w, the force on b  F = Σ λ W + Σ e w,  e = efforts − rotor · (w · V̇ + ẇ · V),
///          and for a change (ξ, δV, δV̇) of the motion, X → X exp ξ, by dual numbers through the rows
///          themselves: those of W · V, of W · V̇ + Ẇ · V, of w · V, of w · V̇ + ẇ · V and of F at fixed λ
/// Cost     O(1). Lower pairs have constant rows and need no dual numbers.

#include "closure/derivatives/pair_motion.hpp"
#include "linkwright/closure/meeting.hpp"

namespace linkwright::closure {

struct MotionChange {
  Motion xi{}, V{}, A{};
};

struct PairChange {
  double velocity[6]{}, acceleration[6]{};  // of the rows
  double rate[6]{}, rate_rate[6]{};         // of the closing freedoms
  Force F{};
};

/// A pair at a motion.
class PairForce {
 public:
  /// `lambda`: one per row; `efforts`: one per freedom, without what rotors take.
  PairForce(const ClosurePlace& place, const PairMotion& motion, const double* lambda,
            const double* efforts);

  [[nodiscard]] const Force& W(int i) const { return row_[i].W; }
  [[nodiscard]] const Force& w(int i) const { return closing_[i].W; }
  [[nodiscard]] const Force& F() const { return F_; }
  /// Of the row's velocity: zero while it is closed.
  [[nodiscard]] PairChange change(const MotionChange& by) const;

 private:
  void find_stiffness();

  const ClosurePlace& place_;
  const PairMotion& motion_;
  const double* lambda_;
  Row<double> row_[6], closing_[6];
  double effort_[6]{};        // with what rotors take
  double stiffness_[6][6]{};  // −∂ effort by the displacement of the freedoms
  Force F_{};
};

/// Efforts of a pose's springs per unit of the displacement of its freedoms, in the order of its modes.
void pose_spring_stiffness(const ClosurePlace& place, const Pose& X, double (&out)[6][6]);

}  // namespace linkwright::closure
