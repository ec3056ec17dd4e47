/// Freeman's appendix E: three planar legs, at every printed digit of tables E-1 and E-2.
///
/// The figure with the dimensions is not printed as numbers, but the tables hold it: the first matrix of table
/// E-1 says where the hand of leg 1 stands as seen from base, elbow and wrist, with three digits, and those
/// are the figures that all others were computed from. The legs stand a third of a turn apart, bases at (0, 0),
/// (5.1, 0) and (2.55, 4.425), the hand in their middle; what legs 2 and 3 have is leg 1's, turned, and written with
/// as many digits. So nothing is fitted: but for six slips of the print, told below,
/// every number is within the half unit of its last digit that it was rounded by.

#include <gtest/gtest.h>

#include <array>

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

/// From a leg's base, elbow and wrist to the hand, in inches.
struct Reach {
  Vector2d base, elbow, wrist;

  [[nodiscard]] Vector2d arm() const { return base - elbow; }
  [[nodiscard]] Vector2d rod() const { return elbow - wrist; }
};
const std::array<Reach, 3> reach{{{{2.55, 1.475}, {2.28, 0}, {0.866, 0.5}},
                                  {{-2.55, 1.475}, {-1.14, 1.975}, {-0.866, 0.5}},
                                  {{0, -2.95}, {-1.14, -1.975}, {0, -1}}}};
const Reach& of_leg(int r) { return reach[static_cast<std::size_t>(r)]; }
const Vector2d hand{2.55, 1.475};

std::string numbered(const std::string& name, int r) { return name + std::to_string(r + 1); }

/// The base link alone has inertia: 1, 2 and 3.
Body base_link(int r) {
  const double J = r + 1;
  return {.name = numbered("arm", r), .mass = 1, .inertia = {J, J, J, 0, 0, 0}};
}

Vector3 flat(const Vector2d& v) { return {v.x(), v.y(), 0}; }

