/// A joint that closes a loop is the closure that one would have written, and the mechanism does not
/// depend on which joint that is.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "closure/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/model/loops.hpp"
#include "linkwright/system/closures.hpp"
#include "support/random_model.hpp"

namespace linkwright {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::all_joint_types;
using testing::RandomModel;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// As testing::four_bar, with its last pair as the joint j4 between coupler and rocker.
Model hinged_four_bar() {
  Model model = testing::four_bar(0.3, 0.9, 0.7, 0.8);
  Joint last = testing::hinge("j4", "coupler", "rocker", model.closures[0].at_a.translation);
  last.at_child = model.closures[0].at_b;
  model.closures.clear();
  model.joints.push_back(last);
  return model;
}

MatrixXd jacobian(const System& system, const VectorXd& q) {
  ClosedWorkspace work(system);
  MatrixXd J(work.rows(), system.nv());
  compute_closure_jacobian(work, q, J);
  return J;
}

/// Numbers of one-freedom joints by name, in the order of another system.
VectorXd reordered(const VectorXd& x, const System& from, const System& to) {
  VectorXd y(to.nv());
  for (const JointPlace& place : to.joints())
    if (place.nv == 1) y[place.v] = x[from.joint(place.name).v];
  return y;
}

TEST(ClosingJoints, are_the_closures_of_the_same_mechanism_in_every_order) {
  const Model hinged = hinged_four_bar();
  Model written = testing::four_bar(0.3, 0.9, 0.7, 0.8);
  written.closures[0].name = "j4";
  const System reference = compile(written);
  VectorXd q(3);
  q << 0.3, -1.1, 0.7;
  const MatrixXd expected = jacobian(reference, q);
  std::vector<std::size_t> order{0, 1, 2, 3};
  int orders = 0;
  do {
    Model model = hinged;
    for (std::size_t i = 0; i < 4; ++i) model.joints[i] = hinged.joints[order[i]];
    const System system = compile(model);
    ASSERT_EQ(system.closures().size(), 1U);
    const ClosurePlace &closure = system.closures()[0], &same = reference.closures()[0];
    EXPECT_EQ(closure.name, "j4");
    EXPECT_EQ(closure.rows, same.rows);
    EXPECT_EQ(closure.position_rows, same.position_rows);
    EXPECT_EQ(closure.body_a, same.body_a);
    EXPECT_EQ(closure.body_b, same.body_b);
    const MatrixXd J = jacobian(system, reordered(q, reference, system));
    ASSERT_EQ(J.cols(), 3);
    for (const JointPlace& place : reference.joints())
      EXPECT_LT((J.col(system.joint(place.name).v) - expected.col(place.v)).norm(), 8 * epsilon);
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(orders, 24);
}

TEST(ClosingJoints, keep_the_order_of_those_that_stay) {
  Model model = hinged_four_bar();
  std::reverse(model.joints.begin(), model.joints.end());
  EXPECT_EQ(compile(model).velocity_names(), (std::vector<std::string>{"j3", "j2", "j1"}));
  model.cut = {"j3"};
  EXPECT_EQ(compile(model).velocity_names(), (std::vector<std::string>{"j4", "j2", "j1"}));
}

/// Whether the model is asked as it was read or as it was compiled.
TEST(ClosingJoints, count_among_the_loops_of_a_model) {
  EXPECT_EQ(describe_loops(hinged_four_bar()), "1 closure ('j4')");
  EXPECT_EQ(describe_loops(compile(hinged_four_bar()).model()), "1 closure ('j4')");
}

/// The crank's acceleration under gravity and an effort, whichever of the rocker's joints is cut.
TEST(ClosingJoints, may_be_any_of_the_loop) {
  const Model model = hinged_four_bar();
  Model other = model;
  other.cut = {"j3"};
  const System system = compile(model), swapped = compile(other);
  ClosedWorkspace work(system), swapped_work(swapped);
  State state(system), same(swapped);
  state.q << 1, 0.1, 1;
  ASSERT_TRUE(assemble(work, {.hold = {"j1"}}, state.q).assembled);
  state.v << 2, 0, 0;
  ASSERT_LT(project_velocity(work, state.q, {"j1"}, state.v), 1e-12);
  const auto set = [&](const VectorXd& x, VectorXd& y) {  // the rocker turns by q3 = q1 + q2 + q4
    y[swapped.joint("j1").v] = x[0], y[swapped.joint("j2").v] = x[1];
    y[swapped.joint("j4").v] = x[2] - x[0] - x[1];
  };
  set(state.q, same.q), set(state.v, same.v);
  VectorXd gap(swapped_work.rows());
  compute_closure_residual(swapped_work, same.q, gap);
  EXPECT_LT(gap.cwiseAbs().maxCoeff(), 1e-11) << "the rocker is placed by its far end";
  VectorXd tau = VectorXd::Zero(3), a(3), b(3), expected(3);
  tau[system.joint("j1").v] = 0.7;
  compute_forward_dynamics(work, state, tau, {}, a);
  tau.setZero();
  tau[swapped.joint("j1").v] = 0.7;
  compute_forward_dynamics(swapped_work, same, tau, {}, b);
  set(a, expected);
  EXPECT_LT((b - expected).norm(), 1e-9 * expected.norm());
}

/// b hangs on a by a joint of any type and moves freely in the world. Cutting the free joint gives
/// every motion that the other one allows; cutting the other one, the closure must allow it.
TEST(ClosingJoints, of_every_type_allow_what_the_joint_allows) {
  for (unsigned seed = 0; seed < 66; ++seed) {
    RandomModel random(seed);
    const JointType type = all_joint_types()[seed % all_joint_types().size()];
    Model model;
    model.bodies = {random.body("a"), random.body("b")};
    model.joints = {random.joint("r", JointType::revolute, "world", "a"),
                    random.joint("pair", type, "a", "b"),
                    {.name = "f", .type = JointType::free, .parent = "world", .child = "b"}};
    model.joints[1].at_child = random.pose(0.3);
    Model closed = model;
    model.cut = {"f"}, closed.cut = {"pair"};
    const System chain = compile(model), system = compile(closed);
    ASSERT_EQ(system.closures()[0].name, "pair");
    EXPECT_EQ(system.closures()[0].rows, 6 - velocity_count(model.joints[1]));

    const State state = random.state(chain);
    ClosedWorkspace chain_work(chain), work(system);
    compute_forward_kinematics(chain_work.tree(), state, VectorXd::Zero(chain.nv()));
    const Pose pose = frame_pose(chain_work.tree(), chain.frame("b"));
    const Motion velocity = frame_velocity(chain_work.tree(), chain.frame("b"), Axes::own);
    const Quaternion turn = spatial::to_quaternion(pose.rotation);
    const Vector3& p = pose.translation;
    VectorXd q(8), v(7);
    q << state.q[chain.joint("r").q], turn.w, turn.x, turn.y, turn.z, p.x, p.y, p.z;
    v << state.v[chain.joint("r").v], to_eigen(velocity);
    VectorXd gap(work.rows());
    compute_closure_residual(work, q, gap);
    const VectorXd rates = jacobian(system, q) * v;
    if (work.rows() == 0) continue;
    EXPECT_LT(gap.cwiseAbs().maxCoeff(), 1e-13) << to_string(type) << ' ' << seed;
    EXPECT_LT(rates.cwiseAbs().maxCoeff(), 1e-12 * (1 + v.norm())) << to_string(type) << seed;
  }
}

/// A link that is reached at another place than its frame is where it would be otherwise, with all
/// that is fixed to it.
TEST(ClosingJoints, place_a_child_by_where_they_sit_on_it) {
  for (unsigned seed = 0; seed < 33; ++seed) {
    RandomModel random(seed);
    Model model;
    model.bodies = {random.body("a"), random.body("b")};
    model.joints = {random.joint("r", JointType::revolute, "world", "a"),
                    random.joint("pair", all_joint_types()[seed % 11], "a", "b")};
    model.frames = {{"tip", "b", random.pose(0.4), {}}};
    const Pose place = random.pose(0.3);
    model.joints[1].at_child = place;
    Model same = model;  // with b described in the joint's own frame
    Body& body = same.bodies[1];
    body.com = inverse(place) * body.com;
    body.inertia = spatial::congruence(inverse(place).rotation, body.inertia);
    same.frames[0].pose = inverse(place) * same.frames[0].pose;
    same.joints[1].at_child = {};
    const System system = compile(model), reference = compile(same);
    const State state = random.state(system);
    const auto tip = [&](const System& of) {
      Workspace work(of);
      compute_forward_kinematics(work, state, VectorXd::Zero(of.nv()));
      return frame_pose(work, of.frame("tip"));
    };
    EXPECT_LT(norm(tip(system).translation - tip(reference).translation), 1e-14);
    Workspace work(system), reference_work(reference);
    MatrixXd M(system.nv(), system.nv()), expected(system.nv(), system.nv());
    compute_mass_matrix(work, state.q, M);
    compute_mass_matrix(reference_work, state.q, expected);
    EXPECT_LT((M - expected).norm(), 1e-13 * expected.norm());
  }
}

}  // namespace
}  // namespace linkwright
