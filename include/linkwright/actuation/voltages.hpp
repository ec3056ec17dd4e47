#pragma once
/// What the motors must give along a motion: torques, currents and voltages (2-238 to 2-240), of trees and of
/// closed mechanisms driven from any joints; and the map from the motors to independent coordinates.
///
///     linkwright::actuation::NominalVoltages nominal(system);
///     linkwright::actuation::MotorDemand demand(nominal.drives());
///     nominal.compute(state, a, jerk, demand);
///     std::cout << demand.voltage.transpose() << '\n';          // one per motor of nominal.drives()
///
/// With n(t) what inverse dynamics asks of all joints, rotors, springs, damping and loads included, S the shafts
/// per joint rate (drives.hpp) and J the closures' rows:
///     n = Sᵀ T + Jᵀ λ                                  torques T of the motors, λ of the closures
///     d/dt (n − Sᵀ T − Jᵀ λ) = 0  →  Sᵀ Ṫ + Jᵀ λ̇ = ∂/∂t (n − Sᵀ T − Jᵀ λ) at constant T and λ
///     i = T/k,   V = La Ṫ/k + Ra i + k ω
/// The rate on the right comes from dual numbers along (v, a, j), exact to rounding: no difference is taken.
/// At rest dry friction counts as none.

#include <memory>

#include "linkwright/actuation/drives.hpp"

namespace linkwright::actuation {

/// Of every motor in Drives::list; currents and voltages of motors without an electrical side are NaN.
struct MotorDemand {
  explicit MotorDemand(const Drives& drives) {
    torque = torque_rate = current = voltage = speed = Eigen::VectorXd::Zero(drives.count());
  }
  Eigen::VectorXd torque, torque_rate;  ///< on the shaft, N m and N m/s; the rate only with a jerk
  Eigen::VectorXd current, voltage, speed;
};

class NominalVoltages {
 public:
  /// All motors of the model take part. Throws Error where it has none, and for one behind an elastic gear,
  /// whose shaft asks for a fourth derivative. The System must outlive it.
  explicit NominalVoltages(const System& system);
  ~NominalVoltages();
  explicit NominalVoltages(System&&) = delete;

  [[nodiscard]] const Drives& drives() const { return drives_; }
  /// Whether some motor has an inductance, so that its voltage depends on the jerk.
  [[nodiscard]] bool needs_jerk() const { return needs_jerk_; }

  /// `jerk` is the rate of the numbers in a. Of a closed system all four must keep the closures. Throws Error
  /// (failed_computation) naming the joint where the motors cannot give the motion; where motors are more than
  /// the freedoms they share the torques with least Σ T², and a motor with an inductance among them is refused.
  void compute(const State& state, const ConstVectorRef& a, const ConstVectorRef& jerk,
               MotorDemand& out);
  /// Without a jerk: throws Error naming a motor with an inductance.
  void compute(const State& state, const ConstVectorRef& a, MotorDemand& out);

 private:
  struct Sweep;
  void solve_torques(const State& state, MotorDemand& out);
  void write_electrical(MotorDemand& out) const;
  void require_closed_jerk(const System& system, const State& state,
                           const ConstVectorRef& jerk) const;

  Drives drives_;
  ClosedWorkspace work_;
  std::unique_ptr<Sweep> sweep_;
  bool needs_jerk_ = false;
};

/// The jerk of a closed mechanism from that of independent coordinates (closure/independent.hpp), which
/// `jerk` holds in their entries: fills in the others. `a` keeps the closures.
///
///     linkwright::actuation::complete_jerk(work, state, a, choose_independent(work, state.q).entries, jerk);
void complete_jerk(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
                   std::span<const int> entries, VectorRef jerk);

/// The actuation map (2-231) for a mechanism in independent coordinates: efforts T_q = map · T of them,
/// map = (S G)ᵀ, one row per entry and one column per motor of `drives`; G of closure/independent.hpp.
///
///     Eigen::MatrixXd map(2, drives.count());
///     linkwright::actuation::compute_actuation_map(work, drives, state, choose_independent(work, state.q).entries, map);
void compute_actuation_map(ClosedWorkspace& work, const Drives& drives, const State& state,
                           std::span<const int> entries, MatrixRef map);

}  // namespace linkwright::actuation
