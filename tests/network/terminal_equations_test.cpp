// The matrices of the closed form: their structure, their entries from positions, their power, and the circuits that
// they come from.
#include <gtest/gtest.h>

#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/network/terminal_equations.hpp"
#include "network/trees.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using network::LoadPort, network::Matrix6, network::NetworkWorkspace, network::Placement,
    network::ReducedEquations, network::TerminalEquations;

/// Trees of every joint, with a load port at the tip's frame.
struct Written {
  explicit Written(unsigned seed)
      : random(seed),
        tree(random.tree(random.integer(2, 8), static_cast<Base>(seed % 3), all_joint_types()),
             random),
        work(tree.system),
        tau(tree.system.nv()) {
    compute_inverse_dynamics(work, tree.state, tree.a, {}, tau);
    const FramePlace& tip = tree.system.frame(tree.system.frame("tip"));
    for (std::size_t j = 0; j < at().bodies.size(); ++j)
      if (at().origins[j].node == tip.node) load.body = static_cast<int>(j);
    compute_forward_kinematics(tree.work, tree.state, tree.a);
    load.place = frame_pose(tree.work, tree.system.frame("tip")).translation -
                 at().bodies[static_cast<std::size_t>(load.body)].root;
  }
  [[nodiscard]] const Placement& at() const { return work.placement(); }
  [[nodiscard]] int bodies() const { return static_cast<int>(at().bodies.size()); }
  /// x of all joints.
  [[nodiscard]] VectorXd joint_twists() const {
    VectorXd x = VectorXd::Zero(6 * bodies());
    for (int j = 0; j < bodies(); ++j) {
      const Placement::Body& body = at().bodies[static_cast<std::size_t>(j)];
      for (int i = body.v; i < body.v + body.d; ++i)
        x.segment<6>(6 * j) += tree.state.v[i] * to_eigen(at().Hstar[static_cast<std::size_t>(i)]);
    }
    return x;
  }
  [[nodiscard]] bool is_empty() const { return bodies() == 0 || load.body < 0; }

  RandomModel random;
  MovingTree tree;
  NetworkWorkspace work;
  VectorXd tau;
  LoadPort load{-1, {}};
};

class Equations : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(random, Equations, ::testing::Range(0U, 30U));

TEST_P(Equations, S_is_the_inverse_of_K) {
  const Written w(GetParam());
  if (w.is_empty()) return;
  const TerminalEquations e(w.at(), {w.load});
  const MatrixXd one = MatrixXd::Identity(e.K().rows(), e.K().cols());
  EXPECT_LT((e.S() * e.K() - one).norm(), 1e-12 * one.norm());
  // (18): mass centres from joints.
  const VectorXd x_G = e.S() * w.joint_twists();
  for (int j = 0; j < w.bodies(); ++j) {
    const auto expected = to_eigen(twist_at_G(w.at().bodies[static_cast<std::size_t>(j)]));
    EXPECT_LT((x_G.segment<6>(6 * j) - expected).norm(), 1e-12 * (1 + expected.norm()));
  }
}

/// (28), (30)–(34), (36) from positions and velocities alone.
TEST_P(Equations, have_the_closed_form_entries) {
  const Written w(GetParam());
  if (w.is_empty()) return;
  Placement unloaded = w.at();
  for (Placement::Body& body : unloaded.bodies) body.load = {};
  const TerminalEquations e(unloaded, {w.load});
  for (int p = 0; p < w.bodies(); ++p) {
    for (int q = 0; q < w.bodies(); ++q) {
      const Matrix6 P = closed_form_P(unloaded, p, q), Q = closed_form_Q(unloaded, p, q);
      EXPECT_LT((e.P().block<6, 6>(6 * p, 6 * q) - P).norm(), 1e-12 * e.P().norm());
      EXPECT_LT((e.Q().block<6, 6>(6 * p, 6 * q) - Q).norm(), 1e-12 * (1 + e.Q().norm()));
    }
    EXPECT_LT((e.u().segment<6>(6 * p) - closed_form_u(unloaded, p)).norm(),
              1e-12 * (1 + e.u().norm()));
    EXPECT_LT(
        (e.load_map().middleCols<6>(6 * p) - closed_form_load_map(unloaded, w.load, p)).norm(),
        1e-12 * e.load_map().norm());
  }
}

