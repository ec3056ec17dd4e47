// The paper's lines typed by a user: a, b, T, g and a(0) at a state, through the checked door, and
// operators that share the factorisation of a workspace.
#include <gtest/gtest.h>

#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/operators/factorization.hpp"
#include "linkwright/operators/operational_space.hpp"
#include "operators/case.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::operators;
using Eigen::VectorXd;

constexpr auto mass = H * phi * M * transpose(phi) * transpose(H);

/// Springs, dampers and loads of every kind, and rotors.
Model loaded_tree(unsigned seed) {
  RandomModel random(seed);
  Model model = random.tree(6, static_cast<Base>(seed % 3), all_joint_types());
  for (Joint& joint : model.joints) {
    if (joint.type == JointType::fixed) continue;
    joint.damping = {0.1};
    if (seed % 2 == 0) joint.rotor_inertia = {0.05};
  }
  model.line_springs.push_back(
      {"spring", "body0", "body3", {0.1, 0, 0}, {0, 0.2, 0}, 10, 1, 0.3, {}});
  model.body_loads.push_back({"body1", {{}, {1, 2, 3}}, {}, true, {}});
  return model;
}

class Lines : public ::testing::TestWithParam<unsigned> {
 protected:
  Lines() {
    at.set_tips(std::vector<std::string>{"tip", "body1"});
    compute_forward_dynamics(work, state, tau, pushes, trunk);
  }
  void expect_trunk(const VectorXd& a, const char* what) const {
    // Both sides lose κ(M) ε of what they sum up, M a among it.
    const double scale =
        trunk.norm() + (c.mass * trunk).norm() + tau.norm() + state.v.squaredNorm();
    EXPECT_LE((a - trunk).norm(), c.bound * scale) << what;
  }

  Case c{loaded_tree(GetParam()), GetParam()};
  const System& system = c.system;
  Operators& at = c.at;
  Workspace work{system};
  RandomModel random{GetParam() + 50};
  State state = random.state(system);
  VectorXd tau = random.numbers(system.nv()), trunk = tau;
  std::vector<ExternalForce> pushes{{system.frame("tip"), {{1, 2, 3}, {4, 5, 6}}, Axes::own}};
};

TEST_P(Lines, of_the_first_algorithm_give_the_trunks_accelerations) {
  at.update(state, tau, pushes);
  const VectorXd T_free = evaluate(
      at, at.T() - H * phi * (M * (transpose(phi) * (at.a() + E * at.g())) + at.b()));  // (4.17)
  expect_trunk(apply(inverse(mass + R), at, T_free), "(4.18)");
}

TEST_P(Lines, of_the_third_algorithm_give_the_trunks_accelerations) {
  at.update(state, tau, pushes);
  const VectorXd zeta = evaluate(at, transpose(phi) * (at.a() + E * at.g()));  // (5.8)
  const VectorXd eps = evaluate(
      at,
      at.T() -
          H * psi * (S * L * at.T() + M * vector<Space::link_motion>(at, zeta) + at.b()));  // (5.9)
  expect_trunk(apply(transpose(I - H * Psi * L) * inverse(D), at, eps), "(5.10)");
}

TEST_P(Lines, of_newton_and_euler_give_back_the_efforts) {
  at.update(state, tau, pushes);
  const VectorXd alpha = evaluate(  // (3.15)
      at,
      transpose(phi) * (transpose(H) * vector<Space::joint_rate>(at, trunk) + at.a() + E * at.g()));
  const VectorXd T = evaluate(  // (3.19)
      at, H * phi * (M * vector<Space::link_motion>(at, alpha) + at.b()) +
              R * vector<Space::joint_rate>(at, trunk));
  VectorXd effort = evaluate(at, at.T());
  EXPECT_LE((T - effort).norm(), c.bound * (c.mass.norm() * trunk.norm() + effort.norm() + 1));
}

TEST_P(Lines, of_the_frames_give_their_true_accelerations) {
  at.update(state, tau, pushes);
  const VectorXd alpha =
      evaluate(at, transpose(phi) *
                       (transpose(H) * vector<Space::joint_rate>(at, trunk) + at.a() + E * at.g()));
  const VectorXd tips =
      evaluate(at, transpose(B) * vector<Space::link_motion>(at, alpha) + at.a_0());  // (5.7)
  compute_forward_kinematics(work, state, trunk);
  for (std::size_t i = 0; i < at.tips().size(); ++i) {
    const Eigen::Matrix<double, 6, 1> wanted =
        to_eigen(frame_acceleration(work, at.tips()[i], Axes::own));
    EXPECT_LE((tips.segment<6>(static_cast<Eigen::Index>(6 * i)) - wanted).norm(),
              c.bound * (1 + alpha.norm()));
  }
}
INSTANTIATE_TEST_SUITE_P(Trees, Lines, ::testing::Range(0U, 12U));

