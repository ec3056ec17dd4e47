/// Many states of a closed mechanism against one state at a time.

#include "linkwright/closure/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "closure/mechanisms.hpp"
#include "closure/random_mechanism.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/condition.hpp"
#include "support/random_forces.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Closed states in the neighbourhood of one, and efforts of all motors.
struct ClosedStates {
  ClosedStates(ClosedWorkspace& work, const VectorXd& reference, RandomModel& random, int count,
               double reach = 0.05) {
    const System& system = work.system();
    for (int tries = 0; tries < 4 * count && static_cast<int>(states.size()) < count; ++tries) {
      State state(system);
      compute_integral(system, reference, random.numbers(system.nv(), reach), 1, state.q);
      const AssemblyOptions options{.limits = AssemblyOptions::Limits::ignore, .restarts = 0};
      if (!assemble(work, options, state.q).assembled) continue;
      state.v = random.numbers(system.nv());
      project_velocity(work, state.q, {}, state.v);
      states.push_back(state);
    }
    const auto rows = static_cast<Index>(states.size());
    q.resize(rows, system.nq()), v.resize(rows, system.nv());
    tau = MatrixXd::Zero(rows, system.effort_count());
    for (Index s = 0; s < rows; ++s) {
      q.row(s) = at(s).q.transpose(), v.row(s) = at(s).v.transpose();
      for (const int i : all_motors(system).entries) tau(s, i) = random.between(-3, 3);
    }
  }
  [[nodiscard]] const State& at(Index s) const { return states[static_cast<std::size_t>(s)]; }
  [[nodiscard]] Index count() const { return q.rows(); }

  std::vector<State> states;
  MatrixXd q, v, tau;
};

bool is_listed(const BatchReport& report, Index s) {
  return std::find(report.bad_states.begin(), report.bad_states.end(), s) !=
         report.bad_states.end();
}

/// The recursion subtracts what the closures take from the accelerations of the open tree.
double bound_of(ClosedWorkspace& work, const State& state, const VectorXd& tau, const VectorXd& a) {
  VectorXd open(work.system().nv());
  compute_forward_dynamics(work.tree(), state, tau.head(work.system().nv()), {}, open);
  return 64 * epsilon * condition_of_closed(work, state.q) * (1 + a.norm() + open.norm());
}

void expect_same_motion(ClosedWorkspace& work, ClosedBatch& batch, const ClosedStates& given,
                        const BatchForces& forces = {}) {
  std::vector<ExternalForce> room;
  MatrixXd a(given.count(), work.system().nv());
  const BatchReport report = batch.compute_forward_dynamics(given.q, given.v, given.tau, forces, a);
  EXPECT_TRUE(report.bad_states.empty()) << report.bad_states.size();
  for (Index s = 0; s < given.count(); ++s) {
    VectorXd expected(work.system().nv());
    const VectorXd tau = given.tau.row(s).transpose();
    compute_forward_dynamics(work, given.at(s), tau, forces.on_state(s, room), expected);
    EXPECT_LT((a.row(s).transpose() - expected).norm(), bound_of(work, given.at(s), tau, expected))
        << "state " << s;
  }
}

/// The efforts of these motors, against those of a single state; and back by forward dynamics.
void expect_same_efforts(ClosedWorkspace& work, const VectorXd& reference,
                         const std::vector<int>& motors, const ClosedStates& given) {
  const System& system = work.system();
  ClosedBatch batch(system, reference, {.motors = motors});
  ASSERT_EQ(batch.mobility(), static_cast<int>(motors.size()));
  RandomModel random(11);
  const RandomForces<> own(system, random, given.count());
  const BatchForces forces = own.all();
  std::vector<ExternalForce> room;
  MatrixXd a(given.count(), system.nv()), tau(given.count(), system.effort_count());
  batch.compute_forward_dynamics(given.q, given.v, given.tau, forces, a);
  const BatchReport report = batch.compute_inverse_dynamics(given.q, given.v, a, forces, tau);
  EXPECT_TRUE(report.bad_states.empty());
  for (Index s = 0; s < given.count(); ++s) {
    const VectorXd acceleration = a.row(s).transpose();
    VectorXd expected(system.effort_count()), needed(system.nv());
    const ExternalForces pushing = forces.on_state(s, room);
    compute_inverse_dynamics(work, given.at(s), acceleration, pushing, {.entries = motors},
                             expected);
    compute_inverse_dynamics(work.tree(), given.at(s), acceleration, pushing, needed);
    // What the motors must give is solved for, with the closures' forces, from what all joints need.
    EXPECT_LT((tau.row(s).transpose() - expected).norm(),
              64 * epsilon * condition_of_closed(work, given.at(s).q) *
                  (1 + expected.norm() + needed.norm()))
        << "state " << s;
  }
}

