/// Freeman's appendix E: three planar legs, at the digits of tables E-1 and E-2.
///
/// The figure with the dimensions is not printed as numbers. Table E-1 gives leg 1: links of 1.5, 1.5 and
/// 1 in, hand at (2.55, 1.475) from its base, turned by 30 degrees. Where the other two bases stand is
/// recovered from table E-2.

#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "closure/mechanisms.hpp"
#include "coordinates/compare.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

const Vector2d hand{2.55, 1.475};
const std::array<Vector2d, 3> base{Vector2d{0, 0}, Vector2d{5.0994, 0.0072},
                                   Vector2d{2.5505, 4.4252}};
constexpr double degree = std::numbers::pi / 180;

/// Directions of a leg's three links.
std::array<double, 3> angles(int r) {
  const double third = (30 + 120 * r) * degree;
  const Vector2d way =
      hand - Vector2d{std::cos(third), std::sin(third)} - base[static_cast<std::size_t>(r)];
  const double lean = std::acos(way.norm() / 3), direction = std::atan2(way.y(), way.x());
  return {direction + lean, direction - lean, third};
}

std::string numbered(const std::string& name, int r) { return name + std::to_string(r + 1); }

/// The base link alone has inertia: 1, 2 and 3.
Body base_link(int r) {
  const double J = r + 1;
  return {.name = numbered("arm", r), .mass = 1, .inertia = {J, J, J, 0, 0, 0}};
}

/// One leg "as if the other legs did not exist", with frame `hand` at its end.
struct Leg {
  explicit Leg(int r) : system(compile(model(r))), work(system), state(system) {
    const auto [a, b, c] = angles(r);
    state.q << a, b - a, c - b;
  }
  static Model model(int r) {
    Model out;
    out.gravity = {};
    out.bodies = {base_link(r), {.name = "rod"}, {.name = "platform"}};
    const Vector2d at = base[static_cast<std::size_t>(r)];
    out.joints = {hinge(numbered("motor", r), "world", out.bodies[0].name, {at.x(), at.y(), 0}),
                  hinge("elbow", out.bodies[0].name, "rod", {1.5, 0, 0}),
                  hinge("wrist", "rod", "platform", {1.5, 0, 0})};
    out.frames = {{"hand", "platform", {Matrix3::identity(), {1, 0, 0}}, {}}};
    return out;
  }
  Influence w() {
    return select(compute_frame_influence(work, state.q, system.frame("hand"), Axes::world),
                  {"hand:vx", "hand:vy", "hand:wz"});
  }
  System system;
  Workspace work;
  State state;
};

double most(const MatrixXd& x) { return x.cwiseAbs().maxCoeff(); }
Matrix3d symmetric(double a, double b, double c, double d, double e, double f) {
  Matrix3d out;
  out << a, b, c, b, d, e, c, e, f;
  return out;
}

/// One unit of the last printed digit.
constexpr double digit = 0.001;

