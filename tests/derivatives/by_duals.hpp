#pragma once
/// Derivatives by dual numbers, column by column: what the closed forms must equal.

#include <Eigen/Dense>
#include <vector>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"
#include "support/dual_position.hpp"

namespace linkwright::testing {

/// External forces as the sweeps take them.
struct DualLoads {
  std::vector<BodyForces<double>::Load> loads;

  DualLoads(const System& system, ExternalForces forces) {
    for (const ExternalForce& applied : forces) {
      const FramePlace& place = system.frame(applied.frame);
      const bool in_world = applied.axes == Axes::world;
      Force f = applied.force;
      if (!in_world) f = {place.pose.rotation * f.moment, place.pose.rotation * f.force};
      loads.push_back({place.node, place.pose.translation, f, in_world, place.body});
    }
  }
  [[nodiscard]] ExternalLoads<double> list() const {
    return {static_cast<int>(loads.size()), this, [](const void* self, int i) {
              return static_cast<const DualLoads*>(self)->loads[static_cast<std::size_t>(i)];
            }};
  }
};

inline std::vector<spatial::Dual> dual(const Eigen::VectorXd& x, const Eigen::VectorXd& d) {
  std::vector<spatial::Dual> out;
  for (int i = 0; i < x.size(); ++i) out.emplace_back(x[i], d[i]);
  return out;
}

struct Derivatives {
  Eigen::MatrixXd by_q, by_v, by_x;
};

/// The dynamics along one direction: `turn` of q (as a velocity), `push` of v, `pull` of x.
template <class Compute>
Derivatives by_duals(const System& system, const State& state, const Eigen::VectorXd& x,
                     Compute compute) {
  const int n = system.nv();
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
  Derivatives out{Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, n)};
  const auto fill = [&](Eigen::MatrixXd& m, int k, const Eigen::VectorXd& turn,
                        const Eigen::VectorXd& push, const Eigen::VectorXd& pull) {
    const auto y =
        compute(dual_position(system, state.q, turn), dual(state.v, push), dual(x, pull));
    for (int i = 0; i < n; ++i) m(i, k) = y[static_cast<std::size_t>(i)].d;
  };
  for (int k = 0; k < n; ++k) {
    const Eigen::VectorXd e = Eigen::VectorXd::Unit(n, k);
    fill(out.by_q, k, e, zero, zero);
    fill(out.by_v, k, zero, e, zero);
    fill(out.by_x, k, zero, zero, e);
  }
  return out;
}

inline Derivatives inverse_by_duals(const System& system, const State& state,
                                    const Eigen::VectorXd& a, ExternalForces forces) {
  using spatial::Dual;
  const Tree<double>& tree = system.tree();
  const DualLoads loads(system, forces);
  Scratch<Dual> s(tree);
  return by_duals(system, state, a, [&](const auto& q, const auto& v, const auto& x) {
    std::vector<Dual> y(x.size()), given(x.size());
    const auto* f_ext = sweeps::place_and_gather(tree, s, q.data(), v.data(), loads.list());
    sweeps::inverse_dynamics(tree, s, v.data(), x.data(), f_ext, y.data());
    sweeps::joint_forces(tree, q.data(), v.data(), given.data());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= given[i];
    return y;
  });
}

inline Derivatives forward_by_duals(const System& system, const State& state,
                                    const Eigen::VectorXd& tau, ExternalForces forces) {
  using spatial::Dual;
  const Tree<double>& tree = system.tree();
  const DualLoads loads(system, forces);
  Scratch<Dual> s(tree);
  return by_duals(system, state, tau, [&](const auto& q, const auto& v, const auto& x) {
    std::vector<Dual> y(x.size()), room(x.size());
    sweeps::forward_dynamics_filter(tree, s, q.data(), v.data(), x.data(), room.data(),
                                    loads.list());
    sweeps::forward_dynamics_smoother(tree, s, y.data());
    return y;
  });
}

/// The largest entry's difference, relative to the largest entry or to `floor`, the size that a
/// derivative which happens to vanish is a sum of.
inline double relative_difference(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y,
                                  double floor = 0) {
  if (x.size() == 0) return 0;
  const double difference = (x - y).cwiseAbs().maxCoeff();
  if (difference == 0) return 0;
  return difference / std::max(y.cwiseAbs().maxCoeff(), floor);
}

}  // namespace linkwright::testing
