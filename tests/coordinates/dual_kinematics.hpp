#pragma once
/// The trunk's own kinematics on dual numbers: exact rates along a motion, by code that knows nothing of
/// influence coefficients.

#include <vector>

#include "linkwright/closure/meeting.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"
#include "support/dual_position.hpp"

namespace linkwright::testing {

using spatial::Dual;

inline std::vector<Dual> dual_numbers(const Eigen::VectorXd& x, const Eigen::VectorXd& d) {
  std::vector<Dual> out;
  for (Eigen::Index i = 0; i < x.size(); ++i) out.push_back({x[i], d[i]});
  return out;
}

/// All frames of a tree while q, v, a change with v, a and the jerk.
struct DualKinematics {
  DualKinematics(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                 const Eigen::VectorXd& a, const Eigen::VectorXd& jerk)
      : tree(system), scratch(system.tree()) {
    const Tree<double>& nodes = system.tree();
    const std::vector<Dual> at = dual_position(system, q, v), rates = dual_numbers(v, a),
                            accelerations = dual_numbers(a, jerk);
    sweeps::place_joints(nodes, scratch, at.data());
    sweeps::poses<sweeps::Origin::world>(nodes, scratch);
    sweeps::motion_columns(nodes, scratch);
    sweeps::velocities(nodes, scratch, rates.data());
    sweeps::accelerations(nodes, scratch, rates.data(), accelerations.data());
  }
  /// The true acceleration of a frame and, as its dual part, the jerk, in world axes.
  [[nodiscard]] spatial::Motion<Dual> acceleration(const FramePlace& place) const {
    const auto k = static_cast<std::size_t>(place.node);
    const auto& w = scratch.V[k].angular;
    spatial::Motion<Dual> alpha = spatial::shift(place.pose.translation, scratch.alpha[k]);
    alpha.linear += cross(w, cross(w, place.pose.translation));
    const auto& R = scratch.pose[k].rotation;
    return {R * alpha.angular, R * alpha.linear};
  }
  /// J a + J̇ v of one row of a closure; as its dual part, its rate.
  [[nodiscard]] Dual closure_acceleration(const ClosurePlace& c, int row) const {
    const auto a = static_cast<std::size_t>(c.node_a), b = static_cast<std::size_t>(c.node_b);
    closure::Meeting<Dual> m =
        closure::meet(c, scratch.pose[a], scratch.pose[b], scratch.V[a], scratch.V[b]);
    m.bias +=
        to_child(c.at_b, scratch.alpha[b]) - to_child(m.X, to_child(c.at_a, scratch.alpha[a]));
    return row_bias(closure::row_of(c, m, row), m);
  }
  const System& tree;
  Scratch<Dual> scratch;
};

inline Eigen::Matrix<double, 6, 1> derivatives_of(const spatial::Motion<Dual>& x) {
  return (Eigen::Matrix<double, 6, 1>() << x.angular.x.d, x.angular.y.d, x.angular.z.d,
          x.linear.x.d, x.linear.y.d, x.linear.z.d)
      .finished();
}

}  // namespace linkwright::testing