class BundledBatch : public ::testing::TestWithParam<const char*> {
 protected:
  BundledBatch()
      : system(compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + GetParam()))),
        work(system),
        reference(initial_state(system).q),
        random(7) {
    EXPECT_TRUE(assemble(work, {}, reference).assembled);
  }
  System system;
  ClosedWorkspace work;
  VectorXd reference;
  RandomModel random;
};

TEST_P(BundledBatch, moves_as_one_state_at_a_time) {
  const ClosedStates given(work, reference, random, 21);
  ASSERT_GT(given.count(), 16);
  ClosedBatch batch(system, reference);
  expect_same_motion(work, batch, given);
  const RandomForces<> forces(system, random, given.count());
  expect_same_motion(work, batch, given, forces.alike);
  expect_same_motion(work, batch, given, forces.all());
}

TEST_P(BundledBatch, needs_the_efforts_of_one_state_at_a_time) {
  const ClosedStates given(work, reference, random, 21);
  expect_same_efforts(work, reference, choose_independent(work, reference).entries, given);
}

TEST_P(BundledBatch, tells_how_far_states_are_off_the_closures) {
  ClosedStates given(work, reference, random, 19);
  ClosedBatch batch(system, reference);
  MatrixXd residual(given.count(), 3);
  EXPECT_TRUE(batch.compute_residual(given.q, given.v, residual).bad_states.empty());
  EXPECT_LT(residual.leftCols(2).maxCoeff(), 2e-12);
  EXPECT_LT(residual.col(2).maxCoeff(), 1e-10);
  for (Index s = 0; s < given.count(); ++s) {
    VectorXd q(system.nq());
    compute_integral(system, given.at(s).q, random.numbers(system.nv(), 0.02), 1, q);
    given.q.row(s) = q.transpose();
    given.v.row(s) = random.numbers(system.nv()).transpose();
  }
  batch.compute_residual(given.q, given.v, residual);
  for (Index s = 0; s < given.count(); ++s) {
    MatrixXd J(work.rows(), system.nv());
    const VectorXd q = given.q.row(s).transpose();
    const double gap = compute_worst_closure(work, q).gap();
    EXPECT_NEAR(residual.row(s).head(2).maxCoeff(), gap, 1e-12);
    EXPECT_GT(gap, 1e-6);
    compute_closure_jacobian(work, q, J);
    EXPECT_NEAR(residual(s, 2), (J * given.v.row(s).transpose()).cwiseAbs().maxCoeff(), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Closures, BundledBatch,
                         ::testing::Values("four_bar.yaml", "slider_crank.yaml",
                                           "spatial_slider_crank.yaml", "five_bar.yaml",
                                           "bricard.yaml", "stewart.yaml", "delta.yaml",
                                           "ankle.yaml", "gripper.yaml", "walking_machine.yaml",
                                           "planar_platform.yaml", "two_arms_and_box.yaml"),
                         [](const auto& file) {
                           const std::string name = file.param;
                           return name.substr(0, name.find('.'));
                         });

/// A random mechanism; on its closing joints every kind of force acts.
struct Lively {
  explicit Lively(unsigned seed)
      : random(seed),
        made(random.closed(random.integer(3, 9), random.integer(1, 6),
                           static_cast<Base>(random.integer(0, 2)), all_joint_types())) {
    enliven(random, made.model);
    system = std::make_unique<System>(compile(made.model));
    work = std::make_unique<ClosedWorkspace>(*system);
  }
  /// Null where the mechanism is singular where it was made.
  std::unique_ptr<ClosedBatch> batch(ClosedBatchOptions options = {}) {
    try {
      return std::make_unique<ClosedBatch>(*system, made.q, options);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("singular"), std::string::npos) << error.what();
      return nullptr;
    }
  }
  RandomMechanism random;
  ClosedMechanism made;
  std::unique_ptr<System> system;
  std::unique_ptr<ClosedWorkspace> work;
};

TEST(ClosedBatch, random_mechanisms_move_as_one_state_at_a_time) {
  int compared = 0, motors = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Lively trial(seed);
    const std::unique_ptr<ClosedBatch> batch = trial.batch();
    if (batch == nullptr) continue;
    const ClosedStates given(*trial.work, trial.made.q, trial.random, 9, 0.01);
    expect_same_motion(*trial.work, *batch, given);
    compared += given.count() > 0 ? 1 : 0;
    motors += trial.system->closing_motors().empty() ? 0 : 1;
  }
  EXPECT_GT(compared, 80);
  EXPECT_GT(motors, 30);
}

