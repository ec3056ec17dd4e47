// Entries of P, Q, u and K'S from positions and velocities. In the order [angular; linear] of this library the blocks
// of the paper's matrices change places.
#include "linkwright/network/terminal_equations.hpp"
#include "network/mechanics/skew.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

using Block = Eigen::Matrix3d;

bool is_outboard(const Placement& at, int body, int joint) {
  while (body > joint) body = at.bodies[linkwright::at(body)].parent;
  return body == joint;
}

/// f(body j) for all bodies that move with both joints.
template <class F>
void for_each_outboard(const Placement& at, int p, int q, F use) {
  for (int j = std::max(p, q); j < static_cast<int>(at.bodies.size()); ++j)
    if (is_outboard(at, j, p) && is_outboard(at, j, q)) use(at.bodies[linkwright::at(j)]);
}

}  // namespace

Matrix6 closed_form_P(const Placement& at, int p, int q) {
  Matrix6 sum = Matrix6::Zero();
  const Vector3 &B_p = at.bodies[linkwright::at(p)].B, &B_q = at.bodies[linkwright::at(q)].B;
  for_each_outboard(at, p, q, [&](const Placement::Body& body) {
    const Block R_p = skew_of(body.G - B_p), R_q = skew_of(body.G - B_q);
    sum.topLeftCorner<3, 3>() += to_eigen(to_full(body.J_G)) + body.mass * R_p * R_q.transpose();
    sum.topRightCorner<3, 3>() += body.mass * R_p;
    sum.bottomLeftCorner<3, 3>() += body.mass * R_q.transpose();
    sum.bottomRightCorner<3, 3>() += body.mass * Block::Identity();
  });
  return sum;
}

Matrix6 closed_form_Q(const Placement& at, int p, int q) {
  Matrix6 sum = Matrix6::Zero();
  const Placement::Body &joint_p = at.bodies[linkwright::at(p)],
                        &joint_q = at.bodies[linkwright::at(q)];
  for_each_outboard(at, p, q, [&](const Placement::Body& body) {
    const Block R_p = skew_of(body.G - joint_p.B);
    const Block R_q_rate = skew_of(twist_at_G(body).linear - joint_q.x_B.linear);
    sum.topLeftCorner<3, 3>() += skew_of(body.x_B.angular) * to_eigen(to_full(body.J_G)) +
                                 body.mass * R_p * R_q_rate.transpose();
    sum.bottomLeftCorner<3, 3>() += body.mass * R_q_rate.transpose();
  });
  return sum;
}

Vector6 closed_form_u(const Placement& at, int p) {
  Vector6 sum = Vector6::Zero();
  const Vector3& B_p = at.bodies[linkwright::at(p)].B;
  const Eigen::Vector3d g = to_eigen(at.gravity);
  for_each_outboard(at, p, p, [&](const Placement::Body& body) {
    sum.head<3>() -= body.mass * (skew_of(body.G - B_p) * g);
    sum.tail<3>() -= body.mass * g;
  });
  return sum;
}

Matrix6 closed_form_load_map(const Placement& at, const LoadPort& load, int j) {
  if (!is_outboard(at, load.body, j)) return Matrix6::Zero();
  return wrench_shift(load.place - at.bodies[linkwright::at(j)].B).transpose();
}

}  // namespace linkwright::network
