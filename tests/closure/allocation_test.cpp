// Counts heap allocations: forward dynamics of a closed system makes none.
#include <gtest/gtest.h>

#include "closure/aggregates.hpp"
#include "closure/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/batch.hpp"
#include "linkwright/closure/derivatives.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/operators/operational_space.hpp"
#include "linkwright/system/system.hpp"
#include "support/count_allocations.hpp"
#include "support/random_forces.hpp"

namespace linkwright::testing {
namespace {

TEST(ClosureAllocation, forward_dynamics_by_recursion_makes_none) {
  const System system = compile(four_bar(0.4, 0.9, 0.4, 0.9));
  ClosedWorkspace work(system);
  State state(system);
  state.q << 1, -1, 1;
  const Eigen::VectorXd tau = Eigen::Vector3d{1, 0, 0};
  Eigen::VectorXd a(3);
  const long before = allocations;
  compute_forward_dynamics(work, state, tau, {}, a);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(closed_report(work).method, ClosedMethod::recursion);
  Eigen::VectorXd* heap = new Eigen::VectorXd(100);
  EXPECT_GE(allocations - before, 2) << "the counter counts";
  delete heap;
}

TEST(ClosureAllocation, derivatives_make_none_after_their_first_call) {
  for (const char* file : {"four_bar.yaml", "stewart.yaml", "bricard.yaml"}) {
    const System system = compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + file));
    ClosedWorkspace work(system);
    State state = initial_state(system);
    assemble(work, {}, state.q);
    const Eigen::Index n = system.nv(), e = system.effort_count(),
                       f = 6 * static_cast<Eigen::Index>(system.closures().size());
    const Eigen::VectorXd tau = Eigen::VectorXd::Zero(e);
    Eigen::MatrixXd a_q(n, n), a_v(n, n), a_tau(n, e), f_q(f, n), f_v(f, n), f_tau(f, e);
    const auto call = [&] {
      compute_forward_dynamics_derivatives(work, state, tau, {}, a_q, a_v, a_tau);
      closure_force_derivatives(work, f_q, f_v, f_tau);
    };
    call();
    const long before = allocations;
    call();
    EXPECT_EQ(allocations - before, 0) << file;
  }
}

TEST(ClosureAllocation, a_batch_makes_none_after_its_first_call) {
  const System system = compile(four_bar(0.4, 0.9, 0.4, 0.9));
  const Eigen::Vector3d reference{1, -1, 1};
  const int count = 45;  // a ragged tail
  const Eigen::MatrixXd q = reference.transpose().replicate(count, 1);
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(count, 3);
  Eigen::MatrixXd a(count, 3), tau(count, 3), residual(count, 3);
  RandomModel random(1);
  const RandomForces<> forces(system, random, count);
  const BatchForces pushes = forces.all();
  for (const int threads : {1, 3}) {
    ClosedBatch batch(system, reference, {.threads = threads, .motors = {0}});
    const auto call_all = [&] {
      batch.compute_forward_dynamics(q, zero, zero, pushes, a);
      batch.compute_inverse_dynamics(q, zero, a, pushes, tau);
      batch.compute_residual(q, zero, residual);
    };
    call_all();
    const long before = allocations;
    call_all();
    EXPECT_EQ(allocations - before, 0) << threads;
  }
}

TEST(ClosureAllocation, operators_make_none_once_they_have_run) {
  using namespace operators;
  using Eigen::MatrixXd, Eigen::VectorXd;
  const auto mass_operator = H * phi * M * transpose(phi) * transpose(H) + R;
  const ClosedMechanism made = mechanism_of(15);  // forces on closing joints, a gear
  const System system = compile(made.model);
  Operators at(system);
  at.set_tips(std::vector<std::string>{"tip", "body1"});
  OperationalSpace space(at);
  State state(system);
  state.q = made.q, state.v = VectorXd::Zero(system.nv());
  VectorXd tau = VectorXd::Zero(system.effort_count()), a(system.nv()), none;
  at.update(state, tau);
  const int n = at.size(Space::joint_rate);
  ASSERT_GT(n, 0);
  VectorXd x = VectorXd::Ones(n), y(n), link(at.size(Space::link_motion)), tip(12);
  MatrixXd omega(12, 12);
  double sum = 0;
  const auto run = [&] {
    at.update(state.q);
    apply(mass_operator, at, x, y);
    compute_solve(at, x, y);
    sum += compute_log_determinant(at);
    apply_root(at, Covariance::mass, x, y);
    space.update();
    space.compute_inverse_inertia(omega);
    for (const Algorithm algorithm : all_algorithms) {
      const bool all = algorithm == Algorithm::FD2;
      compute_forward_dynamics(algorithm, at, state, tau, {}, a, all ? link : none,
                               all ? tip : none);
    }
  };
  run();
  const long before = allocations;
  run();
  EXPECT_EQ(allocations - before, 0);
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace linkwright::testing
