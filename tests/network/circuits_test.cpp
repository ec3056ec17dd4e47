// The loops' equations, assembled a second time from the matrices of the graph itself: fundamental circuits for what
// closes them, fundamental cut sets for what these pass on, and the differential-algebraic equations that they make.
#include <gtest/gtest.h>

#include "closure/random_mechanism.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/network/dynamics.hpp"
#include "linkwright/network/formulation_tree.hpp"
#include "linkwright/network/terminal_equations.hpp"
#include "support/condition.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using network::FormulationTree, network::NetworkWorkspace, network::Placement, network::SystemGraph;
using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A closed system in motion.
struct Closed {
  Closed(const Model& model, const VectorXd* q, unsigned seed) : system(compile(model)) {
    RandomModel random(seed);
    state = initial_state(system);
    if (q != nullptr) state.q = *q;
    state.v = random.numbers(system.nv());
    project_velocity(closed, state.q, {}, state.v);
    J.resize(work.rows(), system.nv()), bias.resize(work.rows());
    compute_loop_rows(work, state, J, bias);
    compute_forward_kinematics(closed.tree(), state, VectorXd::Zero(system.nv()));
  }
  [[nodiscard]] const SystemGraph& graph() const { return work.graph(); }

  System system;
  ClosedWorkspace closed{system};
  NetworkWorkspace work{system};
  State state;
  MatrixXd J;
  VectorXd bias;
};

/// The twist of every mechanical edge per unit of v, from circuits and from bodies as ideal transformers.
struct EdgeTwists {
  explicit EdgeTwists(Closed& of)
      : closed(of),
        tree(network::make_formulation_tree(of.graph().graph, of.graph().preferred)),
        rows(fundamental_circuits(of.graph().graph, tree)),
        row_of(of.graph().graph.edges().size(), -1),
        twist(row_of.size(), MatrixXd::Zero(6, of.system.nv())) {
    for (std::size_t i = 0; i < tree.chords.size(); ++i)
      row_of[at(tree.chords[i])] = static_cast<int>(i);
    const Placement& placed = of.work.placement();
    for (std::size_t k = 0; k < placed.bodies.size(); ++k) {
      const SystemGraph::Body& body = of.graph().bodies[k];
      const Placement::Body& own = placed.bodies[k];
      const SystemGraph::Joint& joint = of.graph().joints[at(body.joint)];
      for (int i = own.v; i < own.v + own.d; ++i)
        twist[at(joint.edge)].col(i) = to_eigen(placed.Hstar[at(i)]);
      by_circuit(body.b);
      for (const SystemGraph::Joint& other : of.graph().joints) {
        if (other.kind == SystemGraph::Joint::Kind::joint) {
          if (other.to == static_cast<int>(k)) carry(k, other.to_edge, joint_place(other));
          continue;
        }
        if (other.from == static_cast<int>(k)) carry(k, other.from_edge, chord_place(other));
        if (other.to == static_cast<int>(k)) carry(k, other.to_edge, chord_place(other));
      }
    }
  }
  /// A chord is 1 in its own row.
  void by_circuit(int edge) {
    ASSERT_GE(row_of[at(edge)], 0) << "not a chord";
    for (Rows::InnerIterator e(rows, row_of[at(edge)]); e; ++e)
      if (e.col() != edge) twist[at(edge)] -= e.value() * twist[at(static_cast<int>(e.col()))];
  }
  /// x of the edge at a place of body k, from its B.
  void carry(std::size_t k, int edge, const Vector3& place) {
    const Placement::Body& own = closed.work.placement().bodies[k];
    twist[at(edge)] = network::wrench_shift(place - own.root - own.B).transpose() *
                      twist[at(closed.graph().bodies[k].b)];
  }
  [[nodiscard]] Vector3 joint_place(const SystemGraph::Joint& joint) const {
    const Placement::Body& child = closed.work.placement().bodies[at(joint.from)];
    return child.root + child.B;
  }
  [[nodiscard]] Pose chord_pose(const SystemGraph::Joint& joint) const {
    const ClosurePlace& c = closed.system.closures()[at(joint.index)];
    return closed.closed.tree().scratch().pose[at(c.node_b)] * c.at_b;
  }
  [[nodiscard]] Vector3 chord_place(const SystemGraph::Joint& joint) const {
    return chord_pose(joint).translation;
  }

