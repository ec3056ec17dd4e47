// First derivatives of closed dynamics: against dual numbers through the sweeps and rows themselves, and
// against differences along curves that keep the closures.
#include <Eigen/Dense>

#include <gtest/gtest.h>

#include "closure/aggregates.hpp"
#include "closure/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/derivatives.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Derivatives {
  MatrixXd a_q, a_v, a_tau, f_q, f_v, f_tau;

  Derivatives(ClosedWorkspace& work, const State& state, const VectorXd& tau) {
    const Index n = work.system().nv(), e = work.system().effort_count(),
                f = 6 * static_cast<Index>(work.system().closures().size());
    a_q.resize(n, n), a_v.resize(n, n), a_tau.resize(n, e);
    f_q.resize(f, n), f_v.resize(f, n), f_tau.resize(f, e);
    compute_forward_dynamics_derivatives(work, state, tau, {}, a_q, a_v, a_tau);
    closure_force_derivatives(work, f_q, f_v, f_tau);
  }
};

/// A mechanism at a state that moves and keeps its closures.
struct Moving {
  System system;
  ClosedWorkspace work;
  State state;
  VectorXd tau;

  Moving(const Model& model, const VectorXd& q, unsigned seed)
      : system(compile(model)), work(system), state(system) {
    RandomModel random(seed);
    state.q = q;
    assemble(work, {.limits = AssemblyOptions::Limits::ignore}, state.q);
    state.v = random.numbers(system.nv());
    project_velocity(work, state.q, {}, state.v);
    tau = random.numbers(system.effort_count());
    for (const int passive : system.passive_freedoms()) tau[passive] = 0;
  }
};

/// Accelerations and closure forces, one after the other.
VectorXd answer(Moving& m, const State& state, const VectorXd& tau) {
  VectorXd a(m.system.nv());
  std::vector<Force> forces(m.system.closures().size());
  compute_forward_dynamics(m.work, state, tau, {}, a);
  closure_forces(m.work, forces);
  VectorXd out(a.size() + 6 * static_cast<Index>(forces.size()));
  out.head(a.size()) = a;
  for (std::size_t i = 0; i < forces.size(); ++i)
    out.segment<6>(a.size() + 6 * static_cast<Index>(i)) = to_eigen(forces[i]);
  return out;
}

/// The state a way h along a curve with tangent (dq, dv) that keeps the closures.
State along(Moving& m, const VectorXd& dq, const VectorXd& dv, double h) {
  State out = m.state;
  compute_integral(m.system, m.state.q, dq, h, out.q);
  assemble(m.work, {.limits = AssemblyOptions::Limits::ignore, .tolerance = 1e-14, .restarts = 0},
           out.q);
  out.v += h * dv;
  project_velocity(m.work, out.q, {}, out.v);
  return out;
}

/// Fourth order; its own error is what halving the step changes.
template <class Value>
std::pair<VectorXd, double> difference(const Value& value, double h) {
  const auto at = [&](double step) -> VectorXd {
    return (8 * (value(step) - value(-step)) - (value(2 * step) - value(-2 * step))) / (12 * step);
  };
  const VectorXd fine = at(h), coarse = at(2 * h);
  return {fine, (fine - coarse).norm()};
}

double expect_differences(Moving& m, unsigned seed) {
  const Index n = m.system.nv();
  const Independent chosen = choose_independent(m.work, m.state.q);
  const std::vector<int> positions = position_coordinates(m.work, m.state.q, chosen.entries);
  const Index p = static_cast<Index>(positions.size()),
              k = static_cast<Index>(chosen.entries.size());
  MatrixXd T(2 * n, p + k);
  compute_tangent(m.work, m.state, positions, chosen.entries, T);
  for (Index i = 0; i < p; ++i)
    for (Index j = 0; j < p; ++j)
      EXPECT_NEAR(T(positions[static_cast<std::size_t>(i)], j), i == j, 1e-12);
  const Derivatives d(m.work, m.state, m.tau);
  RandomModel random(seed);
  const VectorXd x = random.numbers(static_cast<int>(p + k)), dtau = [&] {
    VectorXd out = random.numbers(static_cast<int>(m.tau.size()));
    for (const int passive : m.system.passive_freedoms()) out[passive] = 0;
    return out;
  }();
  const VectorXd dq = T.topRows(n) * x, dv = T.bottomRows(n) * x;
  VectorXd expected(n + d.f_q.rows());
  expected << d.a_q * dq + d.a_v * dv + d.a_tau * dtau, d.f_q * dq + d.f_v * dv + d.f_tau * dtau;
  const double h = 2e-4;
  const auto [found, error] = difference(
      [&](double step) { return answer(m, along(m, dq, dv, step), m.tau + step * dtau); }, h);
  const VectorXd here = answer(m, m.state, m.tau);
  // Dry friction that turns round and angles that come full circle jump: there is no difference then.
  if (error > 1e-3 * (1 + expected.norm())) return std::numeric_limits<double>::quiet_NaN();
  const double rounding = 1e-14 / h * (1 + here.norm()) * condition_of_closed(m.work, m.state.q);
  EXPECT_LE((found - expected).norm(), 2 * error + rounding) << expected.norm();
  return (found - expected).norm() / (1 + expected.norm());
}

