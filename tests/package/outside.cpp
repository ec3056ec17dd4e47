// An outside program that hands Eigen vectors it allocated to the installed library: were alignment
// or allocation part of the binary interface, the build with other vector flags would crash or
// differ.
#include <cstdio>
#include <linkwright/dynamics/dynamics.hpp>
#include <linkwright/io/read_model.hpp>
#include <linkwright/system/system.hpp>

int main() {
  const auto system = linkwright::compile(linkwright::read_model("models/arm7.urdf"));
  linkwright::Workspace work(system);
  linkwright::State state(system);
  linkwright::compute_random(system, 1, state.q);
  state.v.setConstant(0.5);
  const Eigen::VectorXd tau = Eigen::VectorXd::LinSpaced(system.nv(), -1, 1);
  Eigen::VectorXd a(system.nv()), back(system.nv());
  linkwright::compute_forward_dynamics(work, state, tau, {}, a);
  linkwright::compute_inverse_dynamics(work, state, a, {}, back);
  linkwright::State moved = state;  // freed here, written there
  linkwright::compute_integral(system, state.q, state.v, 0.01, moved.q);
  const double error = (back - tau).norm() / tau.norm();
  std::printf("Eigen aligns to %d bytes; inverse of forward dynamics is off by %.1e\n",
              EIGEN_MAX_ALIGN_BYTES, error);
  return error < 1e-10 && (moved.q - state.q).norm() > 0 ? 0 : 1;
}
