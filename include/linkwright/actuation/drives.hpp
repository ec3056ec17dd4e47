#pragma once
/// The motors of a system, as equations beside those of the mechanism: which states and inputs they add,
/// what they do to the joints, how their states change, and the exact derivatives of both.
///
///     linkwright::System system = linkwright::compile(linkwright::read_model("models/puma560_motors.yaml"));
///     const linkwright::actuation::Drives drives(system);       // a voltage at every motor that takes one
///     Eigen::VectorXd angles(drives.count()), speeds(drives.count()), x(drives.extra_states().size()),
///         u(drives.inputs().size()), tau(system.effort_count()), rates(x.size());
///     drives.compute_shafts(state.q, state.v, angles, speeds);  // S q and S v
///     drives.compute_efforts(angles, speeds, x, u, tau);        // adds to tau, entries as System::effort_names
///     drives.compute_rates(angles, speeds, x, u, rates);        // ẋ
///     linkwright::actuation::DriveDerivatives d(drives);
///     drives.compute_derivatives(angles, speeds, x, u, d);
///     // By q, v: ∂tau/∂q = d.tau_angle S + d.tau_speed ∂(S v)/∂q and ∂tau/∂v = d.tau_speed S; the same with
///     // d.rate_… for ẋ. S is drives.compute_shaft_map; ∂(S v)/∂q = 0 unless `follows_closing_joints`.
///
/// A motor's shaft, or the side of its gear that turns with the joints, has the angle s = Σ ratio · q and the
/// speed w = ṡ (2-230, 2-232). With ω the speed of the motor's own shaft (w behind a rigid gear):
///     La i̇ + Ra i + k ω = V        (2-228); La = 0: i = (V − k ω)/Ra
///     rigid gear:     T_q = Sᵀ k i; rotor inertia and damping are the mechanism's (model.hpp)
///     elastic gear:   θ̇ = ω, J ω̇ = k i − B ω − T,  T = K (θ − s) + D (ω − w),  T_q = Sᵀ T
/// V and i stay within the motor's limits: V is cut off; at its limit i does not grow (compute_rates). Motors
/// that no voltage drives have open terminals: no current, and no effect but their rotor and damping.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"
#include "linkwright/system/quantity.hpp"

namespace linkwright::actuation {

/// A motor and where its numbers stand.
struct Drive {
  std::string name{};
  std::size_t actuator = 0;  ///< index into Model::actuators
  /// The effort that its gear acts on (System::effort_names): that of its joint, or of a coupled shaft. The
  /// shaft turns `gear` times as fast.
  int effort = 0;
  double gear = 1;
  /// s = Σ ratio · q; empty for a motor on a joint that closes a loop, whose coordinate is not one of the tree.
  std::vector<TreeTerm> terms{};
  /// The freedom of a closing joint that it drives (System::closing_names); −1: of none.
  int closing = -1;
  bool has_angle =
      true;  ///< false on joints that carry a pose: there is no angle, and none is needed

  Actuator::Motor motor{};
  double k = 0;            ///< N m/A = V s/rad; 0: it has no electrical side
  bool is_driven = false;  ///< by a voltage
  bool is_elastic = false;
  Actuator::Elastic spring{};

  // Where its numbers stand; −1: it has none.
  int current = -1, angle = -1, speed = -1;  ///< among the extra states
  int voltage = -1, torque = -1;             ///< among the inputs
};

class Drives;

/// Derivatives of the efforts and of the rates of the extra states; filled by Drives::compute_derivatives.
struct DriveDerivatives {
  explicit inline DriveDerivatives(const Drives& drives);
  Eigen::MatrixXd tau_angle, tau_speed, tau_x, tau_u;      ///< System::effort_count rows
  Eigen::MatrixXd rate_angle, rate_speed, rate_x, rate_u;  ///< one row per extra state
};

/// Which way a current limit holds a motor's current: −1, 0 (not), 1.
using Held = std::vector<int>;

class Drives {
 public:
  /// A voltage drives every motor with an electrical side. The System must outlive the Drives.
  explicit Drives(const System& system);
  /// A voltage drives these; the other terminals are open. Throws Error for a name that is no motor, with
  /// the closest, and for a motor without an electrical side.
  Drives(const System& system, std::span<const std::string> driven);
  explicit Drives(System&&) = delete;

  [[nodiscard]] const System& system() const { return *system_; }
  /// Every actuator with a motor, in the model's order.
  [[nodiscard]] const std::vector<Drive>& list() const { return drives_; }
  [[nodiscard]] Eigen::Index count() const { return static_cast<Eigen::Index>(drives_.size()); }
  /// The motor of that name; throws Error with the closest name.
  [[nodiscard]] const Drive& find(std::string_view name) const;