TEST(ThreeLegs, table_e1_the_first_leg) {
  Leg leg(0);
  const Influence w = leg.w();
  Matrix3d G, G_inverse;
  G << -1.475, 0, -0.5, 2.55, 2.28, 0.866, 1, 1, 1;
  EXPECT_LT(most(w.G.view() - G), digit);
  EXPECT_LT(most(w.H.plane(0) - symmetric(-2.55, -2.28, -0.866, -2.28, -0.866, -0.866)), digit);
  EXPECT_LT(most(w.H.plane(1) - symmetric(-1.475, 0, -0.5, 0, -0.5, -0.5)), digit);
  const Transfer to_w(w);
  const Influence& phi = to_w.initial();
  G_inverse << -0.637, 0.225, -0.513, 0.758, 0.439, -0.001, -0.122, -0.664, 1.514;
  EXPECT_LT(most(phi.G.view() - G_inverse), digit);
  EXPECT_LT(most(phi.H.plane(0) - symmetric(0.050, -0.105, 0.116, -0.439, 0.328, -0.665)), digit);
  EXPECT_LT(most(phi.H.plane(1) - symmetric(0.358, -0.053, 0.225, 0.419, -0.390, 1.327)), digit);
  EXPECT_LT(most(phi.H.plane(2) - symmetric(-0.408, 0.158, -0.341, 0.019, 0.062, -0.662)), digit);
  const DynamicModel joints = compute_joint_model(leg.work, leg.state, {});
  EXPECT_LT(most(joints.inertia.view() - Matrix3d(Vector3d{1, 0, 0}.asDiagonal())), 1e-14);
  EXPECT_LT(most(joints.power.flat()), 1e-14);
  const DynamicModel found = to_w.apply(joints);
  EXPECT_LT(most(found.inertia.view() - symmetric(0.405, -0.143, 0.327, 0.051, -0.116, 0.264)),
            digit);
  EXPECT_LT(most(found.power.plane(0) - symmetric(-0.032, 0.067, -0.074, 0.280, -0.209, 0.423)),
            digit);
  // Printed -0.026 at (1, 3): a slip, its mirror image at (3, 1) is 0.026.
  EXPECT_LT(most(found.power.plane(1) - symmetric(0.011, -0.024, 0.026, -0.099, 0.074, -0.150)),
            digit);
  EXPECT_LT(most(found.power.plane(2) - symmetric(-0.026, 0.054, -0.059, 0.225, -0.168, 0.341)),
            digit);
}

/// Σ of the legs in w, and the motors by w (E-5), (E-6).
struct Platform {
  Platform() {
    for (int r = 0; r < 3; ++r) {
      Leg leg(r);
      const Transfer to_w(leg.w());
      const DynamicModel one = to_w.apply(compute_joint_model(leg.work, leg.state, {}));
      const Influence motor = select(to_w.initial(), {numbered("motor", r)});
      model = r == 0 ? one : sum(model, one);
      motors = r == 0 ? motor : stack(motors, motor);
    }
  }
  DynamicModel model;
  Influence motors;
};

/// Two units of the last digit for [G] and [H], three for the sums with weights 1, 2, 3 in [I*] and [P*]:
/// no place of the bases, nor of the platform's corners, comes nearer to all digits of the table at once.
TEST(ThreeLegs, table_e2_the_hand_referenced_model) {
  const Platform found;
  Matrix3d G;
  G << -0.637, 0.225, -0.513, 0.124, -0.665, -0.514, 0.513, 0.439, -0.513;
  EXPECT_LT(most(found.motors.G.view() - G), 2 * digit);
  // Printed -0.159 at (2, 1) of plane 1 and -0.633 at (2, 3) of plane 2: slips for -0.105 and -0.063.
  const auto& H = found.motors.H;
  EXPECT_LT(most(H.plane(0) - symmetric(0.050, -0.105, 0.116, -0.439, 0.326, -0.665)), 2 * digit);
  EXPECT_LT(most(H.plane(1) - symmetric(-0.408, -0.159, -0.342, 0.018, -0.063, -0.665)), 2 * digit);
  EXPECT_LT(most(H.plane(2) - symmetric(-0.225, 0.263, 0.225, -0.165, -0.263, -0.664)), 2 * digit);
  EXPECT_LT(
      most(found.model.inertia.view() - symmetric(1.225, 0.367, -0.589, 1.513, -0.106, 1.582)),
      3 * digit);
  const auto& P = found.model.power;
  EXPECT_LT(most(P.plane(0) - symmetric(-0.479, 0.432, 0.188, 0.031, -0.629, -0.762)), 3 * digit);
  EXPECT_LT(most(P.plane(1) - symmetric(0.259, 0.534, 0.777, -0.340, -0.188, -0.137)), 3 * digit);
  EXPECT_LT(most(P.plane(2) - symmetric(0.741, -0.188, -0.054, 0.459, 0.302, 2.045)), 3 * digit);
}

