#pragma once
/// One rigid body as a component with ports: an ideal transformer, and an active one-port that stands for inertia
/// and weight at whichever port one likes.
///
///     RigidBody body{.mass = 2, .J_G = J, .G = centre, .omega = omega, .ports = {A, B, centre}};
///     const TerminalForm at_G = make_terminal_form(body, 2, gravity);   // Tokad's equation (1)
///     const TerminalForm at_B = convert(at_G, 1);                       // his (5): the same component
///
/// World axes, twists x = [ω; v], wrenches y = [N; F]. With port c the active one, for every other port i
///   x_i = K_iᵀ x_c,    y_c = W x_c − Σ K_i y_i + u,    W = P d/dt + Q
/// where K_i = [1 r̃; 0 1], r from c to i, carries a wrench from port i to port c. y is the wrench on the body.

#include <vector>

#include <Eigen/Core>

#include "linkwright/spatial/spatial.hpp"

namespace linkwright::network {

/// Stored the same in every program, whatever vector instructions it is compiled for.
using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::DontAlign>;
using Vector6 = Eigen::Matrix<double, 6, 1, Eigen::DontAlign>;

/// y = P ẋ + Q x + u at one terminal (4): inertia, what it does because it turns, and a through driver.
struct OnePort {
  Matrix6 P = Matrix6::Zero(), Q = Matrix6::Zero();
  Vector6 u = Vector6::Zero();
};
/// Two at one terminal, in parallel.
inline OnePort operator+(const OnePort& a, const OnePort& b) {
  return {a.P + b.P, a.Q + b.Q, a.u + b.u};
}
/// The wrench that it takes to move it so.
inline Vector6 wrench(const OnePort& one, const Vector6& x_rate, const Vector6& x) {
  return one.P * x_rate + one.Q * x + one.u;
}

/// K: a wrench at r, carried to the origin; Kᵀ carries a twist from there to r.
Matrix6 wrench_shift(const Vector3& r);
/// The same one-port through an ideal body, at a terminal from which it lies at r; r changes by r_rate.
///   P′ = K P Kᵀ,    Q′ = K (Q Kᵀ + P dKᵀ/dt),    u′ = K u
OnePort move(const OnePort& one, const Vector3& r, const Vector3& r_rate);

struct RigidBody {
  double mass = 0;
  Symmetric3 J_G{};              ///< about the mass centre, world axes
  Vector3 G{};                   ///< mass centre
  Vector3 omega{};               ///< angular velocity
  std::vector<Vector3> ports{};  ///< positions; the mass centre may be one of them
};

/// Inertia and weight at the mass centre (2): P = diag(J_G, m 1), Q = diag(ω̃ J_G, 0), u = −[0; m g].
OnePort one_port_at_centre(const RigidBody& body, const Vector3& gravity);

/// The terminal equations solved for the across variables of all ports but one.
struct TerminalForm {
  int active = 0;      ///< index of the port that has the one-port
  OnePort one_port{};  ///< there
  Vector3 omega{};
  std::vector<Vector3> ports{};
};
/// Throws Error for a port that the body does not have.
TerminalForm make_terminal_form(const RigidBody& body, int active, const Vector3& gravity);
/// From any port to any port, by the form alone.
TerminalForm convert(const TerminalForm& form, int active);

/// (3): what is left of the equations without the one-port, [x_1 … x_k; y_c] = T [y_1 … y_k; x_c] with the active
/// port last and the others in order; antisymmetric, 6k × 6k.
void compute_ideal_transformer(const TerminalForm& form, Eigen::Ref<Eigen::MatrixXd> T);

}  // namespace linkwright::network
