// A base on a full stiffness and a full damping matrix: what it is at rest, in turned axes, and in energy.
// Its efforts as the slope of its energy: forces_test.cpp; its derivatives: tests/derivatives.
#include <gtest/gtest.h>

#include "linkwright/dynamics/derivatives.hpp"
#include "linkwright/dynamics/dissipation.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "support/condition.hpp"
#include "support/declared_forces.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

Matrix6 to_matrix(const PoseMatrix& K) {
  Matrix6 out;
  for (int i = 0; i < 36; ++i) out(i / 6, i % 6) = K(i / 6, i % 6);
  return out;
}
PoseMatrix to_pose_matrix(const Matrix6& K) {
  PoseMatrix out;
  for (std::size_t i = 0; i < 36; ++i)
    out.rows[i / 6][i % 6] = K(static_cast<int>(i / 6), static_cast<int>(i % 6));
  return out;
}

/// One body on such a base, in no gravity.
Model body_on_base(const Body& body, const Pose& at, const PoseMatrix& K, const PoseMatrix& D) {
  Model model;
  model.gravity = {};
  model.bodies = {body};
  model.joints = {
      {.name = "base", .type = JointType::free, .parent = "world", .child = body.name, .pose = at}};
  model.flexible_bases = {{.joint = "base", .stiffness = K, .damping = D}};
  return model;
}

/// At rest in the neutral position ∂tau/∂q = K and ∂tau/∂v = D, number by number.
TEST(FlexibleBase, has_the_stiffness_and_damping_it_is_given) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    RandomModel random(seed);
    const PoseMatrix K = coupled_matrix(random, 500), D = coupled_matrix(random, 5);
    const System system = compile(body_on_base(random.body("slab"), random.pose(1), K, D));
    Workspace work(system);
    const State state(system);
    MatrixXd by_q(6, 6), by_v(6, 6);
    compute_inverse_dynamics_derivatives(work, state, VectorXd::Zero(6), {}, by_q, by_v);
    const Matrix6 k = to_matrix(K), d = to_matrix(D);
    EXPECT_LE((by_q - k).cwiseAbs().maxCoeff(), 4 * epsilon * k.cwiseAbs().maxCoeff());
    EXPECT_LE((by_v - d).cwiseAbs().maxCoeff(), 4 * epsilon * d.cwiseAbs().maxCoeff());
  }
}

/// The same mechanism, described in frames turned by Q: the diagonal matrices there are full ones here.
class TurnedBase {
 public:
  explicit TurnedBase(RandomModel& random)
      : Q_(spatial::from_rpy(random.vector(3))),
        there_(compile(body_on_base(random.body("slab"), {Q_, {}}, {40, 50, 60, 300, 400, 500},
                                    {4, 3, 2, 30, 20, 10}))),
        here_(compile(in_straight_axes(there_.model()))) {}

  [[nodiscard]] const System& there() const { return there_; }
  [[nodiscard]] const System& here() const { return here_; }

  /// [Q 0; 0 Q]
  [[nodiscard]] Matrix6 turn() const {
    const Eigen::Matrix3d Q = to_eigen(Q_);
    Matrix6 out = Matrix6::Zero();
    out.topLeftCorner<3, 3>() = Q, out.bottomRightCorner<3, 3>() = Q;
    return out;
  }
  /// The state there as it is seen here: Q R Qᵀ, Q p, and Q v.
  [[nodiscard]] State turned(const State& state) const {
    State out(here_);
    const VectorXd& q = state.q;
    const Quaternion to = spatial::to_quaternion(Q_), back{to.w, -to.x, -to.y, -to.z};
    const Quaternion r = to * Quaternion{q[0], q[1], q[2], q[3]} * back;
    const Vector3 p = Q_ * Vector3{q[4], q[5], q[6]};
    out.q << r.w, r.x, r.y, r.z, p.x, p.y, p.z;
    out.v = turn() * state.v;
    return out;
  }

