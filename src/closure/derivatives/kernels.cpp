// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include "closure/derivatives/derivative_kernels.hpp"
#include "linkwright/closure/loop_path.hpp"
#include "linkwright/spatial/pack.hpp"

namespace linkwright::closure {
inline namespace LINKWRIGHT_ISA {

/// A register: packs that are split in halves cost six times as many instructions here.
using Lanes = spatial::Pack<double, static_cast<int>(spatial::register_bytes / sizeof(double))>;
static_assert(PairMotion::lanes % Lanes::size == 0);

/// Spatial velocity and acceleration of a node, in b's axes at its origin.
struct Spatial {
  Motion v, a;
};

LINKWRIGHT_INLINE Spatial seen_from(const Pose& tip, const Scratch<double>& s, int node) {
  if (node == 0) return {};
  const auto k = static_cast<std::size_t>(node);
  const Pose here = inverse(tip) * s.pose[k];
  const Motion &V = s.V[k], &alpha = s.alpha[k];
  return {to_parent(here, V),
          to_parent(here, Motion{alpha.angular, alpha.linear - cross(V.angular, V.linear)})};
}

/// What is known of freedoms that stand side by side: S, seen from the world, and of their nodes.
struct Side {
  enum { S, parent_v, parent_a, own_v, known };
  double x[known][6][Lanes::size]{};

  LINKWRIGHT_INLINE void write(int what, int lane, const Motion& m) {
    double(&to)[6][Lanes::size] = x[what];
    to[0][lane] = m.angular.x, to[1][lane] = m.angular.y, to[2][lane] = m.angular.z;
    to[3][lane] = m.linear.x, to[4][lane] = m.linear.y, to[5][lane] = m.linear.z;
  }
  LINKWRIGHT_INLINE spatial::Motion<Lanes> read(int what) const {
    const double(&from)[6][Lanes::size] = x[what];
    return {{Lanes::load(from[0]), Lanes::load(from[1]), Lanes::load(from[2])},
            {Lanes::load(from[3]), Lanes::load(from[4]), Lanes::load(from[5])}};
  }
};

LINKWRIGHT_INLINE void write_field(PairMotion& out, PairMotion::Field field, int first,
                                   const spatial::Motion<Lanes>& x) {
  double* to = out.numbers.data() + 6 * field * out.stride + first;
  x.angular.x.store(to), x.angular.y.store(to + out.stride), x.angular.z.store(to + 2 * out.stride);
  to += 3 * out.stride;
  x.linear.x.store(to), x.linear.y.store(to + out.stride), x.linear.z.store(to + 2 * out.stride);
}

/// Of one pack of freedoms, which carry c; the other frame moves with u.
template <bool carries_b>
LINKWRIGHT_INLINE void carry(const Side& side, const Pose& tip, const Spatial& c, const Motion& u,
                             int first, PairMotion& out) {
  const auto S = to_child(tip, side.read(Side::S)), p = side.read(Side::parent_v),
             pa = side.read(Side::parent_a), own = side.read(Side::own_v);
  const auto w = c.v - p;
  const auto turn = bracket(S, w);
  const auto a = bracket(S, c.a - pa) + bracket(bracket(p, S), w) + bracket(turn, u);
  const auto a_by_v = bracket(own, S) + turn + bracket(S, u);
  if constexpr (carries_b) {
    write_field(out, PairMotion::displacement, first, S);
    write_field(out, PairMotion::velocity_by_q, first, turn - bracket(S, out.V));
    write_field(out, PairMotion::acceleration_by_q, first, a - bracket(S, out.A));
    write_field(out, PairMotion::acceleration_by_v, first, a_by_v);
  } else {
    write_field(out, PairMotion::displacement, first, -S);
    write_field(out, PairMotion::velocity_by_q, first, -turn);
    write_field(out, PairMotion::acceleration_by_q, first, -a);
    write_field(out, PairMotion::acceleration_by_v, first, -a_by_v);
  }
}

/// The freedoms between a frame c and the node `common`.
template <bool carries_b>
void walk(const Tree<double>& tree, const Scratch<double>& s, const Pose& tip, int from, int common,
          const Spatial& c, const Motion& u, PairMotion& out) {
  Side side;
  int lane = 0;
  Spatial own = c;
  for (int k = from; k != common;) {
    const Node<double>& n = tree.nodes[static_cast<std::size_t>(k)];
    const Spatial p = seen_from(tip, s, n.parent);
    for (int i = 0; i < n.d; ++i) {
      side.write(Side::S, lane, s.column(n.freedom + i));
      side.write(Side::parent_v, lane, p.v), side.write(Side::parent_a, lane, p.a);
      side.write(Side::own_v, lane, own.v);
      out.v.push_back(n.v + i), out.node.push_back(k);
      if (++lane < Lanes::size) continue;
      carry<carries_b>(side, tip, c, u, out.count() - lane, out);
      lane = 0;
    }
    own = p, k = n.parent;
  }
  if (lane > 0) carry<carries_b>(side, tip, c, u, out.count() - lane, out);
}

void find_motion(const Tree<double>& tree, const Scratch<double>& s, int node_a, const Pose& at_a,
                 int node_b, const Pose& at_b, PairMotion& out) {
  const Pose tip = s.pose[static_cast<std::size_t>(node_b)] * at_b;
  const Spatial a = seen_from(tip, s, node_a), b = seen_from(tip, s, node_b);
  out.X = inverse(s.pose[static_cast<std::size_t>(node_a)] * at_a) * tip;
  out.V = b.v - a.v, out.A = b.a - a.a + bracket(b.v, a.v);
  out.v.clear(), out.node.clear();
  const int common = common_node(tree, node_a, node_b);
  walk<true>(tree, s, tip, node_b, common, b, a.v, out);
  out.on_b = out.count();
  walk<false>(tree, s, tip, node_a, common, a, b.v, out);
}

void project(const double* forces, int count, const double* twists, std::ptrdiff_t stride,
             int freedoms, bool add, double* out) {
  for (std::ptrdiff_t k = 0; k < freedoms; k += Lanes::size) {
    Lanes x[6];
    for (int c = 0; c < 6; ++c) x[c] = Lanes::load(twists + c * stride + k);
    for (int i = 0; i < count; ++i) {
      const double* f = forces + 6 * static_cast<std::ptrdiff_t>(i);
      Lanes sum = add ? Lanes::load(out + i * stride + k) : Lanes(0.0);
      for (int c = 0; c < 6; ++c) sum = sum + f[c] * x[c];
      sum.store(out + i * stride + k);
    }
  }
}

}  // namespace LINKWRIGHT_ISA

#define LINKWRIGHT_TABLE_(isa) closed_derivative_kernels_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)
const ClosedDerivativeKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {find_motion, project};

}  // namespace linkwright::closure
