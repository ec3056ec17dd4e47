/// Arms with more joints than the task: the optimum is one, its rate is its rate, and null-space motion
/// leaves the hand alone.

#include "linkwright/coordinates/redundancy.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/operators/operational_space.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace coordinates;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double epsilon = 2.22e-16;

enum class Metric { energy, user };

/// An arm whose hand is asked for six numbers, three, or six of a tree with ball joints.
class Redundant : public ::testing::TestWithParam<std::tuple<int, Metric>> {
 protected:
  Redundant() : system(compile(make())), work(system), state(system), random(3) {
    if (system.nq() == 7)
      state.q << 0.2, 0.5, -0.3, -1.2, 0.4, 0.8, 0.1;  // bent, away from singular positions
    else
      compute_random(system, 11, state.q);
    W = MatrixXd::Identity(system.nv(), system.nv());
    for (Index i = 0; i < W.rows(); ++i) W(i, i) = 1 + 0.5 * static_cast<double>(i);
  }
  static Model make() {
    if (std::get<0>(GetParam()) < 2) return read_model(LINKWRIGHT_SOURCE_DIR "/models/arm7.urdf");
    RandomModel random(8);
    Model model = random.tree(1, Base::fixed, {JointType::spherical});
    const std::vector<JointType> types{JointType::spherical, JointType::universal,
                                       JointType::prismatic, JointType::revolute};
    for (std::size_t k = 0; k < types.size(); ++k) {
      model.bodies.push_back(random.body("body" + std::to_string(k + 1)));
      model.joints.push_back(random.joint("joint" + std::to_string(k + 1), types[k],
                                          "body" + std::to_string(k),
                                          "body" + std::to_string(k + 1)));
    }
    model.frames = {{"tool", model.bodies.back().name, random.pose(0.4), {}}};
    return model;
  }
  Influence hand(const VectorXd& q) {
    const Influence all = compute_frame_influence(work, q, system.frame("tool"), Axes::world);
    return std::get<0>(GetParam()) == 1 ? select(all, {"tool:vx", "tool:vy", "tool:vz"}) : all;
  }
  Weight weight(const VectorXd& q) {
    return std::get<1>(GetParam()) == Metric::energy ? compute_kinetic_energy_weight(work, q)
                                                     : constant_weight(W);
  }
  RedundantTransfer at(const VectorXd& q) { return {hand(q), weight(q)}; }
  System system;
  Workspace work;
  State state;
  RandomModel random;
  MatrixXd W;
};

TEST_P(Redundant, the_rates_reach_the_hand_with_least_weight) {
  const RedundantTransfer found = at(state.q);
  const MatrixXd G = hand(state.q).G.view(), right = found.initial().G.view(),
                 N = found.null_space().view(), weighs = weight(state.q).W.view();
  const double bound = 64 * epsilon * found.condition() * (1 + right.norm()) * (1 + G.norm());
  EXPECT_LT((G * right - MatrixXd::Identity(G.rows(), G.rows())).norm(), bound);
  EXPECT_LT((G * N).norm(), bound * G.norm());
  EXPECT_LT((N * N - N).norm(), bound * (1 + N.norm()));
  EXPECT_GT(N.norm(), 0.5);
  // At the optimum no null-space motion lowers the weight: Nᵀ W φ̇ = 0.
  EXPECT_LT((N.transpose() * weighs * right).norm(), bound * weighs.norm() * (1 + N.norm()));
}

