#pragma once
/// How the motion of a frame b, seen from a frame a, changes with the joints between them.
///
/// Given    poses, velocities, accelerations and motion columns S of all nodes
/// Computes V and V̇ of b in a, b's own numbers, and for every freedom k on the way between the frames
///            J_k = ±S_k (+ where k carries b, − where it carries a),
///            ∂V/∂v_k = ∂V̇/∂v̇_k = J_k, which is also the displacement of b in a per unit of q_k,
///            ∂V/∂q_k, ∂V̇/∂q_k, ∂V̇/∂v_k, and the rate of J_k, (v_k − v_b) × J_k
///          With spatial velocities v and accelerations a of the nodes at one fixed point (b's origin), p the
///          parent of k's node, and × the bracket of twists, V = v_b − v_a, V̇ = a_b − a_a + v_b × v_a. A joint
///          turns all that it carries: with w = v_c − v_p for the frame c that it carries
///            δv_c = S × w,   δa_c = S × (a_c − a_p) + (v_p × S) × w            (per unit of q_k)
///            ∂a_c/∂v_k = v_k × S + S × w
///          and b's own numbers lose S × (·) where b itself is carried.
/// Cost     O(joints between the frames)

#include <vector>

#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::closure {

struct PairFreedom {
  int v = 0;  // entry
  int node = 0;
  bool carries_b = true;  // or a
  Motion J{}, J_rate{}, V_by_q{}, A_by_q{}, A_by_v{};
};

struct PairMotion {
  Pose X{};         // of b in a
  Motion V{}, A{};  // A: the rates of the numbers in V
  std::vector<PairFreedom> freedoms{};
};

/// Frames on nodes. `out` allocates nothing once it has room for nv freedoms.
void compute_pair_motion(const System& system, const Scratch<double>& s, int node_a,
                         const Pose& at_a, int node_b, const Pose& at_b, PairMotion& out);

/// Whether J_j changes with q_k: by J_j × J_k per unit.
inline bool moves(const PairFreedom& k, const PairFreedom& j) {
  if (k.carries_b) return !j.carries_b || j.node < k.node;
  return !j.carries_b && j.node >= k.node;
}

/// The force F′ with J · F′ = (J × S) · F for every J.
inline Force turned(const Motion& S, const Force& F) {
  return {cross(S.angular, F.moment) + cross(S.linear, F.force), cross(S.angular, F.force)};
}

}  // namespace linkwright::closure
