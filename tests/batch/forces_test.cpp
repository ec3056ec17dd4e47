// Forces of each state's own in a batch, against one state at a time.
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "batch/rich_model.hpp"
#include "linkwright/batch/batch.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "support/random_forces.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(BatchForces, on_a_state_are_those_that_the_functions_for_one_take) {
  const System system = compile(rich_model(2));
  RandomModel random(5);
  const RandomForces<> forces(system, random, 9);
  std::vector<ExternalForce> room;
  for (int s = 0; s < 9; ++s) {
    const ExternalForces found = forces.all().on_state(s, room);
    const std::vector<ExternalForce> expected = forces.on(s);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].frame.index, expected[i].frame.index);
      EXPECT_EQ(found[i].axes, expected[i].axes);
      EXPECT_EQ(to_eigen(found[i].force), to_eigen(expected[i].force));
    }
  }
}

/// Of a block of a larger matrix too, whose columns lie further apart than its rows are many.
TEST(BatchForces, change_no_bit_with_threads_count_or_layout) {
  const System system = compile(rich_model(4));
  RandomModel random(1);
  const int most = 100;
  const States in(system, random, most);
  const RandomForces<> forces(system, random, most);
  MatrixXd all(most, system.nv());
  Batch(system).compute_forward_dynamics(in.q, in.v, in.x, forces.all(), all);
  for (const int threads : {1, 2, 3, 5})
    for (const int count : {0, 1, 7, 8, 9, most}) {
      std::vector<StateForce> own;
      for (const StateForce& force : forces.own)
        own.push_back({force.frame, force.wrench.topRows(count), force.axes});
      MatrixXd some(count, system.nv());
      Batch batch(system, {.threads = threads});
      batch.compute_forward_dynamics(in.q.topRows(count), in.v.topRows(count), in.x.topRows(count),
                                     {forces.alike, own}, some);
      EXPECT_TRUE(some == all.topRows(count)) << threads << " threads, " << count << " states";
    }
}

/// Wherever it acts, on what no joint feels too.
TEST(BatchForces, that_are_not_finite_spoil_their_state_and_no_other) {
  const System system = compile(rich_model(1));
  RandomModel random(3);
  const int count = 20;
  const States in(system, random, count);
  Batch batch(system);
  MatrixXd clean(count, system.nv()), out(count, system.nv()), wrench(count, 6);
  for (double& number : wrench.reshaped()) number = random.between(-1, 1);
  for (const FrameId frame : {FrameId{0}, system.frame("tip")})
    for (const Axes axes : {Axes::own, Axes::world})
      for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL})
        for (int column = 0; column < 6; ++column) {
          const StateForce push[] = {{frame, wrench, axes}};
          EXPECT_TRUE(
              batch.compute_inverse_dynamics(in.q, in.v, in.x, push, clean).bad_states.empty());
          const double kept = std::exchange(wrench(17, column), bad);
          const BatchReport report = batch.compute_inverse_dynamics(in.q, in.v, in.x, push, out);
          wrench(17, column) = kept;
          ASSERT_EQ(std::vector<int>(report.bad_states.begin(), report.bad_states.end()),
                    std::vector<int>{17});
          EXPECT_TRUE(out.row(17).array().isNaN().all());
          EXPECT_EQ(out.topRows(17), clean.topRows(17));
          EXPECT_EQ(out.bottomRows(2), clean.bottomRows(2));
        }
}

TEST(BatchForces, that_do_not_fit_are_named_and_nothing_is_written) {
  const System system = compile(rich_model(1));
  RandomModel random(1);
  const States in(system, random, 10);
  Batch batch(system);
  const auto refusal = [&](Eigen::Index rows, Eigen::Index columns) -> std::string {
    const MatrixXd wrench = MatrixXd::Ones(rows, columns);
    const StateForce push[] = {{system.frame("tip"), wrench}};
    MatrixXd tau = MatrixXd::Constant(10, system.nv(), 42);
    try {
      batch.compute_inverse_dynamics(in.q, in.v, in.x, push, tau);
    } catch (const Error& error) {
      EXPECT_TRUE((tau.array() == 42).all());
      return error.what();
    }
    return "no refusal";
  };
  EXPECT_EQ(
      refusal(9, 6),
      "the wrench on 'tip' is 9x6; expected 10x6: one row per state (as q has), [moment; force]");
  EXPECT_EQ(
      refusal(10, 3),
      "the wrench on 'tip' is 10x3; expected 10x6: one row per state (as q has), [moment; force]");
  EXPECT_EQ(refusal(10, 6), "no refusal");
}

TEST(BatchForces, of_floats_agree_to_single_precision) {
  const System system = compile(RandomModel(3).tree(
      10, Base::free, {JointType::revolute, JointType::spherical, JointType::prismatic}));
  RandomModel random(9);
  const States in(system, random, 50);
  const RandomForces<float> forces(system, random, 50);
  BatchFloat batch(system);
  Eigen::MatrixXf tau(50, system.nv());
  EXPECT_TRUE(batch
                  .compute_inverse_dynamics(in.q.cast<float>(), in.v.cast<float>(),
                                            in.x.cast<float>(), forces.all(), tau)
                  .bad_states.empty());
  Workspace work(system);
  VectorXd one(system.nv());
  for (int s = 0; s < 50; ++s) {
    compute_inverse_dynamics(work, in.state(s), in.x.row(s).transpose(), forces.on(s), one);
    EXPECT_LE((tau.row(s).transpose().cast<double>() - one).norm(), 4e-6 * (1 + one.norm()));
  }
}

}  // namespace
}  // namespace linkwright::testing