  /// Per motor: "motor:NAME:current" (A) where a voltage drives it and La > 0, "motor:NAME:angle" (rad) and
  /// "motor:NAME:speed" (rad/s) behind an elastic gear.
  [[nodiscard]] const std::vector<Quantity>& extra_states() const { return extra_states_; }
  /// Per motor: "voltage:NAME" (V) where one drives it, "torque:NAME" (N m on the shaft) otherwise behind an
  /// elastic gear. Rigid ones that no voltage drives are driven by efforts at their joints.
  [[nodiscard]] const std::vector<Quantity>& inputs() const { return inputs_; }
  /// Whether there is anything to compute beside the mechanism.
  [[nodiscard]] bool is_idle() const { return inputs_.empty(); }
  /// Whether some motor sits on a joint that closes a loop.
  [[nodiscard]] bool follows_closing_joints() const { return follows_closing_joints_; }

  /// s and w per motor; those of motors on closing joints are left as they are.
  void compute_shafts(const ConstVectorRef& q, const ConstVectorRef& v, VectorRef angles,
                      VectorRef speeds) const;
  /// The same, closing joints included.
  void compute_shafts(ClosedWorkspace& work, const State& state, VectorRef angles,
                      VectorRef speeds);
  /// S, one row per motor: speeds = S v. Of trees and coupled shafts it is constant.
  void compute_shaft_map(ClosedWorkspace& work, const ConstVectorRef& q, MatrixRef map) const;

  /// tau += what the motors do to the joints; System::effort_count numbers.
  void compute_efforts(const ConstVectorRef& angles, const ConstVectorRef& speeds,
                       const ConstVectorRef& x, const ConstVectorRef& u, VectorRef tau) const;
  /// ẋ. `held` says which currents their limits hold already; empty: those that stand at them.
  void compute_rates(const ConstVectorRef& angles, const ConstVectorRef& speeds,
                     const ConstVectorRef& x, const ConstVectorRef& u, VectorRef rates,
                     const Held& held = {}) const;
  void compute_derivatives(const ConstVectorRef& angles, const ConstVectorRef& speeds,
                           const ConstVectorRef& x, const ConstVectorRef& u,
                           DriveDerivatives& out) const;

  /// What is told of one motor at a moment.
  struct Reading {
    double current = 0, voltage = 0;  ///< at open terminals the voltage is k ω
    double torque = 0;                ///< k i
    double angle = 0, speed = 0;      ///< of the motor's own shaft
    double power = 0;                 ///< that the terminals take, V i
    double heat = 0;    ///< Ra i², and what the elastic gear and its shaft's damping lose
    double stored = 0;  ///< ½ La i² and, behind an elastic gear, ½ J ω² + ½ K (θ − s)²
  };
  [[nodiscard]] Reading read(const Drive& drive, const ConstVectorRef& angles,
                             const ConstVectorRef& speeds, const ConstVectorRef& x,
                             const ConstVectorRef& u) const;

  /// Start values: those of the file's `state`, else no current, and shafts that turn with their gears.
  void compute_start(const ConstVectorRef& angles, const ConstVectorRef& speeds, VectorRef x) const;

 private:
  void add_drive(std::size_t actuator, bool driven);
  void place_on_joint(const Actuator& actuator, Drive& drive) const;

  const System* system_;
  std::vector<Drive> drives_;
  std::vector<Quantity> extra_states_, inputs_;
  bool follows_closing_joints_ = false;
  std::vector<double> closing_angles_, closing_rates_;  // of all closing joints, for compute_shafts
};

inline DriveDerivatives::DriveDerivatives(const Drives& drives) {
  const Eigen::Index n = drives.system().effort_count(), motors = drives.count(),
                     x = static_cast<Eigen::Index>(drives.extra_states().size()),
                     u = static_cast<Eigen::Index>(drives.inputs().size());
  tau_angle = tau_speed = Eigen::MatrixXd::Zero(n, motors);
  tau_x = Eigen::MatrixXd::Zero(n, x), tau_u = Eigen::MatrixXd::Zero(n, u);
  rate_angle = rate_speed = Eigen::MatrixXd::Zero(x, motors);
  rate_x = Eigen::MatrixXd::Zero(x, x), rate_u = Eigen::MatrixXd::Zero(x, u);
}

}  // namespace linkwright::actuation
