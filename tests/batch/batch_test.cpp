// Many states against one state at a time.
#include <cmath>

#include <gtest/gtest.h>

#include "batch/rich_model.hpp"
#include "linkwright/batch/batch.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "support/random_forces.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(Batch, agrees_with_the_single_state_for_every_joint_type) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const System system = compile(rich_model(seed));
    RandomModel random(seed + 100);
    const int count = 37, nv = system.nv();  // four full groups and a ragged tail
    const States in(system, random, count);
    const FrameId tip = system.frame("tip");
    const RandomForces<> forces(system, random, count);
    const BatchForces pushes = forces.all();
    Batch batch(system, {.threads = 2});
    MatrixXd tau(count, nv), a(count, nv), M(count, nv * nv), pose(count, 12), J(count, 6 * nv);
    EXPECT_TRUE(batch.compute_inverse_dynamics(in.q, in.v, in.x, pushes, tau).bad_states.empty());
    EXPECT_TRUE(batch.compute_forward_dynamics(in.q, in.v, in.x, pushes, a).bad_states.empty());
    EXPECT_TRUE(batch.compute_mass_matrix(in.q, M).bad_states.empty());
    EXPECT_TRUE(batch.compute_forward_kinematics(in.q, tip, pose).bad_states.empty());
    EXPECT_TRUE(batch.compute_jacobian(in.q, tip, Axes::own, J).bad_states.empty());
    Workspace work(system);
    for (int s = 0; s < count; ++s) {
      const State state = in.state(s);
      VectorXd one(nv);
      MatrixXd square(nv, nv), jacobian(6, nv);
      compute_inverse_dynamics(work, state, in.x.row(s).transpose(), forces.on(s), one);
      EXPECT_LE(relative(tau.row(s), one), 1e-12);
      compute_forward_dynamics(work, state, in.x.row(s).transpose(), forces.on(s), one);
      compute_mass_matrix(work, state.q, square);
      // Accelerations carry the condition number: compared as the forces that cause them.
      EXPECT_LE((square * (a.row(s).transpose() - one)).norm(),
                1e-12 * (1 + square.norm() * one.norm()));
      EXPECT_LE(relative(M.row(s), square.reshaped()), 1e-12);
      compute_jacobian(work, state.q, tip, Axes::own, jacobian);
      EXPECT_LE(relative(J.row(s), jacobian.reshaped()), 1e-12);
      compute_forward_kinematics(work, state, VectorXd::Zero(nv));
      const Pose X = frame_pose(work, tip);
      EXPECT_LE((pose.row(s).head(3).transpose() - to_eigen(X.translation)).norm(), 1e-12);
      EXPECT_NEAR(pose(s, 4), X.rotation.xy, 1e-12);
    }
  }
}

/// A chain of few columns is copied eight lane groups at a time: sizes around one and two tiles.
TEST(Batch, any_number_of_states_gives_each_its_own_answer) {
  const System system = compile(RandomModel(4).tree(4, Base::fixed, {JointType::revolute}));
  RandomModel random(1);
  const States in(system, random, 200);
  MatrixXd all(200, system.nv());
  Batch batch(system, {.threads = 3});
  batch.compute_forward_dynamics(in.q, in.v, in.x, {}, all);
  for (const int count : {0, 1, 7, 8, 63, 64, 65, 128, 129, 199}) {
    MatrixXd some(count, system.nv());
    batch.compute_forward_dynamics(in.q.topRows(count), in.v.topRows(count), in.x.topRows(count),
                                   {}, some);
    EXPECT_EQ(some, all.topRows(count)) << count;
  }
}

/// Beyond the reach of the vector sine one lane takes another path; its neighbours must not notice.
TEST(Batch, huge_angles_are_angles_too) {
  const System system = compile(RandomModel(5).tree(5, Base::fixed, {JointType::revolute}));
  RandomModel random(2);
  States in(system, random, 20);
  MatrixXd near(20, system.nv());
  Batch(system).compute_inverse_dynamics(in.q, in.v, in.x, {}, near);
  in.q(3, 0) = 1e6, in.q(4, 2) = -1e17, in.q(11, 1) = 6e5;
  MatrixXd tau(20, system.nv());
  EXPECT_TRUE(Batch(system).compute_inverse_dynamics(in.q, in.v, in.x, {}, tau).bad_states.empty());
  Workspace work(system);
  VectorXd one(system.nv());
  for (int s = 0; s < 20; ++s) {
    compute_inverse_dynamics(work, in.state(s), in.x.row(s).transpose(), {}, one);
    EXPECT_LE(relative(tau.row(s), one), 1e-12) << s;
    if (s != 3 && s != 4 && s != 11) {
      EXPECT_EQ(tau.row(s), near.row(s)) << s;
    }
  }
}

