/// Where a mechanism loses rank, forward dynamics answers by least squares and says so.

#include <gtest/gtest.h>

#include "closure/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/derivatives.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// A parallelogram, folded flat along x: from here it opens as a parallelogram or crosses over.
struct FlatParallelogram {
  System system = compile(four_bar(0.3, 0.5, 0.3, 0.5));
  ClosedWorkspace work{system};
  State state{system};
  VectorXd a{3}, tau = VectorXd::Zero(3);
};

TEST(Singular, a_motion_that_can_go_on_needs_no_least_squares) {
  FlatParallelogram flat;
  flat.state.v << 1, -1, 1;  // the parallelogram's own
  compute_forward_dynamics(flat.work, flat.state, flat.tau, {}, flat.a);
  EXPECT_EQ(closed_report(flat.work).method, ClosedMethod::recursion);
}

TEST(Singular, a_motion_that_no_acceleration_keeps_is_met_by_least_squares) {
  FlatParallelogram flat;
  // Both ways at once: every velocity here keeps the closure, and J̇ v is out of reach.
  flat.state.v << 1, -0.4, 0;
  VectorXd rates(flat.work.rows());
  Eigen::MatrixXd J(flat.work.rows(), 3);
  compute_closure_jacobian(flat.work, flat.state.q, J);
  project_velocity(flat.work, flat.state.q, {}, flat.state.v);
  ASSERT_LT((J * flat.state.v).norm(), 1e-14);
  compute_forward_dynamics(flat.work, flat.state, flat.tau, {}, flat.a);
  const ClosedReport report = closed_report(flat.work);
  EXPECT_EQ(report.method, ClosedMethod::independent);
  EXPECT_GT(report.violation, 1e-3);
  VectorXd bias(flat.work.rows());
  compute_closure_bias(flat.work, flat.state, bias);
  const VectorXd left = J * flat.a + bias;
  EXPECT_NEAR(left.cwiseAbs().maxCoeff(), report.violation, 1e-12);
  EXPECT_LT((J.transpose() * left).norm(), 1e-10) << "no acceleration would miss them by less";
}

TEST(Singular, what_jumps_has_no_derivatives) {
  FlatParallelogram flat;
  flat.state.v << 1, -0.4, 0;
  project_velocity(flat.work, flat.state.q, {}, flat.state.v);
  Eigen::MatrixXd by_q(3, 3), by_v(3, 3), by_tau(3, 3);
  try {
    compute_forward_dynamics_derivatives(flat.work, flat.state, flat.tau, {}, by_q, by_v, by_tau);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("singular"), std::string::npos) << e.what();
    EXPECT_EQ(e.kind(), Error::Kind::failed_computation);
  }
}

TEST(Singular, coordinates_that_do_not_tell_are_named) {
  const System system = compile(four_bar(0.3, 0.9, 0.7, 0.8));
  ClosedWorkspace work(system);
  State state(system);
  state.q << 1, -0.3, 1.4;
  ASSERT_TRUE(assemble(work, {.hold = {"j1"}}, state.q).assembled);
  const std::vector<int> two{0, 1};
  Eigen::MatrixXd T(6, 4);
  try {
    compute_tangent(work, state, two, two, T);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'j1', 'j2'"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("too many"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace linkwright::testing
