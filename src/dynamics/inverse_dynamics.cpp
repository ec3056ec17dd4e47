#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/dynamics.hpp"

namespace linkwright {

void compute_inverse_dynamics(Workspace& work, const State& state, const ConstVectorRef& a,
                              ExternalForces forces, VectorRef tau) {
  const System& system = work.system();
  door::check_state(system, state);
  door::check_velocity_like(system, a, "a");
  door::check_output(tau.size(), system.nv(), "tau");
  check_forces(system, forces);
  const AppliedForces applied{system, forces};
  const Force* f_ext = kernels().place_and_gather(system.tree(), work.scratch(), state.q.data(),
                                                  state.v.data(), to_loads(applied));
  check_springs(system, work.scratch());
  kernels().inverse_dynamics(system.tree(), work.scratch(), state.v.data(), a.data(), f_ext,
                             tau.data());
  if (!system.tree().joint_forces.any) return;
  Eigen::Map<Eigen::VectorXd> given(work.spare().data(), system.nv());
  given.setZero();
  kernels().joint_forces(system.tree(), state.q.data(), state.v.data(), given.data());
  tau -= given;
}

void compute_bias(Workspace& work, const State& state, VectorRef bias) {
  const System& system = work.system();
  door::check_state(system, state);
  door::check_output(bias.size(), system.nv(), "bias");
  BundledScratch& s = work.scratch();
  kernels().place(system.tree(), s, state.q.data());
  kernels().inverse_dynamics(system.tree(), s, state.v.data(), s.zero.data(), nullptr, bias.data());
}

void compute_gravity(Workspace& work, const ConstVectorRef& q, VectorRef gravity) {
  const System& system = work.system();
  door::check_position(system, q);
  door::check_output(gravity.size(), system.nv(), "gravity");
  BundledScratch& s = work.scratch();
  kernels().place(system.tree(), s, q.data());
  kernels().inverse_dynamics(system.tree(), s, s.zero.data(), s.zero.data(), nullptr,
                             gravity.data());
}

void compute_coriolis(Workspace& work, const State& state, VectorRef coriolis) {
  const System& system = work.system();
  compute_bias(work, state, coriolis);
  Eigen::Map<Eigen::VectorXd> gravity(work.spare().data(), system.nv());
  BundledScratch& s = work.scratch();
  kernels().inverse_dynamics(system.tree(), s, s.zero.data(), s.zero.data(), nullptr,
                             gravity.data());
  coriolis -= gravity;
}

}  // namespace linkwright
