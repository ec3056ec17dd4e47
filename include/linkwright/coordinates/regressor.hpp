#pragma once
/// Efforts as a linear function of what the bodies and joints are made of:
///
///     tau = Y(q, v, a) π + rest
///
///     linkwright::coordinates::Regressor regressor(system, {JointParameter::damping});
///     Eigen::MatrixXd Y(system.nv(), regressor.size());
///     Eigen::VectorXd rest(system.nv());
///     regressor.compute(work, state, a, Y, rest);       // Y regressor.values() + rest = inverse dynamics
///     // ∂tau/∂π = Y,  ∂v̇/∂π = −M⁻¹ Y
///
/// π has ten numbers for every body, all in its own frame: the mass, the first moments m·com and the
/// moments of inertia about the frame's origin, "m:ROD", "mx:ROD", "my:ROD", "mz:ROD", "ixx:ROD",
/// "iyy:ROD", "izz:ROD", "ixy:ROD", "ixz:ROD", "iyz:ROD"; and for every freedom of a joint, where asked
/// for, "rotor:HINGE" (as felt at the joint), "damping:HINGE", "friction_forward:HINGE" and
/// "friction_backward:HINGE". `rest` is what these do not explain: springs, loads and what acts at joints
/// that close loops.

#include <span>
#include <string>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/coordinates/array.hpp"

namespace linkwright::coordinates {

/// What is unknown of joints, besides the inertia of the bodies.
enum class JointParameter { rotor_inertia, damping, friction };

class Regressor {
 public:
  /// The System must outlive it.
  explicit Regressor(const System& system, std::vector<JointParameter> joints = {});

  [[nodiscard]] const System& system() const { return *system_; }
  /// Whether friction is among the parameters.
  [[nodiscard]] bool has_friction() const;
  [[nodiscard]] int size() const { return static_cast<int>(names_.size()); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// π of the model.
  [[nodiscard]] Eigen::Map<const Eigen::VectorXd> values() const {
    return {values_.data(), size()};
  }

  /// Y, nv × size. O(bodies · depth); allocates nothing.
  void compute(Workspace& work, const State& state, const ConstVectorRef& a, MatrixRef Y) const;
  void compute(Workspace& work, const State& state, const ConstVectorRef& a, MatrixRef Y,
               VectorRef rest) const;
  /// Of a closed mechanism in independent coordinates (closure/independent.hpp), Gᵀ tau = Y π + rest:
  /// as many rows as entries. `a` must obey the closures.
  void compute(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
               std::span<const int> entries, MatrixRef Y, VectorRef rest) const;

 private:
  void add_bodies();
  void add_joint(JointParameter kind);
  void compute_body(const Workspace& work, int body, MatrixRef Y) const;
  void compute_joints(const State& state, const ConstVectorRef& a, MatrixRef Y) const;

  const System* system_;
  std::vector<JointParameter> joints_;
  std::vector<FrameId> frames_;  // of the bodies
  std::vector<std::string> names_;
  std::vector<double> values_;
};

}  // namespace linkwright::coordinates
