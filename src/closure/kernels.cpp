// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include "closure/closure_kernels.hpp"
#include "linkwright/closure/sweeps/columns.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"

namespace linkwright::closure {
inline namespace LINKWRIGHT_ISA {

void close(const Tree<double>& tree, Scratch<double>& s, const std::vector<ClosurePlace>& closures,
           LoopScratch& loops) {
  loop_columns(tree, s, closures, loops);
  gather_omega(loops);
  solve_omega(loops);
  add_closure_forces(tree, s, loops);
}

}  // namespace LINKWRIGHT_ISA

#define LINKWRIGHT_TABLE_(isa) closure_kernels_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)
const ClosureKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {close};

}  // namespace linkwright::closure
