#pragma once
/// What all joints need along a motion, with its derivatives in time: inverse dynamics on Taylor series.
///
/// Given    q and the derivatives v, v̇, v̈, … of a motion; series of multipliers of the closures' rows and of
///          efforts at closing joints and shafts
/// Computes n − Jᵀ λ − Lᵀ T as a series; n holds what the model itself pushes with, at closing joints too.
///          L μ and J μ for a series μ of joint rates
/// Cost     O(N + closures), about ten times that of plain numbers

#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/spatial/jet.hpp"

namespace linkwright::actuation {

/// Up to the third derivative: that of an effort follows from the fifth of a position.
constexpr int series_orders = 4;
using Series = spatial::Jet<series_orders>;
using SeriesVector = std::vector<Series>;

class EffortSeries {
 public:
  explicit EffortSeries(const System& system);

  /// Columns of `rates`: accelerations, jerk, snap, crackle, as far as they are known; what depends on those
  /// that are not is left without meaning.
  void place(ClosedWorkspace& work, const State& state, const ConstMatrixRef& rates);
  /// The rest n − Jᵀ λ − Lᵀ T. `closing`: efforts on the freedoms of closing joints (System::closing_names).
  void compute_rest(const SeriesVector& lambda, const SeriesVector& closing, SeriesVector& rest);
  /// What the closures' rows and closing joints read of rates μ.
  void compute_rows(const SeriesVector& mu, SeriesVector& closure_rates,
                    SeriesVector& closing_rates);

  /// By compute_rest: J v̇ + J̇ v of the closures' rows, zero while they stay closed, and the rates of closing
  /// joints.
  SeriesVector closure_accelerations, closing_rates;
  /// Rates of the joints, by place.
  [[nodiscard]] const SeriesVector& v() const { return v_; }

 private:
  void place_positions(const State& state);
  void push_pair(const ClosurePlace& c, const SeriesVector& lambda, const SeriesVector& closing);
  void push_joints(const ClosurePlace& c, const SeriesVector& lambda, const SeriesVector& closing);

  const System* system_;
  Scratch<Series> s_, other_;  // along the motion, and along other rates at the same place
  std::vector<spatial::Force<Series>> own_forces_;  // of springs and loads on bodies
  SeriesVector q_, v_, a_, needed_, own_, given_;
  Eigen::VectorXd positions_;  // of closing joints
};

}  // namespace linkwright::actuation
