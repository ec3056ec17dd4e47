// Springs, dampers, friction and loads: each against the law that defines it.
#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "support/declared_forces.hpp"
#include "support/power.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// Efforts of everything the model declares: bias minus inverse dynamics at rest acceleration.
VectorXd declared_efforts(const System& system, const State& state) {
  Workspace work(system);
  VectorXd tau(system.nv()), bias(system.nv());
  compute_inverse_dynamics(work, state, VectorXd::Zero(system.nv()), {}, tau);
  compute_bias(work, state, bias);
  return bias - tau;
}

/// −∂V/∂q along every freedom, by fourth-order differences on the group.
VectorXd potential_slope(const System& system, const State& state) {
  Workspace work(system);
  VectorXd slope(system.nv());
  const double h = 1e-3;
  for (int i = 0; i < system.nv(); ++i) {
    const auto potential = [&](double step) {
      State moved = state;
      compute_integral(system, state.q, VectorXd::Unit(system.nv(), i), step, moved.q);
      return compute_energy(work, moved).potential;
    };
    slope[i] =
        -(8 * (potential(h) - potential(-h)) - (potential(2 * h) - potential(-2 * h))) / (12 * h);
  }
  return slope;
}

enum class BaseSprings { diagonal, coupled };

/// A model whose springs are of every kind.
Model sprung(RandomModel& random, BaseSprings base = BaseSprings::diagonal) {
  Model model =
      random.tree(8, Base::free, {JointType::revolute, JointType::prismatic, JointType::spherical});
  model.gravity = {};
  model.line_springs.push_back(
      {"a", "body1", "body5", random.vector(0.3), random.vector(0.3), 40, 0, 0.2, {}});
  model.line_springs.push_back(
      {"b", "world", "body3", random.vector(0.3), random.vector(0.3), 30, 0, 0, {}});
  model.flexible_bases.push_back({"base", {5, 6, 7, 8, 9, 10}, {}});
  if (base == BaseSprings::coupled) model.flexible_bases[0].stiffness = coupled_matrix(random, 8);
  for (const Joint& joint : model.joints) {
    if (joint.type == JointType::spherical)
      for (int i = 0; i < 3; ++i) model.joint_springs.push_back({joint.name, i, 2.0 + i, 0, 0, {}});
    if (joint.type == JointType::revolute)
      model.joint_springs.push_back({joint.name, 0, 3, 0, 0.4, {}});
  }
  return model;
}

TEST(Springs, are_the_slope_of_their_energy) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomModel random(seed);
    const System system =
        compile(sprung(random, seed % 2 == 0 ? BaseSprings::coupled : BaseSprings::diagonal));
    State state = random.state(system);
    state.v.setZero();
    const VectorXd expected = potential_slope(system, state);
    EXPECT_LE((declared_efforts(system, state) - expected).norm(), 1e-9 * (1 + expected.norm()));
  }
}

TEST(Gravity, is_the_slope_of_its_energy) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomModel random(seed);
    const System system = compile(random.tree(10, static_cast<Base>(seed % 3), all_joint_types()));
    if (system.nv() == 0) continue;
    const State state = random.state(system);
    Workspace work(system);
    VectorXd gravity(system.nv());
    compute_gravity(work, state.q, gravity);
    EXPECT_LE((gravity + potential_slope(system, state)).norm(), 1e-9 * (1 + gravity.norm()));
  }
}

/// c v² at every freedom, vᵀ D v of a base and c ℓ̇² along every line, no more and no less.
TEST(Dampers, take_the_power_of_their_rates_and_springs_take_none) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    RandomModel random(seed);
    Model model = sprung(random);
    const Model lossless = model;
    for (LineSpring& spring : model.line_springs) spring.damping = 3;
    for (JointSpring& spring : model.joint_springs) spring.damping = 2;
    for (Joint& joint : model.joints) joint.damping = {0.5};
    model.flexible_bases[0].damping = coupled_matrix(random, 2);
    const System with = compile(model), without = compile(lossless);
    const State state = random.state(with);
    const double power =
        state.v.dot(declared_efforts(with, state) - declared_efforts(without, state));
    const double expected = dissipation(with, state);
    EXPECT_LT(expected, -0.1);
    EXPECT_NEAR(power, expected, 1e-12 * (100 + std::abs(expected))) << "seed " << seed;
  }
}

TEST(Friction, opposes_motion_by_direction_and_vanishes_at_rest) {
  RandomModel random(4);
  Model model = random.tree(2, Base::fixed, {JointType::revolute});
  model.joints[0].friction = {{2.0, 3.0}};
  model.joints[1].friction = {{4.0, 5.0}};
  const System system = compile(model);
  State state(system);
  state.v << 0.1, -0.1;
  EXPECT_EQ(declared_efforts(system, state), (VectorXd(2) << -2, 5).finished());
  state.v.setZero();
  EXPECT_EQ(declared_efforts(system, state), VectorXd::Zero(2));
}

TEST(Loads, act_like_external_forces_and_efforts) {
  RandomModel random(9);
  Model model = random.tree(6, Base::fixed, {JointType::revolute, JointType::prismatic});
  const Model bare = model;
  const Force force{random.vector(2), random.vector(2)};
  const Vector3 at = random.vector(0.3);
  for (const bool in_world : {true, false}) {
    model.body_loads = {{"body4", force, at, in_world, {}}};
    model.joint_loads = {{"joint2", 0, 1.5, {}}};
    Model framed = bare;
    framed.frames.push_back({"at", "body4", {Matrix3::identity(), at}, {}});
    const System loaded = compile(model), plain = compile(framed);
    const State state = random.state(loaded);
    const ExternalForce push{plain.frame("at"), force, in_world ? Axes::world : Axes::own};
    VectorXd tau = random.numbers(loaded.nv()), a(loaded.nv()), expected(loaded.nv());
    Workspace work(loaded), other(plain);
    compute_forward_dynamics(work, state, tau, {}, a);
    tau[plain.joint("joint2").v] += 1.5;
    compute_forward_dynamics(other, state, tau, {&push, 1}, expected);
    EXPECT_LE((a - expected).norm(), 1e-12 * expected.norm());
  }
}

}  // namespace
}  // namespace linkwright::testing
