// Derivatives of many states are those of each of them.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <utility>

#include "derivatives/by_duals.hpp"
#include "linkwright/batch/derivatives.hpp"
#include "linkwright/dynamics/derivatives.hpp"
#include "support/declared_forces.hpp"
#include "support/files.hpp"
#include "support/random_forces.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One row per state.
struct States {
  States(const System& system, RandomModel& random, int count)
      : q(count, system.nq()), v(count, system.nv()), x(count, system.nv()) {
    for (int s = 0; s < count; ++s) {
      State state = random.state(system);
      for (int i = 0; i < system.nv(); ++i) state.v[i] += state.v[i] < 0 ? -0.1 : 0.1;
      q.row(s) = state.q.transpose();
      v.row(s) = state.v.transpose();
      x.row(s) = random.numbers(system.nv()).transpose();
    }
  }
  [[nodiscard]] State state(const System& system, int s) const {
    State out(system);
    out.q = q.row(s).transpose(), out.v = v.row(s).transpose();
    return out;
  }
  MatrixXd q, v, x;
};

MatrixXd square_of(const MatrixXd& all, int s, int n) {
  return Eigen::Map<const MatrixXd>(all.col(s).data(), n, n);
}

constexpr int state_count = 21;

void expect_own_derivatives(const System& system, RandomModel& random, const BatchForces& pushes) {
  const int n = system.nv();
  const States in(system, random, state_count);
  DerivativeBatch batch(system, {.threads = 2});
  MatrixXd tau_q(n * n, state_count), tau_v(n * n, state_count), a_q(n * n, state_count),
      a_v(n * n, state_count), a_tau(n * n, state_count);
  EXPECT_TRUE(batch.compute_inverse_dynamics_derivatives(in.q, in.v, in.x, pushes, tau_q, tau_v)
                  .bad_states.empty());
  EXPECT_TRUE(batch.compute_forward_dynamics_derivatives(in.q, in.v, in.x, pushes, a_q, a_v, a_tau)
                  .bad_states.empty());
  Workspace work(system);
  MatrixXd by_q(n, n), by_v(n, n), by_tau(n, n), M(n, n);
  std::vector<ExternalForce> room;
  for (int s = 0; s < state_count; ++s) {
    const State state = in.state(system, s);
    const VectorXd x = in.x.row(s).transpose();
    const ExternalForces pushing = pushes.on_state(s, room);
    compute_mass_matrix(work, state.q, M);
    compute_inverse_dynamics_derivatives(work, state, x, pushing, by_q, by_v);
    EXPECT_LE(relative_difference(square_of(tau_q, s, n), by_q, M.maxCoeff()), 1e-12);
    EXPECT_LE(relative_difference(square_of(tau_v, s, n), by_v, M.maxCoeff()), 1e-12);
    compute_forward_dynamics_derivatives(work, state, x, pushing, by_q, by_v, by_tau);
    const double digits = std::max(1e-12, 1e-15 * M.norm() * by_tau.norm());
    EXPECT_LE(relative_difference(square_of(a_q, s, n), by_q, 1), digits);
    EXPECT_LE(relative_difference(square_of(a_v, s, n), by_v, 1), digits);
    EXPECT_LE(relative_difference(square_of(a_tau, s, n), by_tau), digits);
  }
}

TEST(DerivativeBatch, gives_each_state_its_own_derivatives) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    const System system = compile(with_all_forces(random, static_cast<Base>(seed % 3)));
    const RandomForces<> forces(system, random, state_count);
    expect_own_derivatives(system, random, forces.all());
    expect_own_derivatives(system, random, forces.alike);
  }
}

/// These go to the users' arrays some columns at a time: every size and order of them.
TEST(DerivativeBatch, gives_each_state_its_own_derivatives_under_forces_of_joints_alone) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    Model model = random.tree(3 + static_cast<int>(seed), static_cast<Base>(seed % 3),
                              seed % 2 == 0 ? all_joint_types() : std::vector{JointType::revolute});
    for (Joint& joint : model.joints) {
      if (velocity_count(joint) == 0) continue;
      joint.damping = {0.3};
      if (position_count(joint) == velocity_count(joint) && joint.type != JointType::custom)
        model.joint_springs.push_back({joint.name, 0, 2, 0.1, 0.5, {}});
    }
    // A tree whose order is not that of the file.
    std::reverse(model.joints.begin(), model.joints.end());
    const System system = compile(model);
    const ExternalForce push[] = {{system.frame("tip"), {{0.1, 0.2, 0.3}, {1, 2, 3}}, Axes::own}};
    const MatrixXd wrench = MatrixXd::Random(state_count, 6);
    const StateForce own[] = {{system.frame("tip"), wrench, Axes::own}};
    expect_own_derivatives(system, random, {push, own});
  }
}

