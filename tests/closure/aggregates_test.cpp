/// The operators of closed systems: the same expressions, and what the closures' own path says.

#include <gtest/gtest.h>

#include "closure/aggregates.hpp"
#include "closure/mechanisms.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/operators/operational_space.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::operators;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double log_determinant(const MatrixXd& mass) {
  return 2 * mass.llt().matrixLLT().diagonal().array().log().sum();
}

/// (4.11), (4.14), (4.16): the factors of the mass matrix, each by its sweep.
void expect_factors(ClosedCase& c) {
  const auto factor = I + H * Phi * L;
  const MatrixXd F = c.swept(factor), K = c.swept(inverse(factor)), by_D = c.swept(D);
  const MatrixXd one = MatrixXd::Identity(c.count, c.count);
  EXPECT_LE((K * F - one).norm(), c.sharp * (one.norm() + K.norm() * F.norm()));
  EXPECT_LE((F * by_D * F.transpose() - c.mass).norm(),
            c.sharp * (c.mass.norm() + F.norm() * by_D.norm() * F.norm()));
}

/// Mass matrix, its factors, its inverse and determinant; forward dynamics by all four algorithms.
void expect_the_mechanism(ClosedCase& c) {
  const MatrixXd mass = c.swept(mass_operator), inverse_mass = c.swept(inverse(mass_operator));
  EXPECT_LE((mass - c.mass).norm(), c.sharp * c.mass.norm());
  expect_factors(c);
  const double kappa = condition_of(c.mass);
  const MatrixXd one = MatrixXd::Identity(c.count, c.count);
  EXPECT_LE((inverse_mass * c.mass - one).norm(), c.sharp * kappa * (1 + one.norm()));
  VectorXd solved(c.count);
  const VectorXd x = VectorXd::LinSpaced(c.count, -1, 2);
  compute_solve(c.at, x, solved);
  EXPECT_LE((c.mass * solved - x).norm(), c.sharp * kappa * (1 + x.norm()));
  EXPECT_LE(std::abs(compute_log_determinant(c.at) - log_determinant(c.mass)),
            c.sharp * kappa * (1 + c.count));
  const std::vector<ExternalForce> push{
      {c.system.frame(c.system.model().bodies.back().name), {{1, -2, 3}, {-4, 5, 6}}, Axes::own}};
  VectorXd expected(c.system.nv());
  compute_forward_dynamics(c.work, c.state, c.tau, push, expected);
  for (const Algorithm algorithm : all_algorithms) {
    const VectorXd a = forward_dynamics(algorithm, c.at, c.state, c.tau, push).a;
    EXPECT_LE((a - expected).norm(), c.bound * kappa * (1 + expected.norm())) << name(algorithm);
  }
}

TEST(Aggregates, are_the_mechanism_on_random_mechanisms) {
  int redundant = 0, several = 0, meaningless = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ClosedMechanism made = mechanism_of(seed);
    ClosedCase c(made.model, made.q, seed);
    expect_the_mechanism(c);
    redundant += c.system.nv() - c.count < c.work.rows() ? 1 : 0;
    several += c.at.data().aggregates.size() > 1 ? 1 : 0;
    meaningless += c.bound * condition_of(c.mass) > 1e-4 ? 1 : 0;
  }
  EXPECT_GT(redundant, 50);
  EXPECT_GT(several, 20);
  EXPECT_LT(meaningless, 15);
}

class BundledAggregates : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] static ClosedCase make() {
    const Model model =
        read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + GetParam() + ".yaml");
    const System system = compile(model);
    ClosedWorkspace work(system);
    VectorXd q = initial_state(system).q;
    EXPECT_TRUE(assemble(work, {}, q).assembled);
    return {model, q, 1};
  }
};
TEST_P(BundledAggregates, are_the_mechanism) {
  ClosedCase c = make();
  expect_the_mechanism(c);
}
INSTANTIATE_TEST_SUITE_P(Closures, BundledAggregates,
                         ::testing::Values("four_bar", "slider_crank", "spatial_slider_crank",
                                           "five_bar", "bricard", "stewart", "delta", "ankle",
                                           "gripper", "walking_machine", "planar_platform"),
                         [](const auto& model) { return std::string(model.param); });

