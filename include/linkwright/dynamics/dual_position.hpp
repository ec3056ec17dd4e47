#pragma once
/// Positions as dual numbers, for derivatives along a motion.
///
///     const std::vector<linkwright::spatial::Dual> q = linkwright::dual_position(system, state.q, state.v);

#include <vector>

#include "linkwright/dynamics/state.hpp"
#include "linkwright/spatial/dual.hpp"

namespace linkwright {

/// q and its rate along the velocity v: a quaternion r moves by ½ r ω, a position by R v.
inline std::vector<spatial::Dual> dual_position(const System& system, const Eigen::VectorXd& at,
                                                const Eigen::VectorXd& v) {
  std::vector<spatial::Dual> q(static_cast<std::size_t>(system.nq()));
  for (int i = 0; i < system.nq(); ++i) q[static_cast<std::size_t>(i)].x = at[i];
  for (const JointPlace& joint : system.joints()) {
    spatial::Dual* out = q.data() + joint.q;
    if (joint.quaternion < 0) {
      for (int i = 0; i < joint.nq; ++i) out[i].d = v[joint.v + i];
      continue;
    }
    const int place = system.tree().nodes[static_cast<std::size_t>(joint.node)].modes;
    const Modes<double>& modes = system.tree().modes[static_cast<std::size_t>(place)];
    Motion rate{};
    for (int i = 0; i < modes.d; ++i) rate += v[joint.v + i] * modes.column[i];
    const Vector3 w = 0.5 * rate.angular;
    const Quaternion r{out[0].x, out[1].x, out[2].x, out[3].x};
    const Quaternion dr = r * Quaternion{0, w.x, w.y, w.z};
    out[0].d = dr.w, out[1].d = dr.x, out[2].d = dr.y, out[3].d = dr.z;
    if (joint.nq != 7) continue;
    const Vector3 dp = to_matrix(r) * rate.linear;
    out[4].d = dp.x, out[5].d = dp.y, out[6].d = dp.z;
  }
  return q;
}

}  // namespace linkwright