TEST(ClosedBatch, random_mechanisms_need_the_efforts_of_one_state_at_a_time) {
  int compared = 0, closing = 0;
  for (unsigned seed = 100; seed < 160; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Lively trial(seed);
    if (trial.batch() == nullptr) continue;
    std::vector<int> motors = choose_independent(*trial.work, trial.made.q).entries;
    const ClosedStates given(*trial.work, trial.made.q, trial.random, 9, 0.01);
    if (motors.empty() || given.count() == 0) continue;
    expect_same_efforts(*trial.work, trial.made.q, motors, given);
    ++compared;
    // A motor on a closing joint in the place of one of the tree, where it drives the same freedom.
    if (trial.system->closing_motors().empty()) continue;
    motors.erase(motors.begin());
    motors.push_back(trial.system->nv());
    try {
      const ClosedBatch possible(*trial.system, trial.made.q, {.motors = motors});
    } catch (const Error&) {
      continue;
    }
    expect_same_efforts(*trial.work, trial.made.q, motors, given);
    ++closing;
  }
  EXPECT_GT(compared, 30);
  EXPECT_GT(closing, 5);
}

/// Equal bits, NaN to NaN.
bool same_bits(const MatrixXd& a, const MatrixXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

TEST(ClosedBatch, results_are_equal_to_the_bit_for_any_threads_and_places) {
  for (const unsigned seed : {3U, 5U, 8U}) {
    Lively trial(seed);
    const System& system = *trial.system;
    const std::unique_ptr<ClosedBatch> one = trial.batch();
    if (one == nullptr) continue;
    const ClosedStates given(*trial.work, trial.made.q, trial.random, 45, 0.01);
    ASSERT_GT(given.count(), 20);
    MatrixXd a(given.count(), system.nv()), b = a, gaps(given.count(), 3), other_gaps = gaps;
    one->compute_forward_dynamics(given.q, given.v, given.tau, {}, a);
    one->compute_residual(given.q, given.v, gaps);
    for (const int threads : {2, 3}) {
      const std::unique_ptr<ClosedBatch> many = trial.batch({.threads = threads});
      EXPECT_EQ(many->threads(), threads);
      many->compute_forward_dynamics(given.q, given.v, given.tau, {}, b);
      EXPECT_TRUE(same_bits(a, b)) << threads;
      many->compute_residual(given.q, given.v, other_gaps);
      EXPECT_TRUE(same_bits(gaps, other_gaps)) << threads;
    }
    const MatrixXd q = given.q.colwise().reverse(), v = given.v.colwise().reverse(),
                   tau = given.tau.colwise().reverse();
    one->compute_forward_dynamics(q, v, tau, {}, b);
    EXPECT_TRUE(same_bits(a, b.colwise().reverse()));
  }
}

TEST(ClosedBatch, inverse_dynamics_is_equal_to_the_bit_for_any_threads) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/stewart.yaml"));
  ClosedWorkspace work(system);
  VectorXd reference = initial_state(system).q;
  ASSERT_TRUE(assemble(work, {}, reference).assembled);
  RandomModel random(1);
  const ClosedStates given(work, reference, random, 45);
  MatrixXd a(given.count(), system.nv()), first(given.count(), system.nv()), other = first;
  ClosedBatch one(system, reference);
  one.compute_forward_dynamics(given.q, given.v, given.tau, {}, a);
  one.compute_inverse_dynamics(given.q, given.v, a, {}, first);
  for (const int threads : {2, 3}) {
    ClosedBatch many(system, reference, {.threads = threads});
    many.compute_inverse_dynamics(given.q, given.v, a, {}, other);
    EXPECT_TRUE(same_bits(first, other)) << threads;
  }
}

