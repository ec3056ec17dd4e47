// Derivatives of closed mechanisms: of inverse dynamics in independent coordinates, and in batches.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/derivative_batch.hpp"
#include "linkwright/closure/derivatives.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/random_forces.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A mechanism at a state of its independent coordinates: everything else follows along the closures.
class Mechanism {
 public:
  Mechanism(const System& system, std::vector<std::string> names)
      : system_(system), work_(system), names_(std::move(names)), start_(initial_state(system)) {
    entries_ = require_independent(work_, start_.q, names_).entries;
  }
  ClosedWorkspace& work() { return work_; }
  [[nodiscard]] const std::vector<int>& entries() const { return entries_; }

  struct Motion {
    State state;
    VectorXd a;
  };
  /// Displaced by dq from the start, with velocities v and accelerations a of the independent ones.
  Motion at(const VectorXd& dq, const VectorXd& v, const VectorXd& a) {
    Motion m{start_, VectorXd::Zero(system_.nv())};
    for (std::size_t i = 0; i < names_.size(); ++i)
      m.state.q[system_.joint(names_[i]).q] += dq[static_cast<Eigen::Index>(i)];
    EXPECT_TRUE(assemble(work_, {.hold = names_}, m.state.q).assembled);
    VectorXd jerk = VectorXd::Zero(system_.nv());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      m.state.v[entries_[i]] = v[static_cast<Eigen::Index>(i)];
      m.a[entries_[i]] = a[static_cast<Eigen::Index>(i)];
    }
    compute_dependent_motion(work_, m.state.q, entries_, m.state.v, m.a, jerk);
    return m;
  }
  VectorXd efforts(const Motion& m) {
    VectorXd tau = VectorXd::Zero(system_.effort_count()),
             own(static_cast<Eigen::Index>(entries_.size()));
    compute_inverse_dynamics(work_, m.state, m.a, {}, {.entries = entries_}, tau);
    for (std::size_t i = 0; i < entries_.size(); ++i)
      own[static_cast<Eigen::Index>(i)] = tau[entries_[i]];
    return own;
  }

 private:
  const System& system_;
  ClosedWorkspace work_;
  std::vector<std::string> names_;
  State start_;
  std::vector<int> entries_;
};

void expect_differences_of_efforts(const std::vector<std::string>& coordinates) {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/five_bar_motors.yaml");
  for (Joint& joint : model.joints) joint.damping = {0.3};
  const System system = compile(model);
  Mechanism five_bar(system, coordinates);
  const VectorXd q = VectorXd::Zero(2), v = Eigen::Vector2d(0.7, -0.4),
                 a = Eigen::Vector2d(-1.5, 2.0);
  const auto m = five_bar.at(q, v, a);
  MatrixXd tau_q(2, 2), tau_v(2, 2), tau_a(2, 2);
  const std::vector<int> positions =
      position_coordinates(five_bar.work(), m.state.q, five_bar.entries());
  compute_inverse_dynamics_derivatives(five_bar.work(), m.state, m.a, {}, positions,
                                       five_bar.entries(), tau_q, tau_v, tau_a);
  const double h = 1e-4;
  const double size = 1 + tau_q.norm() + tau_v.norm();
  for (int i = 0; i < 2; ++i) {
    const VectorXd step = h * VectorXd::Unit(2, i);
    const auto difference = [&](auto at) -> VectorXd {
      return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * h);
    };
    const auto by_q = [&](const VectorXd& d) { return five_bar.efforts(five_bar.at(q + d, v, a)); };
    const auto by_v = [&](const VectorXd& d) { return five_bar.efforts(five_bar.at(q, v + d, a)); };
    const auto by_a = [&](const VectorXd& d) { return five_bar.efforts(five_bar.at(q, v, a + d)); };
    EXPECT_LT((tau_q.col(i) - difference(by_q)).norm(), 1e-7 * size);
    EXPECT_LT((tau_v.col(i) - difference(by_v)).norm(), 1e-8 * size);
    EXPECT_LT((tau_a.col(i) - difference(by_a)).norm(), 1e-8 * size);
  }
  EXPECT_GT(tau_q.norm(), 1e-2);
}

TEST(InverseDerivatives, of_a_five_bar_are_those_of_its_efforts) {
  expect_differences_of_efforts({"left_shoulder", "right_shoulder"});
}

/// Generalized coordinates have efforts whether or not a motor gives them.
TEST(InverseDerivatives, of_coordinates_without_motors_are_those_of_their_efforts) {
  expect_differences_of_efforts({"left_elbow", "right_elbow"});
}

/// Every state has the bits that it has alone, on one thread and on three; what has no answer is named.
TEST(ClosedDerivativeBatch, has_the_bits_of_single_states) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/five_bar_motors.yaml"));
  Mechanism five_bar(system, {"left_shoulder", "right_shoulder"});
  const Eigen::Index nv = system.nv(), efforts = system.effort_count(), count = 7;
  MatrixXd q(count, system.nq()), v(count, nv), tau = MatrixXd::Zero(count, nv);
  for (Eigen::Index s = 0; s < count; ++s) {
    const double x = 0.05 * static_cast<double>(s);
    const auto m = five_bar.at(Eigen::Vector2d(x, -x), Eigen::Vector2d(1, x), VectorXd::Zero(2));
    q.row(s) = m.state.q.transpose(), v.row(s) = m.state.v.transpose();
    tau(s, system.joint("left_shoulder").v) = 3 * x;
  }
  v(4, 0) = std::numeric_limits<double>::quiet_NaN();
  RandomModel random(2);
  const RandomForces<> own(system, random, count);
  const BatchForces forces = own.all();
  std::vector<ExternalForce> room;
  for (const int threads : {1, 3}) {
    ClosedDerivativeBatch batch(system, {.threads = threads});
    MatrixXd by_q(nv * nv, count), by_v(nv * nv, count), by_tau(nv * efforts, count);
    const BatchReport report =
        batch.compute_forward_dynamics_derivatives(q, v, tau, forces, by_q, by_v, by_tau);
    ASSERT_EQ(report.bad_states.size(), 1U);
    EXPECT_EQ(report.bad_states[0], 4);
    EXPECT_TRUE(std::isnan(by_q(0, 4)));
    ClosedWorkspace work(system);
    State state(system);
    MatrixXd a_q(nv, nv), a_v(nv, nv), a_tau(nv, efforts);
    for (Eigen::Index s = 0; s < count; ++s) {
      if (s == 4) continue;
      state.q = q.row(s).transpose(), state.v = v.row(s).transpose();
      VectorXd effort = VectorXd::Zero(efforts);
      effort.head(nv) = tau.row(s).transpose();
      compute_forward_dynamics_derivatives(work, state, effort, forces.on_state(s, room), a_q, a_v,
                                           a_tau);
      EXPECT_TRUE(by_q.col(s) == a_q.reshaped()) << s;
      EXPECT_TRUE(by_v.col(s) == a_v.reshaped()) << s;
      EXPECT_TRUE(by_tau.col(s) == a_tau.reshaped()) << s;
    }
  }
}

}  // namespace
}  // namespace linkwright::testing
