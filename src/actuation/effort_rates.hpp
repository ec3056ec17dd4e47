#pragma once
/// What all joints need along a motion, and its rate: inverse dynamics on dual numbers.
///
/// Given    q, v, v̇ and the jerk; constant multipliers of the closures' rows and torques of motors on closing
///          joints and shafts
/// Computes n − Jᵀ λ − Lᵀ T and its rate in time at constant λ and T; n holds what the model itself pushes with,
///          at closing joints too
/// Cost     O(N + closures), about three times that of plain numbers

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/spatial/dual.hpp"

namespace linkwright::actuation {

class EffortRates {
 public:
  explicit EffortRates(const System& system);

  struct Motion {
    const State& state;
    const ConstVectorRef& a;
    const ConstVectorRef& jerk;
  };
  /// `closing`: efforts on the freedoms of closing joints (System::closing_names).
  void compute(ClosedWorkspace& work, const Motion& motion, const Eigen::VectorXd& lambda,
               const Eigen::VectorXd& closing);

  Eigen::VectorXd value, rate;  ///< nv numbers each
  /// d/dt (J v̇ + J̇ v) of the closures' rows: zero while they stay closed.
  Eigen::VectorXd closure_jerk;

 private:
  using Dual = spatial::Dual;
  void place(const Motion& motion);
  void push_pair(const ClosurePlace& c, const Eigen::VectorXd& lambda,
                 const Eigen::VectorXd& closing);
  void push_joints(const ClosurePlace& c, const Eigen::VectorXd& lambda,
                   const Eigen::VectorXd& closing);

  const System* system_;
  Scratch<Dual> s_;
  std::vector<Dual> q_, v_, a_, needed_, given_;
  Eigen::VectorXd positions_;  // of closing joints
};

}  // namespace linkwright::actuation
