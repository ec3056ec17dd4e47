// Second derivatives in closed form against the first ones on dual numbers.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <iostream>

#include "derivatives/by_duals.hpp"
#include "derivatives/model_files.hpp"
#include "linkwright/dynamics/second_derivatives.hpp"
#include "linkwright/dynamics/sweeps/derivatives/forward_dynamics.hpp"
#include "support/declared_forces.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using spatial::Dual;

struct Arrays {
  MatrixXd qq, vv, qv, aq;
};

/// The first derivatives along every freedom, position then velocity.
Arrays second_by_duals(const System& system, const State& state, const VectorXd& a,
                       ExternalForces forces) {
  const int n = system.nv();
  const Tree<double>& tree = system.tree();
  const DualLoads loads(system, forces);
  Scratch<Dual> s(tree);
  DerivativeScratch<Dual> d(tree);
  const VectorXd zero = VectorXd::Zero(n);
  const auto x = dual(a, zero);
  Arrays out{MatrixXd(n, n * n), MatrixXd(n, n * n), MatrixXd(n, n * n), MatrixXd(n, n * n)};
  const auto size = static_cast<std::size_t>(n * n);
  std::vector<Dual> by_q(size), by_v(size), mass(size);
  const auto compute = [&](const VectorXd& turn, const VectorXd& push) {
    const auto q = dual_position(system, state.q, turn);
    const auto v = dual(state.v, push);
    for (auto* square : {&by_q, &by_v, &mass}) std::fill(square->begin(), square->end(), Dual());
    sweeps::place_joints(tree, s, q.data());
    sweeps::inverse_dynamics_derivatives_and_mass<Dual>(tree, s, d, q.data(), v.data(), x.data(),
                                                        loads.list(), {by_q.data(), n},
                                                        {by_v.data(), n}, {mass.data(), n});
  };
  for (int k = 0; k < n; ++k) {
    compute(VectorXd::Unit(n, k), zero);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i + n * j);
        out.qq(i, j + n * k) = by_q[at].d;
        out.qv(i, k + n * j) = by_v[at].d;
        out.aq(i, j + n * k) = mass[at].d;
      }
    compute(zero, VectorXd::Unit(n, k));
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        out.vv(i, j + n * k) = by_v[static_cast<std::size_t>(i + n * j)].d;
  }
  return out;
}

/// Those of forward dynamics likewise: the accelerations move along.
Arrays forward_second_by_duals(const System& system, const State& state, const VectorXd& tau,
                               ExternalForces forces) {
  const int n = system.nv();
  const Tree<double>& tree = system.tree();
  const DualLoads loads(system, forces);
  Scratch<Dual> s(tree);
  DerivativeScratch<Dual> d(tree);
  const VectorXd zero = VectorXd::Zero(n);
  const auto x = dual(tau, zero);
  Arrays out{MatrixXd(n, n * n), MatrixXd(n, n * n), MatrixXd(n, n * n), MatrixXd(n, n * n)};
  const auto size = static_cast<std::size_t>(n * n);
  std::vector<Dual> by_q(size), by_v(size), by_tau(size), a(x.size()), room(x.size());
  const auto compute = [&](const VectorXd& turn, const VectorXd& push) {
    const auto q = dual_position(system, state.q, turn);
    const auto v = dual(state.v, push);
    for (auto* square : {&by_q, &by_v}) std::fill(square->begin(), square->end(), Dual());
    sweeps::forward_dynamics_filter(tree, s, q.data(), v.data(), x.data(), room.data(),
                                    loads.list());
    sweeps::forward_dynamics_smoother(tree, s, a.data());
    sweeps::forward_dynamics_derivatives<Dual>(tree, s, d, q.data(), v.data(), a.data(),
                                               loads.list(), {by_q.data(), n}, {by_v.data(), n},
                                               {by_tau.data(), n});
  };
  for (int k = 0; k < n; ++k) {
    compute(VectorXd::Unit(n, k), zero);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i + n * j);
        out.qq(i, j + n * k) = by_q[at].d;
        out.qv(i, k + n * j) = by_v[at].d;
        out.aq(i, j + n * k) = by_tau[at].d;
      }
    compute(zero, VectorXd::Unit(n, k));
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        out.vv(i, j + n * k) = by_v[static_cast<std::size_t>(i + n * j)].d;
  }
  return out;
}

