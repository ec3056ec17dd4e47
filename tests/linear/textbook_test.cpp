// Linear models that every textbook has, and what is told of them.
#include <Eigen/Dense>

#include <gtest/gtest.h>

#include "linear/mechanisms.hpp"
#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {
namespace {

using namespace linear;
using Eigen::MatrixXd;

constexpr double g = 9.81;

LinearModel model_of(const Model& model, const LinearOptions& options = {}) {
  const System system = compile(model);
  ClosedWorkspace work(system);
  return linearize(work, OperatingPoint(system), options);
}

TEST(Textbook, pendulum) {
  const double m = 2, l = 0.7, c = 0.3;
  const LinearModel model = model_of(pendulum(m, l, c));
  EXPECT_EQ(model.states, (std::vector<std::string>{"q:pivot", "v:pivot"}));
  EXPECT_EQ(model.inputs, std::vector<std::string>{"tau:pivot"});
  EXPECT_EQ(model.outputs, std::vector<std::string>{"q:pivot"});
  MatrixXd A(2, 2);
  A << 0, 1, -g / l, -c / (m * l * l);
  EXPECT_LT((model.A.view() - A).norm(), 1e-13 * A.norm());
  EXPECT_NEAR(model.B(1, 0), 1 / (m * l * l), 1e-13);
  EXPECT_EQ(model.drift.view().norm(), 0);
  const Analysis found = analyse(model);
  ASSERT_EQ(found.modes.size(), 2U);
  EXPECT_NEAR(found.modes[0].frequency, std::sqrt(g / l), 1e-12);
  EXPECT_NEAR(found.modes[0].damping_ratio, c / (2 * m * l * l) / std::sqrt(g / l), 1e-12);
  EXPECT_GT(found.modes[0].eigenvalue.imag(), 0);
  EXPECT_EQ(found.controllability_rank, 2);
  EXPECT_EQ(found.observability_rank, 2);
  EXPECT_TRUE(found.unstable.empty());
}

TEST(Textbook, cart_pole) {
  const double M = 1.5, m = 0.4, l = 0.6;
  const LinearModel model = model_of(cart_pole(M, m, l));
  EXPECT_EQ(model.inputs, std::vector<std::string>{"tau:slide"}) << "the pole is passive";
  // (M + m) ẍ + m l θ̈ = F, l θ̈ + ẍ = g θ about the upright position.
  MatrixXd A = MatrixXd::Zero(4, 4), B = MatrixXd::Zero(4, 1);
  A(0, 2) = A(1, 3) = 1;
  A(2, 1) = -m * g / M, A(3, 1) = (M + m) * g / (M * l);
  B(2, 0) = 1 / M, B(3, 0) = -1 / (M * l);
  EXPECT_LT((model.A.view() - A).norm(), 1e-13 * A.norm());
  EXPECT_LT((model.B.view() - B).norm(), 1e-13 * B.norm());
  const Analysis found = analyse(model);
  const double rate = std::sqrt((M + m) * g / (M * l));
  ASSERT_EQ(found.unstable.size(), 1U);
  EXPECT_NEAR(found.unstable[0].eigenvalue.real(), rate, 1e-12 * rate);
  EXPECT_EQ(found.unstable[0].state.substr(2), "pole");
  EXPECT_EQ(found.undecided.size(), 2U) << "the cart rolls freely: a double eigenvalue at 0";
  EXPECT_EQ(found.controllability_rank, 4);
  EXPECT_EQ(found.observability_rank, 4);
  // The angle alone does not tell where the cart stands.
  const Analysis blind = analyse(model_of(cart_pole(M, m, l), {.outputs = {"q:pole"}}));
  EXPECT_EQ(blind.observability_rank, 2);
  ASSERT_EQ(blind.observability.missed.size(), 2U);
  for (const Mode& mode : blind.observability.missed) EXPECT_EQ(mode.state.substr(2), "slide");
}

TEST(Textbook, double_pendulum) {
  const double m1 = 1.2, l1 = 0.5, m2 = 0.8, l2 = 0.9;
  const LinearModel model = model_of(double_pendulum(m1, l1, m2, l2));
  // In absolute angles: M φ̈ + K φ = 0.
  Eigen::Matrix2d M, K;
  M << (m1 + m2) * l1 * l1, m2 * l1 * l2, m2 * l1 * l2, m2 * l2 * l2;
  K << (m1 + m2) * g * l1, 0, 0, m2 * g * l2;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d> solver(K, M);
  const Analysis found = analyse(model);
  ASSERT_EQ(found.modes.size(), 4U);
  EXPECT_NEAR(found.modes[0].frequency, std::sqrt(solver.eigenvalues()[0]), 1e-11);
  EXPECT_NEAR(found.modes[2].frequency, std::sqrt(solver.eigenvalues()[1]), 1e-11);
  for (const Mode& mode : found.modes) EXPECT_NEAR(mode.damping_ratio, 0, 1e-12);
  EXPECT_TRUE(found.unstable.empty());
  EXPECT_EQ(found.undecided.size(), 4U);
}

TEST(Textbook, mass_spring_damper) {
  const double m = 3, k = 50, c = 2;
  const System system = compile(oscillator(m, k, c));
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  const LinearModel off = linearize(work, point);
  EXPECT_NEAR(off.drift(1, 0), k * 0.1 / m, 1e-12) << "not at rest: the spring's rest is at 0.1";
  const Equilibrium found = find_equilibrium(work, point);
  EXPECT_TRUE(found.found);
  EXPECT_NEAR(point.state.q[0], 0.1, 1e-14);
  EXPECT_EQ(found.moved, std::vector<std::string>{"slide"});
  const Analysis modes = analyse(linearize(work, point));
  EXPECT_NEAR(modes.modes[0].frequency, std::sqrt(k / m), 1e-12);
  EXPECT_NEAR(modes.modes[0].damping_ratio, c / (2 * std::sqrt(k * m)), 1e-12);
}

TEST(Textbook, discrete_models_are_the_continuous_ones_at_their_steps) {
  const double m = 3, k = 50, c = 2, h = 0.05;
  const System system = compile(oscillator(m, k, c));
  ClosedWorkspace work(system);
  const LinearModel model = linearize(work, OperatingPoint(system)), step = to_discrete(model, h);
  EXPECT_EQ(step.step, h);
  // The damped oscillator's own formula.
  const double s = c / (2 * m), w = std::sqrt(k / m - s * s), e = std::exp(-s * h);
  MatrixXd A(2, 2);
  A << std::cos(w * h) + s / w * std::sin(w * h), std::sin(w * h) / w,
      -(k / m) / w * std::sin(w * h), std::cos(w * h) - s / w * std::sin(w * h);
  EXPECT_LT((step.A.view() - e * A).norm(), 1e-14);
  // A constant force: the particular solution at F/k. The drift is that of the spring's own pull.
  EXPECT_NEAR(step.B(0, 0), (1 - step.A(0, 0)) / k, 1e-15);
  EXPECT_NEAR(step.drift(0, 0), (1 - step.A(0, 0)) * 0.1, 1e-15);
  const Analysis slow = analyse(step), fine = analyse(model);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(slow.modes[i].frequency, fine.modes[i].frequency, 1e-11);
    EXPECT_NEAR(slow.modes[i].damping_ratio, fine.modes[i].damping_ratio, 1e-11);
  }
  // Two steps are one of twice the length.
  const LinearModel twice = to_discrete(model, 2 * h);
  EXPECT_LT((twice.A.view() - step.A.view() * step.A.view()).norm(), 1e-14);
  EXPECT_LT((twice.B.view() - step.A.view() * step.B.view() - step.B.view()).norm(), 1e-15);
  EXPECT_THROW((void)to_discrete(model, 0), Error);
  EXPECT_THROW((void)to_discrete(step, h), Error);
}

