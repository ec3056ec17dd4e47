// Derivatives of the dynamics by dual numbers, with everything that a model can push with, against
// differences on the group.
#include <Eigen/Dense>

#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/sweeps/forces.hpp"
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"
#include "support/dual_position.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;
using spatial::Dual;

/// A point of the tangent bundle of inputs: where, and along which velocities it moves.
struct Point {
  State state;
  VectorXd x;               // efforts or accelerations
  VectorXd turn, push, xx;  // directions of q (as a velocity), v, x
};

std::vector<Dual> dual(const VectorXd& x, const VectorXd& d) {
  std::vector<Dual> out;
  for (int i = 0; i < x.size(); ++i) out.emplace_back(x[i], d[i]);
  return out;
}

enum class Direction { inverse, forward };

/// The dynamics on dual numbers: value and derivative.
std::pair<VectorXd, VectorXd> differentiate(const System& system, const Point& p, Direction which) {
  const Tree<double>& tree = system.tree();
  Scratch<Dual> s(tree);
  const std::vector<Dual> q = dual_position(system, p.state.q, p.turn), v = dual(p.state.v, p.push);
  std::vector<Dual> x = dual(p.x, p.xx), y(x.size()), forces(x.size());
  const ExternalLoads<double> none;
  if (which == Direction::inverse) {
    const auto* f_ext = sweeps::place_and_gather(tree, s, q.data(), v.data(), none);
    sweeps::inverse_dynamics(tree, s, v.data(), x.data(), f_ext, y.data());
    sweeps::joint_forces(tree, q.data(), v.data(), forces.data());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= forces[i];
  } else {
    sweeps::forward_dynamics_filter(tree, s, q.data(), v.data(), x.data(), forces.data(), none);
    sweeps::forward_dynamics_smoother(tree, s, y.data());
  }
  std::pair<VectorXd, VectorXd> out{VectorXd(system.nv()), VectorXd(system.nv())};
  for (int i = 0; i < system.nv(); ++i) {
    out.first[i] = y[static_cast<std::size_t>(i)].x;
    out.second[i] = y[static_cast<std::size_t>(i)].d;
  }
  return out;
}

/// The public function a step h along the directions.
VectorXd value(Workspace& work, const Point& p, Direction which, double h) {
  State moved = p.state;
  compute_integral(work.system(), p.state.q, p.turn, h, moved.q);
  moved.v += h * p.push;
  VectorXd out(p.x.size());
  if (which == Direction::inverse)
    compute_inverse_dynamics(work, moved, p.x + h * p.xx, {}, out);
  else
    compute_forward_dynamics(work, moved, p.x + h * p.xx, {}, out);
  return out;
}
/// Fourth-order central difference.
VectorXd difference(Workspace& work, const Point& p, Direction which, double h) {
  return (8 * (value(work, p, which, h) - value(work, p, which, -h)) -
          (value(work, p, which, 2 * h) - value(work, p, which, -2 * h))) /
         (12 * h);
}

/// The difference's own error is what halving its step changes, and what rounding leaves of it.
void expect_derivatives(const System& system, RandomModel& random) {
  Workspace work(system);
  Point p{random.state(system), random.numbers(system.nv(), 3), random.numbers(system.nv()),
          random.numbers(system.nv()), random.numbers(system.nv())};
  // Friction jumps at rest.
  for (int i = 0; i < system.nv(); ++i) p.state.v[i] += p.state.v[i] < 0 ? -0.1 : 0.1;
  Eigen::MatrixXd M(system.nv(), system.nv());
  compute_mass_matrix(work, p.state.q, M);
  const double condition = M.norm() * M.inverse().norm();
  for (const Direction which : {Direction::inverse, Direction::forward}) {
    SCOPED_TRACE(which == Direction::inverse ? "inverse" : "forward");
    const auto [y, dy] = differentiate(system, p, which);
    const VectorXd here = value(work, p, which, 0);
    const double digits = 1e-15 * (which == Direction::forward ? condition : 1) * 6 * system.nv();
    EXPECT_LE((y - here).norm(), digits * (1 + here.norm()));
    const double h = 2e-4;
    const VectorXd coarse = difference(work, p, which, 2 * h), fine = difference(work, p, which, h);
    const double bound = (coarse - fine).norm() + digits / h * (1 + here.norm());
    EXPECT_LE((dy - fine).norm(), bound);
    EXPECT_LE(bound, 1e-3 * dy.norm()) << "the bound says something";
  }
}

/// Every force a model can have, on a joint of every type.
Model pushed_model(JointType type, unsigned seed) {
  RandomModel random(seed);
  Model model = random.tree(1, Base::fixed, {type});
  for (int k = 1; k < 4; ++k) {
    const std::string name = "body" + std::to_string(k);
    model.bodies.push_back(random.body(name));
    model.joints.push_back(random.joint("joint" + std::to_string(k),
                                        k == 2 ? JointType::revolute : type,
                                        "body" + std::to_string(k - 1), name));
  }
  for (Joint& joint : model.joints) {
    const int nv = velocity_count(joint);
    if (nv == 0) continue;
    joint.damping = {random.between(0.1, 1)};
    joint.friction = {{random.between(0.1, 1), random.between(0.1, 1)}};
    if (seed % 2 == 0) joint.rotor_inertia = {random.between(0.01, 0.5)};
    model.joint_loads.push_back({joint.name, nv - 1, random.between(1, 2), {}});
    const bool pose = position_count(joint) != nv;
    if (pose && joint.type == JointType::custom) continue;
    for (int i = 0; i < nv; ++i)
      model.joint_springs.push_back(
          {joint.name, i, random.between(1, 5), 0.1, pose ? 0.0 : 0.3, {}});
  }
  model.line_springs.push_back({"s", "body1", "body3", {0.1, 0, 0}, {0, 0.2, 0}, 10, 1, 0.3, {}});
  model.line_springs.push_back({"r", "world", "body2", {1, 0, 1}, {0, 0.2, 0}, 5, 0.5, 0, {}});
  model.body_loads.push_back({"body3", {{1, 0, 0}, {0, 2, 0}}, {0.1, 0.1, 0}, true, {}});
  model.body_loads.push_back({"body2", {{0, 1, 0}, {2, 0, 0}}, {0, 0.1, 0}, false, {}});
  return model;
}

class DerivativesOfJoint : public ::testing::TestWithParam<JointType> {};
TEST_P(DerivativesOfJoint, by_dual_numbers_are_differences) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed + 50);
    expect_derivatives(compile(pushed_model(GetParam(), seed)), random);
  }
}
INSTANTIATE_TEST_SUITE_P(every, DerivativesOfJoint, ::testing::ValuesIn(all_joint_types()),
                         [](const auto& joint) { return std::string(to_string(joint.param)); });

}  // namespace
}  // namespace linkwright::testing
