/// What every closure must obey, on random mechanisms with random closures that are closed.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "closure/random_mechanism.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "support/condition.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One mechanism, with room to compute in.
struct Trial {
  explicit Trial(unsigned seed)
      : random(seed),
        made(random.closed(random.integer(3, 9), random.integer(1, 6),
                           static_cast<Base>(random.integer(0, 2)), all_joint_types())),
        system(compile(made.model)),
        work(system),
        state(system) {
    state.q = made.q;
    state.v = random.numbers(system.nv());
  }
  RandomMechanism random;
  ClosedMechanism made;
  System system;
  ClosedWorkspace work;
  State state;

  VectorXd residual(const VectorXd& q) {
    VectorXd out(work.rows());
    compute_closure_residual(work, q, out);
    return out;
  }
  MatrixXd jacobian(const VectorXd& q) {
    MatrixXd out(work.rows(), system.nv());
    compute_closure_jacobian(work, q, out);
    return out;
  }
  VectorXd moved(double h) const {
    VectorXd out(system.nq());
    compute_integral(system, state.q, state.v, h, out);
    return out;
  }
};

constexpr unsigned mechanisms = 300;

TEST(ClosureLaws, the_position_that_they_were_made_at_is_closed) {
  for (unsigned seed = 0; seed < mechanisms; ++seed) {
    Trial trial(seed);
    if (trial.work.rows() == 0) continue;  // a free joint closes nothing
    EXPECT_LT(trial.residual(trial.state.q).cwiseAbs().maxCoeff(), 1e-13) << seed;
    const WorstClosure worst = compute_worst_closure(trial.work, trial.state.q);
    EXPECT_LT(worst.gap(), 1e-13) << seed;
  }
}

TEST(ClosureLaws, the_rate_of_the_residual_is_J_v) {
  constexpr double h = 1e-5;
  for (unsigned seed = 0; seed < mechanisms; ++seed) {
    Trial trial(seed);
    if (trial.work.rows() == 0) continue;  // a free joint closes nothing
    const VectorXd rate =
        (trial.residual(trial.moved(h)) - trial.residual(trial.moved(-h))) / (2 * h);
    const VectorXd expected = trial.jacobian(trial.state.q) * trial.state.v;
    for (const ClosurePlace& c : trial.system.closures())
      for (int i = 0; i < c.position_rows; ++i)
        EXPECT_NEAR(rate[c.row + i], expected[c.row + i], 1e-6 * (1 + expected.norm()))
            << "seed " << seed << " closure " << c.name << " kind " << static_cast<int>(c.kind)
            << " joint " << to_string(c.joint) << " row " << i;
  }
}

TEST(ClosureLaws, the_bias_is_the_rate_of_J_v_at_constant_v) {
  constexpr double h = 1e-5;
  for (unsigned seed = 0; seed < mechanisms; ++seed) {
    Trial trial(seed);
    if (trial.work.rows() == 0) continue;  // a free joint closes nothing
    const VectorXd rate = (trial.jacobian(trial.moved(h)) - trial.jacobian(trial.moved(-h))) *
                          trial.state.v / (2 * h);
    VectorXd bias(trial.work.rows());
    compute_closure_bias(trial.work, trial.state, bias);
    EXPECT_LT((rate - bias).cwiseAbs().maxCoeff(), 1e-6 * (1 + bias.norm())) << seed;
  }
}

double condition(Trial& trial) { return condition_of_closed(trial.work, trial.state.q); }

/// A solve loses 2 κ ε of what it is solved for, the multipliers among that: at most 0.8 κ ε of it here, by recursion,
/// where the closures leave no freedom.
TEST(ClosureLaws, three_ways_lead_to_the_same_accelerations) {
  int redundant = 0;
  for (unsigned seed = 0; seed < mechanisms; ++seed) {
    Trial trial(seed);
    if (trial.work.rows() == 0) continue;  // a free joint closes nothing
    project_velocity(trial.work, trial.state.q, {}, trial.state.v);
    const VectorXd tau = trial.random.numbers(trial.system.nv());
    VectorXd found[3];
    ClosedReport report[3];
    std::vector<Force> forces[3];
    const ClosedMethod methods[3] = {ClosedMethod::recursion, ClosedMethod::independent,
                                     ClosedMethod::dense};
    for (int i = 0; i < 3; ++i) {
      found[i].resize(trial.system.nv());
      forces[i].resize(trial.system.closures().size());
      compute_forward_dynamics(trial.work, trial.state, tau, {}, found[i], methods[i]);
      report[i] = closed_report(trial.work);
      closure_forces(trial.work, forces[i]);
    }
    redundant += report[0].dropped > 0 ? 1 : 0;
    EXPECT_EQ(report[0].rank, report[1].rank) << seed;
    EXPECT_EQ(report[0].rank, report[2].rank) << seed;
    const double bound =
        2 * condition(trial) * epsilon * size_of_solution(trial.work, trial.state, tau, found[1]);
    EXPECT_LT((found[0] - found[1]).norm(), bound) << seed;
    EXPECT_LT((found[2] - found[1]).norm(), bound) << seed;
  }
  EXPECT_GT(redundant, 20) << "too few mechanisms with redundant rows to mean anything";
}