/// Whichever number is not finite, whatever it would have been multiplied with.
TEST(Batch, a_bad_number_anywhere_spoils_its_state_and_no_other) {
  const System system = compile(RandomModel(6).tree(6, Base::free, all_joint_types()));
  RandomModel random(3);
  const States good(system, random, 8);
  MatrixXd clean(8, system.nv()), out(8, system.nv());
  Batch batch(system);
  const auto expect_spoilt = [&](auto compute, MatrixXd States::*which) {
    compute(good, clean);
    for (Eigen::Index c = 0; c < (good.*which).cols(); ++c)
      for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        States in = good;
        (in.*which)(5, c) = bad;
        const BatchReport report = compute(in, out);
        ASSERT_EQ(report.bad_states.size(), 1U) << "column " << c << " is " << bad;
        EXPECT_EQ(report.bad_states[0], 5);
        EXPECT_TRUE(out.row(5).array().isNaN().all());
        EXPECT_EQ(out.topRows(5), clean.topRows(5));
        EXPECT_EQ(out.bottomRows(2), clean.bottomRows(2));
      }
  };
  const auto inverse = [&](const States& in, MatrixXd& to) {
    return batch.compute_inverse_dynamics(in.q, in.v, in.x, {}, to);
  };
  const auto forward = [&](const States& in, MatrixXd& to) {
    return batch.compute_forward_dynamics(in.q, in.v, in.x, {}, to);
  };
  for (const auto which : {&States::q, &States::v, &States::x}) {
    expect_spoilt(inverse, which);
    expect_spoilt(forward, which);
  }
}

TEST(Batch, floats_agree_to_single_precision) {
  const System system = compile(RandomModel(3).tree(
      10, Base::free, {JointType::revolute, JointType::spherical, JointType::prismatic}));
  RandomModel random(9);
  const States in(system, random, 50);
  BatchFloat batch(system);
  Batch exact(system);
  Eigen::MatrixXf tau(50, system.nv()), a(50, system.nv());
  MatrixXd tau64(50, system.nv()), a64(50, system.nv());
  batch.compute_inverse_dynamics(in.q.cast<float>(), in.v.cast<float>(), in.x.cast<float>(), {},
                                 tau);
  exact.compute_inverse_dynamics(in.q, in.v, in.x, {}, tau64);
  EXPECT_LE((tau.cast<double>() - tau64).norm(), 2e-6 * tau64.norm());
  batch.compute_forward_dynamics(in.q.cast<float>(), in.v.cast<float>(), in.x.cast<float>(), {}, a);
  exact.compute_forward_dynamics(in.q, in.v, in.x, {}, a64);
  EXPECT_LE((a.cast<double>() - a64).norm(), 1e-3 * a64.norm());
}

TEST(Batch, results_are_bit_identical_for_any_number_of_threads_and_any_count) {
  const System system = compile(rich_model(4));
  RandomModel random(1);
  for (const int count : {0, 1, 7, 8, 9, 100}) {
    const States in(system, random, count);
    MatrixXd one(count, system.nv()), many(count, system.nv());
    Batch(system, {.threads = 1}).compute_forward_dynamics(in.q, in.v, in.x, {}, one);
    for (const int threads : {2, 3, 5}) {
      Batch(system, {.threads = threads}).compute_forward_dynamics(in.q, in.v, in.x, {}, many);
      EXPECT_TRUE(one == many) << threads << " threads, " << count << " states";
    }
  }
}

