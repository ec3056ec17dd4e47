// Three ways from one graph, and the trunk: the closed form (20), the recursions (40) and (41) with equivalents at
// ports, and the library's own sweeps, on chains of every kind and on trees.
#include <gtest/gtest.h>

#include "linkwright/network/formulation_tree.hpp"
#include "linkwright/network/terminal_equations.hpp"
#include "network/trees.hpp"
#include "support/declared_forces.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using network::NetworkWorkspace, network::Placement, network::ReducedEquations,
    network::TerminalEquations;

constexpr double rounding = 1e-12;  // of the size of what balances

/// Inverse dynamics: trunk, (40) and (41), (20) in the joints' freedoms.
void expect_same_efforts(MovingTree& tree) {
  const System& system = tree.system;
  NetworkWorkspace work(system);
  VectorXd trunk(system.nv()), swept(system.nv()), closed(system.nv()), declared(system.nv());
  compute_inverse_dynamics(tree.work, tree.state, tree.a, tree.forces(), trunk);
  compute_inverse_dynamics(work, tree.state, tree.a, tree.forces(), swept);
  const ReducedEquations equations = TerminalEquations(work.placement()).reduce();
  equations.compute_efforts(tree.state.v, tree.a, VectorXd(0), closed);
  compute_joint_forces(tree.work, tree.state, declared);
  closed -= declared;
  const double size = tree.size(trunk, tree.a);
  EXPECT_LE((swept - trunk).norm(), rounding * size);
  EXPECT_LE((closed - trunk).norm(), rounding * size);
  EXPECT_LE((equations.P() - tree.M).norm(), rounding * tree.M.norm());
}

/// Forward dynamics: trunk, equivalents at ports, P of (23) solved. By the efforts that set them apart.
void expect_same_accelerations(MovingTree& tree) {
  const System& system = tree.system;
  NetworkWorkspace work(system);
  VectorXd trunk(system.nv()), swept(system.nv()), closed(system.nv()), effort(system.nv());
  compute_forward_dynamics(tree.work, tree.state, tree.tau, tree.forces(), trunk);
  compute_forward_dynamics(work, tree.state, tree.tau, tree.forces(), swept);
  compute_joint_forces(tree.work, tree.state, effort);
  effort += tree.tau;
  TerminalEquations(work.placement())
      .reduce()
      .compute_accelerations(tree.state.v, effort, VectorXd(0), closed);
  const double size = tree.size(tree.tau, trunk);
  EXPECT_LE((tree.M * (swept - trunk)).norm(), rounding * size);
  EXPECT_LE((tree.M * (closed - trunk)).norm(), rounding * size);
}

struct ChainKind {
  const char* name;
  std::vector<JointType> types;
};
void PrintTo(const ChainKind& kind, std::ostream* out) { *out << kind.name; }

class Chains : public ::testing::TestWithParam<ChainKind> {};
INSTANTIATE_TEST_SUITE_P(
    of, Chains,
    ::testing::Values(ChainKind{"spherical", {JointType::spherical}},
                      ChainKind{"revolute", {JointType::revolute}},
                      ChainKind{"prismatic", {JointType::prismatic}},
                      ChainKind{"mixed",
                                {JointType::revolute, JointType::prismatic, JointType::spherical,
                                 JointType::universal, JointType::cylindrical, JointType::helical,
                                 JointType::planar, JointType::custom, JointType::fixed,
                                 JointType::continuous, JointType::free}}),
    [](const auto& kind) { return std::string(kind.param.name); });

TEST_P(Chains, agree_to_thirty_links_on_both_bases) {
  for (const Base base : {Base::fixed, Base::free})
    for (const int links : {1, 2, 3, 5, 10, 20, 30}) {
      SCOPED_TRACE(std::to_string(links) + (base == Base::free ? " links, free" : " links, fixed"));
      RandomModel random(static_cast<unsigned>(links));
      MovingTree chain(chain_of(random, links, base, GetParam().types), random);
      expect_same_efforts(chain);
      expect_same_accelerations(chain);
    }
}

class JointAlone : public ::testing::TestWithParam<JointType> {};
INSTANTIATE_TEST_SUITE_P(every, JointAlone, ::testing::ValuesIn(all_joint_types()),
                         [](const auto& joint) { return std::string(to_string(joint.param)); });

