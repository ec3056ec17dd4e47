// Derivatives of inverse dynamics of closed mechanisms, in independent coordinates.
#include "closure/derivatives/room.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/derivatives.hpp"

namespace linkwright {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void compute_inverse_dynamics_derivatives(ClosedWorkspace& work, const State& state,
                                          const ConstVectorRef& a, ExternalForces forces,
                                          std::span<const int> positions,
                                          std::span<const int> entries, MatrixRef dtau_dq,
                                          MatrixRef dtau_dv, MatrixRef dtau_da) {
  const System& system = work.system();
  const auto n = static_cast<Index>(entries.size()), m = static_cast<Index>(positions.size());
  door::check_velocity_like(system, a, "a");
  door::check_output(dtau_dq, n, m, "dtau_dq");
  door::check_output(dtau_dv, n, n, "dtau_dv");
  door::check_output(dtau_da, n, n, "dtau_da");
  VectorXd tau = VectorXd::Zero(system.effort_count());
  compute_inverse_dynamics(work, state, a, forces, {.entries = {entries.begin(), entries.end()}},
                           tau);
  MatrixXd a_q(n, m), a_v(n, n), a_tau(n, system.effort_count());
  // The coordinates' efforts, which need no motors.
  closure::find_derivatives_along(work, state, tau, forces, positions, entries, a_q, a_v, a_tau);
  compute_mass_matrix(work, state, entries, dtau_da);
  dtau_dq = -dtau_da * a_q;
  dtau_dv = -dtau_da * a_v;
}

}  // namespace linkwright