void expect_forward_second(const System& system, RandomModel& random) {
  const int n = system.nv();
  Workspace work(system);
  const State state = random.state(system);
  const VectorXd tau = random.numbers(n);
  const ExternalForce push{system.frame("tip"), {random.vector(1), random.vector(1)}, Axes::world};
  const Arrays expected = forward_second_by_duals(system, state, tau, {&push, 1});
  SecondDerivatives second(system);
  compute_forward_dynamics_second_derivatives(work, random.state(system), tau, {}, second);
  compute_forward_dynamics_second_derivatives(work, state, tau, {&push, 1}, second);
  MatrixXd M(n, n);
  compute_mass_matrix(work, state.q, M);
  const double bound = std::max(1e-9, 1e-14 * M.norm() * M.inverse().norm());
  EXPECT_LE(relative_difference(second.dqdq(), expected.qq, 1), bound);
  EXPECT_LE(relative_difference(second.dvdv(), expected.vv, 1), bound);
  EXPECT_LE(relative_difference(second.dqdv(), expected.qv, 1), bound);
  EXPECT_LE(relative_difference(second.dxdq(), expected.aq, 1), bound);
  // And back: zeros are zeros again.
  const Arrays inverse = second_by_duals(system, state, tau, {});
  compute_inverse_dynamics_second_derivatives(work, state, tau, {}, second);
  EXPECT_LE(relative_difference(second.dxdq(), inverse.aq, M.maxCoeff()), 1e-9);
}

TEST(SecondDerivatives, of_forward_dynamics_are_first_ones_on_dual_numbers) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    expect_forward_second(compile(random.tree(6, static_cast<Base>(seed % 3), all_joint_types())),
                          random);
    Model pushed = with_all_forces(random, static_cast<Base>(seed % 3));
    expect_forward_second(compile(pushed), random);
  }
}

double expect_second(const System& system, RandomModel& random) {
  const int n = system.nv();
  Workspace work(system, Closures::leave_out);
  State state = random.state(system);
  for (int i = 0; i < n; ++i) state.v[i] += state.v[i] < 0 ? -0.1 : 0.1;
  const VectorXd a = random.numbers(n, 3);
  const int last = static_cast<int>(system.frames().size()) - 1;
  std::vector<ExternalForce> forces;
  for (const Axes axes : {Axes::own, Axes::world})
    forces.push_back({FrameId{last}, {random.vector(3), random.vector(3)}, axes});
  const Arrays expected = second_by_duals(system, state, a, forces);
  SecondDerivatives second(system);
  // Twice: nothing of the first call may stay.
  compute_inverse_dynamics_second_derivatives(work, random.state(system), a, forces, second);
  compute_inverse_dynamics_second_derivatives(work, state, a, forces, second);
  MatrixXd M(n, n);
  compute_mass_matrix(work, state.q, M);
  const double floor = M.maxCoeff();
  const double differences[4] = {relative_difference(second.dqdq(), expected.qq, floor),
                                 relative_difference(second.dvdv(), expected.vv, floor),
                                 relative_difference(second.dqdv(), expected.qv, floor),
                                 relative_difference(second.dxdq(), expected.aq, floor)};
  const char* names[4] = {"dqdq", "dvdv", "dqdv", "dadq"};
  double worst = 0;
  for (int k = 0; k < 4; ++k) {
    EXPECT_LE(differences[k], 1e-9) << names[k];
    worst = std::max(worst, differences[k]);
  }
  return worst;
}

class SecondDerivativesOfJoint : public ::testing::TestWithParam<JointType> {};
TEST_P(SecondDerivativesOfJoint, are_first_ones_on_dual_numbers) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed + 80);
    expect_second(
        compile(random.tree(6, static_cast<Base>(seed % 3), {GetParam(), JointType::revolute})),
        random);
  }
}
INSTANTIATE_TEST_SUITE_P(every, SecondDerivativesOfJoint, ::testing::ValuesIn(all_joint_types()),
                         [](const auto& joint) { return std::string(to_string(joint.param)); });

TEST(SecondDerivatives, are_first_ones_on_dual_numbers_under_everything_that_pushes) {
  for (unsigned seed = 0; seed < 9; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    expect_second(compile(with_all_forces(random, static_cast<Base>(seed % 3))), random);
  }
}

int expect_second_of_files(const std::filesystem::path& folder) {
  return for_each_model(folder, [](const System& system, const std::string& name) {
    RandomModel random(3);
    const double worst = expect_second(system, random);
    std::cout << name << ": " << worst << "\n";
  });
}
TEST(SecondDerivatives, are_first_ones_on_dual_numbers_on_every_bundled_model) {
  EXPECT_GE(expect_second_of_files(LINKWRIGHT_SOURCE_DIR "/models"), 20);
}
TEST(SecondDerivatives, are_first_ones_on_dual_numbers_on_every_shared_model) {
  const auto folder = shared_folder("models");
  LINKWRIGHT_SKIP_WITHOUT(folder, "second derivatives of the shared models");
  EXPECT_GE(expect_second_of_files(folder), 20);
}

TEST(SecondDerivatives, of_another_system_are_refused) {
  RandomModel random(1);
  const Model model = random.tree(3, Base::fixed, {JointType::revolute});
  const System one = compile(model), other = compile(model);
  Workspace work(one);
  SecondDerivatives second(other);
  const State state = random.state(one);
  EXPECT_TRUE(contains(error_of([&] {
                         compute_inverse_dynamics_second_derivatives(
                             work, state, VectorXd::Zero(one.nv()), {}, second);
                       }),
                       "those of another system"));
}

}  // namespace
}  // namespace linkwright::testing
