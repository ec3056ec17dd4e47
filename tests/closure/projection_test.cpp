/// Small corrections onto the closures: they close them, are the nearest in the metric of the mass matrix,
/// and go on with the same bits.

#include <cmath>

#include <gtest/gtest.h>

#include "closure/mechanisms.hpp"
#include "closure/random_mechanism.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/projection.hpp"
#include "support/condition.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A random mechanism at its closed position, with a velocity that keeps it closed.
struct Trial {
  explicit Trial(unsigned seed)
      : random(seed),
        mechanism(random.closed(6, 2, seed % 2 == 0 ? Base::free : Base::fixed, all_joint_types())),
        system(compile(mechanism.model)),
        work(system),
        state(system) {
    state = random.state(system);
    state.q = mechanism.q;
    project_velocity(work, state.q, {}, state.v);
  }
  /// A bit off, in position and velocity.
  State off(double by) {
    State out = state;
    const VectorXd way = random.numbers(system.nv());
    compute_integral(system, state.q, way, by, out.q);
    out.v += by * random.numbers(system.nv());
    return out;
  }
  RandomMechanism random;
  ClosedMechanism mechanism;
  System system;
  ClosedWorkspace work;
  State state;
};

TEST(Projection, measures_gaps_as_they_are_to_first_order) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Trial trial(seed);
    ClosureProjection keep(trial.system);
    const State off = trial.off(1e-6);
    VectorXd residual(trial.work.rows());
    compute_closure_residual(trial.work, off.q, residual);
    MatrixXd J(trial.work.rows(), trial.system.nv());
    compute_closure_jacobian(trial.work, off.q, J);
    const ClosureErrors errors = keep.measure(off);
    if (trial.work.rows() == 0) continue;
    EXPECT_NEAR(errors.position, residual.cwiseAbs().maxCoeff(), 1e-10) << seed;
    EXPECT_NEAR(errors.velocity, (J * off.v).cwiseAbs().maxCoeff(),
                1e-12 * (1 + off.v.cwiseAbs().maxCoeff() * J.cwiseAbs().maxCoeff()))
        << seed;
  }
}

TEST(Projection, closes_every_kind_of_closure) {
  int closed = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Trial trial(seed);
    ClosureProjection keep(trial.system);
    State state = trial.off(1e-5);
    const ClosureErrors told = keep.project(state);
    if (!told.kept) continue;  // drawn at a singular position
    ++closed;
    EXPECT_LE(compute_worst_closure(trial.work, state.q).gap(), 1e-11) << seed;
    EXPECT_NO_THROW(require_closed(trial.work, state, 1e-11)) << seed;
    EXPECT_LE(told.position, 1e-11) << seed;
  }
  EXPECT_GE(closed, 55);
}

/// The correction of a position is orthogonal to every motion that the closures allow; that of a
/// velocity is project_velocity's.
TEST(Projection, is_the_nearest_in_the_metric_of_the_mass_matrix) {
  const System system = compile(four_bar(0.3, 0.9, 0.7, 0.8));
  ClosedWorkspace work(system);
  State closed(system);
  closed.q << 1, -0.3, 1.4;
  ASSERT_TRUE(assemble(work, {.hold = {"j1"}}, closed.q).assembled);
  VectorXd along = Eigen::Vector3d{1, 0, 0};
  project_velocity(work, closed.q, {}, along);
  MatrixXd M(3, 3);
  compute_mass_matrix(work, closed.q, M);
  for (const double size : {1e-4, 1e-5}) {
    State state = closed;
    state.q += size * Eigen::Vector3d{1, -2, 0.5};
    state.v << 3, 1, -2;
    const State before = state;
    ClosureProjection keep(system);
    ASSERT_TRUE(keep.project(state).kept);
    const VectorXd step = state.q - before.q;
    EXPECT_GT(step.norm(), 0.1 * size);
    EXPECT_LE(std::abs(along.dot(M * step)), 10 * size * size) << "to first order in its length";
    VectorXd v = before.v;
    project_velocity(work, state.q, {}, v);
    EXPECT_LE((v - state.v).norm(), 30 * size);
  }
}

