// What is missing in a mechanism's equations, by the graph, against the closure room and forward dynamics.
#include <gtest/gtest.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/network/descriptor.hpp"
#include "network/trees.hpp"
#include "support/condition.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using network::NetworkWorkspace;

TEST(MechanismResidual, of_trees_is_inverse_dynamics_less_the_efforts) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    RandomModel random(seed);
    MovingTree tree(chain_of(random, 6, seed % 2 == 0 ? Base::free : Base::fixed,
                             {JointType::revolute, JointType::prismatic, JointType::spherical}),
                    random);
    NetworkWorkspace work(tree.system);
    VectorXd missing(tree.system.nv()), efforts(tree.system.nv()), none;
    network::compute_residual(work, tree.state, tree.tau, tree.forces(), tree.a, none, missing);
    compute_inverse_dynamics(tree.work, tree.state, tree.a, tree.forces(), efforts);
    EXPECT_LT((missing - (efforts - tree.tau)).norm(), 1e-12 * tree.size(efforts, tree.a)) << seed;
  }
}

class MechanismWithLoops : public ::testing::TestWithParam<const char*> {};

/// M by what an acceleration adds, J by what a force adds, and nothing left along the motions that are free at the
/// accelerations of forward dynamics.
TEST_P(MechanismWithLoops, lacks_what_the_closure_room_says) {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/" + std::string(GetParam()));
  for (Closure& closure : model.closures)
    if (closure.kind == Closure::Kind::joint && closure.joint == JointType::revolute) {
      closure.rotor_inertia = {0.3};
      closure.damping = {0.2};
    }
  const System system = compile(model);
  ClosedWorkspace closed(system);
  NetworkWorkspace work(system);
  RandomModel random(5);
  State state = initial_state(system);
  ASSERT_TRUE(assemble(closed, {}, state.q).assembled);
  state.v = random.numbers(system.nv());
  project_velocity(closed, state.q, {}, state.v);
  VectorXd tau = VectorXd::Zero(system.effort_count());
  const Actuation motors = all_motors(system);
  for (const int i : motors.entries) tau[i] = random.numbers(1)[0];
  const Eigen::Index n = system.nv(), rows = work.rows();
  VectorXd a(n), none = VectorXd::Zero(rows), missing(n), more(n);
  compute_forward_dynamics(closed, state, tau, {}, a);
  network::compute_residual(work, state, tau, {}, a, none, missing);

  MatrixXd M(n, n), J(rows, n);
  compute_mass_matrix(closed, state.q, M);
  compute_closure_jacobian(closed, state.q, J);
  const double size = M.norm() * a.norm() + missing.norm() + tau.norm();
  const MatrixXd free = J.fullPivLu().kernel();
  EXPECT_LT((free.transpose() * missing).norm(), 1e-10 * size * free.norm());

  const VectorXd step = random.numbers(static_cast<int>(n)),
                 force = random.numbers(static_cast<int>(rows));
  network::compute_residual(work, state, tau, {}, a + step, none, more);
  EXPECT_LT((more - missing - M * step).norm(), 1e-11 * (size + M.norm() * step.norm()));
  network::compute_residual(work, state, tau, {}, a, force, more);
  EXPECT_LT((missing - more - J.transpose() * force).norm(), 1e-11 * (size + J.norm()));
  EXPECT_LT((network::loop_rows(work) - J).norm(), 1e-11 * J.norm());

  // As many rows as the rank are kept, and they have it.
  std::vector<char> kept(static_cast<std::size_t>(rows));
  network::find_independent_rows(work, kept);
  MatrixXd some(rows, n);
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < rows; ++i)
    if (kept[static_cast<std::size_t>(i)] != 0) some.row(count++) = J.row(i);
  EXPECT_EQ(count, n - free.cols());
  EXPECT_EQ(some.topRows(count).fullPivLu().rank(), count);
  VectorXd gaps(rows);
  network::compute_loop_gaps(work, state.q, gaps);
  EXPECT_LT(gaps.cwiseAbs().maxCoeff(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Bundled, MechanismWithLoops,
                         ::testing::Values("four_bar.yaml", "five_bar.yaml", "bricard.yaml",
                                           "stewart.yaml", "gripper.yaml"),
                         [](const auto& tested) {
                           const std::string name = tested.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace linkwright::testing
