/// What a robot that floats cannot change: its momentum, in simulations, in the base's velocity, along the
/// generalized Jacobian, and in motions that the base does not feel.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/manipulator/unified_model.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "manipulator/cells.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
using manipulator::Manipulator, manipulator::UnifiedModel;

constexpr int steps = 10000;

/// Sum of the bodies' own momenta, as a scale: their total may be zero.
double scale_of(Workspace& work, const State& state) {
  const Energy e = compute_energy(work, state);
  return std::sqrt(2 * e.kinetic * work.system().moving_mass());
}

TEST(Momentum, of_a_floating_robot_is_kept_by_the_simulation) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/space_robot.yaml"));
  State start = initial_state(system);
  const JointPlace& base = system.joint("base");
  start.v.segment(base.v, 6) << 0.02, -0.03, 0.05, 0.01, 0.02, -0.01;
  Simulation simulation(system, start,
                        {.method = Method::symplectic,
                         .step = 1e-3,
                         .limits = LimitAction::ignore,
                         .measure_drift = true});
  simulation.advance_to(steps * 1e-3);
  ASSERT_GE(simulation.statistics().steps, steps);
  const Conservation& kept = *simulation.statistics().conservation;
  ASSERT_TRUE(kept.linear_momentum && kept.angular_momentum);
  EXPECT_LT(kept.linear_momentum->relative(), 1e-12);
  EXPECT_LT(kept.angular_momentum->relative(), 1e-12);
  EXPECT_GT((simulation.state().q - start.q).norm(), 0.1) << "it must move";
}

class Floating : public ::testing::Test {
 protected:
  Cell cell = CellMaker(5).make({.base = BaseKind::free,
                                 .joints = {7, 6, 4},
                                 .base_mass = 8,
                                 .gravity = false,
                                 .holds = false});
  Manipulator robot{cell.system, {.base = {}, .tips = {"hand0", "hand1", "hand2"}}};
  UnifiedModel model{robot};
  Workspace work{cell.system};
  VectorXd tau = VectorXd::Zero(cell.system.nv());

  void set(State& state, const std::vector<int>& entries, const VectorXd& x) {
    for (std::size_t i = 0; i < entries.size(); ++i) state.v[entries[i]] = x[static_cast<Index>(i)];
  }
};

