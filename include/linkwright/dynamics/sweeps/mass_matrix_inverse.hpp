#pragma once
/// M⁻¹ by the factorisation M⁻¹ = (I − HΨL)ᵀ D⁻¹ (I − HΨL), theorem 4.1: the filter and smoother of
/// forward dynamics for a system at rest, without gravity.
///
/// factorize        given place(k); computes P, D, G (4.4)–(4.6), (5.12).  Cost O(N), once per
///                  configuration. The operators' letters read them too.
/// solve            given the factors and x; computes M⁻¹ x.  Cost O(N) per vector.

#include "linkwright/dynamics/sweeps/articulated.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// Of these runs alone, with what hangs on their ends in P; what their parents feel is added there.
template <class T>
LINKWRIGHT_INLINE void factorize_runs(const Tree<Constant<T>>& tree, const std::vector<Run>& runs,
                                      Scratch<T>& s) {
  const auto* nodes = tree.nodes.data();
  inward(
      runs, [&](int k) LINKWRIGHT_INLINE_LAMBDA { return s.P[k]; },
      [&](auto joint, int k, const ArticulatedInertia<T>& from) LINKWRIGHT_INLINE_LAMBDA {
        const auto& n = nodes[k];
        const ArticulatedInertia<T> P = n.M + from;
        eliminate(joint, tree, n, P, s, k);
        s.P[k] = P;
        if (n.parent == 0) return ArticulatedInertia<T>{};
        return shift(joint.offset(n, s.place[k]),
                     joint.congruence(n, s.place[k], remainder(joint, tree, n, P, s, k)));
      },
      [&](const Run& run, const ArticulatedInertia<T>& end)
          LINKWRIGHT_INLINE_LAMBDA { s.P[run.parent] += end; });
}
template <class T>
void factorize(const Tree<Constant<T>>& tree, Scratch<T>& s) {
  s.stamp.add(Held::gains);
  s.stamp.add(Held::inertias);
  for (const Run& run : tree.runs) s.P[run.last] = {};
  factorize_runs(tree, tree.runs, s);
}

/// y may be x.
template <class T>
void solve(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* x, T* y) {
  const auto* nodes = tree.nodes.data();
  for (int k = 0; k < tree.count(); ++k) s.z[k] = {};
  inward(tree, [&](auto joint, int k) {
    const auto& n = nodes[k];
    const Force<T> z = filter(joint, tree, n, x + n.v, s.z[k], s, k);
    const Force<T> turned{joint.to_parent(n, s.place[k], z.moment),
                          joint.to_parent(n, s.place[k], z.force)};
    s.z[n.parent] += shift(joint.offset(n, s.place[k]), turned);
  });
  s.stamp.drop(Held::accelerations);
  s.alpha[0] = {};
  outward(tree, [&](auto joint, int k) {
    const auto& n = nodes[k];
    const Motion<T> alpha_p = shift(joint.offset(n, s.place[k]), s.alpha[n.parent]);
    Motion<T> alpha{joint.to_child(n, s.place[k], alpha_p.angular),
                    joint.to_child(n, s.place[k], alpha_p.linear)};
    smooth(joint, tree, n, alpha, y + n.v, s, k);
    s.alpha[k] = alpha;
  });
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
