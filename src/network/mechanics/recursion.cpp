#include "linkwright/network/recursion.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/door.hpp"
#include "linkwright/dynamics/sweeps/gains.hpp"
#include "linkwright/dynamics/weak_joints.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

using spatial::shift;
using Body = Placement::Body;
using Articulated = spatial::ArticulatedInertia<double>;

/// P_B of the body itself (49).
Inertia inertia_at_B(const Body& body) {
  return spatial::inertia_from_com(body.mass, body.arm_to_G, body.J_G);
}

/// Q_B x_B + u_B − load (49).
Force drift_at_B(const Body& body, const Vector3& gravity) {
  const Vector3 &omega = body.x_B.angular, r = body.arm_to_G;
  const Vector3 F = body.mass * (cross(omega, cross(omega, r)) - gravity);
  return Force{cross(omega, body.J_G * omega) + cross(r, F), F} - body.load;
}

/// x_A of the parent's terminal where the body's B is, from the twist of the parent at its own B.
Motion carry(const Vector3& arm, const Motion& parent) { return shift(arm, parent); }

double sum_of_diagonal(const Symmetric3& S) { return S.xx + S.yy + S.zz; }

/// e, and p⁺ of what hangs on the parent; `p` is P c + p here.
Force pass_on(const Body& body, const Placement& at, const double* C, const Force* Y,
              const double* tau, const Force& p, double* e) {
  Force p_plus = p;
  for (int i = 0; i < body.d; ++i) {
    e[i] = tau[i] - dot(p, at.Hstar[linkwright::at(body.v + i)]);
    for (int j = 0; j < i; ++j) e[i] -= C[6 * i + j] * e[j];
    e[i] /= C[6 * i + i];
    p_plus += e[i] * Y[i];
  }
  return p_plus;
}

}  // namespace

Recursion::Recursion(const Placement& placement)
    : ports_(placement.bodies.size()),
      Y_(at(placement.nv())),
      C_(6 * at(placement.nv())),
      e_(at(placement.nv())) {}

double& Recursion::C(const Body& body, int i, int j) {
  return C_[6 * linkwright::at(body.v + i) + linkwright::at(j)];
}

/// c(j), and arms.
void Recursion::find_biases(const Placement& at, const ConstVectorRef& v) {
  for (std::size_t j = 0; j < ports_.size(); ++j) {
    const Body& body = at.bodies[j];
    Port& port = ports_[j];
    port.c = {};
    for (int i = body.v; i < body.v + body.d; ++i)
      port.c += v[i] * at.Hstar_rate[linkwright::at(i)];
    if (body.parent < 0) continue;
    const Body& parent = at.bodies[linkwright::at(body.parent)];
    port.arm = body.arm;
    port.c.linear += cross(parent.x_B.angular, body.x_B.linear - parent.x_B.linear);
  }
}

void Recursion::compute_efforts(const Placement& at, const ConstVectorRef& v,
                                const ConstVectorRef& a, VectorRef tau) {
  find_biases(at, v);
  for (std::size_t j = 0; j < ports_.size(); ++j) {  // (40)
    const Body& body = at.bodies[j];
    Port& port = ports_[j];
    port.x_rate = port.c;
    if (body.parent >= 0)
      port.x_rate += carry(port.arm, ports_[linkwright::at(body.parent)].x_rate);
    for (int i = body.v; i < body.v + body.d; ++i)
      port.x_rate += a[i] * at.Hstar[linkwright::at(i)];
    port.p = inertia_at_B(body) * port.x_rate + drift_at_B(body, at.gravity);
  }
  for (std::size_t j = ports_.size(); j-- > 0;) {  // (41)
    const Body& body = at.bodies[j];
    const Force& y = ports_[j].p;
    for (int i = body.v; i < body.v + body.d; ++i)
      tau[i] = dot(y, at.Hstar[linkwright::at(i)]) + at.rotor[linkwright::at(i)] * a[i];
    if (body.parent >= 0) ports_[linkwright::at(body.parent)].p += shift(ports_[j].arm, y);
  }
}

const Force& Recursion::wrench(int body) const { return ports_[at(body)].p; }
const Motion& Recursion::rate_at_B(int body) const { return ports_[at(body)].x_rate; }

