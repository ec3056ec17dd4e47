#pragma once
/// What batches are compared on.

#include "support/random_model.hpp"

namespace linkwright::testing {

/// A model with every joint type and everything that can push.
inline Model rich_model(unsigned seed) {
  RandomModel random(seed);
  Model model = random.tree(14, static_cast<Base>(seed % 3), all_joint_types());
  for (Joint& joint : model.joints) {
    if (velocity_count(joint) == 0) continue;
    joint.damping = {random.between(0, 1)};
    joint.friction = {{random.between(0, 1), random.between(0, 1)}};
    if (joint.type == JointType::spherical)
      model.joint_springs.push_back({joint.name, 1, 2, 0.1, 0, {}});
    if (joint.type == JointType::revolute)
      model.joint_springs.push_back({joint.name, 0, 2, 0.1, 0.3, {}});
  }
  model.line_springs.push_back({"s", "body1", "body9", {0.1, 0, 0}, {0, 0.2, 0}, 10, 1, 0.3, {}});
  model.body_loads.push_back({"body5", {{1, 0, 0}, {0, 2, 0}}, {0.1, 0.1, 0}, true, {}});
  return model;
}

/// One row per state; x are accelerations or efforts.
struct States {
  Eigen::MatrixXd q, v, x;
  States(const System& system, RandomModel& random, int count)
      : q(count, system.nq()), v(count, system.nv()), x(count, system.nv()) {
    for (int s = 0; s < count; ++s) {
      const State state = random.state(system);
      q.row(s) = state.q;
      v.row(s) = state.v;
      x.row(s) = random.numbers(system.nv());
    }
  }
  [[nodiscard]] State state(int s) const {
    State out;
    out.q = q.row(s);
    out.v = v.row(s);
    return out;
  }
};

inline double relative(const Eigen::VectorXd& got, const Eigen::VectorXd& expected) {
  return (got - expected).norm() / (1 + expected.norm());
}

}  // namespace linkwright::testing