class ClosedDerivatives : public ::testing::TestWithParam<const char*> {};
TEST_P(ClosedDerivatives, are_differences_along_the_closures) {
  const Model model = read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + GetParam());
  const System system = compile(model);
  for (unsigned seed = 0; seed < 3; ++seed) {
    Moving m(model, initial_state(system).q, seed);
    EXPECT_LT(expect_differences(m, seed + 100), 1e-9);
  }
}
INSTANTIATE_TEST_SUITE_P(bundled, ClosedDerivatives,
                         ::testing::Values("ankle.yaml", "bricard.yaml", "delta.yaml",
                                           "five_bar.yaml", "four_bar.yaml", "gripper.yaml",
                                           "planar_platform.yaml", "slider_crank.yaml",
                                           "spatial_slider_crank.yaml", "stewart.yaml",
                                           "two_arms_and_box.yaml", "walking_machine.yaml"));

/// A motor that turns two joints together, its rotor and damper on the shaft; on a loop and on a tree.
TEST(ClosedDerivativesOf, coupled_shafts_are_differences) {
  for (const char* file : {"five_bar.yaml", "puma560.yaml"}) {
    Model model = read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + file);
    const System plain = compile(model);
    std::vector<std::string> joints;
    for (const int i : all_motors(plain).entries)
      joints.push_back(plain.velocity_names()[static_cast<std::size_t>(i)]);
    Actuator coupled{.name = "both"};
    coupled.transmission = {{joints[0], 0, 30}, {joints[1], 0, -20}};
    coupled.motor = Actuator::Motor{.rotor_inertia = 1e-3, .damping = 2e-3};
    model.actuators.push_back(coupled);
    Moving m(model, initial_state(plain).q, 8);
    ASSERT_TRUE(std::any_of(m.system.closures().begin(), m.system.closures().end(),
                            [](const ClosurePlace& c) { return c.kind == PairKind::shaft; }));
    EXPECT_LT(expect_differences(m, 9), 1e-9) << file;
  }
}

/// `count` copies that share nothing but the ground.
Model copies_of(const Model& one, int count) {
  Model all;
  all.gravity = one.gravity;
  for (int i = 0; i < count; ++i) {
    const auto named = [i](const std::string& name) {
      return name == "world" ? name : name + "_" + std::to_string(i);
    };
    for (Body body : one.bodies) body.name = named(body.name), all.bodies.push_back(body);
    for (Joint joint : one.joints) {
      joint.name = named(joint.name), joint.parent = named(joint.parent);
      joint.child = named(joint.child);
      all.joints.push_back(joint);
    }
    for (Closure closure : one.closures) {
      closure.name = named(closure.name);
      closure.body_a = named(closure.body_a), closure.body_b = named(closure.body_b);
      all.closures.push_back(closure);
    }
  }
  return all;
}

/// Mechanisms that share nothing do not feel each other; and so many of them fill matrices of hundreds of rows.
TEST(ClosedDerivativesOf, separate_mechanisms_stand_in_blocks) {
  constexpr int count = 90;
  const Model one = four_bar(0.4, 0.9, 0.5, 1.0);
  Moving single(one, Eigen::Vector3d(0.9, -0.7, 1.2), 3);
  Moving many(copies_of(one, count), VectorXd(single.state.q.replicate(count, 1)), 3);
  many.state.q = single.state.q.replicate(count, 1);
  many.state.v = single.state.v.replicate(count, 1);
  many.tau = single.tau.replicate(count, 1);
  const Derivatives d(single.work, single.state, single.tau), all(many.work, many.state, many.tau);
  const auto expect_blocks = [](const MatrixXd& block, const MatrixXd& matrix) {
    MatrixXd apart = matrix;
    for (Index i = 0; i < count; ++i)
      apart.block(i * block.rows(), i * block.cols(), block.rows(), block.cols()) -= block;
    EXPECT_LE(apart.cwiseAbs().maxCoeff(), 1e-10 * block.cwiseAbs().maxCoeff());
  };
  expect_blocks(d.a_q, all.a_q), expect_blocks(d.a_v, all.a_v), expect_blocks(d.a_tau, all.a_tau);
  expect_blocks(d.f_q, all.f_q), expect_blocks(d.f_v, all.f_v), expect_blocks(d.f_tau, all.f_tau);
}

/// Derivatives that are read must be those of the workspace's last state.
TEST(ClosedDerivativesOf, closure_forces_are_not_read_stale) {
  const System system = compile(four_bar(0.4, 0.9, 0.4, 0.9));
  ClosedWorkspace work(system);
  MatrixXd f(6, 3), tau(6, 3);
  EXPECT_THROW(closure_force_derivatives(work, f, f, tau), Error);
}

TEST(ClosedDerivativesOf, random_mechanisms_are_differences) {
  int seen = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ClosedMechanism made = mechanism_of(seed);
    Moving m(made.model, made.q, seed);
    if (condition_of_closed(m.work, m.state.q) > 1e6) continue;
    if (std::isfinite(expect_differences(m, seed + 100))) ++seen;
  }
  EXPECT_GT(seen, 35);
}

}  // namespace
}  // namespace linkwright::testing