/// The joint in series: C, Y and P⁺. False where D is rounding of what it was left of.
bool Recursion::eliminate(const Placement& at, int k) {
  const Body& body = at.bodies[linkwright::at(k)];
  Port& port = ports_[linkwright::at(k)];
  const Articulated& P = port.P;
  port.P_plus = P;
  bool resisted = true;
  for (int i = 0; i < body.d; ++i) {
    const Motion& column = at.Hstar[linkwright::at(body.v + i)];
    Force& Y = Y_[linkwright::at(body.v + i)];
    Y = P * column;
    const double most = dot(column.angular, column.angular) * sum_of_diagonal(P.I) +
                        dot(column.linear, column.linear) * sum_of_diagonal(P.M) +
                        at.rotor[linkwright::at(body.v + i)];
    for (int j = 0; j < i; ++j) {
      double entry = dot(Y, at.Hstar[linkwright::at(body.v + j)]);
      for (int l = 0; l < j; ++l) entry -= C(body, i, l) * C(body, j, l);
      C(body, i, j) = entry / C(body, j, j);
    }
    double pivot = dot(Y, column) + at.rotor[linkwright::at(body.v + i)];
    for (int l = 0; l < i; ++l) pivot -= C(body, i, l) * C(body, i, l);
    resisted = resisted && pivot > no_resistance * most;
    magnification_ = std::max(magnification_, most / pivot);
    C(body, i, i) = std::sqrt(std::max(pivot, 0.0));
    for (int j = 0; j < i; ++j) Y -= C(body, i, j) * Y_[linkwright::at(body.v + j)];
    Y = (1 / C(body, i, i)) * Y;
    sweeps::subtract_product(port.P_plus, Y, Y);
  }
  return resisted;
}

int Recursion::factorize(const Placement& at) {
  magnification_ = 1;
  for (std::size_t j = 0; j < ports_.size(); ++j) {
    const Body& body = at.bodies[j];
    ports_[j].arm = body.arm;
    ports_[j].P = inertia_at_B(body) + Articulated{};
  }
  for (int j = static_cast<int>(ports_.size()) - 1; j >= 0; --j) {
    if (!eliminate(at, j)) return j;
    const int parent = at.bodies[linkwright::at(j)].parent;
    Port& port = ports_[linkwright::at(j)];
    if (parent >= 0) ports_[linkwright::at(parent)].P += shift(port.arm, port.P_plus);
  }
  return -1;
}

void Recursion::compute_accelerations(const Placement& at, const ConstVectorRef& v,
                                      const ConstVectorRef& tau, VectorRef a) {
  find_biases(at, v);
  for (std::size_t j = 0; j < ports_.size(); ++j)
    ports_[j].p = drift_at_B(at.bodies[j], at.gravity);
  for (std::size_t j = ports_.size(); j-- > 0;) {
    const Body& body = at.bodies[j];
    Port& port = ports_[j];
    const auto first = linkwright::at(body.v);
    port.p_plus = pass_on(body, at, C_.data() + 6 * first, Y_.data() + first, tau.data() + first,
                          port.P * port.c + port.p, e_.data() + first);
    if (body.parent >= 0) ports_[linkwright::at(body.parent)].p += shift(port.arm, port.p_plus);
  }
  go_outward(at, e_.data(), a, true);
}

void Recursion::go_outward(const Placement& at, const double* e, VectorRef a, bool with_biases) {
  for (std::size_t j = 0; j < ports_.size(); ++j) {
    const Body& body = at.bodies[j];
    Port& port = ports_[j];
    Motion x_A{};
    if (body.parent >= 0) x_A = carry(port.arm, ports_[linkwright::at(body.parent)].x_rate);
    port.x_rate = with_biases ? x_A + port.c : x_A;
    for (int i = body.d - 1; i >= 0; --i) {
      const auto entry = linkwright::at(body.v + i);
      double sum = e[entry] - dot(Y_[entry], x_A);
      for (int l = i + 1; l < body.d; ++l) sum -= C(body, l, i) * a[body.v + l];
      a[body.v + i] = sum / C(body, i, i);
    }
    for (int i = body.v; i < body.v + body.d; ++i)
      port.x_rate += a[i] * at.Hstar[linkwright::at(i)];
  }
}

OnePort Recursion::equivalent(int body) const {
  const Port& port = ports_[at(body)];
  OnePort one;
  const Articulated& P = port.P_plus;
  const Eigen::Matrix3d H = to_eigen(P.H);
  one.P << to_eigen(to_full(P.I)), H, H.transpose(), to_eigen(to_full(P.M));
  one.u = to_eigen(port.p_plus);
  return one;
}

void Recursion::apply_W(const Placement& at, const ConstVectorRef& tau, VectorRef e) {
  for (Port& port : ports_) port.p_plus = {};
  for (std::size_t j = ports_.size(); j-- > 0;) {
    const Body& body = at.bodies[j];
    Port& port = ports_[j];
    const auto first = linkwright::at(body.v);
    const Force p = port.p_plus;
    port.p_plus = pass_on(body, at, C_.data() + 6 * first, Y_.data() + first, tau.data() + first, p,
                          e.data() + first);
    if (body.parent >= 0)
      ports_[linkwright::at(body.parent)].p_plus += shift(port.arm, port.p_plus);
  }
}

void Recursion::apply_Wt(const Placement& at, const ConstVectorRef& e, VectorRef a) {
  go_outward(at, e.data(), a, false);
}

void Recursion::compute_accelerations_with(const Placement& at, const ConstVectorRef& e,
                                           VectorRef a) {
  for (std::size_t i = 0; i < e_.size(); ++i) e_[i] += e[static_cast<Eigen::Index>(i)];
  go_outward(at, e_.data(), a, true);
}

}  // namespace linkwright::network
