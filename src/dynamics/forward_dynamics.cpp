#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/dynamics.hpp"

namespace linkwright {

void compute_forward_dynamics(Workspace& work, const State& state, const ConstVectorRef& tau,
                              ExternalForces forces, VectorRef a) {
  const System& system = work.system();
  door::check_state(system, state);
  door::check_efforts(system, tau);
  door::check_output(a.size(), system.nv(), "a");
  check_forces(system, forces);
  kernels().place(system.tree(), work.scratch(), state.q.data());
  const Force* f_ext = gather_body_forces(system, work.scratch(), state, forces);
  const double* effort = tau.data();
  if (system.tree().joint_forces.any) {
    Eigen::Map<Eigen::VectorXd> total(work.spare().data(), system.nv());
    total = tau;
    kernels().joint_forces(system.tree(), state.q.data(), state.v.data(), total.data());
    effort = total.data();
  }
  kernels().forward_dynamics_filter(system.tree(), work.scratch(), state.v.data(), effort, f_ext);
  door::check_articulated(work.system(), work.scratch());
  kernels().forward_dynamics_smoother(system.tree(), work.scratch(), a.data());
}

}  // namespace linkwright
