#include <algorithm>

#include <Eigen/Dense>

#include <gtest/gtest.h>

#include "dynamics/laws.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

class LawsOfJoint : public ::testing::TestWithParam<JointType> {};

/// The joint at the root, in the middle and at the leaf.
TEST_P(LawsOfJoint, hold) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    Model model = random.tree(1, Base::fixed, {GetParam()});
    for (int k = 1; k < 4; ++k) {
      const std::string name = "body" + std::to_string(k);
      model.bodies.push_back(random.body(name));
      model.joints.push_back(random.joint("joint" + std::to_string(k),
                                          k == 2 ? JointType::revolute : GetParam(),
                                          "body" + std::to_string(k - 1), name));
    }
    model.frames = {{"tip", "body3", random.pose(0.4), {}}};
    expect_laws(compile(model), seed);
  }
}
INSTANTIATE_TEST_SUITE_P(every, LawsOfJoint, ::testing::ValuesIn(all_joint_types()),
                         [](const auto& joint) { return std::string(to_string(joint.param)); });

/// Custom joints of every width, commuting and not.
TEST(Laws, hold_for_custom_joints_of_every_width) {
  for (int d = 0; d <= 6; ++d) {
    RandomModel random(static_cast<unsigned>(d) + 40);
    Model model = random.tree(3, Base::free, {JointType::revolute});
    Joint custom = random.joint("custom", JointType::custom, "body2", "last");
    custom.modes = random.modes(d);
    model.bodies.push_back(random.body("last"));
    model.joints.push_back(custom);
    model.frames = {{"tip", "last", {}, {}}};
    SCOPED_TRACE("width " + std::to_string(d));
    expect_laws(compile(model), 7);
  }
}

TEST(Laws, hold_for_commuting_custom_joints) {
  const std::vector<std::vector<std::array<double, 6>>> sets = {
      {{0, 0, 1, 0, 0, 0.2}},
      {{0, 0, 2, 0.4, 0, 0}, {0, 0, 0, 0, 0, 1}},
      {{0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0.3, 0, 1}}};
  for (const auto& modes : sets) {
    RandomModel random(3);
    Model model = random.tree(3, Base::fixed, {JointType::custom});
    for (Joint& joint : model.joints) joint.modes = modes;
    EXPECT_EQ(position_count(model.joints.front()), static_cast<int>(modes.size()));
    expect_laws(compile(model), 11);
  }
}

class LawsOfTree : public ::testing::TestWithParam<unsigned> {};

TEST_P(LawsOfTree, hold) {
  const unsigned seed = GetParam();
  RandomModel random(seed);
  const Base base = static_cast<Base>(seed % 3);
  Model model = random.tree(random.integer(2, 24), base, all_joint_types());
  if (seed % 2 == 0) model.gravity = {};
  expect_laws(compile(model), seed);
}
INSTANTIATE_TEST_SUITE_P(random, LawsOfTree, ::testing::Range(0U, 200U));

struct Answer {
  Eigen::VectorXd tau, a;
};

/// Inverse and forward dynamics by joint name, for a state given by joint name.
Answer answer(const System& system, const System& reference, const State& state,
              const Eigen::VectorXd& x) {
  State mine(system);
  Eigen::VectorXd input(system.nv());
  for (const JointPlace& joint : reference.joints()) {
    const JointPlace& here = system.joint(joint.name);
    mine.q.segment(here.q, here.nq) = state.q.segment(joint.q, joint.nq);
    mine.v.segment(here.v, here.nv) = state.v.segment(joint.v, joint.nv);
    input.segment(here.v, here.nv) = x.segment(joint.v, joint.nv);
  }
  Workspace work(system);
  Eigen::VectorXd tau(system.nv()), a(system.nv());
  compute_inverse_dynamics(work, mine, input, {}, tau);
  compute_forward_dynamics(work, mine, input, {}, a);
  Answer out{Eigen::VectorXd(system.nv()), Eigen::VectorXd(system.nv())};
  for (const JointPlace& joint : reference.joints()) {
    const JointPlace& here = system.joint(joint.name);
    out.tau.segment(joint.v, joint.nv) = tau.segment(here.v, here.nv);
    out.a.segment(joint.v, joint.nv) = a.segment(here.v, here.nv);
  }
  return out;
}

/// Efforts are compared as they are, accelerations by the efforts M (a − a'): no condition number.
void expect_same(const System& system, const System& other, RandomModel& random) {
  if (system.nv() == 0) return;
  const State state = random.state(system);
  const Eigen::VectorXd x = random.numbers(system.nv());
  const Answer mine = answer(system, system, state, x), theirs = answer(other, system, state, x);
  Workspace work(system);
  Eigen::MatrixXd M(system.nv(), system.nv());
  compute_mass_matrix(work, state.q, M);
  std::vector<Force> reactions(system.joints().size());
  compute_reactions(work, state, mine.a, {}, reactions);
  double size = x.norm() + mine.tau.norm() + M.norm() * (x.norm() + mine.a.norm());
  for (const Force& f : reactions) size += norm(f.moment) + norm(f.force);
  const double bound = 16 * std::numeric_limits<double>::epsilon() * system.node_count() * size;
  EXPECT_LE((mine.tau - theirs.tau).norm(), bound);
  EXPECT_LE((M * (mine.a - theirs.a)).norm(), bound);
}

