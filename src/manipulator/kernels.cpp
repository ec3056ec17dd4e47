// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include "manipulator/chain_kernels.hpp"

namespace linkwright::operators {
inline namespace LINKWRIGHT_ISA {

void free_efforts(Evaluation<double>& e, const Given<double>& x, double* T_free) {
  evaluate(e, x.T_ - H * phi * (M * (transpose(phi) * (x.a + E * x.g)) + x.b), T_free);
}
void predict(Evaluation<double>& e, const Given<double>& x, const double* T_free, double* alpha) {
  const Stacked<Space::joint_effort, double> T_{T_free};
  evaluate(e,
           transpose(B) * (transpose(psi) * transpose(H) * inverse(D) * (I - H * Psi * L) * T_ +
                           transpose(phi) * (x.a + E * x.g)),
           alpha);
}
void correct(Evaluation<double>& e, const double* T_free, const double* t, double* a) {
  const Stacked<Space::joint_effort, double> T_{T_free};
  const Stacked<Space::tip_force, double> f{t};
  evaluate(e, transpose(I - H * Psi * L) * inverse(D) * (T_ - H * psi * (S * L * T_ - B * f)), a);
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators

namespace linkwright::manipulator {

#define LINKWRIGHT_TABLE_(isa) chains_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)
const ChainKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {operators::operational_shares<double>,
                                                       operators::free_efforts, operators::predict,
                                                       operators::correct};

}  // namespace linkwright::manipulator
