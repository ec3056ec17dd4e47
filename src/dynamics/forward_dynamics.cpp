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
  const AppliedForces applied{system, forces};
  const bool resisted = kernels().forward_dynamics_filter(
      system.tree(), work.scratch(), state.q.data(), state.v.data(), tau.data(),
      work.spare().data(), to_loads(applied));
  check_springs(system, work.scratch());
  if (!resisted) door::check_articulated(system, work.scratch());
  kernels().forward_dynamics_smoother(system.tree(), work.scratch(), a.data());
}

}  // namespace linkwright
