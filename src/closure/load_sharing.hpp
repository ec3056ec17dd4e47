#pragma once
/// How motors that are more than the freedoms share a load.

#include <Eigen/Core>
#include <vector>

#include "linkwright/system/system.hpp"

namespace linkwright::closure {

struct Sharing {
  Eigen::VectorXd weights;    ///< of the squares of the efforts
  Eigen::VectorXd most;       ///< limits of their magnitudes; may be infinite
  Eigen::VectorXd preferred;  ///< what the efforts should be near
};

/// τ with B τ = f and least Σ w (τ − preferred)² within the limits; where the limits do not allow
/// B τ = f, the τ that misses it least. B must have f in its range.
Eigen::VectorXd share_load(const Eigen::MatrixXd& B, const Eigen::VectorXd& f,
                           const Sharing& sharing);

/// The most that each effort (entries of System::effort_names) may be by the model; infinite without a limit.
Eigen::VectorXd effort_limits(const System& system, const std::vector<int>& entries);

}  // namespace linkwright::closure
