// First derivatives in closed form against dual numbers: every joint type under everything that
// pushes, random trees, and every model file.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <iostream>

#include "derivatives/by_duals.hpp"
#include "derivatives/model_files.hpp"
#include "linkwright/dynamics/derivatives.hpp"
#include "support/declared_forces.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One force in either axes on the last frame and on one in the middle.
std::vector<ExternalForce> pushes(RandomModel& random, const System& system) {
  const int last = static_cast<int>(system.frames().size()) - 1;
  std::vector<ExternalForce> forces;
  for (const int frame : {last, last / 2})
    for (const Axes axes : {Axes::own, Axes::world})
      forces.push_back({FrameId{frame}, {random.vector(3), random.vector(3)}, axes});
  return forces;
}

struct Found {
  double inverse = 0, forward = 0;
};

/// Both against dual numbers. Accelerations carry the condition of the mass matrix.
Found expect_derivatives(const System& system, RandomModel& random) {
  const int n = system.nv();
  Workspace work(system, Closures::leave_out);
  State state = random.state(system);
  // Dry friction jumps at rest.
  for (int i = 0; i < n; ++i) state.v[i] += state.v[i] < 0 ? -0.1 : 0.1;
  VectorXd x = random.numbers(n, 3);
  const std::vector<ExternalForce> forces = pushes(random, system);
  MatrixXd by_q(n, n), by_v(n, n), by_tau(n, n), M(n, n);
  compute_mass_matrix(work, state.q, M);

  Found found;
  const Derivatives inverse = inverse_by_duals(system, state, x, forces);
  compute_inverse_dynamics_derivatives(work, state, x, forces, by_q, by_v);
  found.inverse = std::max({relative_difference(by_q, inverse.by_q, M.maxCoeff()),
                            relative_difference(by_v, inverse.by_v, M.maxCoeff()),
                            relative_difference(M, inverse.by_x)});
  EXPECT_LE(found.inverse, 1e-11);
  MatrixXd again_q(n, n), again_v(n, n), mass(n, n);
  compute_inverse_dynamics_derivatives(work, state, x, forces, again_q, again_v, mass);
  EXPECT_EQ(again_q, by_q);
  EXPECT_EQ(again_v, by_v);
  EXPECT_LE(relative_difference(mass, M), 1e-13);

  for (const int i : system.passive_freedoms()) x[i] = 0;
  const double condition = M.norm() * M.inverse().norm();
  const Derivatives forward = forward_by_duals(system, state, x, forces);
  compute_forward_dynamics_derivatives(work, state, x, forces, by_q, by_v, by_tau);
  found.forward = std::max({relative_difference(by_q, forward.by_q, 1),
                            relative_difference(by_v, forward.by_v, 1),
                            relative_difference(by_tau, forward.by_x)});
  EXPECT_LE(found.forward, std::max(1e-11, 1e-15 * condition)) << "condition " << condition;

  // What both say about each other: a(q, v, tau(q, v, a)) = a.
  VectorXd a(n);
  compute_forward_dynamics(work, state, x, forces, a);
  MatrixXd tau_q(n, n), tau_v(n, n);
  compute_inverse_dynamics_derivatives(work, state, a, forces, tau_q, tau_v);
  const double digits = 1e-15 * n * condition;
  EXPECT_LE((M * by_q + tau_q).norm(), digits * (M.norm() + tau_q.norm()));
  EXPECT_LE((M * by_v + tau_v).norm(), digits * (M.norm() + tau_v.norm()));
  EXPECT_LE((M * by_tau - MatrixXd::Identity(n, n)).norm(), digits);
  return found;
}

class FirstDerivativesOfJoint : public ::testing::TestWithParam<JointType> {};
TEST_P(FirstDerivativesOfJoint, are_those_of_dual_numbers) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed + 80);
    Model model = random.tree(8, static_cast<Base>(seed % 3), {GetParam(), JointType::revolute});
    expect_derivatives(compile(model), random);
  }
}
INSTANTIATE_TEST_SUITE_P(every, FirstDerivativesOfJoint, ::testing::ValuesIn(all_joint_types()),
                         [](const auto& joint) { return std::string(to_string(joint.param)); });

TEST(FirstDerivatives, are_those_of_dual_numbers_under_everything_that_pushes) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    Model model = with_all_forces(random, static_cast<Base>(seed % 3));
    expect_derivatives(compile(model), random);
  }
}

TEST(FirstDerivatives, are_those_of_dual_numbers_on_chains_stars_and_many_bodies) {
  for (const int bodies : {1, 2, 7, 8, 9, 16, 17, 40}) {
    SCOPED_TRACE(bodies);
    RandomModel random(static_cast<unsigned>(bodies));
    expect_derivatives(compile(random.tree(bodies, Base::free, all_joint_types())), random);
    expect_derivatives(compile(random.tree(bodies, Base::fixed, {JointType::revolute})), random);
    expect_derivatives(
        compile(random.star(4, Base::free, {JointType::revolute, JointType::spherical})), random);
  }
}