/// What counts as reachable does not depend on units: 1 km and 1 ms in place of metres and seconds.
TEST(Textbook, ranks_do_not_depend_on_units) {
  for (const double size : {1e-4, 1.0, 1e4}) {
    const LinearModel model = model_of(cart_pole(1.5, 0.4, 0.6 * size));
    EXPECT_EQ(analyse(model).controllability_rank, 4) << size;
    EXPECT_EQ(analyse(model).observability_rank, 4) << size;
  }
}

/// A motor at every joint reaches everything, however far apart the inertias and dampers are.
TEST(Textbook, arms_with_a_motor_at_every_joint_are_controllable_and_observable) {
  for (const char* file : {"arm6.urdf", "arm7.urdf", "humanoid.urdf", "puma560.yaml"}) {
    const Model model = read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + file);
    const LinearModel linear = model_of(model);
    const Analysis found = analyse(linear);
    EXPECT_EQ(found.controllability_rank, static_cast<int>(linear.states.size()))
        << file << ' ' << found.controllability.weakest << ' ' << found.controllability.dropped;
    EXPECT_EQ(found.observability_rank, static_cast<int>(linear.states.size())) << file;
    EXPECT_GT(found.controllability.weakest, 100 * rank_tolerance) << file;
  }
}

/// Two equal pendulums side by side, pushed alike: their difference is out of reach.
TEST(Textbook, what_inputs_cannot_reach_is_named) {
  Model model = pendulum(1, 0.5);
  Body other = model.bodies[0];
  other.name = "other";
  model.bodies.push_back(other);
  Joint joint = hinge("second", "world", "other", {1, 0, 0}, {0, 1, 0});
  model.joints.push_back(joint);
  const System system = compile(model);
  ClosedWorkspace work(system);
  LinearModel both = linearize(work, OperatingPoint(system));
  EXPECT_EQ(analyse(both).controllability_rank, 4);
  MatrixXd B = both.B.view() * Eigen::Vector2d{1, 1};
  both.B = B, both.inputs = {"both"};
  both.D = MatrixXd::Zero(both.C.rows(), 1);
  const Analysis found = analyse(both);
  EXPECT_EQ(found.controllability_rank, 2);
  ASSERT_EQ(found.controllability.missed.size(), 2U);
  EXPECT_NEAR(std::abs(found.controllability.missed[0].eigenvalue), std::sqrt(g / 0.5), 1e-12);
  EXPECT_LT(found.controllability.dropped, 1e-12);
  EXPECT_GT(found.controllability.weakest, 1e-3);
}

}  // namespace
}  // namespace linkwright::testing
