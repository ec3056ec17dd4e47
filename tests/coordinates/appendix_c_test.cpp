/// Freeman's appendix C: the planar five-bar, at the digits of tables C-1 to C-3, by his transfer and by
/// the closure room.

#include <gtest/gtest.h>

#include <numbers>

#include "coordinates/compare.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Matrix4d;
using Eigen::Vector2d;
using Eigen::Vector4d;

class FiveBar : public ::testing::Test {
 protected:
  FiveBar() : model(read_model(LINKWRIGHT_SOURCE_DIR "/tests/data/freeman_five_bar.yaml")) {}

  /// φ1, … of the open chain; the printed state of motion: φ̇1 = 2, θ̇_h = 3, φ̈1 = 1, θ̈_h = 0.5.
  State at_printed_position(const System& system) const {
    State state(system);
    const double degree = std::numbers::pi / 180;
    const std::vector<std::pair<std::string, double>> angles{
        {"phi1", 70}, {"phi2", -35}, {"phi3", -100}, {"phi4", -25}, {"ground", -90}};
    for (const auto& [name, angle] : angles)
      for (const JointPlace& joint : system.joints())
        if (joint.name == name) state.q[joint.q] = angle * degree;
    return state;
  }
  Model model;
};

/// w = (φ1, x_h, y_h, θ_h) (C-4).
Influence intermediate(const System& system, ClosedWorkspace& work, const VectorXd& q) {
  return stack(joint_influence(system, {"phi1"}),
               select(compute_frame_influence(work, q, system.frame("h"), Axes::world),
                      {"h:vx", "h:vy", "h:wz"}));
}

/// Printed to two digits behind the point.
constexpr double digit = 0.01;

TEST_F(FiveBar, table_c2_the_open_chain) {
  const System system = compile(model);
  ClosedWorkspace work(system);
  const State state = at_printed_position(system);
  const Influence w = intermediate(system, work, state.q);
  Matrix4d G, H2, H3;
  G << 1, 0, 0, 0, 8.71, 19.98, 33.75, 12, 33.91, 29.80, 10.14, 0, 1, 1, 1, 1;
  H2 << 33.91, 29.80, 10.14, 0, 29.80, 29.80, 10.14, 0, 10.14, 10.14, 10.14, 0, 0, 0, 0, 0;
  H3 << 8.71, 19.98, 33.75, 12, 19.98, 19.98, 33.75, 12, 33.75, 33.75, 33.75, 12, 12, 12, 12, 12;
  EXPECT_LT((w.G.view() - G).cwiseAbs().maxCoeff(), digit);
  EXPECT_LT((w.H.plane(1) + H2).cwiseAbs().maxCoeff(), digit);
  EXPECT_LT((w.H.plane(2) - H3).cwiseAbs().maxCoeff(), digit);
  EXPECT_EQ(w.H.plane(0).norm() + w.H.plane(3).norm(), 0);
  const DynamicModel open = compute_joint_model(work, state, {});
  Matrix4d I = Matrix4d::Zero(), P1 = Matrix4d::Zero(), P2 = Matrix4d::Zero();
  I.topLeftCorner<2, 2>() << 2.774, 1.418, 1.418, 0.808;
  P1.topLeftCorner<2, 2>() << 0, 0.428, 0.428, 0.428;
  P2(0, 0) = -0.428;
  EXPECT_LT((open.inertia.view() - I).cwiseAbs().maxCoeff(), 0.001);
  EXPECT_LT((open.power.plane(0) - P1).cwiseAbs().maxCoeff(), 0.001);
  EXPECT_LT((open.power.plane(1) - P2).cwiseAbs().maxCoeff(), 0.001);
  EXPECT_LT(open.power.plane(2).norm() + open.power.plane(3).norm(), 1e-12);
}