/// How far rounding may leave J x from r and x from M-orthogonal to N for x = M⁻¹ Jᵀ Ω⁺ r, M = Lᵀ L, Y = L⁻ᵀ Jᵀ,
/// Ω = Yᵀ Y. The computed Ŷ is off by n ε κ(L) |Y|, and with it
///
///     |J x − r| ≤ |Y − Ŷ| |Y| |Ω⁺| |r| = n ε κ(L) κ(Y)² |r|
///     |Nᵀ M x| = |Nᵀ Lᵀ (Ŷ − Y) Ω⁺ r| ≤ n ε κ(L) κ(Y) |N| |M| |x|,   as |Y| |Ω⁺ r| ≤ κ(Y) |L x|
///
/// each twice, once for the factors and once for the solutions.
struct Roundings {
  Roundings(const MatrixXd& M, const MatrixXd& J) {
    const MatrixXd columns = J.transpose();
    const MatrixXd Y = Eigen::LLT<MatrixXd>(M).matrixL().solve(columns);
    const double n = static_cast<double>(M.rows()), by_mass = std::sqrt(condition_of(M));
    along = 2 * n * epsilon * by_mass * condition_of(Y);
    of_rows = along * condition_of(Y);
  }
  double of_rows, along;
};

/// Baumgarte's accelerations at a rate of one half are −B J v on the closures: J B J v = J v, and B J v has no
/// part along any motion that the rows allow, in the metric of the mass matrix. So for rows that depend on
/// each other and for those that do not, with freedoms held beside them and without.
TEST(Projection, corrects_rates_for_every_kind_of_closure_without_pushing_along_motions) {
  int independent = 0, dependent = 0;
  for (unsigned seed = 1; seed <= 60; ++seed)
    for (const int held : {0, 1, 2}) {
      Trial trial(seed);
      const Eigen::Index n = trial.system.nv(), rows = trial.work.rows();
      if (rows == 0) continue;
      ClosureProjection keep(trial.system, {}, 2);
      std::vector<HeldFreedom> freedoms;
      MatrixXd J = MatrixXd::Zero(rows + held, n), M(n, n);
      MatrixXd closed(rows, n);
      compute_closure_jacobian(trial.work, trial.state.q, closed);
      J.topRows(rows) = closed;
      for (int i = 0; i < held; ++i) {
        freedoms.push_back({.v = i});
        J(rows + i, i) = 1;
      }
      keep.hold(freedoms);
      compute_mass_matrix(trial.work, trial.state.q, M);
      State state = trial.state;
      state.v = trial.random.numbers(trial.system.nv());
      VectorXd out = VectorXd::Zero(n);
      keep.add_stabilisation(state, 0.5, out);
      Eigen::FullPivLU<MatrixXd> lu(J);
      lu.setThreshold(1e-6);
      const MatrixXd motions = lu.dimensionOfKernel() > 0 ? MatrixXd(lu.kernel()) : MatrixXd(n, 0);
      if (keep.conditioning() == 0) continue;  // singular
      const Roundings rounding(M, J);
      if (rounding.of_rows > 1e-6) continue;  // it would say nothing
      (lu.rank() == J.rows() ? independent : dependent) += 1;
      VectorXd gap(rows);
      compute_closure_residual(trial.work, state.q, gap);
      const double asked = (J * state.v).norm() + gap.norm();
      EXPECT_LE((J * (out + state.v)).norm(), gap.norm() + rounding.of_rows * asked)
          << seed << ' ' << held;
      EXPECT_LE((motions.transpose() * M * out).norm(),
                rounding.along * motions.norm() * M.norm() * out.norm())
          << seed << ' ' << held;
    }
  EXPECT_GE(independent, 40);
  EXPECT_GE(dependent, 5);
}

