#include "linkwright/dynamics/second_derivatives.hpp"

#include <algorithm>

#include "dynamics/derivatives/second_order/second_kernels.hpp"
#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/instruction_set.hpp"
#include "dynamics/kernels.hpp"

namespace linkwright {

struct SecondDerivatives::Room : SecondRoom {
  using SecondRoom::SecondRoom;
};

SecondDerivatives::SecondDerivatives(const System& system)
    : system_(&system),
      nv_(system.nv()),
      numbers_(4 * static_cast<std::size_t>(nv_) * static_cast<std::size_t>(nv_) *
               static_cast<std::size_t>(nv_)),
      room_(std::make_unique<Room>(system.tree(), (system.nv() + 7) / 8)) {}
SecondDerivatives::~SecondDerivatives() = default;
SecondDerivatives::SecondDerivatives(SecondDerivatives&&) noexcept = default;
SecondDerivatives& SecondDerivatives::operator=(SecondDerivatives&&) noexcept = default;

void compute_inverse_dynamics_second_derivatives(Workspace& work, const State& state,
                                                 const ConstVectorRef& a, ExternalForces forces,
                                                 SecondDerivatives& out) {
  static const SecondKernels& chosen = LINKWRIGHT_CHOOSE_TABLE(second_kernels);
  const System& system = work.system();
  const BundledTree& tree = system.tree();
  door::check_state(system, state);
  door::check_velocity_like(system, a, "a");
  check_forces(system, forces);
  if (out.system_ != &system)
    throw Error(
        "the second derivatives are those of another system: their zeros need not be those of this "
        "one. Make them with SecondDerivatives(work.system())");
  kernels().place(tree, work.scratch(), state.q.data());
  if (!tree.body_forces.line_springs.empty()) {
    kernels().poses(tree, work.scratch());
    check_springs(system, work.scratch());
    // Springs between bodies reach where the inertias of bodies do not.
    std::fill(out.numbers_.begin(), out.numbers_.end(), 0.0);
  }
  const AppliedForces applied{system, forces};
  const std::size_t cube = out.numbers_.size() / 4;
  double* numbers = out.numbers_.data();
  chosen.second_derivatives(tree, work.scratch(), work.derivatives(), *out.room_, state.q.data(),
                            state.v.data(), a.data(), to_loads(applied),
                            {numbers, numbers + cube, numbers + 2 * cube, numbers + 3 * cube});
}

}  // namespace linkwright