TEST_F(FiveBar, table_c3_the_constrained_system_by_transfer) {
  const System system = compile(model);
  ClosedWorkspace work(system);
  const State state = at_printed_position(system);
  const Transfer to_w(intermediate(system, work, state.q));
  const DynamicModel found = to_w.apply(compute_joint_model(work, state, {}));
  Matrix4d I, P[4];
  I << 411.24, -5.73, 12.29, 68.79, -5.73, 0.26, -0.55, -3.10, 12.29, -0.55, 1.19, 6.64, 68.79,
      -3.10, 6.64, 37.17;
  P[0] << 303.35, -0.18, -8.96, 2.15, -0.18, -0.24, -0.61, 2.84, -8.96, -0.61, 0.52, 7.27, 2.15,
      2.84, 7.27, -181.56;
  // Printed 0.17 at (3, 4) of plane 2: a slip, its mirror image at (4, 3) is -0.17.
  P[1] << 3.38, 0.13, 0.14, -1.58, 0.13, 0.02, 0.01, -0.20, 0.14, 0.01, 0.005, -0.17, -1.58, -0.20,
      -0.17, 9.06;
  P[2] << -7.24, -0.28, -0.29, 3.38, -0.28, -0.04, -0.03, 0.43, -0.29, -0.03, -0.01, 0.36, 3.38,
      0.43, 0.36, -19.43;
  P[3] << -40.50, -1.58, -1.66, 18.95, -1.58, -0.20, -0.17, 2.42, -1.66, -0.17, -0.06, 2.03, 18.95,
      2.42, 2.03, -108.75;
  EXPECT_LT((1e3 * found.inertia.view() - I).cwiseAbs().maxCoeff(), digit);
  for (Index i = 0; i < 4; ++i)
    EXPECT_LT((1e3 * found.power.plane(i) - P[i]).cwiseAbs().maxCoeff(), digit) << "plane " << i;
  const VectorXd T = loads(found, Vector4d{2, 0, 0, 3}, Vector4d{1, 0, 0, 0.5});
  EXPECT_LT((1e3 * T - Vector4d{50.77, 68.83, -147.60, -825.92}).cwiseAbs().maxCoeff(), digit);
}

TEST_F(FiveBar, table_c3_in_two_coordinates_by_double_transfer) {
  const System system = compile(model);
  ClosedWorkspace work(system);
  const State state = at_printed_position(system);
  const Influence inputs = stack(
      joint_influence(system, {"phi1"}),
      select(compute_frame_influence(work, state.q, system.frame("h"), Axes::world), {"h:wz"}));
  const Mechanism found = compute_double_transfer(work, state, {}, inputs);
  const VectorXd T = loads(found.model, Vector2d{2, 3}, Vector2d{1, 0.5});
  EXPECT_NEAR(1e3 * T[0], 50.77, digit);
  EXPECT_NEAR(1e3 * T[1], -825.92, digit);
  EXPECT_NEAR(1e3 * found.model.inertia(0, 1), 68.79, digit);
  // T_h is a load on the chain like any other; T_c is then what the pin carries. Efforts at v: T_1 and
  // the moment T_h, which all four joints feel.
  VectorXd tau = VectorXd::Constant(4, T[1]);
  tau[0] += T[0];
  const VectorXd T_c =
      loads(found.constraint, Vector2d{2, 3}, Vector2d{1, 0.5}) - found.carried.view() * tau;
  // What the ground applies to the link (b), in the turned axes of frame h: x down, y to the right.
  const Force pin = wrenches(work, state, T_c)[0];
  EXPECT_NEAR(1e3 * pin.force.y, 68.83, digit);
  EXPECT_NEAR(-1e3 * pin.force.x, -147.60, digit);
}

