#include "dynamics/derivatives/derivative_kernels.hpp"
#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/instruction_set.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/derivatives.hpp"

namespace linkwright {

const DerivativeKernels& derivative_kernels() {
  static const DerivativeKernels& chosen = LINKWRIGHT_CHOOSE_TABLE(derivative_kernels);
  return chosen;
}

namespace {

sweeps::Square<double> square(MatrixRef& m) { return {m.data(), m.outerStride()}; }

void check_square(const System& system, const MatrixRef& m, const char* name) {
  door::check_output(m, system.nv(), system.nv(), name);
}

/// Everything that may be refused; then the joints stand.
void check_and_place(Workspace& work, const State& state, const ConstVectorRef& a,
                     ExternalForces forces, const MatrixRef& dtau_dq, const MatrixRef& dtau_dv) {
  const System& system = work.system();
  door::check_state(system, state);
  door::check_velocity_like(system, a, "a");
  check_square(system, dtau_dq, "dtau_dq");
  check_square(system, dtau_dv, "dtau_dv");
  check_forces(system, forces);
  kernels().place(system.tree(), work.scratch(), state.q.data());
  if (system.tree().body_forces.line_springs.empty()) return;
  kernels().poses(system.tree(), work.scratch());
  check_springs(system, work.scratch());
}

}  // namespace

void compute_inverse_dynamics_derivatives(Workspace& work, const State& state,
                                          const ConstVectorRef& a, ExternalForces forces,
                                          MatrixRef dtau_dq, MatrixRef dtau_dv) {
  const System& system = work.system();
  check_and_place(work, state, a, forces, dtau_dq, dtau_dv);
  const AppliedForces applied{system, forces};
  derivative_kernels().inverse_dynamics(system.tree(), work.scratch(), work.derivatives(),
                                        state.q.data(), state.v.data(), a.data(), to_loads(applied),
                                        square(dtau_dq), square(dtau_dv));
}

void compute_inverse_dynamics_derivatives(Workspace& work, const State& state,
                                          const ConstVectorRef& a, ExternalForces forces,
                                          MatrixRef dtau_dq, MatrixRef dtau_dv, MatrixRef dtau_da) {
  const System& system = work.system();
  check_square(system, dtau_da, "dtau_da");
  check_and_place(work, state, a, forces, dtau_dq, dtau_dv);
  const AppliedForces applied{system, forces};
  derivative_kernels().inverse_dynamics_and_mass(
      system.tree(), work.scratch(), work.derivatives(), state.q.data(), state.v.data(), a.data(),
      to_loads(applied), square(dtau_dq), square(dtau_dv), square(dtau_da));
}

void compute_forward_dynamics_derivatives(Workspace& work, const State& state,
                                          const ConstVectorRef& tau, ExternalForces forces,
                                          MatrixRef da_dq, MatrixRef da_dv, MatrixRef da_dtau) {
  const System& system = work.system();
  door::check_state(system, state);
  door::check_efforts(system, tau);
  check_square(system, da_dq, "da_dq");
  check_square(system, da_dv, "da_dv");
  check_square(system, da_dtau, "da_dtau");
  check_forces(system, forces);
  const AppliedForces applied{system, forces};
  const BundledTree& tree = system.tree();
  const bool resisted =
      kernels().forward_dynamics_filter(tree, work.scratch(), state.q.data(), state.v.data(),
                                        tau.data(), work.spare().data(), to_loads(applied));
  check_springs(system, work.scratch());
  if (!resisted) door::check_articulated(system, work.scratch());
  kernels().forward_dynamics_smoother(tree, work.scratch(), work.spare().data());
  derivative_kernels().forward_dynamics(tree, work.scratch(), work.derivatives(), state.q.data(),
                                        state.v.data(), work.spare().data(), to_loads(applied),
                                        square(da_dq), square(da_dv), square(da_dtau));
}

}  // namespace linkwright
