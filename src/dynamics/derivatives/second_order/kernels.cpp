// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include "dynamics/derivatives/second_order/second_kernels.hpp"

#define LINKWRIGHT_TABLE_(isa) second_kernels_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

bool inverse_dynamics_second_derivatives(const Tree<double>& tree, Scratch<double>& s,
                                         DerivativeScratch<double>& d, SecondRoom& room,
                                         const double* q, const double* v, const double* a,
                                         const ExternalLoads<double>& loads,
                                         const Cubes<double>& out) {
  prepare_derivatives<double>(tree, s, d, v, a, loads);
  second_derivatives<double>(tree, d, room.sweep, out);
  return add_force_curvature<double>(tree, room.curvature, q, v, loads, out);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA

namespace linkwright {

const SecondKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {
    .second_derivatives = sweeps::inverse_dynamics_second_derivatives,
};

}  // namespace linkwright
