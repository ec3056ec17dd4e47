#pragma once
/// From the coordinates of a linear model to all joints, and back.
///
///     δq = T_q x,   δv = T_v x,   ẋ = R_q δq + R_v δv + R_a δv̇
///
/// In joints' own coordinates x = (δq_P, δv_I) of some entries: R picks rows of δq̇ = E δq + δv and of δv̇. In
/// parameters w with ẇ = g v (Freeman 3-49 to 3-51) x = (g δq, (∂(g v)/∂q) δq + g δv), and
///
///     d/dt (g δq) = (ġ + g E) δq + g δv,   δẅ = (∂ẅ/∂q) δq + (∂ẅ/∂v) δv + g δv̇

#include "linear/full_model.hpp"

namespace linkwright::linear {

struct Reduction {
  std::vector<std::string> positions, velocities;  // names of x
  Eigen::MatrixXd T_q, T_v;
  Eigen::MatrixXd R_q, R_v, R_a;
  Eigen::VectorXd drift;  // ẋ at the point
};

Reduction reduce(ClosedWorkspace& work, const FullModel& full, const State& state,
                 const std::vector<std::string>& coordinates);

}  // namespace linkwright::linear
