#pragma once
/// How the motion of a frame b, seen from a frame a, changes with the joints between them.
///
/// Given    poses, velocities, accelerations and motion columns S of all nodes
/// Computes V and V̇ of b in a, b's own numbers, and for every freedom k on the way between the frames
///            J_k = ±S_k (+ where k carries b, − where it carries a),
///            ∂V/∂v_k = ∂V̇/∂v̇_k = J_k, which is also the displacement of b in a per unit of q_k,
///            ∂V/∂q_k, ∂V̇/∂q_k and ∂V̇/∂v_k
///          With spatial velocities v and accelerations a of the nodes at one fixed point (b's origin), p the
///          parent of k's node, and × the bracket of twists, V = v_b − v_a, V̇ = a_b − a_a + v_b × v_a. A joint
///          turns all that it carries: with w = v_c − v_p for the frame c that it carries
///            δv_c = S × w,   δa_c = S × (a_c − a_p) + (v_p × S) × w            (per unit of q_k)
///            ∂a_c/∂v_k = v_k × S + S × w
///          and b's own numbers lose S × (·) where b itself is carried.
/// Cost     O(joints between the frames), as many freedoms side by side as a register holds

#include <cstddef>
#include <vector>

#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::closure {

struct PairMotion {
  enum Field { displacement, velocity_by_q, acceleration_by_q, acceleration_by_v };
  static constexpr int fields = 4, lanes = 8;

  Pose X{};         // of b in a
  Motion V{}, A{};  // A: the rates of the numbers in V
  /// Freedoms from b inward, then from a inward; the first `on_b` of them carry b.
  int on_b = 0;
  std::vector<int> v, node;  // entry; node
  std::ptrdiff_t stride = 0;
  std::vector<double> numbers;  // of a field: component c of freedom k at [c · stride + k]

  /// For so many freedoms at most, whole packs at the end of either side.
  void make_room(int freedoms) {
    v.reserve(static_cast<std::size_t>(freedoms));
    node.reserve(static_cast<std::size_t>(freedoms));
    stride = (freedoms + 2 * lanes - 1) / lanes * lanes;
    numbers.assign(static_cast<std::size_t>(6 * fields * stride), 0.0);
  }
  [[nodiscard]] int count() const { return static_cast<int>(v.size()); }
  [[nodiscard]] const double* field(Field f) const { return numbers.data() + 6 * f * stride; }
  [[nodiscard]] Motion column(Field f, int k) const {
    const double* x = field(f) + k;
    return {{x[0], x[stride], x[2 * stride]}, {x[3 * stride], x[4 * stride], x[5 * stride]}};
  }
  /// Freedoms j whose J_j changes with q_k, by J_j × J_k per unit: the first and the one behind the last.
  struct Range {
    int first, end;
  };
  [[nodiscard]] Range moved_by(int k) const {
    const auto n = static_cast<std::size_t>(k);
    int end = k + 1;
    const int side = k < on_b ? on_b : count();
    while (end < side && node[static_cast<std::size_t>(end)] == node[n]) ++end;
    return k < on_b ? Range{end, count()} : Range{on_b, end};
  }
};

/// Of frames on nodes, whose poses, velocities, accelerations and columns stand in `s`. Makes room where there is none;
/// allocates nothing otherwise.
void compute_pair_motion(const System& system, const Scratch<double>& s, int node_a,
                         const Pose& at_a, int node_b, const Pose& at_b, PairMotion& out);

/// The force F′ with J · F′ = (J × S) · F for every J.
inline Force turned(const Motion& S, const Force& F) {
  return {cross(S.angular, F.moment) + cross(S.linear, F.force), cross(S.angular, F.force)};
}

}  // namespace linkwright::closure