  Closed& closed;
  FormulationTree tree;
  Rows rows;
  std::vector<int> row_of;
  std::vector<MatrixXd> twist;
};

void expect_rows_of_circuits(Closed& closed) {
  EdgeTwists edges(closed);
  int seen = 0;
  for (const SystemGraph::Joint& joint : closed.graph().joints) {
    if (joint.kind == SystemGraph::Joint::Kind::joint) continue;
    edges.by_circuit(joint.edge);
    const ClosurePlace& c = closed.system.closures()[at(joint.index)];
    const Pose X = edges.chord_pose(joint);
    closure::Meeting<double> m;
    m.X = closure::relative_pose(c, closed.closed.tree().scratch().pose[at(c.node_a)],
                                 closed.closed.tree().scratch().pose[at(c.node_b)]);
    for (int i = 0; i < c.rows; ++i, ++seen) {
      const Force W = closure::row_of(c, m, i).W;
      const auto wrench = to_eigen(Force{X.rotation * W.moment, X.rotation * W.force});
      const Eigen::RowVectorXd expected = wrench.transpose() * edges.twist[at(joint.edge)];
      EXPECT_LT((closed.J.row(c.row + i) - expected).norm(), 1e-12 * (1 + expected.norm()))
          << c.name << " row " << i;
    }
  }
  EXPECT_GT(seen, 0);
}

TEST(Circuits, of_bundled_mechanisms_are_their_rows) {
  for (const char* file : {"four_bar.yaml", "five_bar.yaml", "stewart.yaml", "delta.yaml",
                           "two_arms_and_box.yaml", "three_fingers_and_ball.yaml"}) {
    SCOPED_TRACE(file);
    Closed closed(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + file), nullptr, 1);
    expect_rows_of_circuits(closed);
  }
}

TEST(Circuits, of_random_mechanisms_are_their_rows) {
  int compared = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const ClosedMechanism made =
        random.closed(random.integer(3, 8), random.integer(1, 4),
                      static_cast<Base>(random.integer(0, 2)), all_joint_types());
    Closed closed(made.model, &made.q, seed);
    if (closed.J.size() == 0) continue;
    expect_rows_of_circuits(closed);
    ++compared;
  }
  EXPECT_GT(compared, 25);
}

/// The through variables of the joints while nothing has inertia and one chord pushes b with a wrench: by the cut sets
/// of branches and the balance of every ideal body, from the tips inward. Efforts are then the row of J.
Eigen::RowVectorXd efforts_by_cut_sets(EdgeTwists& edges, const SystemGraph::Joint& chord,
                                       const Eigen::VectorXd& wrench) {
  const SystemGraph& graph = edges.closed.graph();
  const Placement& placed = edges.closed.work.placement();
  const Rows cut_sets(fundamental_cut_sets(graph.graph, edges.tree));
  std::vector<int> row_of(graph.graph.edges().size(), -1);
  for (std::size_t i = 0; i < edges.tree.branches.size(); ++i)
    row_of[at(edges.tree.branches[i])] = static_cast<int>(i);
  std::vector<Eigen::VectorXd> y(row_of.size(), VectorXd::Zero(6));
  const auto by_cut_set = [&](int branch) {
    EXPECT_GE(row_of[at(branch)], 0) << "not a branch";
    y[at(branch)].setZero();
    for (Rows::InnerIterator e(cut_sets, row_of[at(branch)]); e; ++e)
      if (e.col() != branch) y[at(branch)] -= e.value() * y[at(static_cast<int>(e.col()))];
  };
  y[at(chord.edge)] = -wrench;  // what the chord takes, the body gives
  Eigen::RowVectorXd efforts = Eigen::RowVectorXd::Zero(edges.closed.system.nv());
  for (int k = static_cast<int>(placed.bodies.size()) - 1; k >= 0; --k) {
    const SystemGraph::Body& body = graph.bodies[at(k)];
    const Placement::Body& own = placed.bodies[at(k)];
    for (const SystemGraph::Joint& other : graph.joints)
      for (const bool outward : {true, false}) {
        const bool is_joint = other.kind == SystemGraph::Joint::Kind::joint;
        if ((outward ? other.to : other.from) != k || (is_joint && !outward)) continue;
        const int a = outward ? other.to_edge : other.from_edge;
        by_cut_set(a);
        const Vector3 place = is_joint ? edges.joint_place(other) : edges.chord_place(other);
        y[at(body.b)] -= network::wrench_shift(place - own.root - own.B) * y[at(a)];
      }
    const SystemGraph::Joint& joint = graph.joints[at(body.joint)];
    by_cut_set(joint.edge);
    for (int i = own.v; i < own.v + own.d; ++i)
      efforts[i] = y[at(joint.edge)].dot(to_eigen(placed.Hstar[at(i)]));
  }
  return efforts;
}