/// dS/dt of (23) by differences along the motion.
TEST_P(Equations, the_rate_of_S_is_its_derivative) {
  const Written w(GetParam());
  if (w.is_empty()) return;
  const double h = 1e-5;
  const auto S_at = [&](double t) {
    State moved = w.tree.state;
    compute_integral(w.tree.system, w.tree.state.q, w.tree.state.v, t, moved.q);
    NetworkWorkspace work(w.tree.system);
    VectorXd tau(w.tree.system.nv());
    compute_inverse_dynamics(work, moved, w.tree.a, {}, tau);
    return MatrixXd(TerminalEquations(work.placement()).S());
  };
  const MatrixXd difference = (S_at(h) - S_at(-h)) / (2 * h);
  const TerminalEquations e(w.at());
  EXPECT_LT((difference - e.S_rate()).norm(), 1e-7 * (1 + e.S_rate().norm()));
}

/// The load port's twist is the frame's, its transpose takes the load to the joints (39); and the trunk's.
TEST_P(Equations, the_load_port_is_the_frame) {
  Written w(GetParam());
  if (w.is_empty()) return;
  const ReducedEquations e = TerminalEquations(w.at(), {w.load}).reduce();
  MatrixXd J(6, w.tree.system.nv());
  compute_jacobian(w.tree.work, w.tree.state.q, w.tree.system.frame("tip"), Axes::world, J);
  EXPECT_LT((e.loads() - J).norm(), 1e-12 * (1 + J.norm()));
  const ExternalForce push{w.tree.system.frame("tip"), {{1, 2, 3}, {-3, 2, 1}}, Axes::world};
  VectorXd load(6), expected(w.tree.system.nv()), found(w.tree.system.nv()),
      declared(w.tree.system.nv());
  load << 1, 2, 3, -3, 2, 1;
  compute_inverse_dynamics(w.tree.work, w.tree.state, w.tree.a, {&push, 1}, expected);
  compute_joint_forces(w.tree.work, w.tree.state, declared);
  e.compute_efforts(w.tree.state.v, w.tree.a, load, found);
  EXPECT_LT((found - declared - expected).norm(), 1e-12 * w.tree.size(expected, w.tree.a));
}

/// (21) holds for what (40) and (41) find, and what goes in at all ports becomes kinetic energy or is lifted.
TEST_P(Equations, the_augmented_form_balances_power) {
  const Written w(GetParam());
  if (w.is_empty()) return;
  const TerminalEquations e(w.at(), {w.load});
  const Eigen::Index m = 6 * w.bodies();
  MatrixXd T(2 * m + 6, 2 * m + 6);
  e.compute_augmented(T);
  EXPECT_EQ((T.bottomRightCorner(m + 6, m + 6)).norm(), 0);
  EXPECT_EQ((T.topRightCorner(m, m + 6) + T.bottomLeftCorner(m + 6, m).transpose()).norm(), 0);
  RandomModel random(GetParam());
  const VectorXd x = w.joint_twists(), x_rate = random.numbers(static_cast<int>(m)),
                 y_L = random.numbers(6), y_G = random.numbers(static_cast<int>(m));
  VectorXd given(2 * m + 6);
  given << x, y_L, y_G;
  VectorXd out = T * given;
  out.head(m) += e.P() * x_rate + e.u();
  // Power in at joints, load and mass centres: x_Gᵀ (P_G ẋ_G + Q_G x_G + u_G).
  const VectorXd x_G = e.S() * x, x_G_rate = e.S() * x_rate + e.S_rate() * x;
  const double in = out.head(m).dot(x) + y_L.dot(out.segment(m, 6)) + y_G.dot(out.tail(m));
  const double taken = x_G.dot(e.P_G() * x_G_rate + e.Q_G() * x_G + e.u_G());
  const double size =
      1 + out.head(m).cwiseAbs().dot(x.cwiseAbs()) + out.tail(m).cwiseAbs().dot(y_G.cwiseAbs());
  EXPECT_NEAR(in, taken, 1e-12 * size);
}

/// The graph's own circuits, joints as chords (Tokad's case (i)), give K.
TEST_P(Equations, come_from_the_fundamental_circuits_of_the_graph) {
  const Written w(GetParam());
  if (w.is_empty()) return;
  const network::SystemGraph graph =
      network::make_system_graph(w.tree.system, {.drivers = network::ActivePort::centre});
  const network::FormulationTree tree =
      network::make_formulation_tree(graph.graph, graph.preferred);
  const TerminalEquations by_circuits(w.at(), graph, tree), by_parents(w.at());
  EXPECT_EQ((by_circuits.K() - by_parents.K()).norm(), 0);
  // In the graph without drivers the joints are branches.
  const network::FormulationTree joints =
      network::make_formulation_tree(w.work.graph().graph, w.work.graph().preferred);
  EXPECT_THROW(TerminalEquations(w.at(), w.work.graph(), joints), Error);
}

}  // namespace
}  // namespace linkwright::testing
