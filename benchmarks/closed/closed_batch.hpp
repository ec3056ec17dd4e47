#pragma once
/// The states of a closed mechanism, over and over, as one batch.

#include "closed/closed_models.hpp"
#include "linkwright/closure/batch.hpp"

namespace bench {

class ClosedLoad {
 public:
  static constexpr int count = 4096;

  /// The first state is the batch's reference.
  ClosedLoad(const linkwright::System& system, const std::vector<ClosedState>& states);

  /// All of them; on one core.
  void run();
  /// What the last run found for one of the states.
  [[nodiscard]] Eigen::VectorXd acceleration(int state) const { return a_.row(state); }

 private:
  linkwright::ClosedBatch batch_;
  Eigen::MatrixXd q_, v_, tau_, a_;
};

}  // namespace bench
