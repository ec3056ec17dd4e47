/// Influence coefficients and the joint model: laws on random trees with every joint type.

#include "linkwright/coordinates/influence.hpp"

#include <gtest/gtest.h>

#include "linkwright/closure/kinematics.hpp"
#include "linkwright/coordinates/dynamic_model.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "support/declared_forces.hpp"

namespace linkwright::testing {
namespace {

using namespace coordinates;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Tree {
  explicit Tree(unsigned seed)
      : random(seed),
        system(compile(with_all_forces(random, static_cast<Base>(random.integer(0, 2))))),
        work(system),
        state(random.state(system)),
        tip(system.frame("tip")) {}
  RandomModel random;
  System system;
  Workspace work;
  State state;
  FrameId tip;
};

TEST(Influence, second_order_is_the_derivative_of_the_first) {
  constexpr double h = 1e-5;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Tree tree(seed);
    const Index n = tree.system.nv();
    for (const Axes axes : {Axes::world, Axes::own}) {
      const Influence found = compute_frame_influence(tree.work, tree.state.q, tree.tip, axes);
      MatrixXd more(6, n), less(6, n);
      VectorXd q(tree.system.nq());
      for (Index k = 0; k < n; ++k) {
        compute_integral(tree.system, tree.state.q, VectorXd::Unit(n, k), h, q);
        compute_jacobian(tree.work, q, tree.tip, axes, more);
        compute_integral(tree.system, tree.state.q, VectorXd::Unit(n, k), -h, q);
        compute_jacobian(tree.work, q, tree.tip, axes, less);
        const MatrixXd rate = (more - less) / (2 * h);
        for (Index p = 0; p < 6; ++p)
          EXPECT_LT((rate.row(p).transpose() - found.H.plane(p).col(k)).norm(),
                    1e-8 * (1 + found.G.view().squaredNorm()))
              << "seed " << seed << " row " << p << " freedom "
              << tree.system.velocity_names()[static_cast<std::size_t>(k)];
      }
    }
  }
}

TEST(Influence, its_quadratic_form_is_the_bias_acceleration) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Tree tree(seed);
    const Influence found = compute_frame_influence(tree.work, tree.state.q, tree.tip, Axes::world);
    const auto expected = to_eigen(
        compute_jacobian_rate_times_velocity(tree.work, tree.state, tree.tip, Axes::world));
    EXPECT_LT((quadratic_form(found.H, tree.state.v) - expected).norm(),
              1e-13 * (1 + tree.state.v.squaredNorm() * found.G.view().squaredNorm()))
        << seed;
  }
}

TEST(Influence, of_closures_has_the_quadratic_form_of_their_bias) {
  RandomModel random(5);
  Model model = random.tree(6, Base::free, all_joint_types());
  model.closures.push_back({.name = "loop", .body_a = "body5", .body_b = "world"});
  const System system = compile(model);
  ClosedWorkspace work(system);
  const State state = random.state(system);
  const Influence found = compute_closure_influence(work, state.q);
  VectorXd bias(work.rows());
  compute_closure_bias(work, state, bias);
  EXPECT_LT((quadratic_form(found.H, state.v) - bias).norm(),
            1e-12 * (1 + state.v.squaredNorm() * found.G.view().squaredNorm()));
}

TEST(JointModel, asks_for_the_efforts_of_inverse_dynamics) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Tree tree(seed);
    const Index n = tree.system.nv();
    const ExternalForce push{tree.tip, {{1, 2, 3}, {-4, 5, 6}}, Axes::world};
    const DynamicModel model = compute_joint_model(tree.work, tree.state, {&push, 1});
    const VectorXd a = tree.random.numbers(static_cast<int>(n));
    VectorXd expected(n);
    compute_inverse_dynamics(tree.work, tree.state, a, {&push, 1}, expected);
    EXPECT_LT((loads(model, tree.state.v, a) - expected).norm(), 1e-12 * (1 + expected.norm()))
        << seed;
    EXPECT_LT((accelerations(model, tree.state.v, expected) - a).norm(), 1e-8 * (1 + a.norm()));
  }
}

TEST(Influence, parts_are_chosen_by_name_and_refused_by_name) {
  Tree tree(1);
  const Influence tip = compute_frame_influence(tree.work, tree.state.q, tree.tip, Axes::world);
  const Influence two = select(tip, {"tip:vz", "tip:wx"});
  EXPECT_EQ((two.G.view().row(0) - tip.G.view().row(5)).norm(), 0);
  EXPECT_EQ((two.H.plane(1) - tip.H.plane(0)).norm(), 0);
  const Influence both = stack(two, joint_influence(tree.system));
  EXPECT_EQ(both.of.size(), static_cast<std::size_t>(2 + tree.system.nv()));
  try {
    (void)select(tip, {"tip:vq"});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'tip:vq'"), std::string::npos) << error.what();
  }
  EXPECT_THROW((void)compose(two, two), Error);
  EXPECT_THROW((void)joint_influence(tree.system, {"no_such_joint"}), Error);
}

}  // namespace
}  // namespace linkwright::testing