/// At the root, in the middle and at the tip.
TEST_P(JointAlone, agrees) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    MovingTree chain(chain_of(random, 4, Base::fixed, {GetParam(), JointType::revolute}), random);
    if (chain.system.nv() == 0) continue;
    expect_same_efforts(chain);
    expect_same_accelerations(chain);
  }
}

class Trees : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(random, Trees, ::testing::Range(0U, 60U));

TEST_P(Trees, agree) {
  RandomModel random(GetParam());
  MovingTree tree(
      random.tree(random.integer(2, 24), static_cast<Base>(GetParam() % 3), all_joint_types()),
      random);
  if (tree.system.nv() == 0) return;
  expect_same_efforts(tree);
  expect_same_accelerations(tree);
}

TEST_P(Trees, agree_under_all_that_a_model_declares) {
  RandomModel random(GetParam() + 1000);
  MovingTree tree(with_all_forces(random, static_cast<Base>(GetParam() % 3)), random);
  expect_same_efforts(tree);
  expect_same_accelerations(tree);
}

/// Far from the origin of the world no digit is lost.
TEST(FarAway, a_mechanism_is_the_same) {
  RandomModel random(5);
  Model near = chain_of(random, 6, Base::fixed, {JointType::revolute, JointType::prismatic});
  Model far = near;
  far.joints.front().pose.translation = {1e6, -2e6, 3e6};
  const System here = compile(near), there = compile(far);
  const State state = random.state(here);
  const VectorXd tau = random.numbers(here.nv());
  VectorXd a(here.nv()), b(here.nv());
  NetworkWorkspace at_home(here), away(there);
  compute_forward_dynamics(at_home, state, tau, {}, a);
  compute_forward_dynamics(away, state, tau, {}, b);
  EXPECT_LT((a - b).norm(), 1e-12 * a.norm());
}

/// Twists of the graph against those of the trunk's frames.
TEST(Placed, terminals_move_as_the_trunk_says) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomModel random(seed);
    MovingTree tree(random.tree(9, static_cast<Base>(seed % 3), all_joint_types()), random);
    NetworkWorkspace work(tree.system);
    VectorXd a(tree.system.nv());
    compute_forward_dynamics(work, tree.state, tree.tau, {}, a);
    compute_forward_kinematics(tree.work, tree.state, a);
    for (std::size_t j = 0; j < work.graph().bodies.size(); ++j) {
      const auto& joint =
          work.graph().joints[static_cast<std::size_t>(work.graph().bodies[j].joint)];
      const JointPlace& place = tree.system.joints()[static_cast<std::size_t>(joint.index)];
      const Placement::Body& body = work.placement().bodies[j];
      const auto twist = to_eigen(frame_velocity(tree.work, {place.frame}, Axes::world));
      EXPECT_LT((to_eigen(body.x_B) - twist).norm(), 1e-12 * (1 + twist.norm()));
      const Vector3 B = frame_pose(tree.work, {place.frame}).translation;
      EXPECT_LT(norm(body.root + body.B - B), 1e-12 * (1 + norm(B)));
    }
  }
}

/// The recursions' twists by (40) of a placement that is filled by hand are those of the kinematics.
TEST(Placed, by_hand_moves_as_from_the_system) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomModel random(seed);
    MovingTree tree(random.tree(9, static_cast<Base>(seed % 3), all_joint_types()), random);
    NetworkWorkspace work(tree.system);
    VectorXd a(tree.system.nv()), b(tree.system.nv());
    compute_inverse_dynamics(work, tree.state, tree.a, {}, a);
    Placement by_hand = work.placement();
    for (Placement::Body& body : by_hand.bodies) body.x_B = {};
    for (const JointPlace& joint : tree.system.joints()) {
      const auto fix = [&](int freedom) {
        by_hand.fixed_in[static_cast<std::size_t>(joint.v + freedom)] = network::FixedIn::parent;
      };
      if (joint.type == JointType::universal) fix(0);
      if (joint.type == JointType::planar) fix(0), fix(1);
    }
    move(by_hand, tree.state.v);
    for (std::size_t j = 0; j < by_hand.bodies.size(); ++j) {
      const Motion apart = by_hand.bodies[j].x_B - work.placement().bodies[j].x_B;
      EXPECT_LT(to_eigen(apart).norm(), 1e-12);
    }
    network::Recursion(by_hand).compute_efforts(by_hand, tree.state.v, tree.a, b);
    VectorXd declared(tree.system.nv());
    compute_joint_forces(tree.work, tree.state, declared);
    EXPECT_LT((b - declared - a).norm(), 1e-12 * (1 + tree.size(a, tree.a)));
  }
}

