// Equal branches side by side: whatever is bundled obeys the laws of all trees, and is what the branches
// are one by one.
#include <Eigen/Dense>

#include <gtest/gtest.h>

#include "dynamics/laws.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/mass_matrix.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// How many branches each bundle has.
std::vector<int> lanes_of(const System& system) {
  std::vector<int> lanes;
  for (const Bundle& bundle : system.tree().bundles) lanes.push_back(bundle.lanes);
  return lanes;
}

/// Inverse and forward dynamics and the mass matrix, by the same sweeps over all runs of the tree.
void expect_as_one_by_one(const System& system, unsigned seed) {
  RandomModel random(seed);
  const int n = system.nv();
  const State state = random.state(system);
  const VectorXd a = random.numbers(n), tau = random.numbers(n);
  Workspace work(system);
  VectorXd efforts(n), accelerations(n), one_by_one(n);
  MatrixXd M(n, n), M_one_by_one(n, n);
  compute_inverse_dynamics(work, state, a, {}, efforts);
  compute_forward_dynamics(work, state, tau, {}, accelerations);
  compute_mass_matrix(work, state.q, M);
  const Tree<double>& tree = system.tree();
  Scratch<double> s(tree);
  const double bound = 1e-15 * n * system.node_count();
  sweeps::place_joints(tree, s, state.q.data());
  sweeps::mass_matrix(tree, s, M_one_by_one.data(), n);
  EXPECT_LE((M - M_one_by_one).norm(), bound * M.norm());
  sweeps::inverse_dynamics<double>(tree, s, state.v.data(), a.data(), nullptr, one_by_one.data());
  const double load = M.norm() * (1 + a.norm()) + efforts.norm();
  EXPECT_LE((efforts - one_by_one).norm(), bound * load);
  VectorXd room(n);
  sweeps::forward_dynamics_filter(tree, s, state.q.data(), state.v.data(), tau.data(), room.data(),
                                  ExternalLoads<double>{});
  sweeps::forward_dynamics_smoother(tree, s, one_by_one.data());
  EXPECT_LE((M * (accelerations - one_by_one)).norm(),
            bound * (load + M.norm() * accelerations.norm()));
}

void expect_all(const System& system, unsigned seed) {
  expect_as_one_by_one(system, seed);
  expect_laws(system, seed);
}

class BundlesOfJoint : public ::testing::TestWithParam<JointType> {};

/// The joint at the root and at the leaf of the branches, which are two to six on a free, a fixed and a
/// planar body: full and half-empty packs, and more branches than one pack holds.
TEST_P(BundlesOfJoint, obey_the_laws) {
  const std::vector<std::vector<int>> expected{{2}, {3}, {4}, {3, 2}, {3, 3}};
  for (int count = 2; count <= 6; ++count) {
    SCOPED_TRACE(std::to_string(count) + " branches");
    const auto seed = static_cast<unsigned>(count);
    RandomModel random(seed);
    const Model model =
        random.star(count, static_cast<Base>(count % 3),
                    {GetParam(), JointType::revolute, JointType::prismatic, GetParam()});
    const System system = compile(model);
    EXPECT_EQ(lanes_of(system), expected[static_cast<std::size_t>(count - 2)]);
    expect_all(system, seed);
  }
}
INSTANTIATE_TEST_SUITE_P(every, BundlesOfJoint, ::testing::ValuesIn(all_joint_types()),
                         [](const auto& joint) { return std::string(to_string(joint.param)); });

/// Branches on the world itself, beside one that is like no other.
TEST(Bundles, on_the_world_obey_the_laws) {
  RandomModel random(5);
  Model model = random.star(3, Base::fixed, {JointType::revolute, JointType::spherical});
  for (Joint& joint : model.joints)
    if (joint.parent == "body0") joint.parent = std::string(world_name);
  const System system = compile(model);
  ASSERT_EQ(lanes_of(system), std::vector<int>{3});
  EXPECT_EQ(system.tree().bundles.front().carrier, 0);
  EXPECT_EQ(system.tree().trunk.size(), 1U);
  expect_all(system, 5);
}

