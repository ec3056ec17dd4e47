// A batch lists exactly the states that the single-state function refuses.
#include <cmath>

#include <gtest/gtest.h>

#include "linkwright/batch/batch.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<int> refused_one_by_one(const System& system, const MatrixXd& q, const MatrixXd& v) {
  Workspace work(system);
  std::vector<int> refused;
  VectorXd a(system.nv());
  const VectorXd tau = VectorXd::Constant(system.nv(), 0.1);
  for (int s = 0; s < q.rows(); ++s) {
    State state;
    state.q = q.row(s);
    state.v = v.row(s);
    try {
      compute_forward_dynamics(work, state, tau, {}, a);
    } catch (const Error&) {
      refused.push_back(s);
    }
  }
  return refused;
}

template <class B>
std::vector<int> refused_at_once(const System& system, const MatrixXd& q, const MatrixXd& v) {
  using Matrix = typename BasicBatch<B>::Matrix;
  BasicBatch<B> batch(system);
  const Matrix tau = Matrix::Constant(q.rows(), system.nv(), B(0.1));
  Matrix a(q.rows(), system.nv());
  const Matrix at = q.cast<B>(), moving = v.cast<B>();
  const BatchReport report = batch.compute_forward_dynamics(at, moving, tau, {}, a);
  const std::vector<int> bad(report.bad_states.begin(), report.bad_states.end());
  for (int s = 0; s < q.rows(); ++s) {
    const bool listed = std::find(bad.begin(), bad.end(), s) != bad.end();
    EXPECT_EQ(a.row(s).array().isNaN().all(), listed) << s;
    EXPECT_EQ(a.row(s).allFinite(), !listed) << s;
  }
  return bad;
}

struct States {
  MatrixXd q, v;
  States(const System& system, RandomModel& random, int count)
      : q(count, system.nq()), v(count, system.nv()) {
    for (int s = 0; s < count; ++s) {
      const State state = random.state(system);
      q.row(s) = state.q;
      v.row(s) = state.v;
    }
  }
};

std::vector<int> all_of(int count) {
  std::vector<int> all;
  for (int s = 0; s < count; ++s) all.push_back(s);
  return all;
}

/// All states of a model without answers, in every precision.
void expect_none_answered(const Model& model, RandomModel& random) {
  const System system = compile(model);
  const States in(system, random, 21);
  EXPECT_EQ(refused_one_by_one(system, in.q, in.v), all_of(21));
  EXPECT_EQ(refused_at_once<double>(system, in.q, in.v), all_of(21));
  EXPECT_EQ(refused_at_once<float>(system, in.q, in.v), all_of(21));
}

TEST(BatchRefusals, massless_leaves) {
  for (const JointType type : all_joint_types()) {
    if (type == JointType::fixed) continue;
    SCOPED_TRACE(to_string(type));
    RandomModel random(3);
    Model model = random.tree(3, Base::free, {JointType::revolute});
    model.bodies.push_back({.name = "feather"});
    model.joints.push_back(random.joint("loose", type, "body2", "feather"));
    expect_none_answered(model, random);
  }
}

/// Whichever way the axis points, what is left of the inertia about it is rounding.
TEST(BatchRefusals, point_masses_on_their_own_axis) {
  for (unsigned seed = 0; seed < 10; ++seed)
    for (const JointType type : {JointType::revolute, JointType::helical, JointType::custom,
                                 JointType::spherical, JointType::free}) {
      SCOPED_TRACE(std::string(to_string(type)) + ", seed " + std::to_string(seed));
      RandomModel random(seed);
      Model model = random.tree(3, Base::fixed, {JointType::revolute});
      Joint joint = random.joint("spin", type, "body2", "bead");
      joint.pitch = 0;
      joint.modes = {{joint.axis.x, joint.axis.y, joint.axis.z, 0, 0, 0}};
      model.bodies.push_back({.name = "bead", .mass = 1, .com = 0.3 * joint.axis});
      model.joints.push_back(joint);
      expect_none_answered(model, random);
    }
}

/// A turn and a slide that move a point mass the same way: independent modes, dependent forces.
TEST(BatchRefusals, custom_joints_whose_modes_move_the_mass_alike) {
  for (const double lean : {0.0, 0.3}) {
    RandomModel random(5);
    Model model = random.tree(2, Base::fixed, {JointType::revolute});
    Joint joint = random.joint("both", JointType::custom, "body1", "bead");
    joint.modes = {{0, 0, 1, 0, 0, 0}, {0, 0, 0, lean, 1, 0}};
    model.bodies.push_back(
        {.name = "bead", .mass = 1, .com = {1, -lean, 0.2}, .inertia = {0, 0, 0, 0, 0, 0}});
    model.joints.push_back(joint);
    expect_none_answered(model, random);
  }
}