/// What the rows lock stands, exactly.
TEST(Projection, leaves_no_velocity_where_nothing_can_move) {
  const System system = compile(four_bar(0.3, 0.9, 0.7, 0.8));
  ClosedWorkspace work(system);
  State state(system);
  state.q << 1, -0.3, 1.4;
  ASSERT_TRUE(assemble(work, {.hold = {"j1"}}, state.q).assembled);
  ClosureProjection keep(system, {}, 1);
  const HeldFreedom crank{.v = 0, .q = 0, .position = 1, .placed = true};
  keep.hold({&crank, 1});
  state.v << 1e-7, 2e-7, -1e-7;
  ASSERT_TRUE(keep.project(state).kept);
  EXPECT_EQ(state.v.cwiseAbs().maxCoeff(), 0);
  const VectorXd q = state.q;
  state.v << 1e-16, 0, 0;
  keep.project(state);
  EXPECT_TRUE(state.q == q);
  EXPECT_EQ(state.v.cwiseAbs().maxCoeff(), 0);
}

TEST(Projection, goes_on_with_the_same_bits) {
  for (unsigned seed = 3; seed <= 8; ++seed) {
    Trial trial(seed);
    ClosureProjection one(trial.system), other(trial.system);
    State first = trial.off(1e-6);
    one.project(first);
    ASSERT_TRUE(other.set_memory(one.memory()));
    State a = trial.off(1e-7), b = a;
    one.project(a);
    other.project(b);
    EXPECT_TRUE(a.q == b.q && a.v == b.v) << seed;
    EXPECT_FALSE(other.set_memory(std::vector<double>{1, 2}));
  }
}

TEST(Projection, tells_how_near_a_singular_position_is_and_passes_it) {
  const System system = compile(four_bar(0.3, 0.5, 0.3, 0.5));  // a parallelogram
  ClosureProjection keep(system);
  double before = 2;
  for (const double angle : {1.0, 0.1, 1e-2, 1e-3, 0.0}) {
    State state(system);
    state.q << angle, -angle, angle;
    state.q[1] += 1e-9;
    state.v << 1, -1, 1;
    EXPECT_TRUE(keep.project(state).kept) << angle;
    EXPECT_LT(keep.conditioning(), before) << angle;
    before = keep.conditioning();
    EXPECT_EQ(keep.weakest_closure(), 0);
    EXPECT_NEAR(state.v[0], 1, 1e-5) << "its speed is kept";
  }
  EXPECT_EQ(before, 0);
}

TEST(Projection, holds_given_coordinates_where_they_are_to_be) {
  const System system = compile(four_bar(0.3, 0.9, 0.7, 0.8));
  ClosedWorkspace work(system);
  State state(system);
  state.q << 1, -0.3, 1.4;
  ASSERT_TRUE(assemble(work, {.hold = {"j1"}}, state.q).assembled);
  ClosureProjection keep(system, {{.q = 0, .v = 0}});
  keep.given()[0].position = 1.001, keep.given()[0].velocity = 2;
  ASSERT_TRUE(keep.project(state).kept);
  EXPECT_NEAR(state.q[0], 1.001, 1e-14);
  EXPECT_NEAR(state.v[0], 2, 1e-13);
  EXPECT_NO_THROW(require_closed(work, state, 1e-12));
}

/// Rows that did not count where a step began and do where it ends are kept there: what turned freely to first order is
/// stopped, and gaps do not add up step by step.
TEST(Projection, keeps_rows_as_soon_as_they_count) {
  const System system = compile(two_hinges_and_slide(3e-6));
  ClosedWorkspace work(system);
  State state(system);
  ClosureProjection keep(system);
  ASSERT_TRUE(keep.project(state).kept);
  for (int step = 0; step < 100; ++step) {
    state.v += VectorXd::Ones(2);
    state.q += 1e-4 * state.v;
    ASSERT_TRUE(keep.project(state).kept) << step;
    EXPECT_LE(compute_worst_closure(work, state.q).gap(), 1e-10) << step;
    EXPECT_LT(state.v.norm(), 1.5) << step;
    EXPECT_NO_THROW(require_closed(work, state, 1e-8)) << step;
  }
}

}  // namespace
}  // namespace linkwright::testing