TEST_P(Redundant, the_accelerations_are_the_rates_of_the_rates) {
  constexpr double h = 1e-5;
  const RedundantTransfer here = at(state.q);
  const Index m = here.initial().G.cols(), n = system.nv();
  const VectorXd u = random.numbers(static_cast<int>(m)),
                 acceleration = random.numbers(static_cast<int>(m)),
                 xi = random.numbers(static_cast<int>(n)),
                 xi_rate = random.numbers(static_cast<int>(n));
  VectorXd rates(n), found(n), q(system.nq());
  VectorXd moved[2] = {VectorXd(n), VectorXd(n)};
  here.compute_rates(u, xi, rates);
  here.compute_accelerations(u, acceleration, xi, xi_rate, found);
  for (const int side : {0, 1}) {
    const double t = side == 0 ? -h : h;
    compute_integral(system, state.q, rates, t, q);
    at(q).compute_rates(u + t * acceleration, xi + t * xi_rate, moved[side]);
  }
  const VectorXd expected = (moved[1] - moved[0]) / (2 * h);
  EXPECT_LT((found - expected).norm(), 1e-6 * (1 + expected.norm()));
  // Without null-space motion it is what [G] and [H] say.
  here.compute_accelerations(u, acceleration, VectorXd::Zero(n), VectorXd::Zero(n), found);
  const Influence& phi = here.initial();
  EXPECT_LT((phi.G.view() * acceleration + quadratic_form(phi.H, u) - found).norm(),
            64 * epsilon * here.condition() * (1 + found.norm()) * (1 + phi.H.flat().norm()));
  // The paper's (4-72) reaches the same acceleration of the hand, and another one of the joints.
  const Influence& paper = here.least_acceleration();
  const VectorXd other = paper.G.view() * acceleration + quadratic_form(paper.H, u);
  const Influence tip = hand(state.q);
  const VectorXd rate = phi.G.view() * u;
  for (const VectorXd& a : {other, found})
    EXPECT_LT((tip.G.view() * a + quadratic_form(tip.H, rate) - acceleration).norm(),
              1e-10 * (1 + a.norm()));
  EXPECT_GT((other - found).norm(), 1e-3 * found.norm());
  const MatrixXd weighs = weight(state.q).W.view();
  EXPECT_LE(other.dot(weighs * other), found.dot(weighs * found));
}

TEST_P(Redundant, the_efforts_are_those_of_inverse_dynamics) {
  const RedundantTransfer found = at(state.q);
  const Index m = found.initial().G.cols(), n = system.nv();
  const VectorXd u = random.numbers(static_cast<int>(m)),
                 acceleration = random.numbers(static_cast<int>(m));
  VectorXd a(n), tau(n);
  found.compute_rates(u, VectorXd::Zero(n), state.v);
  found.compute_accelerations(u, acceleration, VectorXd::Zero(n), VectorXd::Zero(n), a);
  compute_inverse_dynamics(work, state, a, {}, tau);
  const DynamicModel by_hand = refer_to(compute_joint_model(work, state, {}), found.initial());
  EXPECT_LT((loads(by_hand, u, acceleration) - tau).norm(),
            1024 * epsilon * found.condition() * (1 + tau.norm()));
}

INSTANTIATE_TEST_SUITE_P(Arms, Redundant,
                         ::testing::Combine(::testing::Values(0, 1, 2),
                                            ::testing::Values(Metric::energy, Metric::user)));

TEST(RedundantArm, with_the_kinetic_energy_it_is_the_operational_space) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm7.urdf"));
  Workspace work(system);
  State state(system);
  state.q << 0.2, 0.5, -0.3, -1.2, 0.4, 0.8, 0.1;
  operators::Operators at(system);
  at.set_tips(std::vector<std::string>{"tool"});
  operators::OperationalSpace space(at);
  at.update(state.q);
  space.update();
  const RedundantTransfer found(
      compute_frame_influence(work, state.q, system.frame("tool"), Axes::own),
      compute_kinetic_energy_weight(work, state.q));
  const double bound = 256 * epsilon * found.condition() * found.condition();
  const MatrixXd consistent = space.consistent_inverse();
  EXPECT_LT((found.initial().G.view() - consistent).norm(), bound * consistent.norm());
  // [I*_φu] = [G]ᵀ Λ (4-74)
  const DynamicModel by_hand = refer_to(compute_joint_model(work, state, {}), found.initial());
  MatrixXd J(6, 7);
  compute_jacobian(work, state.q, system.frame("tool"), Axes::own, J);
  const MatrixXd expected = J.transpose() * space.inertia();
  EXPECT_LT((by_hand.inertia.view() - expected).norm(), bound * expected.norm());
}

TEST(RedundantArm, what_cannot_be_is_refused) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm7.urdf"));
  Workspace work(system);
  const VectorXd straight = VectorXd::Zero(7);  // stretched out: the hand has lost a direction
  const Influence hand = compute_frame_influence(work, straight, system.frame("tool"), Axes::world);
  EXPECT_THROW(RedundantTransfer(hand, compute_kinetic_energy_weight(work, straight)), Error);
  const Influence place = select(hand, {"tool:vx"});
  EXPECT_THROW(RedundantTransfer(place, constant_weight(MatrixXd::Identity(6, 6))), Error);
  EXPECT_THROW(RedundantTransfer(place, constant_weight(-MatrixXd::Identity(7, 7))), Error);
}

}  // namespace
}  // namespace linkwright::testing
