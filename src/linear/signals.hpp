#pragma once
/// Inputs and outputs of a linear model, in all joints.

#include "linear/full_model.hpp"

namespace linkwright::linear {

/// Named inputs: δtau = tau δu, and those of motors by their number.
struct Inputs {
  std::vector<std::string> names;
  Eigen::MatrixXd tau;     // System::effort_count × inputs
  Eigen::MatrixXd motors;  // inputs of motors × inputs: 0 or 1
};
/// Named outputs: δy = q δq + v δv + a δv̇ + f δf + z δz, f the closures' forces, z states of motors.
struct Outputs {
  std::vector<std::string> names;
  Eigen::MatrixXd q, v, a, f, z;
};

/// After a FullModel, while the workspace holds its kinematics. `motor_inputs`: names.
Inputs find_inputs(const System& system, const FullModel& full,
                   const std::vector<std::string>& requests,
                   const std::vector<std::string>& motor_inputs);
Outputs find_outputs(const System& system, const FullModel& full,
                     const std::vector<std::string>& requests,
                     const std::vector<std::string>& motor_states);

}  // namespace linkwright::linear
