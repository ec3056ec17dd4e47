#include "closure/derivatives/pair_motion.hpp"

#include "closure/derivatives/derivative_kernels.hpp"

namespace linkwright::closure {

void compute_pair_motion(const System& system, const Scratch<double>& s, int node_a,
                         const Pose& at_a, int node_b, const Pose& at_b, PairMotion& out) {
  if (out.stride == 0) out.make_room(system.nv());
  derivative_kernels().find_motion(system.tree(), s, node_a, at_a, node_b, at_b, out);
}

}  // namespace linkwright::closure
