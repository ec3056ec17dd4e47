/// The closed mechanisms that come with the library: assembled, certified, and their dynamics three ways.

#include <gtest/gtest.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/condition.hpp"

namespace linkwright::testing {
namespace {

struct Known {
  const char* file;
  int mobility, redundant, idle;
  std::vector<std::string> motors;
  int assemblies;  ///< with the motors held; 0: not counted
};

class Bundled : public ::testing::TestWithParam<Known> {
 protected:
  Bundled()
      : system(
            compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + GetParam().file))),
        work(system),
        start(initial_state(system)) {}
  /// 2 κ ε of accelerations and multipliers, as in laws_test.cpp.
  double error_of_a_solve(const State& state, const Eigen::VectorXd& tau,
                          const Eigen::VectorXd& a) {
    return 2 * condition_of_closed(work, state.q) * epsilon * size_of_solution(work, state, tau, a);
  }
  System system;
  ClosedWorkspace work;
  State start;
};

TEST_P(Bundled, is_assembled_and_certified) {
  EXPECT_LT(compute_worst_closure(work, start.q).gap(), 1e-6);
  Eigen::VectorXd q = start.q;
  const Assembly result = assemble(work, {}, q);
  ASSERT_TRUE(result.assembled) << describe(system, result.worst);
  const Mobility found = compute_mobility(work, q);
  EXPECT_EQ(found.mobility, GetParam().mobility);
  EXPECT_EQ(found.rows - found.rank, GetParam().redundant);
  EXPECT_EQ(found.redundant.empty(), GetParam().redundant == 0);
  EXPECT_EQ(static_cast<int>(found.idle.size()), GetParam().idle);
  EXPECT_FALSE(found.singular);
  EXPECT_EQ(static_cast<int>(found.independent.entries.size()), found.mobility);
}

TEST_P(Bundled, moves_the_same_three_ways) {
  Eigen::VectorXd q = start.q;
  ASSERT_TRUE(assemble(work, {}, q).assembled);
  State state = start;
  state.q = q;
  for (Eigen::Index i = 0; i < state.v.size(); ++i)
    state.v[i] = std::sin(1.0 + static_cast<double>(i));
  EXPECT_LT(project_velocity(work, state.q, {}, state.v), 1e-10);
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(system.nv());
  Eigen::VectorXd a(system.nv()), b(system.nv()), c(system.nv());
  compute_forward_dynamics(work, state, tau, {}, a, ClosedMethod::recursion);
  compute_forward_dynamics(work, state, tau, {}, b, ClosedMethod::independent);
  compute_forward_dynamics(work, state, tau, {}, c, ClosedMethod::dense);
  const double bound = error_of_a_solve(state, tau, b);
  EXPECT_LT((a - b).norm(), bound);
  EXPECT_LT((c - b).norm(), bound);
  EXPECT_LT(bound, 1e-6 * (b.norm() + state.v.squaredNorm())) << "means nothing";
}

TEST_P(Bundled, can_be_assembled_in_as_many_ways_as_it_has) {
  if (GetParam().assemblies == 0) GTEST_SKIP() << "not counted for this mechanism";
  Eigen::VectorXd q = start.q;
  ASSERT_TRUE(assemble(work, {}, q).assembled);
  AssemblyOptions options{.hold = GetParam().motors, .limits = AssemblyOptions::Limits::ignore};
  const std::vector<double> all = find_assemblies(work, options, q);
  EXPECT_EQ(all.size(), static_cast<std::size_t>(GetParam().assemblies * system.nq()));
}

TEST_P(Bundled, its_motors_give_back_the_motion) {
  if (GetParam().idle > 0) GTEST_SKIP() << "no motor drives the idle freedom";
  State state = start;
  ASSERT_TRUE(assemble(work, {}, state.q).assembled);
  const Actuation motors = all_motors(system);
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(system.nv()), a(system.nv()), back(system.nv()),
                  again(system.nv());
  for (const int i : motors.entries) tau[i] = 1 + 0.1 * i;
  compute_forward_dynamics(work, state, tau, {}, a);
  compute_inverse_dynamics(work, state, a, {}, motors, back);
  compute_forward_dynamics(work, state, back, {}, again);
  // Three solves, one for each line; the efforts that come back are balanced to their own rounding.
  const double bound = 2 * error_of_a_solve(state, tau, a) + error_of_a_solve(state, back, again);
  EXPECT_LT((again - a).norm(), bound);
  EXPECT_LT(bound, 1e-6 * a.norm()) << "means nothing";
  EXPECT_LE(back.norm(), tau.norm() * (1 + 2 * condition_of_closed(work, state.q) * epsilon))
      << "shared with least squares";
}

INSTANTIATE_TEST_SUITE_P(
    Closures, Bundled,
    ::testing::Values(
        Known{"four_bar.yaml", 1, 3, 0, {"crank_pivot"}, 2},
        Known{"slider_crank.yaml", 1, 3, 0, {"crank"}, 2},
        Known{"spatial_slider_crank.yaml", 2, 0, 1, {}, 0},
        Known{"five_bar.yaml", 2, 3, 0, {"left_motor", "right_motor"}, 2},
        Known{"five_bar_motors.yaml", 2, 3, 0, {"left_shoulder", "right_shoulder"}, 2},
        Known{"bricard.yaml", 1, 1, 0, {}, 0}, Known{"stewart.yaml", 6, 0, 0, {}, 0},
        Known{"delta.yaml", 3, 0, 0, {}, 0}, Known{"ankle.yaml", 2, 0, 0, {}, 0},
        Known{"gripper.yaml", 1, 6, 0, {"left_motor"}, 0},
        Known{"walking_machine.yaml", 6, 0, 0, {}, 0}, Known{"swinging_load.yaml", 10, 0, 0, {}, 0},
        Known{"two_arms_and_box.yaml", 12, 0, 0, {}, 0},
        Known{"three_fingers_and_ball.yaml", 6, 0, 0, {}, 0},
        Known{"pinched_box.yaml", 3, 1, 0, {}, 0}, Known{"space_robot_catch.yaml", 12, 0, 0, {}, 0},
        Known{"mobile_manipulator.yaml", 7, 1, 1, {}, 0},
        Known{"planar_platform.yaml", 3, 9, 0, {"motor1", "motor2", "motor3"}, 6}),
    [](const auto& known) {
      std::string name = known.param.file;
      return name.substr(0, name.find('.'));
    });

}  // namespace
}  // namespace linkwright::testing
