// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include "dynamics/derivatives/derivative_kernels.hpp"
#include "linkwright/dynamics/sweeps/derivatives/forward_dynamics.hpp"

#define LINKWRIGHT_TABLE_(isa) derivative_kernels_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)

namespace linkwright {

const DerivativeKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {
    .inverse_dynamics = sweeps::inverse_dynamics_derivatives<double>,
    .inverse_dynamics_and_mass = sweeps::inverse_dynamics_derivatives_and_mass<double>,
    .forward_dynamics = sweeps::forward_dynamics_derivatives<double>,
    .multiply = sweeps::multiply_square<double>,
};

}  // namespace linkwright