/// Two arms with a hand of three fingers each: the arms go side by side, fingers and all. And a trunk
/// whose later part carries a bundle beside one on its earlier part.
TEST(Bundles, of_branches_that_branch_obey_the_laws) {
  RandomModel random(6);
  Model model = random.star(2, Base::free, {JointType::revolute, JointType::revolute});
  const auto add = [&](const std::string& parent, const std::string& name, JointType type) {
    model.bodies.push_back(random.body(name));
    model.joints.push_back(random.joint("joint_of_" + name, type, parent, name));
  };
  for (const std::string arm : {"0", "1"})
    for (const std::string finger : {"a", "b", "c"}) {
      add("body" + arm + "_1", "finger" + arm + finger, JointType::revolute);
      add("finger" + arm + finger, "end" + arm + finger, JointType::revolute);
    }
  const System arms = compile(model);
  ASSERT_EQ(lanes_of(arms), std::vector<int>{2});
  EXPECT_EQ(arms.tree().bundles.front().branch.count(), 2 + 8);
  expect_all(arms, 6);
  add("body0", "waist", JointType::revolute);
  add("waist", "neck", JointType::prismatic);
  for (const std::string name : {"ear0", "ear1", "ear2"}) {
    add("neck", name, JointType::spherical);
    add(name, name + "tip", JointType::revolute);
  }
  const System both = compile(model);
  EXPECT_EQ(lanes_of(both), (std::vector<int>{2, 3}));
  expect_all(both, 7);
}

/// Branches with other joints, other branchings or other numbers of freedoms are no bundle.
TEST(Bundles, are_of_equal_branches_only) {
  RandomModel random(8);
  Model model = random.star(2, Base::free, {JointType::revolute, JointType::custom});
  EXPECT_EQ(compile(model).tree().bundles.size(), 1U);
  Model wider = model;
  wider.joints.back().modes = random.modes(4);
  EXPECT_TRUE(compile(wider).tree().bundles.empty());
  Model other = model;
  other.joints[1].type = JointType::prismatic;
  EXPECT_TRUE(compile(other).tree().bundles.empty());
  EXPECT_EQ(compile(other).tree().trunk.size(), compile(other).tree().runs.size());
}

/// The same numbers to the last bit, whatever was computed before.
TEST(Bundles, repeat_bit_by_bit) {
  RandomModel random(9);
  const System system =
      compile(random.star(4, Base::free, {JointType::revolute, JointType::revolute}));
  ASSERT_EQ(lanes_of(system), std::vector<int>{4});
  const int n = system.nv();
  const State state = random.state(system), other = random.state(system);
  const VectorXd tau = random.numbers(n);
  Workspace fresh(system), used(system);
  VectorXd a(n), b(n);
  MatrixXd M(n, n), N(n, n);
  compute_forward_dynamics(fresh, state, tau, {}, a);
  compute_mass_matrix(fresh, state.q, M);
  compute_forward_dynamics(used, other, tau, {}, b);
  compute_mass_matrix(used, other.q, N);
  compute_forward_dynamics(used, state, tau, {}, b);
  compute_mass_matrix(used, state.q, N);
  EXPECT_EQ(a, b);
  EXPECT_EQ(M, N);
}

/// The joint that nothing resists is named, whichever lane it is in.
TEST(Bundles, name_a_joint_that_nothing_resists) {
  for (const JointType type : {JointType::revolute, JointType::spherical})
    for (const std::string branch : {"0", "1", "2"}) {
      RandomModel random(10);
      Model model = random.star(3, Base::free, {JointType::revolute, type});
      for (Joint& joint : model.joints) joint.rotor_inertia.clear();
      for (Body& body : model.bodies)
        if (body.name == "body" + branch + "_1") body.inertia = {}, body.com = {};
      const System system = compile(model);
      ASSERT_EQ(lanes_of(system), std::vector<int>{3});
      Workspace work(system);
      const State state = random.state(system);
      VectorXd a(system.nv());
      const std::string said = error_of(
          [&] { compute_forward_dynamics(work, state, VectorXd::Zero(system.nv()), {}, a); });
      EXPECT_NE(said.find("joint_of_body" + branch + "_1"), std::string::npos) << said;
    }
}

}  // namespace
}  // namespace linkwright::testing
