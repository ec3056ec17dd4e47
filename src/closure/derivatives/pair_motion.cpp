#include "closure/derivatives/pair_motion.hpp"

#include "linkwright/closure/loop_path.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {
namespace {

/// Spatial velocity and acceleration of a node.
struct Spatial {
  Motion v, a;
};

/// Nodes seen from b's frame: its axes, its origin.
struct View {
  const System& system;
  const Scratch<double>& s;
  Pose tip;

  [[nodiscard]] Spatial of(int k) const {
    if (k == 0) return {};
    const Pose here = inverse(tip) * s.pose[at(k)];
    const Motion &V = s.V[at(k)], &alpha = s.alpha[at(k)];
    const Motion a{alpha.angular, alpha.linear - cross(V.angular, V.linear)};
    return {to_parent(here, V), to_parent(here, a)};
  }
};

/// What a freedom does to the frame that it carries: changes of v and a per unit of q, of a per unit of v.
struct Carried {
  Motion v, a, a_by_v;
};
Carried carry(const Motion& S, const Spatial& c, const Spatial& p, const Spatial& own) {
  const Motion w = c.v - p.v, turn = bracket(S, w);
  return {turn, bracket(S, c.a - p.a) + bracket(bracket(p.v, S), w), bracket(own.v, S) + turn};
}

}  // namespace

void compute_pair_motion(const System& system, const Scratch<double>& s, int node_a,
                         const Pose& at_a, int node_b, const Pose& at_b, PairMotion& out) {
  const View view{system, s, s.pose[at(node_b)] * at_b};
  const Spatial a = view.of(node_a), b = view.of(node_b);
  const Motion cross_ba = bracket(b.v, a.v);
  out.X = inverse(s.pose[at(node_a)] * at_a) * view.tip;
  out.V = b.v - a.v, out.A = b.a - a.a + cross_ba;
  out.freedoms.clear();
  const int common = common_node(system.tree(), node_a, node_b);
  const auto walk = [&](int from, const Spatial& c, bool carries_b) {
    Spatial own = c;
    for (int k = from; k != common;) {
      const Node<double>& n = system.tree().nodes[at(k)];
      const Spatial p = view.of(n.parent);
      for (int i = 0; i < n.d; ++i) {
        const Motion S = to_child(view.tip, s.column(n.freedom + i));
        const Carried change = carry(S, c, p, own);
        PairFreedom f{n.v + i, k, carries_b, S, bracket(own.v - b.v, S), {}, {}, {}};
        if (carries_b) {
          f.V_by_q = change.v - bracket(S, out.V);
          f.A_by_q = change.a + bracket(change.v, a.v) - bracket(S, out.A);
          f.A_by_v = change.a_by_v + bracket(S, a.v);
        } else {
          f.J = -S, f.J_rate = -f.J_rate;
          f.V_by_q = -change.v;
          f.A_by_q = bracket(b.v, change.v) - change.a;
          f.A_by_v = bracket(b.v, S) - change.a_by_v;
        }
        out.freedoms.push_back(f);
      }
      own = p, k = n.parent;
    }
  };
  walk(node_b, b, true);
  walk(node_a, a, false);
}

}  // namespace linkwright::closure
