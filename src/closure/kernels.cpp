// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include "closure/closure_kernels.hpp"
#include "linkwright/closure/sweeps/columns.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/closure/sweeps/stand.hpp"
#include "linkwright/dynamics/sweeps/bundles.hpp"

namespace linkwright::closure {
inline namespace LINKWRIGHT_ISA {

void place_loops(const BundledTree& tree, BundledScratch& s, LoopScratch& loops, const double* v) {
  move_tips(tree, s, loops, v);
}

void close(const BundledTree& tree, BundledScratch& s, const std::vector<ClosurePlace>& closures,
           LoopScratch& loops) {
  sweeps::scatter_filtered(tree, s);
  loop_columns(tree, s, closures, loops);
  solve_omega(loops);
  add_closure_forces(tree, s, loops);
  sweeps::gather_innovations(tree, s);
}

bool stand_closed(const BundledTree& tree, BundledScratch& s, LoopScratch& loops, const double* v) {
  return close_stand(tree, s, loops, v);
}

}  // namespace LINKWRIGHT_ISA

#define LINKWRIGHT_TABLE_(isa) closure_kernels_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)
const ClosureKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {place_loops, close, stand_closed};

}  // namespace linkwright::closure
