// One rigid body as a multi-port: Tokad's equations (1), (5), (6) are one component.
#include <gtest/gtest.h>

#include "linkwright/error.hpp"
#include "linkwright/network/rigid_body.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Vector3d, Eigen::MatrixXd, Eigen::VectorXd;
using network::Matrix6, network::OnePort, network::RigidBody, network::TerminalForm,
    network::Vector6;

/// A body with four ports, the last its mass centre, in motion.
struct Moving {
  explicit Moving(unsigned seed) {
    RandomModel random(seed);
    const Body one = random.body("one");
    body = {.mass = one.mass,
            .J_G = congruence(spatial::from_rpy(random.vector(3)), one.inertia),
            .G = random.vector(1),
            .omega = random.vector(2),
            .ports = {random.vector(1), random.vector(1), random.vector(1)}};
    body.ports.push_back(body.G);
    gravity = random.vector(10);
    v_G = random.vector(2);
    alpha = random.vector(3), a_G = random.vector(5);
  }
  /// Twist and its rate at a point of the body.
  [[nodiscard]] Vector6 twist(const Vector3& at) const {
    Vector6 x;
    x << to_eigen(body.omega), to_eigen(v_G + cross(body.omega, at - body.G));
    return x;
  }
  [[nodiscard]] Vector6 twist_rate(const Vector3& at) const {
    const Vector3 r = at - body.G;
    Vector6 x;
    x << to_eigen(alpha), to_eigen(a_G + cross(alpha, r) + cross(body.omega, cross(body.omega, r)));
    return x;
  }
  /// Newton and Euler: what all wrenches on the body together are, about a point.
  [[nodiscard]] Vector6 needed(const Vector3& at) const {
    const Vector3 F = body.mass * (a_G - gravity);
    const Vector3 N = body.J_G * alpha + cross(body.omega, body.J_G * body.omega);
    Vector6 y;
    y << to_eigen(N + cross(body.G - at, F)), to_eigen(F);
    return y;
  }
  RigidBody body;
  Vector3 gravity, v_G, alpha, a_G;
};

TEST(RigidBody, its_one_port_takes_what_newton_and_euler_say_at_every_port) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Moving moving(seed);
    for (int port = 0; port < 4; ++port) {
      const Vector3& at = moving.body.ports[static_cast<std::size_t>(port)];
      const TerminalForm form = make_terminal_form(moving.body, port, moving.gravity);
      const Vector6 found = wrench(form.one_port, moving.twist_rate(at), moving.twist(at));
      EXPECT_LT((found - moving.needed(at)).norm(), 1e-13 * (1 + moving.needed(at).norm()));
      EXPECT_LT((form.one_port.P - form.one_port.P.transpose()).norm(), 1e-14);
    }
  }
}

TEST(RigidBody, forms_convert_from_any_port_to_any_port) {
  const Moving moving(7);
  for (int from = 0; from < 4; ++from)
    for (int to = 0; to < 4; ++to) {
      const TerminalForm direct = make_terminal_form(moving.body, to, moving.gravity);
      const TerminalForm found = convert(make_terminal_form(moving.body, from, moving.gravity), to);
      EXPECT_EQ(found.active, to);
      EXPECT_LT((found.one_port.P - direct.one_port.P).norm(), 1e-14 * direct.one_port.P.norm());
      EXPECT_LT((found.one_port.Q - direct.one_port.Q).norm(), 1e-13 * direct.one_port.Q.norm());
      EXPECT_LT((found.one_port.u - direct.one_port.u).norm(), 1e-14 * direct.one_port.u.norm());
    }
}

/// Q as printed in (49) differs from the one here by what gives nothing for the body's own ω.
TEST(RigidBody, Q_of_the_appendix_does_the_same_to_the_bodys_own_twist) {
  const Moving moving(8);
  const Vector3& B = moving.body.ports[1];
  const auto skew = [](const Vector3& r) { return to_eigen(spatial::skew(r)); };
  const Eigen::Matrix3d R = skew(B - moving.body.G), Omega = skew(moving.body.omega),
                        J_B = to_eigen(to_full(moving.body.J_G)) +
                              moving.body.mass * R * R.transpose();
  Matrix6 printed = Matrix6::Zero();
  printed.topLeftCorner<3, 3>() = Omega * J_B;
  printed.bottomLeftCorner<3, 3>() = moving.body.mass * Omega * R;
  const Vector6 x = moving.twist(B);
  const TerminalForm form = make_terminal_form(moving.body, 1, moving.gravity);
  const Vector6 found = form.one_port.Q * x, expected = printed * x;
  EXPECT_LT((found - expected).norm(), 1e-14 * (1 + expected.norm()));
  EXPECT_GT((form.one_port.Q - printed).norm(), 0.1) << "as matrices they differ";
}

/// (3): [x_1 … x_k; y_c] = T [y_1 … y_k; x_c], and no power is lost in it.
TEST(RigidBody, the_ideal_body_is_a_transformer_without_loss) {
  const Moving moving(9);
  RandomModel random(10);
  for (int active = 0; active < 4; ++active) {
    const TerminalForm form = make_terminal_form(moving.body, active, moving.gravity);
    MatrixXd T(24, 24);
    compute_ideal_transformer(form, T);
    EXPECT_EQ((T + T.transpose()).norm(), 0);
    VectorXd given = random.numbers(24);
    const Vector3& at = form.ports[static_cast<std::size_t>(active)];
    given.tail<6>() = moving.twist(at);
    const VectorXd found = T * given;
    VectorXd twists(18);
    Vector6 sum = Vector6::Zero();
    Eigen::Index row = 0;
    for (int i = 0; i < 4; ++i) {
      if (i == active) continue;
      const Vector3& port = form.ports[static_cast<std::size_t>(i)];
      twists.segment<6>(row) = moving.twist(port);
      sum -= network::wrench_shift(port - at) * given.segment<6>(row);
      row += 6;
    }
    EXPECT_LT((found.head(18) - twists).norm(), 1e-13);
    EXPECT_LT((found.tail<6>() - sum).norm(), 1e-13);
    EXPECT_NEAR(found.head(18).dot(given.head(18)) + found.tail<6>().dot(given.tail<6>()), 0,
                1e-13 * 24);
  }
}

TEST(RigidBody, one_ports_at_one_terminal_add_up) {
  const Moving one(11), other(12);
  const OnePort a = one_port_at_centre(one.body, one.gravity),
                b = one_port_at_centre(other.body, other.gravity);
  const Vector6 x = one.twist(one.body.G), rate = one.twist_rate(one.body.G);
  EXPECT_LT((wrench(a + b, rate, x) - wrench(a, rate, x) - wrench(b, rate, x)).norm(), 1e-13);
}

TEST(RigidBody, a_port_that_is_not_there_is_refused) {
  const Moving moving(1);
  EXPECT_THROW((void)make_terminal_form(moving.body, 4, {}), Error);
  EXPECT_THROW((void)convert(make_terminal_form(moving.body, 0, {}), -1), Error);
  MatrixXd small(6, 6);
  EXPECT_THROW(compute_ideal_transformer(make_terminal_form(moving.body, 0, {}), small), Error);
}

}  // namespace
}  // namespace linkwright::testing