TEST_F(FiveBar, table_c3_by_the_closure_room) {
  model.cut = {"phi4"};  // so that θ_h is a coordinate of the tree
  const System system = compile(model);
  ClosedWorkspace work(system);
  State state = at_printed_position(system);
  ASSERT_TRUE(assemble(work, {.hold = {"phi1", "ground"}}, state.q).assembled);
  const std::vector<int> inputs{system.joint("phi1").v, system.joint("ground").v};
  ASSERT_LT(inputs[0], inputs[1]);
  MatrixXd G(4, 2), M(2, 2);
  VectorXd g(4), bias(2);
  compute_coordinate_map(work, state, inputs, G, g);
  state.v = G * Vector2d{2, 3};
  compute_mass_matrix(work, state, inputs, M);
  compute_bias(work, state, inputs, bias);
  EXPECT_NEAR(1e3 * M(0, 0), 411.24, digit);
  EXPECT_NEAR(1e3 * M(0, 1), 68.79, digit);
  EXPECT_NEAR(1e3 * M(1, 1), 37.17, digit);
  const VectorXd T = M * Vector2d{1, 0.5} + bias;
  EXPECT_NEAR(1e3 * T[0], 50.77, digit);
  EXPECT_NEAR(1e3 * T[1], -825.92, digit);
}

/// Table C-1 by the closure room: the chain cut at the ground, T_h as a moment on the last link.
TEST_F(FiveBar, table_c1_motion_and_forces) {
  const System system = compile(model);
  ClosedWorkspace work(system);
  State state = at_printed_position(system);
  const std::vector<int> kept{0, 1};
  MatrixXd G(4, 2);
  VectorXd g(4), a(4), tau = VectorXd::Zero(4);
  compute_coordinate_map(work, state, kept, G, g);
  MatrixXd inputs(2, 2);  // (φ̇1, θ̇_h) by (φ̇1, φ̇2)
  inputs << 1, 0, G.col(0).sum(), G.col(1).sum();
  state.v = G * inputs.inverse() * Vector2d{2, 3};
  EXPECT_NEAR(state.v.head(2).sum(), -0.074, 0.001);  // of link 2
  tau[0] = 50.77e-3;
  // Table C-1 prints T_2 = 0.83 without the sign that table C-3 gives it.
  const ExternalForce T_h{system.frame("h"), {{0, 0, -825.92e-3}, {}}, Axes::world};
  compute_forward_dynamics(work, state, tau, {&T_h, 1}, a);
  std::vector<Force> pin(1);
  closure_forces(work, pin);
  // As exact as the efforts: half a digit of T over the inertia that it meets.
  EXPECT_NEAR(a[0], 1, 1e-3);
  EXPECT_NEAR(a.sum(), 0.5, 2e-3);
  EXPECT_NEAR(a.head(2).sum(), -3.405, 2e-3);
  // What the ground applies to the link (b), in the turned axes of frame h: x down, y to the right.
  EXPECT_NEAR(1e3 * pin[0].force.y, 68.83, digit);
  EXPECT_NEAR(-1e3 * pin[0].force.x, -147.60, digit);

  compute_forward_kinematics(work.tree(), state, a);
  const auto moves = [&](const char* name, double x, double y, double bound) {
    const Motion found = frame_acceleration(work.tree(), system.frame(name), Axes::world);
    EXPECT_NEAR(found.linear.x, x, bound) << name;
    EXPECT_NEAR(found.linear.y, y, bound) << name;
  };
  moves("A", -27.69, -41.0, 0.02);
  moves("B", -6, -108, 0.03);
  moves("mass2", -4.31, -74.51, 0.03);
  const auto stands = [&](const char* name, double x, double y) {
    const Pose found = frame_pose(work.tree(), system.frame(name));
    EXPECT_NEAR(found.translation.x, x, digit) << name;
    EXPECT_NEAR(found.translation.y, y, digit) << name;
  };
  stands("A", 4.10, 11.28);
  stands("B", 33.9, 3.29);  // printed -3.29: a slip, h stands at y = -8.71 and link 4 upright on it
  stands("mass2", 13.93, 18.16);
  // Printed F^A = (-0.009, -0.24): its x is -0.09, as m a of link 2 less F^B tells. The pin at A applies
  const double m = 5.1756e-3;
  const Motion centre = frame_acceleration(work.tree(), system.frame("mass2"), Axes::world);
  EXPECT_NEAR(m * centre.linear.x - pin[0].force.y, -0.09, 0.005);
  EXPECT_NEAR(m * centre.linear.y + pin[0].force.x, -0.24, 0.005);
}

}  // namespace
}  // namespace linkwright::testing