/// Crank, coupler and rocker of a parallelogram, the crank at `angle`: flat at 0.
VectorXd parallelogram(double angle) { return Eigen::Vector3d{angle, -angle, angle}; }

TEST(ClosedBatch, states_without_an_answer_are_nan_and_listed) {
  const System system = compile(four_bar(0.4, 0.9, 0.4, 0.9));
  const int count = 20;
  MatrixXd q(count, 3), v = MatrixXd::Zero(count, 3), tau = MatrixXd::Zero(count, 3), a(count, 3),
                        clean(count, 3);
  for (int s = 0; s < count; ++s) q.row(s) = parallelogram(0.5 + 0.05 * s).transpose();
  ClosedBatch batch(system, parallelogram(1));
  EXPECT_EQ(batch.rank(), 2);
  EXPECT_TRUE(batch.compute_forward_dynamics(q, v, tau, {}, clean).bad_states.empty());
  q(2, 1) = nan, v(9, 0) = std::numeric_limits<double>::infinity(), tau(17, 0) = nan;
  q.row(11) = parallelogram(0).transpose();  // the two rows depend on each other
  const BatchReport report = batch.compute_forward_dynamics(q, v, tau, {}, a);
  EXPECT_EQ(std::vector<int>(report.bad_states.begin(), report.bad_states.end()),
            (std::vector<int>{2, 9, 11, 17}));
  for (int s = 0; s < count; ++s) {
    if (is_listed(report, s))
      EXPECT_TRUE(a.row(s).array().isNaN().all()) << s;
    else
      EXPECT_TRUE(same_bits(a.row(s), clean.row(s))) << s;
  }
  ClosedBatch driven(system, parallelogram(1), {.motors = {0}});
  tau.setZero();
  v.setZero();
  const BatchReport efforts = driven.compute_inverse_dynamics(q, v, clean, {}, tau);
  EXPECT_EQ(std::vector<int>(efforts.bad_states.begin(), efforts.bad_states.end()),
            (std::vector<int>{2, 11}));
}

template <class Call>
std::string refusal_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no refusal";
}

TEST(ClosedBatch, what_it_cannot_do_is_refused_by_name) {
  const System system = compile(four_bar(0.4, 0.9, 0.4, 0.9));
  const auto says = [](const std::string& message, const char* what) {
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  says(refusal_of([&] { Batch batch(system); }), "ClosedBatch");
  says(refusal_of([&] { ClosedBatch batch(system, Eigen::Vector3d{1, 0, 1}); }), "closure 'loop'");
  says(refusal_of([&] { ClosedBatch batch(system, parallelogram(0)); }), "singular");
  says(refusal_of([&] { ClosedBatch batch(system, parallelogram(1), {.threads = 0}); }), "threads");
  says(refusal_of([&] {
         ClosedBatch batch(system, parallelogram(1), {.motors = {0, 1}});
       }),
       "2 motors (j1, j2) for 1");
  says(refusal_of([&] { ClosedBatch batch(system, parallelogram(1), {.motors = {3}}); }),
       "entry 3");
  ClosedBatch batch(system, parallelogram(1));
  MatrixXd q(4, 3), v = MatrixXd::Zero(4, 3), narrow(4, 2);
  for (int s = 0; s < 4; ++s) q.row(s) = parallelogram(1).transpose();
  says(refusal_of([&] { batch.compute_forward_dynamics(q, v, v, {}, narrow); }), "a is 4x2");
  says(refusal_of([&] { batch.compute_residual(q, v, narrow); }), "residual is 4x2");
  MatrixXd tau(4, 3);
  says(refusal_of([&] { batch.compute_inverse_dynamics(q, v, v, {}, tau); }), "3 motors");
  Model passive = four_bar(0.4, 0.9, 0.4, 0.9);
  passive.joints[1].passive = {true};
  const System half = compile(passive);
  ClosedBatch strict(half, parallelogram(1));
  says(refusal_of([&] { strict.compute_forward_dynamics(q, v, MatrixXd::Ones(4, 3), {}, tau); }),
       "j2");
}

}  // namespace
}  // namespace linkwright::testing