class LinesDoor : public Lines {
 protected:
  static void expect_said(const std::string& said, const char* part) {
    EXPECT_NE(said.find(part), std::string::npos) << "said: " << said;
  }
};
TEST_P(LinesDoor, refuses_what_has_no_meaning) {
  Operators fresh(system);
  expect_said(error_of([&] { (void)fresh.a(); }), "no a: it belongs to a state");
  fresh.update(state.q);
  expect_said(error_of([&] { (void)fresh.b(); }), "Operators::update(state, tau)");
  fresh.update(state, tau);
  expect_said(error_of([&] { (void)fresh.a_0(); }), "set_tips");
  const auto line = M * (transpose(phi) * (fresh.a() + E * fresh.g())) + fresh.b();
  VectorXd out(fresh.size(Space::link_force)), shorter(2);
  EXPECT_NO_THROW(evaluate(fresh, line, out));
  expect_said(error_of([&] { evaluate(fresh, line, shorter); }), "link forces of this system have");
  expect_said(error_of([&] { (void)vector<Space::link_motion>(fresh, shorter); }), "has 2 entries");
  out[1] = std::nan("");
  expect_said(error_of([&] { (void)vector<Space::link_force>(fresh, out); }), "entry 1");
  fresh.update(state, 2 * tau);
  expect_said(error_of([&] { evaluate(fresh, line, out); }), "from before their last update");
  state.v[0] = std::nan("");
  expect_said(error_of([&] { fresh.update(state, tau); }), "state.v[0]");
}
TEST_P(LinesDoor, refuses_vectors_of_other_operators) {
  // As often updated: by their counts alone they could not be told apart.
  Operators mine(system), other(system), same_work(work), beside(work);
  State elsewhere = random.state(system);
  mine.update(state, tau);
  other.update(elsewhere, tau);
  ASSERT_EQ(mine.configuration(), other.configuration());
  VectorXd out(mine.size(Space::link_force));
  EXPECT_NO_THROW(evaluate(mine, M * mine.a() + mine.b(), out));
  expect_said(error_of([&] { evaluate(mine, M * other.a() + mine.b(), out); }), "other operators");
  expect_said(error_of([&] { evaluate(mine, M * mine.a() + other.b(), out); }), "other operators");
  const VectorXd x = VectorXd::Zero(out.size());
  expect_said(error_of([&] { evaluate(mine, M * vector<Space::link_motion>(other, x), out); }),
              "other operators");
  beside.update(state, tau);
  const auto theirs = beside.b();
  same_work.update(state, tau);
  expect_said(error_of([&] { evaluate(same_work, theirs + same_work.b(), out); }),
              "other operators");
}
INSTANTIATE_TEST_SUITE_P(Tree, LinesDoor, ::testing::Values(1U));

using SharedFactors = Lines;
TEST_P(SharedFactors, are_those_of_the_workspace_and_go_with_it) {
  Operators shared(work);
  const VectorXd x = random.numbers(system.nv());
  VectorXd solved(x.size());
  compute_mass_matrix_solve(work, state.q, x, solved);
  EXPECT_THROW((void)apply(phi * M, shared, VectorXd::Zero(shared.size(Space::link_motion))), Error)
      << "nobody has called update";
  shared.update(state.q);
  EXPECT_EQ(solve(shared, x), solved) << "one sweep, one kernel";
  EXPECT_EQ(apply(inverse(mass + R), shared, x), solved);
  // Reading kinematics of the same configuration elsewhere takes it away; update brings it back.
  compute_forward_kinematics(work, state, x);
  EXPECT_THROW((void)solve(shared, x), Error);
  EXPECT_THROW((void)compute_log_determinant(shared), Error);
  shared.update(state.q);
  EXPECT_EQ(solve(shared, x), solved);
  EXPECT_THROW((void)frame_pose(work, system.frame("tip")), Error) << "and took the poses away";
}
TEST_P(SharedFactors, take_an_operational_space_with_them) {
  Operators shared(work);
  shared.set_tips(std::vector<std::string>{"tip"});
  OperationalSpace tip(shared);
  shared.update(state.q);
  tip.update();
  EXPECT_NO_THROW((void)tip.inverse_inertia());
  compute_gravity(work, state.q, trunk);
  EXPECT_THROW((void)tip.inverse_inertia(), Error);
}
INSTANTIATE_TEST_SUITE_P(Trees, SharedFactors, ::testing::Range(0U, 6U));

}  // namespace
}  // namespace linkwright::testing
