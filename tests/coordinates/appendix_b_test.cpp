/// Freeman's appendix B: the first three joints of a wrist-partitioned arm, whose inverse is known in closed
/// form: table B-1 and equations (B-6) to (B-8), (B-15).

#include <gtest/gtest.h>

#include "linkwright/coordinates/transfer.hpp"
#include "linkwright/dynamics/kinematics.hpp"

namespace linkwright::testing {
namespace {

using namespace coordinates;
using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// A waist about z, a shoulder and an elbow about the axis −y of the turned waist, so that p_z grows with the
/// angles as in the figure.
class WristPartitioned : public ::testing::Test {
 protected:
  WristPartitioned() : system(compile(model())), work(system), q(3) {
    q << 0.7, 0.4, 0.9;
    wrist = compute_point_influence(work, q, system.frame("forearm"), {a34, 0, 0}, Axes::world,
                                    Order::third);
    r = a23 * std::cos(q[1]) + a34 * std::cos(q[1] + q[2]);
    height = a23 * std::sin(q[1]) + a34 * std::sin(q[1] + q[2]);
  }
  static Model model() {
    Model out;
    const auto add = [&out](const std::string& body, const std::string& parent, Vector3 at,
                            Vector3 axis) {
      out.bodies.push_back({.name = body, .mass = 1, .com = {}, .inertia = {1, 1, 1, 0, 0, 0}});
      Joint joint{.name = "theta" + std::to_string(out.bodies.size()),
                  .type = JointType::revolute,
                  .parent = parent,
                  .child = body};
      joint.pose.translation = at;
      joint.axis = axis;
      out.joints.push_back(joint);
    };
    add("waist", "world", {0, 0, s11}, {0, 0, 1});
    add("upper_arm", "waist", {}, {0, -1, 0});
    add("forearm", "upper_arm", {a23, 0, 0}, {0, -1, 0});
    return out;
  }

  static constexpr double s11 = 0.6, a23 = 0.8, a34 = 0.5;
  System system;
  Workspace work;
  VectorXd q;
  Influence wrist;
  double r = 0, height = 0;
};

TEST_F(WristPartitioned, table_b1) {
  const double c1 = std::cos(q[0]), s1 = std::sin(q[0]), c23 = a34 * std::cos(q[1] + q[2]),
               s23 = a34 * std::sin(q[1] + q[2]);
  Matrix3d G, H1, H2, H3;
  G << -r * s1, -height * c1, -s23 * c1, r * c1, -height * s1, -s23 * s1, 0, r, c23;
  // The print has a cosine for the sine at (2, 1) of the first plane and at (2, 2) of the second.
  H1 << -r * c1, height * s1, s23 * s1, height * s1, -r * c1, -c23 * c1, s23 * s1, -c23 * c1,
      -c23 * c1;
  H2 << -r * s1, -height * c1, -s23 * c1, -height * c1, -r * s1, -c23 * s1, -s23 * c1, -c23 * s1,
      -c23 * s1;
  H3 << 0, 0, 0, 0, -height, -s23, 0, -s23, -s23;
  EXPECT_LT((wrist.G.view() - G).norm(), 1e-15);
  EXPECT_LT((wrist.H.plane(0) - H1).norm(), 1e-15);
  EXPECT_LT((wrist.H.plane(1) - H2).norm(), 1e-15);
  EXPECT_LT((wrist.H.plane(2) - H3).norm(), 1e-15);
}

TEST_F(WristPartitioned, b6_the_inverse) {
  const double c1 = std::cos(q[0]), s1 = std::sin(q[0]), s3 = std::sin(q[2]);
  const double c23 = std::cos(q[1] + q[2]), s23 = std::sin(q[1] + q[2]);
  // Its second row holds the cosine and sine of θ2 + θ3.
  Matrix3d expected;
  expected << -s1 / r, c1 / r, 0, c1 * c23 / (a23 * s3), s1 * c23 / (a23 * s3), s23 / (a23 * s3),
      -r * c1 / (a23 * a34 * s3), -r * s1 / (a23 * a34 * s3), -height / (a23 * a34 * s3);
  const Transfer to_wrist(wrist);
  EXPECT_LT((to_wrist.initial().G.view() - expected).norm(), 1e-14);
}

TEST_F(WristPartitioned, b7_and_b8_the_second_order_of_the_first_joint) {
  const Transfer to_wrist(wrist);
  const VectorXd row = to_wrist.initial().G.view().row(0);
  const double s23 = a34 * std::sin(q[1] + q[2]);
  Matrix3d b7, b8;
  b7 << 0, height, s23, height, 0, 0, s23, 0, 0;
  EXPECT_LT((weighted_sum(row, wrist.H).view() + b7 / r).norm(), 1e-15);
  const double s = std::sin(2 * q[0]), c = std::cos(2 * q[0]);
  b8 << s, -c, 0, -c, -s, 0, 0, 0, 0;  // (B-9) prints the second diagonal entry with the other sign
  EXPECT_LT((to_wrist.initial().H.plane(0) - b8 / (r * r)).norm(), 1e-14);
}

/// (B-15), and the order after it: the rates of θ1 = atan2(p_y, p_x), by hand.
TEST_F(WristPartitioned, first_joint_by_the_wrist_to_third_order) {
  const Transfer to_wrist(wrist);
  const Influence& joints = to_wrist.initial();
  const Vector3d v(0.3, -0.8, 0.5), a(1.1, 0.4, -0.7), jerk(-0.2, 0.9, 0.6);
  const double c = std::cos(q[0]), s = std::sin(q[0]);
  const double along = v.x() * c + v.y() * s, across = v.y() * c - v.x() * s;
  VectorXd found(3);
  compute_acceleration(joints, v, a, found);
  // (B-15) prints the second term with the other sign: its square bracket is r̈-free, −2 ṙ θ̇.
  const double turn = across / r, turn_rate = (a.y() * c - a.x() * s) / r - 2 * along * turn / r;
  EXPECT_NEAR(found[0], turn_rate, 1e-14);
  // r θ̇ = ṗ_y c − ṗ_x s, twice more.
  const double a_along = a.x() * c + a.y() * s, r_rate2 = a_along + r * turn * turn;
  const double third = (jerk.y() * c - jerk.x() * s - 3 * r_rate2 * turn - 3 * along * turn_rate +
                        r * turn * turn * turn) /
                       r;
  compute_jerk(joints, v, a, jerk, found);
  EXPECT_NEAR(found[0], third, 1e-13);
}

}  // namespace
}  // namespace linkwright::testing