/// Ω = J M⁻¹ Jᵀ of frames in and between aggregates, with J that of the mechanism.
TEST(Aggregates, give_the_operational_space_of_the_mechanism) {
  int shared = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ClosedMechanism made = mechanism_of(seed);
    ClosedCase c(made.model, made.q, seed);
    std::vector<FrameId> frames{c.system.frame("tip")};
    for (const Body& body : made.model.bodies) frames.push_back(c.system.frame(body.name));
    const auto m = 6 * static_cast<Index>(frames.size());
    MatrixXd J(m, c.count), own(6, c.system.nv());
    compute_forward_kinematics(c.work.tree(), c.state, VectorXd::Zero(c.system.nv()));
    for (std::size_t i = 0; i < frames.size(); ++i) {
      compute_jacobian(c.work.tree(), c.state.q, frames[i], Axes::own, own);
      J.middleRows<6>(6 * static_cast<Index>(i)) = own * c.G;
    }
    const MatrixXd expected = J * c.mass.llt().solve(J.transpose());
    c.at.set_tips(frames);
    c.at.update(c.state.q);
    OperationalSpace space(c.at);
    space.update();
    const double bound = c.sharp * condition_of(c.mass) * (1 + expected.norm());
    EXPECT_LE((space.inverse_inertia() - expected).norm(), bound);
    EXPECT_LE((c.swept(transpose(B) * transpose(phi) * transpose(H)) - J).norm(),
              c.sharp * (1 + J.norm()));
    // What the null space leaves of an effort accelerates no frame.
    const VectorXd rest =
        space.null_space(VectorXd::LinSpaced(c.count, -1, 1), Singular::pseudo_inverse);
    const double cutoff = 1e-10;  // of OperationalSpace
    EXPECT_LE((J * c.mass.llt().solve(rest)).norm(),
              (bound + std::sqrt(cutoff)) * (1 + expected.norm()) * (1 + c.count));
    for (const Aggregate<double>& loop : c.at.data().aggregates)
      shared += loop.bodies() > 1 ? 1 : 0;
  }
  EXPECT_GT(shared, 50);
}

/// Accelerations of links and frames by FD2, and the tip's from the kinematics of the closed path's a.
TEST(Aggregates, give_true_accelerations_of_frames) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ClosedMechanism made = mechanism_of(seed);
    ClosedCase c(made.model, made.q, seed);
    c.at.set_tips(std::vector<std::string>{"tip"});
    const OperatorDynamics found = forward_dynamics(Algorithm::FD2, c.at, c.state, c.tau, {});
    VectorXd a(c.system.nv());
    compute_forward_dynamics(c.work, c.state, c.tau, {}, a);
    compute_forward_kinematics(c.work.tree(), c.state, a);
    const VectorXd expected =
        to_eigen(frame_acceleration(c.work.tree(), c.system.frame("tip"), Axes::own));
    EXPECT_LE((found.tip - expected).norm(),
              c.bound * condition_of(c.mass) * (1 + expected.norm() + a.norm()));
  }
}

/// The paper's line (4.17), (4.18) typed by a user, and the factors.
TEST(Aggregates, let_the_papers_lines_be_typed) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ClosedMechanism made = mechanism_of(seed);
    ClosedCase c(made.model, made.q, seed);
    const VectorXd T_free = evaluate(
        c.at, c.at.T() - H * phi * (M * (transpose(phi) * (c.at.a() + E * c.at.g())) + c.at.b()));
    VectorXd a(c.system.nv()), expected(c.system.nv());
    const VectorXd own = solve(c.at, T_free);
    c.at.compute_accelerations(own, a);
    compute_forward_dynamics(c.work, c.state, c.tau, {}, expected);
    for (Index i = 0; i < c.count; ++i)  // G x + g leaves the independents as they are
      EXPECT_NEAR(a[c.at.independent()[static_cast<std::size_t>(i)]], own[i],
                  8 * epsilon * (std::abs(own[i]) + a.norm()));
    EXPECT_LE((a - expected).norm(),
              c.bound * condition_of(c.mass) * (1 + expected.norm() + T_free.norm()));
  }
}

/// S Sᵀ is the covariance.
TEST(Aggregates, have_square_roots) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ClosedMechanism made = mechanism_of(seed);
    ClosedCase c(made.model, made.q, seed);
    MatrixXd root(c.count, c.count), other(c.count, c.count);
    for (Index i = 0; i < c.count; ++i) {
      apply_root(c.at, Covariance::mass, VectorXd::Unit(c.count, i), root.col(i));
      apply_root(c.at, Covariance::inverse_mass, VectorXd::Unit(c.count, i), other.col(i));
    }
    const double kappa = condition_of(c.mass);
    const MatrixXd one = MatrixXd::Identity(c.count, c.count);
    EXPECT_LE((root * root.transpose() - c.mass).norm(), c.sharp * c.mass.norm());
    EXPECT_LE((other * other.transpose() * c.mass - one).norm(),
              c.sharp * kappa * (1 + one.norm()));
  }
}

}  // namespace
}  // namespace linkwright::testing