/// One leg "as if the other legs did not exist", with frame `hand` at its end. All axes are the world's at q = 0.
struct Leg {
  explicit Leg(int r) : system(compile(model(r))), work(system), state(system) {}
  static Model model(int r) {
    const Reach& leg = of_leg(r);
    Model out;
    out.gravity = {};
    out.bodies = {base_link(r), {.name = "rod"}, {.name = "platform"}};
    out.joints = {hinge(numbered("motor", r), "world", out.bodies[0].name, flat(hand - leg.base)),
                  hinge("elbow", out.bodies[0].name, "rod", flat(leg.arm())),
                  hinge("wrist", "rod", "platform", flat(leg.rod()))};
    out.frames = {{"hand", "platform", {Matrix3::identity(), flat(leg.wrist)}, {}}};
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

/// What the tables were rounded by.
constexpr double half_digit = 0.0005;

/// The motor of a leg by the hand, in closed form: where the rod's length l does not change, D·D = l² for
/// D = wrist − elbow, and the motor's angle θ(x, y, w) follows by differentiating that twice.
struct ClosedForm {
  explicit ClosedForm(int r) {
    const Reach& leg = of_leg(r);
    const Vector2d a = leg.arm(), D = leg.rod(), c = leg.wrist, p{-a.y(), a.x()};
    Eigen::Matrix<double, 2, 3> D_rate;  // by x, y and w alone: the wrist goes around the hand
    D_rate << 1, 0, c.y(), 0, 1, -c.x();
    G = D_rate.transpose() * D / D.dot(p);
    D_rate -= p * G.transpose();  // the elbow goes around the base
    H = D_rate.transpose() * D_rate + D.dot(a) * G * G.transpose();
    H(2, 2) += D.dot(c);
    H /= D.dot(p);
  }
  Vector3d G;
  Matrix3d H;
};

TEST(ThreeLegs, each_leg_is_as_its_closed_form_says) {
  for (int r = 0; r < 3; ++r) {
    Leg leg(r);
    const Transfer to_w(leg.w());
    const Influence motor = select(to_w.initial(), {numbered("motor", r)});
    const ClosedForm expected(r);
    const double bound = 64 * epsilon * to_w.condition() * to_w.condition();
    EXPECT_LT(most(motor.G.view() - expected.G.transpose()), bound) << r;
    EXPECT_LT(most(motor.H.plane(0) - expected.H), bound) << r;
  }
}

TEST(ThreeLegs, table_e1_the_first_leg) {
  Leg leg(0);
  const Influence w = leg.w();
  Matrix3d G, G_inverse;
  G << -1.475, 0, -0.5, 2.55, 2.28, 0.866, 1, 1, 1;
  EXPECT_LT(most(w.G.view() - G), half_digit);
  EXPECT_LT(most(w.H.plane(0) - symmetric(-2.55, -2.28, -0.866, -2.28, -0.866, -0.866)),
            half_digit);
  EXPECT_LT(most(w.H.plane(1) - symmetric(-1.475, 0, -0.5, 0, -0.5, -0.5)), half_digit);
  const Transfer to_w(w);
  const Influence& phi = to_w.initial();
  G_inverse << -0.637, 0.225, -0.513, 0.758, 0.439, -0.001, -0.122, -0.664, 1.514;
  EXPECT_LT(most(phi.G.view() - G_inverse), half_digit);
  EXPECT_LT(most(phi.H.plane(0) - symmetric(0.050, -0.105, 0.116, -0.439, 0.328, -0.665)),
            half_digit);
  EXPECT_LT(most(phi.H.plane(1) - symmetric(0.358, -0.053, 0.225, 0.419, -0.390, 1.327)),
            half_digit);
  EXPECT_LT(most(phi.H.plane(2) - symmetric(-0.408, 0.158, -0.341, 0.019, 0.062, -0.662)),
            half_digit);
  const DynamicModel joints = compute_joint_model(leg.work, leg.state, {});
  EXPECT_LT(most(joints.inertia.view() - Matrix3d(Vector3d{1, 0, 0}.asDiagonal())), 1e-14);
  EXPECT_LT(most(joints.power.flat()), 1e-14);
  const DynamicModel found = to_w.apply(joints);
  EXPECT_LT(most(found.inertia.view() - symmetric(0.405, -0.143, 0.327, 0.051, -0.116, 0.264)),
            half_digit);
  // Printed 0.280 at (2, 2), the product of -0.637 and -0.439 after both were rounded; before it is 0.2794.
  EXPECT_LT(most(found.power.plane(0) - symmetric(-0.032, 0.067, -0.074, 0.279, -0.209, 0.423)),
            half_digit);
  // Printed -0.026 at (1, 3): a slip, its mirror image at (3, 1) is 0.026.
  EXPECT_LT(most(found.power.plane(1) - symmetric(0.011, -0.024, 0.026, -0.099, 0.074, -0.150)),
            half_digit);
  EXPECT_LT(most(found.power.plane(2) - symmetric(-0.026, 0.054, -0.059, 0.225, -0.168, 0.341)),
            half_digit);
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

TEST(ThreeLegs, table_e2_the_hand_referenced_model) {
  const Platform found;
  Matrix3d G;
  G << -0.637, 0.225, -0.513, 0.124, -0.665, -0.514, 0.513, 0.439, -0.513;
  EXPECT_LT(most(found.motors.G.view() - G), half_digit);
  // Printed -0.159 at (2, 1) of plane 1 and -0.633 at (2, 3) of plane 2: slips for -0.105 and -0.063. Printed 0.326
  // at (2, 3) of plane 1: table E-1 has the same number as 0.328, which is right.
  const auto& H = found.motors.H;
  EXPECT_LT(most(H.plane(0) - symmetric(0.050, -0.105, 0.116, -0.439, 0.328, -0.665)), half_digit);
  EXPECT_LT(most(H.plane(1) - symmetric(-0.408, -0.159, -0.342, 0.018, -0.063, -0.665)),
            half_digit);
  EXPECT_LT(most(H.plane(2) - symmetric(-0.225, 0.263, 0.225, -0.165, -0.263, -0.664)), half_digit);
  EXPECT_LT(
      most(found.model.inertia.view() - symmetric(1.225, 0.367, -0.589, 1.513, -0.106, 1.582)),
      half_digit);
  const auto& P = found.model.power;
  EXPECT_LT(most(P.plane(0) - symmetric(-0.479, 0.432, 0.188, 0.031, -0.629, -0.762)), half_digit);
  EXPECT_LT(most(P.plane(1) - symmetric(0.259, 0.534, 0.777, -0.340, -0.188, -0.137)), half_digit);
  // Printed 2.045 at (3, 3): a slip, the printed factors 1 (0.513) (0.665) + 2 (0.514) (0.665) + 3 (0.513) (0.664) give 2.047.
  EXPECT_LT(most(P.plane(2) - symmetric(0.741, -0.188, -0.054, 0.459, 0.302, 2.047)), half_digit);
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
    const Reach& leg = of_leg(r);
    out.bodies.push_back(base_link(r));
    out.bodies.push_back({.name = numbered("rod", r)});
    out.joints.push_back(
        hinge(numbered("motor", r), "world", numbered("arm", r), flat(hand - leg.base)));
    out.joints.push_back(
        hinge(numbered("elbow", r), numbered("arm", r), numbered("rod", r), flat(leg.arm())));
    Closure pin{.name = numbered("pin", r), .body_a = numbered("rod", r), .body_b = "platform"};
    pin.joint = JointType::revolute;
    pin.at_a.translation = flat(leg.rod());
    pin.at_b.translation = flat(-leg.wrist);
    out.closures.push_back(pin);
  }
  return out;
}

TEST(ThreeLegs, the_closed_mechanism_says_the_same_both_ways) {
  const System system = compile(closed());
  ClosedWorkspace work(system);
  State state(system);
  state.q.head(2) = hand;
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
  EXPECT_LT(most(M - symmetric(1.225, 0.367, -0.589, 1.513, -0.106, 1.582)), half_digit);
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
