#pragma once
/// What the motors must give along a motion: torques, currents and voltages (2-238 to 2-240), of trees and of
/// closed mechanisms driven from any joints, behind rigid and elastic gears; and the map from the motors to
/// independent coordinates.
///
///     linkwright::actuation::NominalVoltages nominal(system);
///     linkwright::actuation::MotorDemand demand(nominal.drives());
///     nominal.compute(state, a, jerk, demand);
///     std::cout << demand.voltage.transpose() << '\n';          // one per motor of nominal.drives()
///
/// With n(t) what inverse dynamics asks of all joints, springs, damping, loads and rotors behind rigid gears
/// included, S the shafts per joint rate (drives.hpp) and J the closures' rows:
///     n = Sᵀ T + Jᵀ λ          torques T that the gears pass on, λ of the closures; T of least Σ T²
///     rigid gear:              the motor's torque is T, its speed w = ṡ
///     elastic gear, D = 0:     e = T/K;            D > 0: ė = (T − K e)/D, e a state of its own
///                              ω = w + ė, the motor's torque J ω̇ + B ω + T
///     i = torque/k,  V = La (torque)˙/k + Ra i + k ω
/// Derivatives of T come from Taylor series along the motion, exact to rounding: no difference is taken.
///
/// What a voltage depends on: accelerations; with an inductance one derivative more; behind an elastic gear two more. So
/// up to the fifth derivative of the position (`derivatives_needed`).
/// Dry friction is that of the motion just after this moment: of a joint at rest the first derivative that is not
/// zero says which way. Of one that stays at rest it counts as none: the motors could hold it by themselves.

#include <memory>

#include "linkwright/actuation/drives.hpp"

namespace linkwright::actuation {

/// Of every motor in Drives::list; currents and voltages of motors without an electrical side are NaN.
struct MotorDemand {
  explicit MotorDemand(const Drives& drives) {
    torque = torque_rate = current = voltage = speed = twist = twist_rate =
        Eigen::VectorXd::Zero(drives.count());
  }
  /// Of the motor itself, N m and N m/s; the rate where it has an inductance.
  Eigen::VectorXd torque, torque_rate;
  Eigen::VectorXd current, voltage;
  Eigen::VectorXd speed;  ///< of the motor's own shaft
  /// Of elastic gears: how far the shaft is ahead, θ − s, and its rate.
  Eigen::VectorXd twist, twist_rate;
};

class NominalVoltages {
 public:
  /// All motors of the model take part. Throws Error where it has none. The System must outlive it.
  explicit NominalVoltages(const System& system);
  ~NominalVoltages();
  explicit NominalVoltages(System&&) = delete;

  [[nodiscard]] const Drives& drives() const { return drives_; }
  /// How many derivatives of the velocity are needed: 1 accelerations, 2 jerk, 3 snap, 4 crackle; of all motors, or
  /// of one.
  [[nodiscard]] int derivatives_needed() const { return needed_; }
  [[nodiscard]] static int derivatives_needed(const Drive& drive);
  /// "accelerations", "jerk", "snap", "crackle" for 1 to 4.
  [[nodiscard]] static const char* name_of_derivative(int n);
  /// "has an inductance of 0.004 H", "sits behind an elastic gear": why a motor needs more than accelerations.
  [[nodiscard]] static std::string reason_of_need(const Drive& drive);
  /// Whether some voltage depends on more than accelerations.
  [[nodiscard]] bool needs_jerk() const { return needed_ > 1; }

  /// Columns of `rates`: a, jerk, snap, crackle, the rates of one another's numbers; at least as many as needed, or
  /// Error names the motor and what is missing. Of a closed system all must keep the closures (complete_rates).
  /// Throws Error (failed_computation) naming the joint where the motors cannot give the motion.
  /// Gears with damping have settled: their twist is the series T/K − D Ṫ/K² + … as far as derivatives of T
  /// are known.
  void compute_from(const State& state, const ConstMatrixRef& rates, MotorDemand& out);
  /// The same with the twists of elastic gears with damping given, one number per motor; NaN: it has settled. Those
  /// of other gears follow from the motion and are not read.
  void compute_from(const State& state, const ConstMatrixRef& rates, const ConstVectorRef& twist,
                    MotorDemand& out);
  /// From accelerations and jerk, or from accelerations alone, where no motor needs more.
  void compute(const State& state, const ConstVectorRef& a, const ConstVectorRef& jerk,
               MotorDemand& out);
  void compute(const State& state, const ConstVectorRef& a, MotorDemand& out);

 private:
  struct Torques;
  void compute_all(const State& state, const ConstMatrixRef& rates, const ConstVectorRef* twist,
                   MotorDemand& out);
  void write_demand(std::size_t i, const ConstVectorRef* twist, MotorDemand& out) const;

  Drives drives_;
  ClosedWorkspace work_;
  std::unique_ptr<Torques> torques_;
  int needed_ = 1;
};

/// Accelerations, jerk, snap and crackle of a closed mechanism from those of independent coordinates
/// (closure/independent.hpp), which the columns of `rates` hold in their entries: fills in the others.
///
///     linkwright::actuation::complete_rates(work, state, choose_independent(work, state.q).entries, rates);
void complete_rates(ClosedWorkspace& work, const State& state, std::span<const int> entries,
                    MatrixRef rates);
/// The jerk alone, where `a` keeps the closures.
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
