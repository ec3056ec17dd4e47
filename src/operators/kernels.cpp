// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include "linkwright/operators/sweeps/factorize.hpp"
#include "linkwright/operators/sweeps/sweep.hpp"
#include "operators/operator_kernels.hpp"

namespace linkwright::operators {
inline namespace LINKWRIGHT_ISA {

void apply_mass(OperatorData<double>& data, const double* x, double* between, double* y) {
  const Stacked<Space::joint_rate, double> rate{x};
  const Stacked<Space::link_motion, double> motion{between};
  sweep<Direction::outward>(data, assign_to(between, transpose(phi) * transpose(H) * rate));
  sweep<Direction::inward>(data, assign_to(y, H * phi * M * motion));
}
void apply_inverse_mass(OperatorData<double>& data, const double* x, double* between, double* y) {
  const Stacked<Space::joint_effort, double> effort{x};
  const Stacked<Space::joint_rate, double> nu{between};
  sweep<Direction::inward>(data, assign_to(between, inverse(D) * (I - H * Psi * L) * effort));
  sweep<Direction::outward>(data, assign_to(y, transpose(I - H * Psi * L) * nu));
}

}  // namespace LINKWRIGHT_ISA

#define LINKWRIGHT_TABLE_(isa) operators_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)
const OperatorKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {factorize<double>, apply_mass,
                                                          apply_inverse_mass};

}  // namespace linkwright::operators