TEST_F(Floating, its_base_velocity_follows_from_the_momentum) {
  // The arms wave as they are told; at every step the momentum is that of the start.
  State state = cell.state;
  const Momentum h = compute_momentum(work, state);
  VectorXd rates(6);
  double worst = 0;
  for (int k = 0; k < steps; ++k) {
    for (std::size_t i = 0; i < robot.active().size(); ++i)
      state.v[robot.active()[i]] =
          std::sin(1e-3 * k * (1 + 0.2 * static_cast<double>(i)) + static_cast<double>(i));
    model.update(state, tau);
    model.compute_base_velocity(h, state.v, rates);
    set(state, robot.base().freedoms, rates);
    const Momentum now = compute_momentum(work, state);
    const double scale = scale_of(work, state);
    worst = std::max(
        {worst, norm(now.linear - h.linear) / scale, norm(now.angular - h.angular) / scale});
    compute_integral(cell.system, state.q, state.v, 1e-3, state.q);
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_GT((state.q - cell.state.q).norm(), 0.5) << "it must move";
}

/// [ω; v] that leads from one pose to another in unit time, in the axes of the first.
VectorXd step_between(const Pose& from, const Pose& to) {
  const Pose by = inverse(from) * to;
  const Matrix3& R = by.rotation;
  VectorXd out(6);  // exact to third order in the step, even in it
  out << (R.zy - R.yz) / 2, (R.xz - R.zx) / 2, (R.yx - R.xy) / 2, by.translation.x,
      by.translation.y, by.translation.z;
  return out;
}

TEST_F(Floating, generalized_jacobian_is_the_tips_derivative_along_the_motion) {
  State state = cell.state;
  for (int k = 0; k < 5; ++k) {
    model.update(state, tau);
    const Momentum none{};
    VectorXd rates(6);
    model.compute_base_velocity(none, state.v, rates);
    set(state, robot.base().freedoms, rates);
    model.update(state, tau);
    const VectorXd expected = model.J() * VectorXd(state.v(robot.active()));
    constexpr double h = 1e-5;
    for (std::size_t i = 0; i < robot.arms().size(); ++i) {
      Pose pose[2];
      for (const int side : {0, 1}) {
        State moved = state;
        compute_integral(cell.system, state.q, state.v, side == 0 ? -h : h, moved.q);
        compute_forward_kinematics(work, moved, VectorXd::Zero(cell.system.nv()));
        pose[side] = frame_pose(work, robot.arms()[i].frame);
      }
      compute_forward_kinematics(work, state, VectorXd::Zero(cell.system.nv()));
      const Pose here = frame_pose(work, robot.arms()[i].frame);
      const VectorXd found = (step_between(here, pose[1]) - step_between(here, pose[0])) / (2 * h);
      EXPECT_LT(difference(found, expected.segment(6 * static_cast<Index>(i), 6)), 1e-8);
    }
    // The base moves along: its own Jacobian alone would be wrong.
    EXPECT_GT(difference(model.J_q() * VectorXd(state.v(robot.active())), expected), 0.01);
    compute_integral(cell.system, state.q, state.v, 0.3, state.q);
  }
}

TEST_F(Floating, reaction_null_space_leaves_the_base_still) {
  State state = cell.state;
  set(state, robot.base().freedoms, VectorXd::Zero(6));
  model.update(state, tau);
  const auto n = static_cast<Index>(robot.active().size());
  MatrixXd P(n, n);
  model.compute_reaction_null_space(P);
  EXPECT_EQ(model.coupling_rank(), 6);
  EXPECT_NEAR(P.trace(), static_cast<double>(n - 6), 1e-12);
  EXPECT_LT((P * P - P).norm(), 1e-12);
  EXPECT_LT((P - P.transpose()).norm(), 1e-12);
  EXPECT_LT((model.M_ap() * P).norm(), 1e-12 * model.M_ap().norm());

  // Velocity: the whole has no momentum while the arms move.
  const VectorXd wave = P * VectorXd::Ones(n);
  ASSERT_GT(wave.norm(), 0.5);
  set(state, robot.active(), wave);
  const Momentum h = compute_momentum(work, state);
  const double scale = scale_of(work, state);
  EXPECT_LT(norm(h.linear), 1e-13 * scale);
  EXPECT_LT(norm(h.angular), 1e-13 * scale);

  // Acceleration: the efforts for it leave the base at rest, by the trunk's own dynamics.
  model.update(state, tau);
  VectorXd a(n), efforts(n), all(cell.system.nv());
  const double left = model.compute_still_acceleration(VectorXd::Ones(n), a);
  EXPECT_LT(left, 1e-12 * model.M_ap().norm() * a.norm());
  model.compute_inverse_dynamics(a, VectorXd::Zero(18), efforts);
  VectorXd drive = tau;
  for (Index i = 0; i < n; ++i) drive[robot.active()[static_cast<std::size_t>(i)]] = efforts[i];
  compute_forward_dynamics(work, state, drive, {}, all);
  EXPECT_LT(VectorXd(all(robot.base().freedoms)).norm(), 1e-11 * all.norm());
  EXPECT_LT(difference(all(robot.active()), a), 1e-11);

  // Any other acceleration moves it.
  model.compute_inverse_dynamics(VectorXd::Ones(n), VectorXd::Zero(18), efforts);
  for (Index i = 0; i < n; ++i) drive[robot.active()[static_cast<std::size_t>(i)]] = efforts[i];
  compute_forward_dynamics(work, state, drive, {}, all);
  EXPECT_GT(VectorXd(all(robot.base().freedoms)).norm(), 0.01);
}

/// Three arms that hold a box and float.
class Holding : public ::testing::Test {
 protected:
  Cell cell = CellMaker(9).make(
      {.base = BaseKind::free, .joints = {7, 7, 7}, .base_mass = 8, .gravity = false});
  Manipulator robot{cell.system};
  UnifiedModel model{robot};
  ClosedWorkspace work{cell.system};
  const Index n = static_cast<Index>(robot.active().size());

  /// The base still, the hands as told, the box as they carry it.
  [[nodiscard]] VectorXd with_box(const VectorXd& active, const VectorXd& beta, double* opens) {
    MatrixXd J(work.rows(), cell.system.nv());
    compute_closure_jacobian(work, cell.state.q, J);
    VectorXd all = VectorXd::Zero(cell.system.nv());
    all(robot.active()) = active;
    const MatrixXd W = J(Eigen::all, robot.of_objects());
    const VectorXd demand = -(J * all) - beta;
    all(robot.of_objects()) = W.colPivHouseholderQr().solve(demand);
    *opens = (J * all + beta).norm();
    return all;
  }
};

TEST_F(Holding, its_reaction_null_space_counts_the_box) {
  model.update(cell.state, VectorXd::Zero(cell.system.nv()));
  MatrixXd P(n, n);
  model.compute_reaction_null_space(P);
  // 21 joints and the box, 18 rows of the grasps, six of the momentum.
  EXPECT_NEAR(P.trace(), 21 + 6 - 18 - 6, 1e-10);
  EXPECT_LT((P * P - P).norm(), 1e-10);
  State state = cell.state;
  double opens = 0;
  state.v = with_box(P * VectorXd::LinSpaced(n, -1, 2), VectorXd::Zero(work.rows()), &opens);
  ASSERT_GT(state.v.norm(), 0.1);
  EXPECT_LT(opens, 1e-10 * state.v.norm()) << "the hands let go";
  const Momentum h = compute_momentum(work.tree(), state);
  const double scale = scale_of(work.tree(), state);
  EXPECT_LT(norm(h.linear), 1e-11 * scale);
  EXPECT_LT(norm(h.angular), 1e-11 * scale);
}

TEST_F(Holding, still_accelerations_need_no_effort_at_the_base) {
  model.update(cell.state, VectorXd::Zero(cell.system.nv()));
  VectorXd a(n), beta(work.rows()), tau(cell.system.nv());
  EXPECT_LT(model.compute_still_acceleration(VectorXd::Ones(n), a), 1e-9);
  compute_closure_bias(work, cell.state, beta);
  double opens = 0;
  const VectorXd all = with_box(a, beta, &opens);
  EXPECT_LT(opens, 1e-9 * (1 + all.norm()));
  Actuation motors;
  motors.entries = robot.active();
  // Throws if the base would need an effort of its own.
  compute_inverse_dynamics(work, cell.state, all, {}, motors, tau);
  VectorXd found(cell.system.nv());
  compute_forward_dynamics(work, cell.state, tau, {}, found);
  EXPECT_LT(VectorXd(found(robot.base().freedoms)).norm(), 1e-8 * found.norm());
}

TEST_F(Holding, its_base_velocity_counts_the_box) {
  model.update(cell.state, VectorXd::Zero(cell.system.nv()));
  VectorXd rates(6);
  model.compute_base_velocity(compute_momentum(work.tree(), cell.state), cell.state.v, rates);
  EXPECT_LT(difference(rates, cell.state.v(robot.base().freedoms)), cell.tolerance());
}

/// The worse of the two momenta, over ten thousand steps of 5e-4 s or the same time in longer ones.
double momentum_lost(const System& system, double step) {
  const double time = steps * 5e-4;
  Simulation simulation(system, initial_state(system),
                        {.method = Method::rk4, .step = step, .measure_drift = true});
  simulation.advance_to(time);
  EXPECT_GE(simulation.statistics().steps, static_cast<long>(time / step * (1 - 1e-9)));
  const Conservation& kept = *simulation.statistics().conservation;
  EXPECT_TRUE(kept.linear_momentum && kept.angular_momentum);
  return std::max(kept.linear_momentum->relative(), kept.angular_momentum->relative());
}

/// The method is of the fourth order, and so is what it loses. From steps so long that rounding does not
/// show follows what the short one may lose, and 1e-12 is asked of it.
TEST(Catch, keeps_its_momentum_over_ten_thousand_steps) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/space_robot_catch.yaml"));
  const double coarse = momentum_lost(system, 1.6e-2), half = momentum_lost(system, 8e-3),
               quarter = momentum_lost(system, 4e-3);
  EXPECT_GT(std::log2(coarse / half), 3.5) << coarse << ", " << half;
  EXPECT_GT(std::log2(half / quarter), 3.5) << half << ", " << quarter;
  EXPECT_LT(quarter / std::pow(8, 3.5), 1e-12) << "by truncation";
  EXPECT_LT(momentum_lost(system, 5e-4), 1e-12);
}

TEST_F(Floating, momentum_says_nothing_about_a_base_that_is_held) {
  const Cell planar = CellMaker(2).make({.base = BaseKind::planar, .holds = false});
  const Manipulator other(planar.system, {.base = {}, .tips = {"hand0"}});
  UnifiedModel of(other);
  of.update(planar.state, VectorXd::Zero(planar.system.nv()));
  VectorXd rates(6);
  EXPECT_THROW(of.compute_base_velocity({}, planar.state.v, rates), Error);
}

}  // namespace
}  // namespace linkwright::testing