/// A point mass that a second joint swings by the angle x away from the first joint's axis: D is
/// proportional to sin² x.
Model swinging_bead() {
  Model model;
  model.bodies.push_back({.name = "hub"});
  model.bodies.push_back({.name = "bead", .mass = 2, .com = {0, 0, 0.7}});
  model.joints.push_back({.name = "spin",
                          .type = JointType::revolute,
                          .parent = "world",
                          .child = "hub",
                          .pose = {spatial::from_rpy({0.3, -0.4, 0.5}), {}},
                          .axis = {0, 0, 1}});
  model.joints.push_back({.name = "swing",
                          .type = JointType::revolute,
                          .parent = "hub",
                          .child = "bead",
                          .axis = {1, 0, 0}});
  return model;
}

/// States whose second angle has sin² x = share · 64 ε, in rising order.
MatrixXd swung(const std::vector<double>& shares, double epsilon) {
  MatrixXd q(static_cast<Eigen::Index>(shares.size()), 2);
  for (std::size_t s = 0; s < shares.size(); ++s)
    q.row(static_cast<Eigen::Index>(s)) << 0.1 * static_cast<double>(s),
        std::asin(std::sqrt(64 * epsilon * shares[s]));
  return q;
}

/// The single state finds the share at which answers begin; a batch must find the same, and a float
/// batch the same share of its own ε. Only at the border itself may rounding decide.
TEST(BatchRefusals, begin_and_end_at_the_same_angle) {
  const System system = compile(swinging_bead());
  std::vector<double> shares{0};
  for (double share = 0.01; share < 100; share *= 1.3) shares.push_back(share);
  const int count = static_cast<int>(shares.size());
  const MatrixXd q = swung(shares, std::numeric_limits<double>::epsilon());
  const MatrixXd q_float = swung(shares, std::numeric_limits<float>::epsilon());
  const MatrixXd rest = MatrixXd::Zero(count, 2);
  const std::vector<int> refused = refused_one_by_one(system, q, rest);
  const int border = static_cast<int>(refused.size());
  EXPECT_EQ(refused, all_of(border)) << "an answer once D is large enough";
  EXPECT_GT(shares[static_cast<std::size_t>(border)], 0.25);
  EXPECT_LT(shares[static_cast<std::size_t>(border)], 4);
  const auto expect_border = [&](const std::vector<int>& found) {
    EXPECT_EQ(found, all_of(static_cast<int>(found.size())));
    EXPECT_NEAR(static_cast<double>(found.size()), border, 1);
  };
  expect_border(refused_at_once<double>(system, q, rest));
  expect_border(refused_at_once<float>(system, q_float, rest));
}

TEST(BatchRefusals, a_rollout_lists_what_a_step_would_refuse) {
  const System system = compile(swinging_bead());
  MatrixXd q = MatrixXd::Zero(10, 2), v = MatrixXd::Zero(10, 2);
  q.col(1).setConstant(0.4);
  q(3, 1) = 0, q(7, 1) = 1e-9;
  const MatrixXd tau = MatrixXd::Zero(10, 2);
  Batch batch(system);
  const BatchReport report = batch.compute_rollout(q, v, tau, {}, 1e-3, 5);
  EXPECT_EQ(std::vector<int>(report.bad_states.begin(), report.bad_states.end()),
            (std::vector<int>{3, 7}));
  EXPECT_TRUE(q.row(3).array().isNaN().all() && v.row(7).array().isNaN().all());
}

TEST(BatchRefusals, positions_that_the_door_refuses) {
  RandomModel random(8);
  Model model = random.tree(3, Base::free, {JointType::spherical});
  Joint ball = random.joint("ball", JointType::custom, "body2", "end");
  ball.modes = {{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0}};
  model.bodies.push_back(random.body("end"));
  model.joints.push_back(ball);
  const System system = compile(model);
  States in(system, random, 40);
  const double norms[] = {1.00099, 1.0009999, 1.0010001, 1.0011, 0.9990001, 0.9989999, 0.5, 1};
  for (int s = 0; s < 8; ++s) in.q.row(s).head(4) *= norms[s];
  const int at = system.joint("ball").q;
  in.q(20, at + 4) = 0.1;    // a turn does not displace the point it is about
  in.q(21, at + 6) = 1e-12;  // rounding
  in.q(22, at + 5) = -1e-4;
  const std::vector<int> refused = refused_one_by_one(system, in.q, in.v);
  EXPECT_EQ(refused, (std::vector<int>{2, 3, 5, 6, 20, 22}));
  EXPECT_EQ(refused_at_once<double>(system, in.q, in.v), refused);
}

}  // namespace
}  // namespace linkwright::testing