/// The rate of every joint map, by differences along the motion.
TEST(Placed, rates_of_joint_maps_are_their_derivatives) {
  for (const JointType type : all_joint_types()) {
    RandomModel random(3);
    MovingTree tree(chain_of(random, 3, Base::fixed, {type, JointType::revolute}), random);
    NetworkWorkspace work(tree.system), ahead(tree.system), behind(tree.system);
    VectorXd tau(tree.system.nv());
    const double h = 1e-5;
    State later = tree.state, earlier = tree.state;
    compute_integral(tree.system, tree.state.q, tree.state.v, h, later.q);
    compute_integral(tree.system, tree.state.q, tree.state.v, -h, earlier.q);
    compute_inverse_dynamics(work, tree.state, tree.a, {}, tau);
    compute_inverse_dynamics(ahead, later, tree.a, {}, tau);
    compute_inverse_dynamics(behind, earlier, tree.a, {}, tau);
    for (std::size_t i = 0; i < work.placement().Hstar.size(); ++i) {
      const Eigen::VectorXd difference =
          (to_eigen(ahead.placement().Hstar[i]) - to_eigen(behind.placement().Hstar[i])) / (2 * h);
      const Eigen::VectorXd rate = to_eigen(work.placement().Hstar_rate[i]);
      EXPECT_LT((difference - rate).norm(), 1e-8 * (1 + rate.norm())) << to_string(type);
    }
  }
}

/// Joint wrenches of (41) against the trunk's reactions.
TEST(Inverse, wrenches_at_joints_are_the_reactions) {
  RandomModel random(8);
  MovingTree tree(random.tree(12, Base::free, all_joint_types()), random);
  NetworkWorkspace work(tree.system);
  VectorXd tau(tree.system.nv());
  EXPECT_THROW(joint_wrenches(work, {}), Error);
  compute_inverse_dynamics(work, tree.state, tree.a, tree.forces(), tau);
  std::vector<Force> wrenches(work.graph().bodies.size()), reactions(tree.system.joints().size());
  joint_wrenches(work, wrenches);
  compute_reactions(tree.work, tree.state, tree.a, tree.forces(), reactions);
  const double size = tree.size(tau, tree.a);
  for (std::size_t j = 0; j < wrenches.size(); ++j) {
    const int index =
        work.graph().joints[static_cast<std::size_t>(work.graph().bodies[j].joint)].index;
    const JointPlace& place = tree.system.joints()[static_cast<std::size_t>(index)];
    const Force& there = reactions[static_cast<std::size_t>(index)];
    compute_forward_kinematics(tree.work, tree.state, tree.a);
    const Matrix3 R = frame_pose(tree.work, {place.frame}).rotation;
    const Force turned{R * there.moment, R * there.force};
    EXPECT_LT(to_eigen(wrenches[j] - turned).norm(), rounding * size) << place.name;
  }
}

TEST(Refusals, a_joint_that_nothing_resists_is_named) {
  RandomModel random(2);
  Model model = chain_of(random, 3, Base::fixed, {JointType::revolute});
  model.bodies.back().mass = 0, model.bodies.back().inertia = {};
  const System system = compile(model);
  NetworkWorkspace work(system);
  VectorXd a = VectorXd::Zero(system.nv());
  try {
    compute_forward_dynamics(work, State(system), VectorXd::Zero(system.nv()), {}, a);
    FAIL() << "a massless link has no acceleration";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::failed_computation);
    EXPECT_NE(std::string(error.what()).find("'joint2'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(compute_forward_dynamics(work, State(system), VectorXd::Zero(1), {}, a), Error);
  EXPECT_THROW(compute_inverse_dynamics(work, State(system), a, {}, a.head(1)), Error);
}

TEST(Refusals, tables_that_make_no_tree_are_refused) {
  Placement placement(2, 2);
  placement.bodies[0].parent = 1;
  EXPECT_THROW(move(placement, VectorXd::Zero(2)), Error);
  placement.bodies[0].parent = -1;
  placement.bodies[1] = {.parent = 0, .v = 1, .d = 2};
  EXPECT_THROW(move(placement, VectorXd::Zero(2)), Error);
  EXPECT_THROW(move(placement, VectorXd::Zero(3)), Error);
  EXPECT_THROW(TerminalEquations(Placement(1, 0), {{1, {}}}), Error);
}

}  // namespace
}  // namespace linkwright::testing
