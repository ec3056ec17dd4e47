#pragma once
/// Second derivatives of forces that do not turn with their bodies: loads in the world's axes, springs
/// between bodies and springs on poses.
///
/// Given     q, v, the loads
/// Computes  the first derivatives (forces.hpp) on dual numbers that move along one freedom after the
///           other: by q of dT/dq and of dT/dv. Forces linear in v have none by v and v.
/// Cost      O(N) times that of the first derivatives; nothing where no such force acts

#include "linkwright/dynamics/sweeps/derivatives/forces.hpp"
#include "linkwright/dynamics/sweeps/derivatives/second_order.hpp"

namespace linkwright {

/// The scratch of dual numbers, with two squares of them.
template <class T>
struct CurvatureScratch {
  using D = spatial::DualOf<T>;
  explicit CurvatureScratch(const Tree<spatial::Constant<T>>& tree)
      : sweep(tree),
        derivatives(tree),
        q(static_cast<std::size_t>(tree.nq)),
        v(static_cast<std::size_t>(tree.nv)),
        by_q(v.size() * v.size()),
        by_v(by_q.size()) {}

  Scratch<D> sweep;
  DerivativeScratch<D> derivatives;
  std::vector<D> q, v, by_q, by_v;
};

}  // namespace linkwright

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// q that moves along the freedom i of node n.
template <class T, class B>
LINKWRIGHT_INLINE void move_along(const Tree<B>& tree, const Node<B>& n, NodeKind kind, int i,
                                  const T* q, DualOf<T>* out) {
  for (int j = 0; j < tree.nq; ++j) out[j] = DualOf<T>(q[j]);
  if (n.modes < 0 || tree.modes[static_cast<std::size_t>(n.modes)].plain) {
    out[n.q + i].d = T(1);
    return;
  }
  const auto& mode = tree.modes[static_cast<std::size_t>(n.modes)].column[i];
  const T* r = q + n.q;
  const Quaternion<T> turn{r[0], r[1], r[2], r[3]};
  const Vector3<T> w = T(B(0.5)) * mode.angular;
  const Quaternion<T> rate = turn * Quaternion<T>{T(0), w.x, w.y, w.z};
  out[n.q].d = rate.w, out[n.q + 1].d = rate.x, out[n.q + 2].d = rate.y, out[n.q + 3].d = rate.z;
  if (kind == NodeKind::spherical) return;
  const Vector3<T> p = to_matrix(turn) * mode.linear;
  out[n.q + 4].d = p.x, out[n.q + 5].d = p.y, out[n.q + 6].d = p.z;
}

/// Returns whether there was anything to add.
template <class T>
bool add_force_curvature(const Tree<Constant<T>>& tree, CurvatureScratch<T>& c, const T* q,
                         const T* v, const ExternalLoads<Constant<T>>& loads, const Cubes<T>& out) {
  using D = DualOf<T>;
  if (!forces_curve(tree, loads)) return false;
  const int nv = tree.nv;
  const std::ptrdiff_t page = static_cast<std::ptrdiff_t>(nv) * nv;
  for (int i = 0; i < nv; ++i) c.v[static_cast<std::size_t>(i)] = D(v[i]);
  const Square<D> by_q{c.by_q.data(), nv}, by_v{c.by_v.data(), nv};
  const auto differentiate = [&](const auto& n, NodeKind kind, int i) {
    move_along(tree, n, kind, i, q, c.q.data());
    place_joints(tree, c.sweep, c.q.data());
    place_columns(tree, c.sweep, c.derivatives);
    carry_motions(tree, c.derivatives, c.v.data(), c.v.data());
    clear_square(nv, by_q.data, nv);
    clear_square(nv, by_v.data, nv);
    add_force_derivatives(tree, c.sweep, c.derivatives, c.q.data(), loads, by_q, by_v);
    const std::ptrdiff_t l = n.v + i;
    for (std::ptrdiff_t j = 0; j < nv; ++j)
      for (std::ptrdiff_t r = 0; r < nv; ++r) {
        out.qq[r + nv * j + page * l] += by_q.data[r + nv * j].d;
        out.qv[r + nv * l + page * j] += by_v.data[r + nv * j].d;
      }
  };
  for (const Run& run : tree.runs)
    for (int k = run.first; k <= run.last; ++k) {
      const auto& n = tree.nodes[static_cast<std::size_t>(k)];
      for (int i = 0; i < n.d; ++i) differentiate(n, run.kind, i);
    }
  return true;
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