TEST(CutSets, pass_on_to_the_joints_what_circuits_read_from_them) {
  for (const char* file : {"four_bar.yaml", "five_bar.yaml", "stewart.yaml"}) {
    SCOPED_TRACE(file);
    Closed closed(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + file), nullptr, 2);
    EdgeTwists edges(closed);
    for (const SystemGraph::Joint& joint : closed.graph().joints) {
      if (joint.kind == SystemGraph::Joint::Kind::joint) continue;
      const ClosurePlace& c = closed.system.closures()[at(joint.index)];
      const Matrix3 R = edges.chord_pose(joint).rotation;
      ASSERT_EQ(c.kind, PairKind::lower_pair) << "its rows are constant";
      for (int i = 0; i < c.rows; ++i) {
        const VectorXd wrench = to_eigen(Force{R * c.W[i].moment, R * c.W[i].force});
        const Eigen::RowVectorXd found = efforts_by_cut_sets(edges, joint, wrench);
        EXPECT_LT((found - closed.J.row(c.row + i)).norm(), 1e-12 * (1 + found.norm()))
            << c.name << " row " << i;
      }
    }
  }
}

/// P v̇ + Q v + u = τ + Jᵀ λ, J v̇ + J̇ v = 0, all of the graph, in one matrix.
TEST(DescriptorForm, of_the_graph_has_the_accelerations_of_the_closure_room) {
  for (const char* file : {"four_bar.yaml", "five_bar.yaml", "slider_crank.yaml", "stewart.yaml",
                           "bricard.yaml", "planar_platform.yaml"}) {
    SCOPED_TRACE(file);
    Closed closed(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + file), nullptr, 3);
    const Eigen::Index n = closed.system.nv(), m = closed.J.rows();
    const VectorXd tau = VectorXd::Zero(n);
    VectorXd expected(n), found(n), efforts(n);
    compute_forward_dynamics(closed.work, closed.state, tau, {}, found);  // places loads
    const network::ReducedEquations e =
        network::TerminalEquations(closed.work.placement()).reduce();
    compute_joint_forces(closed.closed.tree(), closed.state, efforts);
    MatrixXd whole = MatrixXd::Zero(n + m, n + m);
    whole << e.P(), -closed.J.transpose(), closed.J, MatrixXd::Zero(m, m);
    VectorXd right(n + m);
    right << tau + efforts - e.Q() * closed.state.v - e.u(), -closed.bias;
    if (!closed.system.closing_names().empty()) {
      VectorXd closing(closed.system.closing_names().size());
      MatrixXd L(closing.size(), n);
      compute_closing_forces(closed.closed, closed.state, closing);
      compute_closing_jacobian(closed.closed, closed.state.q, L);
      right.head(n) += L.transpose() * closing;
    }
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
    factors.setThreshold(1e-11);
    factors.compute(whole);
    const VectorXd solved = factors.solve(right);
    compute_forward_dynamics(closed.closed, closed.state, tau, {}, expected);
    const double bound =
        std::max(1e-10, 2 * condition_of_closed(closed.closed, closed.state.q) * epsilon);
    EXPECT_LT((solved.head(n) - expected).norm(), bound * (1 + expected.norm()));
    EXPECT_LT((found - expected).norm(), bound * (1 + expected.norm()));
  }
}

}  // namespace
}  // namespace linkwright::testing