bool has_forward_dynamics(const System& system) {
  Workspace work(system, Closures::leave_out);
  VectorXd a(system.nv());
  try {
    compute_forward_dynamics(work, State(system), VectorXd::Zero(system.nv()), {}, a);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::failed_computation);
    return false;
  }
  return true;
}

int expect_derivatives_of_files(const std::filesystem::path& folder) {
  int massless = 0;
  const int all = for_each_model(folder, [&](const System& system, const std::string& name) {
    if (!has_forward_dynamics(system)) {
      std::cout << "skipped: " << name << ", a massless link moves freely\n";
      ++massless;
      return;
    }
    RandomModel random(3);
    Found worst;
    for (int i = 0; i < 3; ++i) {
      const Found found = expect_derivatives(system, random);
      worst = {std::max(worst.inverse, found.inverse), std::max(worst.forward, found.forward)};
    }
    std::cout << name << ": inverse " << worst.inverse << ", forward " << worst.forward << "\n";
  });
  return all - massless;
}

TEST(FirstDerivatives, are_those_of_dual_numbers_on_every_bundled_model) {
  EXPECT_GE(expect_derivatives_of_files(LINKWRIGHT_SOURCE_DIR "/models"), 20);
}
TEST(FirstDerivatives, are_those_of_dual_numbers_on_every_shared_model) {
  const auto folder = shared_folder("models");
  LINKWRIGHT_SKIP_WITHOUT(folder, "derivatives of the shared models");
  EXPECT_GE(expect_derivatives_of_files(folder), 20);
}

TEST(FirstDerivatives, friction_at_rest_counts_as_constant) {
  RandomModel random(4);
  Model model = random.tree(3, Base::fixed, {JointType::revolute});
  const System smooth = compile(model);
  for (Joint& joint : model.joints) joint.friction = {{2.0, 3.0}};
  const System rough = compile(model);
  State state = random.state(smooth);
  state.v[1] = 0;
  const VectorXd a = random.numbers(smooth.nv());
  const int n = smooth.nv();
  MatrixXd by_q(n, n), by_v(n, n), rough_q(n, n), rough_v(n, n);
  Workspace work(smooth), work_rough(rough);
  compute_inverse_dynamics_derivatives(work, state, a, {}, by_q, by_v);
  compute_inverse_dynamics_derivatives(work_rough, state, a, {}, rough_q, rough_v);
  EXPECT_EQ(by_q, rough_q);
  EXPECT_EQ(by_v, rough_v);
}

TEST(FirstDerivatives, write_into_blocks_of_larger_matrices) {
  RandomModel random(9);
  const System system = compile(random.tree(9, Base::free, all_joint_types()));
  const int n = system.nv();
  const State state = random.state(system);
  const VectorXd tau = random.numbers(n);
  Workspace work(system);
  MatrixXd q(n, n), v(n, n), t(n, n);
  compute_forward_dynamics_derivatives(work, state, tau, {}, q, v, t);
  MatrixXd all = MatrixXd::Constant(2 * n + 3, 3 * n, 7);
  compute_forward_dynamics_derivatives(work, state, tau, {}, all.block(1, 0, n, n),
                                       all.block(n + 2, n, n, n), all.block(0, 2 * n, n, n));
  EXPECT_EQ(all.block(1, 0, n, n), q);
  EXPECT_EQ(all.block(n + 2, n, n, n), v);
  EXPECT_EQ(all.block(0, 2 * n, n, n), t);
  EXPECT_EQ(all(0, 0), 7);
  EXPECT_EQ(all(n + 1, n), 7);
}

TEST(FirstDerivatives, refusals_name_the_argument) {
  RandomModel random(2);
  const System system = compile(random.tree(3, Base::fixed, {JointType::revolute}));
  Workspace work(system);
  const State state = random.state(system);
  const VectorXd a = random.numbers(system.nv());
  const int n = system.nv();
  MatrixXd good(n, n), small(n, n - 1), other(n, n);
  EXPECT_TRUE(contains(
      error_of([&] { compute_inverse_dynamics_derivatives(work, state, a, {}, small, good); }),
      "dtau_dq is 3x2; this system needs 3x3"));
  EXPECT_TRUE(contains(error_of([&] {
                         compute_forward_dynamics_derivatives(work, state, a, {}, good, other,
                                                              small);
                       }),
                       "da_dtau is 3x2"));
  VectorXd bad = a;
  bad[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(
      error_of([&] { compute_inverse_dynamics_derivatives(work, state, bad, {}, good, other); }),
      "a[1] of joint 'joint1' is nan"));
}

}  // namespace
}  // namespace linkwright::testing