TEST(Batch, a_bad_state_is_named_and_its_neighbours_are_untouched) {
  const System system = compile(rich_model(1));
  ASSERT_FALSE(system.quaternion_joints().empty());
  RandomModel random(1);
  States in(system, random, 30);
  MatrixXd clean(30, system.nv()), out(30, system.nv());
  Batch batch(system, {.threads = 2});
  batch.compute_inverse_dynamics(in.q, in.v, in.x, {}, clean);
  in.v(5, system.nv() - 1) = std::numeric_limits<double>::quiet_NaN();
  in.q(17, 0) = std::numeric_limits<double>::infinity();
  in.x(29, 2) = std::numeric_limits<double>::quiet_NaN();
  const int r = system.joints()[static_cast<std::size_t>(system.quaternion_joints()[0])].quaternion;
  in.q.row(20).segment(r, 4) *= 2;
  const BatchReport report = batch.compute_inverse_dynamics(in.q, in.v, in.x, {}, out);
  EXPECT_EQ(std::vector<int>(report.bad_states.begin(), report.bad_states.end()),
            (std::vector<int>{5, 17, 20, 29}));
  for (int s = 0; s < 30; ++s) {
    if (s == 5 || s == 17 || s == 20 || s == 29)
      EXPECT_TRUE(out.row(s).array().isNaN().all()) << s;
    else
      EXPECT_TRUE(out.row(s) == clean.row(s)) << s;
  }
  MatrixXd a(30, system.nv());
  EXPECT_EQ(batch.compute_forward_dynamics(in.q, in.v, in.x, {}, a).bad_states.size(), 4U);
}

TEST(Batch, arrays_that_disagree_are_named_and_nothing_is_written) {
  const System system = compile(rich_model(1));
  RandomModel random(1);
  const States in(system, random, 10);
  Batch batch(system);
  MatrixXd shorter = MatrixXd::Constant(9, system.nv(), 42);
  try {
    batch.compute_inverse_dynamics(in.q, in.v, in.x, {}, shorter);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("tau is 9x"), std::string::npos) << error.what();
  }
  EXPECT_TRUE((shorter.array() == 42).all());
  EXPECT_THROW(batch.compute_forward_dynamics(in.q, in.v, in.q, {}, shorter), Error);
  EXPECT_THROW(Batch(system, {.threads = 0}), Error);
}

/// A turn of any size: the series for small ones and what follows it meet without a step.
TEST(Batch, poses_move_on_the_group_to_rounding) {
  Model model;
  model.gravity = {};
  model.bodies.push_back({.name = "ball", .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}});
  model.joints.push_back(
      {.name = "base", .type = JointType::free, .parent = "world", .child = "ball"});
  const System system = compile(model);
  RandomModel random(3);
  const int count = 4000;
  MatrixXd q(count, 7), v(count, 6);
  for (int s = 0; s < count; ++s) {
    const State state = random.state(system);
    // From 1e-6 to 4 rad, and densely around 0.1 rad.
    const double angle =
        s % 2 == 0 ? std::pow(10, random.between(-6, 0.6)) : random.between(0.05, 0.2);
    const Vector3 turn = angle * random.direction();
    q.row(s) = state.q;
    v.row(s) << turn.x, turn.y, turn.z, to_eigen(random.vector(1)).transpose();
  }
  const MatrixXd q0 = q;
  MatrixXd moved = v;
  const MatrixXd tau = MatrixXd::Zero(count, 6);
  Batch batch(system, {.threads = 1});
  EXPECT_TRUE(batch.compute_rollout(q, moved, tau, {}, 1, 1).bad_states.empty());
  for (int s = 0; s < count; ++s) {
    VectorXd alone(7);
    compute_integral(system, q0.row(s).transpose(), moved.row(s).transpose(), 1, alone);
    EXPECT_LE((q.row(s).transpose() - alone).norm(), 16 * std::numeric_limits<double>::epsilon() *
                                                         (1 + alone.norm() + moved.row(s).norm()))
        << "turned by " << v.row(s).head(3).norm();
  }
}

/// Forces turn with the frames they act on, or not.
TEST(Batch, a_rollout_follows_the_single_state_step_by_step) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const System system = compile(rich_model(seed));
    RandomModel random(seed);
    const int count = 11, steps = 20;
    const double dt = 1e-3;
    States in(system, random, count);
    const RandomForces<> forces(system, random, count);
    MatrixXd q = in.q, v = in.v;
    Batch batch(system, {.threads = 2});
    EXPECT_TRUE(batch.compute_rollout(q, v, in.x, forces.all(), dt, steps).bad_states.empty());
    Workspace work(system);
    for (int s = 0; s < count; ++s) {
      State state = in.state(s);
      VectorXd a(system.nv());
      for (int step = 0; step < steps; ++step) {
        compute_forward_dynamics(work, state, in.x.row(s).transpose(), forces.on(s), a);
        state.v += dt * a;
        compute_integral(system, state.q, state.v, dt, state.q);
      }
      EXPECT_LE(relative(q.row(s), state.q), 1e-11);
      EXPECT_LE(relative(v.row(s), state.v), 1e-9);
    }
  }
}

}  // namespace
}  // namespace linkwright::testing