 private:
  [[nodiscard]] Model in_straight_axes(const Model& model) const {
    Body body = model.bodies.front();
    const Eigen::Matrix3d Q = to_eigen(Q_);
    const Symmetric3& I = body.inertia;
    Eigen::Matrix3d J;
    J << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    J = Q * J * Q.transpose();
    body.com = Q_ * body.com;
    body.inertia = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
    const auto turned = [&](const PoseMatrix& K) {
      return to_pose_matrix(turn() * to_matrix(K) * turn().transpose());
    };
    const FlexibleBase& base = model.flexible_bases.front();
    return body_on_base(body, {}, turned(base.stiffness), turned(base.damping));
  }

  Matrix3 Q_;
  System there_, here_;
};

TEST(FlexibleBase, moves_the_same_in_turned_axes) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomModel random(seed);
    const TurnedBase base(random);
    EXPECT_FALSE(base.here().model().flexible_bases[0].stiffness.is_diagonal());
    const State there = random.state(base.there()), here = base.turned(there);
    Workspace at_there(base.there()), at_here(base.here());
    VectorXd a(6), b(6), tau = VectorXd::Zero(6);
    compute_forward_dynamics(at_there, there, tau, {}, a);
    compute_forward_dynamics(at_here, here, tau, {}, b);
    MatrixXd M(6, 6);
    compute_mass_matrix(at_there, there.q, M);
    // The efforts are some hundred roundings of their size apart, the accelerations κ(M) times that.
    const double bound = 100 * epsilon * condition_of(M) * (1 + a.norm());
    EXPECT_LE((base.turn() * a - b).norm(), bound) << seed;
    const Energy first = compute_energy(at_there, there), second = compute_energy(at_here, here);
    EXPECT_NEAR(first.potential, second.potential, 100 * epsilon * (1 + first.potential)) << seed;
    EXPECT_GT(first.potential, 1) << "it is stretched";
  }
}

/// vᵀ D v of a coupled damper is all it takes, and a direction that D leaves out takes nothing.
TEST(FlexibleBase, loses_nothing_along_what_is_not_damped) {
  RandomModel random(3);
  PoseMatrix D;
  D.rows[2] = {0, 0, 4, 6, 0, 0};
  D.rows[3] = {0, 0, 6, 9, 0, 0};  // (2 ω_z + 3 v_x)²: not damped while 2 ω_z = −3 v_x
  const System system = compile(body_on_base(random.body("slab"), {}, {}, D));
  EXPECT_TRUE(drains_energy(system));
  Workspace work(system);
  State state(system);
  VectorXd efforts(6);
  state.v << 0.3, 0.7, -3, 2, 0.1, 0.2;
  compute_joint_forces(work, state, efforts);
  EXPECT_EQ(efforts, VectorXd::Zero(6));
  state.v << 0, 0, 1, 1, 0, 0;
  compute_joint_forces(work, state, efforts);
  EXPECT_EQ(efforts, (VectorXd(6) << 0, 0, -10, -15, 0, 0).finished());
  EXPECT_EQ(state.v.dot(efforts), -25);
  const PoseMatrix K = coupled_matrix(random, 5);
  EXPECT_FALSE(drains_energy(compile(body_on_base(random.body("slab"), {}, K, {}))));
}

/// A joint spring on a base's freedom and the base add up.
TEST(FlexibleBase, adds_up_with_springs_on_its_joint) {
  RandomModel random(4);
  const PoseMatrix K = coupled_matrix(random, 50);
  Model model = body_on_base(random.body("slab"), {}, K, {});
  model.joint_springs = {{.joint = "base", .freedom = 4, .stiffness = 7, .damping = 2}};
  PoseMatrix more = K, damper;
  more.rows[4][4] += 7, damper.rows[4][4] = 2;
  const System sum = compile(model),
               same = compile(body_on_base(model.bodies[0], {}, more, damper));
  const State state = random.state(sum);
  Workspace a(sum), b(same);
  VectorXd efforts(6), expected(6);
  compute_joint_forces(a, state, efforts);
  compute_joint_forces(b, state, expected);
  EXPECT_LE((efforts - expected).norm(), 4 * epsilon * expected.norm());
}

}  // namespace
}  // namespace linkwright::testing
