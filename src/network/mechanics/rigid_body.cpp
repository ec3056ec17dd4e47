#include "linkwright/network/rigid_body.hpp"

#include <fmt/format.h>

#include "linkwright/error.hpp"
#include "network/mechanics/skew.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

void check_port(int port, const std::vector<Vector3>& ports) {
  if (port < 0 || port >= static_cast<int>(ports.size()))
    throw Error(fmt::format("a body with {} ports has no port {}; they are counted from 0",
                            ports.size(), port));
}

}  // namespace

Matrix6 wrench_shift(const Vector3& r) {
  Matrix6 K = Matrix6::Identity();
  K.topRightCorner<3, 3>() = skew_of(r);
  return K;
}

OnePort move(const OnePort& one, const Vector3& r, const Vector3& r_rate) {
  const Matrix6 K = wrench_shift(r);
  Matrix6 K_rate = Matrix6::Zero();
  K_rate.topRightCorner<3, 3>() = skew_of(r_rate);
  return {K * one.P * K.transpose(), K * (one.Q * K.transpose() + one.P * K_rate.transpose()),
          K * one.u};
}

OnePort one_port_at_centre(const RigidBody& body, const Vector3& gravity) {
  OnePort one;
  const Eigen::Matrix3d J = to_eigen(to_full(body.J_G));
  one.P.topLeftCorner<3, 3>() = J;
  one.P.bottomRightCorner<3, 3>() = body.mass * Eigen::Matrix3d::Identity();
  one.Q.topLeftCorner<3, 3>() = skew_of(body.omega) * J;
  one.u.tail<3>() = -body.mass * to_eigen(gravity);
  return one;
}

TerminalForm make_terminal_form(const RigidBody& body, int active, const Vector3& gravity) {
  check_port(active, body.ports);
  const Vector3 r = body.G - body.ports[at(active)];
  return {active, move(one_port_at_centre(body, gravity), r, cross(body.omega, r)), body.omega,
          body.ports};
}

TerminalForm convert(const TerminalForm& form, int active) {
  check_port(active, form.ports);
  TerminalForm other = form;
  const Vector3 r = form.ports[at(form.active)] - form.ports[at(active)];
  other.active = active;
  other.one_port = move(form.one_port, r, cross(form.omega, r));
  return other;
}

void compute_ideal_transformer(const TerminalForm& form, Eigen::Ref<Eigen::MatrixXd> T) {
  const auto count = static_cast<Eigen::Index>(form.ports.size());
  if (T.rows() != 6 * count || T.cols() != 6 * count)
    throw Error(fmt::format("the transformer of {} ports is {}x{}; the matrix given is {}x{}",
                            count, 6 * count, 6 * count, T.rows(), T.cols()));
  T.setZero();
  const Eigen::Index last = 6 * (count - 1);
  Eigen::Index row = 0;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    if (i == form.active) continue;
    const Matrix6 K = wrench_shift(form.ports[at(i)] - form.ports[at(form.active)]);
    T.block<6, 6>(row, last) = K.transpose();
    T.block<6, 6>(last, row) = -K;
    row += 6;
  }
}

}  // namespace linkwright::network
