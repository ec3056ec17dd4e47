// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include "linkwright/operators/sweeps/factorize.hpp"
#include "linkwright/operators/sweeps/operational_space.hpp"
#include "operators/algorithms.hpp"
#include "operators/operator_kernels.hpp"

namespace linkwright::operators {
inline namespace LINKWRIGHT_ISA {

void apply_mass(Evaluation<double>& e, const double* x, double* y) {
  evaluate(e, MassOperator{} * Stacked<Space::joint_rate, double>{x}, y);
}
void apply_inverse_mass(Evaluation<double>& e, const double* x, double* y) {
  evaluate(e, InverseMassOperator{} * Stacked<Space::joint_effort, double>{x}, y);
}

}  // namespace LINKWRIGHT_ISA

#define LINKWRIGHT_TABLE_(isa) operators_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)
const OperatorKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {
    apply_mass, apply_inverse_mass, factorize<double>, run<double>, operational_space<double>};

}  // namespace linkwright::operators