TEST(Laws, results_do_not_depend_on_canonical_frames) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    const Model model =
        random.tree(random.integer(2, 20), static_cast<Base>(seed % 3), all_joint_types());
    expect_same(compile(model), compile(model, {.scatter_frames = seed}), random);
  }
}

/// Nearly parallel axes have a common normal that is mostly rounding, and a foot far away.
TEST(Laws, results_do_not_depend_on_canonical_frames_of_nearly_parallel_axes) {
  for (const double tilt : {0.0, 1e-15, 1e-12, 2e-9, 1e-8, 1e-6, 1e-4, 0.005, 0.011, 0.1}) {
    for (const double reach : {1.0, 1e3}) {
      SCOPED_TRACE("tilt " + std::to_string(tilt) + ", reach " + std::to_string(reach));
      RandomModel random(12);
      Model model = random.tree(1, Base::fixed, {JointType::revolute});
      for (int k = 1; k < 5; ++k) {
        const std::string name = "body" + std::to_string(k);
        model.bodies.push_back(random.body(name));
        model.joints.push_back(random.joint("joint" + std::to_string(k), JointType::revolute,
                                            "body" + std::to_string(k - 1), name));
        Joint& joint = model.joints.back();
        joint.pose.rotation = Matrix3::identity();
        joint.pose.translation = reach * joint.pose.translation;
      }
      const Vector3 own = model.joints[0].axis, aside = cross(own, random.direction());
      for (std::size_t k = 1; k < 5; ++k) {
        const Vector3 leaning = own + (k % 2 == 1 ? tilt : 0.0) * aside;
        model.joints[k].axis = (1 / norm(leaning)) * leaning;
      }
      expect_same(compile(model), compile(model, {.scatter_frames = 7}), random);
      model.frames = {{"tip", "body4", {}, {}}};
      if (reach == 1) expect_laws(compile(model), 3);
    }
  }
}

TEST(Laws, results_do_not_depend_on_the_order_in_the_file) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    const Model model =
        random.tree(random.integer(2, 20), static_cast<Base>(seed % 3), all_joint_types());
    Model shuffled = model;
    std::mt19937 order(seed);
    std::shuffle(shuffled.joints.begin(), shuffled.joints.end(), order);
    std::shuffle(shuffled.bodies.begin(), shuffled.bodies.end(), order);
    expect_same(compile(model), compile(shuffled), random);
  }
}

/// A base of 10⁹ kg holds as still as the world: heavy base → fixed base.
TEST(Laws, a_heavy_free_base_becomes_a_fixed_base) {
  RandomModel random(5);
  Model fixed = random.tree(6, Base::fixed,
                            {JointType::revolute, JointType::prismatic, JointType::spherical});
  for (Joint& joint : fixed.joints)
    if (joint.parent == world_name) joint.parent = "base";
  fixed.gravity = {};
  Model free = fixed;
  const double mass = 1e9;
  free.bodies.push_back({.name = "base", .mass = mass, .inertia = {mass, mass, mass, 0, 0, 0}});
  free.joints.push_back(
      {.name = "base", .type = JointType::free, .parent = "world", .child = "base"});
  fixed.bodies.push_back(free.bodies.back());
  fixed.joints.push_back(
      {.name = "base", .type = JointType::fixed, .parent = "world", .child = "base"});
  const System a = compile(fixed), b = compile(free);
  const State state = random.state(a);
  const Eigen::VectorXd x = random.numbers(a.nv());
  const Answer held = answer(a, a, state, x);
  State floating(b);
  floating.q.head(a.nq()) = state.q;
  floating.v.head(a.nv()) = state.v;
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(b.nv()), acceleration(b.nv());
  tau.head(a.nv()) = x;
  Workspace work(b);
  compute_forward_dynamics(work, floating, tau, {}, acceleration);
  EXPECT_LE((acceleration.head(a.nv()) - held.a).norm(), 1e3 / mass * (1 + held.a.norm()));
}

/// Long enough that the lower triangle is mirrored, and with joints in an order that puts some of it
/// above the diagonal.
TEST(Laws, a_large_mass_matrix_is_symmetric_and_that_of_inverse_dynamics) {
  RandomModel random(12);
  Model model;
  for (int k = 0; k < 163; ++k) {
    const std::string name = "body" + std::to_string(k);
    model.bodies.push_back(random.body(name));
    model.joints.push_back(random.joint("joint" + std::to_string(k), JointType::revolute,
                                        k == 0 ? "world" : "body" + std::to_string(k - 1), name));
  }
  std::rotate(model.joints.begin() + 20, model.joints.begin() + 50, model.joints.begin() + 90);
  const System system = compile(model);
  const int n = system.nv();
  const State state = random.state(system);
  Workspace work(system);
  Eigen::MatrixXd M = Eigen::MatrixXd::Constant(n, n, 42);
  compute_mass_matrix(work, state.q, M);
  EXPECT_EQ(M, M.transpose());
  const Eigen::VectorXd a = random.numbers(n);
  Eigen::VectorXd tau(n), rest(n);
  compute_inverse_dynamics(work, state, a, {}, tau);
  compute_inverse_dynamics(work, state, Eigen::VectorXd::Zero(n), {}, rest);
  EXPECT_LE((M * a - (tau - rest)).norm(), 1e-13 * (tau.norm() + rest.norm()));
}

}  // namespace
}  // namespace linkwright::testing