TEST(DerivativeBatch, any_number_of_states_and_threads_gives_the_same) {
  const System system = compile(RandomModel(4).tree(6, Base::free, all_joint_types()));
  RandomModel random(1);
  const int n = system.nv(), most = 1024;
  const States in(system, random, most);
  MatrixXd all_q(n * n, most), all_v(n * n, most);
  DerivativeBatch one(system), three(system, {.threads = 3});
  one.compute_inverse_dynamics_derivatives(in.q, in.v, in.x, {}, all_q, all_v);
  for (const int count : {0, 1, 7, 8, 9, 100, 1024}) {
    MatrixXd q(n * n, count), v(n * n, count);
    three.compute_inverse_dynamics_derivatives(in.q.topRows(count), in.v.topRows(count),
                                               in.x.topRows(count), {}, q, v);
    EXPECT_EQ(q, all_q.leftCols(count)) << count;
    EXPECT_EQ(v, all_v.leftCols(count)) << count;
  }
}

TEST(DerivativeBatch, a_force_that_is_not_finite_spoils_its_state_and_no_other) {
  const System system = compile(RandomModel(6).tree(6, Base::free, all_joint_types()));
  RandomModel random(3);
  const int n = system.nv();
  const States in(system, random, state_count);
  MatrixXd wrench = MatrixXd::Random(state_count, 6), clean(n * n, state_count), q = clean,
           v = clean;
  DerivativeBatch batch(system);
  for (const char* frame : {"world", "tip"}) {
    const StateForce push[] = {{system.frame(frame), wrench, Axes::world}};
    batch.compute_inverse_dynamics_derivatives(in.q, in.v, in.x, push, clean, v);
    const double kept = std::exchange(wrench(13, 4), std::numeric_limits<double>::infinity());
    const BatchReport report =
        batch.compute_inverse_dynamics_derivatives(in.q, in.v, in.x, push, q, v);
    wrench(13, 4) = kept;
    ASSERT_EQ(std::vector<int>(report.bad_states.begin(), report.bad_states.end()),
              std::vector<int>{13});
    EXPECT_TRUE(q.col(13).array().isNaN().all() && v.col(13).array().isNaN().all());
    EXPECT_EQ(q.leftCols(13), clean.leftCols(13));
    EXPECT_EQ(q.rightCols(state_count - 14), clean.rightCols(state_count - 14));
  }
}

TEST(DerivativeBatch, a_bad_number_spoils_its_state_and_no_other) {
  const System system = compile(RandomModel(6).tree(6, Base::free, all_joint_types()));
  RandomModel random(3);
  const int n = system.nv(), count = 8;
  States in(system, random, count);
  DerivativeBatch batch(system);
  MatrixXd q(n * n, count), v(n * n, count), t(n * n, count), clean(n * n, count);
  batch.compute_forward_dynamics_derivatives(in.q, in.v, in.x, {}, clean, v, t);
  in.v(3, n - 1) = std::numeric_limits<double>::infinity();
  const BatchReport report =
      batch.compute_forward_dynamics_derivatives(in.q, in.v, in.x, {}, q, v, t);
  ASSERT_EQ(report.bad_states.size(), 1U);
  EXPECT_EQ(report.bad_states[0], 3);
  EXPECT_TRUE(q.col(3).array().isNaN().all() && v.col(3).array().isNaN().all() &&
              t.col(3).array().isNaN().all());
  for (const int s : {0, 1, 2, 4, 5, 6, 7}) EXPECT_EQ(q.col(s), clean.col(s)) << s;
  EXPECT_TRUE(contains(error_of([&] {
                         MatrixXd small(n, count);
                         batch.compute_inverse_dynamics_derivatives(in.q, in.v, in.x, {}, small, v);
                       }),
                       "one column per state"));
}

}  // namespace
}  // namespace linkwright::testing