/// A row that is almost redundant within its own closure: the best of all rows must come first.
TEST(ClosureLaws, rank_is_the_same_whichever_way_it_is_found) {
  for (const unsigned seed :
       {4952U, 2913U, 4289U, 3510U, 1951U, 3818U, 4443U, 949U, 4978U, 3727U, 4563U}) {
    Trial trial(seed);
    project_velocity(trial.work, trial.state.q, {}, trial.state.v);
    const VectorXd tau = trial.random.numbers(trial.system.nv());
    VectorXd recursion(trial.system.nv()), independent(trial.system.nv());
    compute_forward_dynamics(trial.work, trial.state, tau, {}, recursion, ClosedMethod::recursion);
    const int rank = closed_report(trial.work).rank;
    compute_forward_dynamics(trial.work, trial.state, tau, {}, independent,
                             ClosedMethod::independent);
    EXPECT_EQ(rank, closed_report(trial.work).rank) << seed;
    EXPECT_LE(rank, trial.system.nv()) << seed;
    EXPECT_LT((recursion - independent).norm(),
              64 * condition(trial) * epsilon * (1 + independent.norm()))
        << seed;
  }
}

TEST(ClosureLaws, every_mechanism_has_a_certificate) {
  for (unsigned seed = 0; seed < mechanisms; ++seed) {
    Trial trial(seed);
    const Mobility found = compute_mobility(trial.work, trial.state.q);
    EXPECT_EQ(found.mobility, trial.system.nv() - found.rank) << seed;
    EXPECT_EQ(found.internal_forces.size(),
              static_cast<std::size_t>(found.rows * (found.rows - found.rank)))
        << seed;
  }
}

TEST(ClosureLaws, accelerations_keep_the_closures_and_closures_do_no_work) {
  for (unsigned seed = 0; seed < mechanisms; ++seed) {
    Trial trial(seed);
    if (trial.work.rows() == 0) continue;  // a free joint closes nothing
    project_velocity(trial.work, trial.state.q, {}, trial.state.v);
    const Index n = trial.system.nv();
    const VectorXd tau = trial.random.numbers(static_cast<int>(n));
    VectorXd a(n), bias(trial.work.rows()), needed(n);
    compute_forward_dynamics(trial.work, trial.state, tau, {}, a);
    const MatrixXd J = trial.jacobian(trial.state.q);
    compute_closure_bias(trial.work, trial.state, bias);
    const double size = 1 + J.norm() * a.norm() + bias.norm();
    EXPECT_LT((J * trial.state.v).norm(), 1e-10 * (1 + trial.state.v.norm())) << seed;
    EXPECT_LT((J * a + bias).norm(), 64 * condition(trial) * epsilon * size) << seed;
    compute_inverse_dynamics(trial.work.tree(), trial.state, a, {}, needed);
    const double power = trial.state.v.dot(needed - tau);
    EXPECT_LT(std::abs(power),
              64 * condition(trial) * epsilon * (1 + needed.norm()) * (1 + trial.state.v.norm()))
        << seed;
  }
}

TEST(ClosureLaws, independent_coordinates_describe_the_same_mechanism) {
  for (unsigned seed = 0; seed < mechanisms; ++seed) {
    Trial trial(seed);
    if (trial.work.rows() == 0) continue;  // a free joint closes nothing
    project_velocity(trial.work, trial.state.q, {}, trial.state.v);
    const Independent chosen = choose_independent(trial.work, trial.state.q);
    const auto count = static_cast<Index>(chosen.entries.size());
    const Index n = trial.system.nv();
    if (count == 0) continue;
    MatrixXd G(n, count), M(count, count);
    VectorXd g(n), bias(count), closure_bias(trial.work.rows()),
        tau = trial.random.numbers(static_cast<int>(n)), a(n);
    compute_coordinate_map(trial.work, trial.state, chosen.entries, G, g);
    const MatrixXd J = trial.jacobian(trial.state.q);
    EXPECT_LT((J * G).norm(), 1e-11 * (1 + J.norm() * G.norm())) << seed;
    compute_closure_bias(trial.work, trial.state, closure_bias);
    compute_mass_matrix(trial.work, trial.state, chosen.entries, M);
    compute_bias(trial.work, trial.state, chosen.entries, bias);
    VectorXd joint_forces(n), own(count);
    compute_joint_forces(trial.work.tree(), trial.state, joint_forces);
    compute_forward_dynamics(trial.work, trial.state, tau, {}, a);
    for (Index i = 0; i < count; ++i) own[i] = a[chosen.entries[static_cast<std::size_t>(i)]];
    const VectorXd left = M * own + bias, right = G.transpose() * (tau + joint_forces);
    EXPECT_LT((left - right).norm(),
              64 * condition(trial) * epsilon * (1 + (M * own).norm() + bias.norm() + right.norm()))
        << seed;
    EXPECT_LT((G * own + g - a).norm(), 64 * condition(trial) * epsilon * (1 + a.norm())) << seed;
  }
}

}  // namespace
}  // namespace linkwright::testing
