#pragma once
/// The linear model in all joints of the tree, before any coordinates are chosen.
///
///     δq̇ = E δq + δv,   δv̇ = a_q δq + a_v δv + a_tau δtau

#include <Eigen/Core>

#include "linkwright/linear/linear_model.hpp"

namespace linkwright::linear {

/// Motion of a frame in world axes, [angular; linear], and how it changes with the joints: 6 × nv each.
struct FrameRows {
  Eigen::MatrixXd G, G_rate;   // y = G v; Ġ along the motion
  Eigen::MatrixXd y_q;         // of y by q
  Eigen::MatrixXd yy_q, yy_v;  // of ẏ = G v̇ + Ġ v by q and v, at fixed v̇
};

class FullModel {
 public:
  /// Leaves the kinematics at the state and its accelerations in the workspace.
  FullModel(ClosedWorkspace& work, const OperatingPoint& point, const actuation::Drives* drives);

  [[nodiscard]] FrameRows frame(FrameId id) const;

  Eigen::VectorXd a;
  Eigen::MatrixXd E, a_q, a_v, a_tau;
  // Closing joints: rates L v and how they change; closures' forces.
  Eigen::MatrixXd L, L_q;
  Eigen::MatrixXd f_q, f_v, f_tau;
  // Motors: δv̇ = … + a_z δz + a_u δu and δż = z_q δq + z_v δv + z_z δz + z_u δu for their states and inputs;
  // what they do to the joints is part of a_q and a_v, f_q and f_v. Without motors: no columns.
  Eigen::MatrixXd a_z, a_u, f_z, f_u, z_q, z_v, z_z, z_u;
  Eigen::VectorXd z_rate;

 private:
  void find_open(const OperatingPoint& point, const Eigen::VectorXd& tau);
  void find_closed(const OperatingPoint& point, const Eigen::VectorXd& tau);
  ClosedWorkspace& work_;
};

/// The motors at a point: their own numbers, and what they do to the joints.
struct MotorPoint {
  MotorPoint(ClosedWorkspace& work, const OperatingPoint& point, const actuation::Drives& drives);
  /// Adds them to a model in whose efforts theirs are counted.
  void add_to(FullModel& full) const;

  const actuation::Drives& drives;
  Eigen::VectorXd angles, speeds, x, u;
  Eigen::VectorXd tau;  // theirs
};

}  // namespace linkwright::linear