/// (E-7): each motor carries its own link and nothing else.
TEST(ThreeLegs, in_the_motors_coordinates_each_carries_its_own_link) {
  const Platform found;
  const Transfer to_motors(found.motors);
  const DynamicModel motors = to_motors.apply(found.model);
  const double bound = 64 * epsilon * to_motors.condition() * to_motors.condition();
  EXPECT_LT(most(motors.inertia.view() - Matrix3d(Vector3d{1, 2, 3}.asDiagonal())), bound);
  EXPECT_LT(most(motors.power.flat()), bound);
}

/// The whole of it as one closed mechanism.
Model closed() {
  Model out;
  out.gravity = {};
  out.bodies = {{.name = "platform"}};
  Joint floating{
      .name = "floating", .type = JointType::planar, .parent = "world", .child = "platform"};
  floating.axis = {0, 0, 1};
  out.joints = {floating};
  for (int r = 0; r < 3; ++r) {
    const Vector2d at = base[static_cast<std::size_t>(r)];
    out.bodies.push_back(base_link(r));
    out.bodies.push_back({.name = numbered("rod", r)});
    out.joints.push_back(
        hinge(numbered("motor", r), "world", numbered("arm", r), {at.x(), at.y(), 0}));
    out.joints.push_back(
        hinge(numbered("elbow", r), numbered("arm", r), numbered("rod", r), {1.5, 0, 0}));
    Closure pin{.name = numbered("pin", r), .body_a = numbered("rod", r), .body_b = "platform"};
    pin.joint = JointType::revolute;
    pin.at_a.translation = {1.5, 0, 0};
    const double third = (30 + 120 * r) * degree;
    pin.at_b.translation = {-std::cos(third), -std::sin(third), 0};
    out.closures.push_back(pin);
  }
  return out;
}

TEST(ThreeLegs, the_closed_mechanism_says_the_same_both_ways) {
  const System system = compile(closed());
  ClosedWorkspace work(system);
  State state(system);
  state.q.head(2) = hand;
  for (int r = 0; r < 3; ++r) {
    const auto [a, b, c] = angles(r);
    state.q[system.joint(numbered("motor", r)).q] = a;
    state.q[system.joint(numbered("elbow", r)).q] = b - a;
  }
  ASSERT_LT(compute_worst_closure(work, state.q).gap(), 1e-14);
  const Influence w =
      select(compute_frame_influence(work, state.q, system.frame("platform"), Axes::world),
             {"platform:vx", "platform:vy", "platform:wz"});
  const Mechanism legs = compute_leg_by_leg(work, state, {}, "platform", w);
  const Platform expected;
  const double bound = 64 * epsilon * legs.condition * legs.condition;
  EXPECT_LT(most(legs.model.inertia.view() - expected.model.inertia.view()), bound);
  EXPECT_LT(most(legs.model.power.flat() - expected.model.power.flat()), bound);
  // The closure room, in the hand's coordinates (table E-2) and in the motors' (E-7).
  MatrixXd M(3, 3), G(9, 3);
  VectorXd g(9), bias(3);
  const std::vector<int> plate{0, 1, 2};
  state.v.head(3) = Vector3d{0.3, -0.2, 0.5};
  compute_coordinate_map(work, state, plate, G, g);
  state.v = G * Vector3d(state.v.head(3));
  compute_mass_matrix(work, state, plate, M);
  compute_bias(work, state, plate, bias);
  EXPECT_LT(most(M - symmetric(1.225, 0.367, -0.589, 1.513, -0.106, 1.582)), 3 * digit);
  EXPECT_LT(most(bias - quadratic_form(expected.model.power, state.v.head(3))), bound);
  const std::vector<int> motors{system.joint("motor1").v, system.joint("motor2").v,
                                system.joint("motor3").v};
  compute_mass_matrix(work, state, motors, M);
  compute_bias(work, state, motors, bias);
  EXPECT_LT(most(M - Matrix3d(Vector3d{1, 2, 3}.asDiagonal())), bound);
  EXPECT_LT(most(bias), bound);
}

}  // namespace
}  // namespace linkwright::testing
