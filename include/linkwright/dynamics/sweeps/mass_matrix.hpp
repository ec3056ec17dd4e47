#pragma once
/// Mass matrix by composite rigid bodies: M = H φ M φᵀ H*, entry by entry (3.20).
///
/// Given    place(k)
/// Computes the composite inertia of everything outboard of joint k, tip → base; its reaction f to
///          a unit acceleration of each freedom, in world axes; and f times the motion columns of
///          all freedoms between that joint and the base, a segment of neighbours at a time. The
///          two triangles are written together.
/// Cost     O(N) for the composites, 6 multiplications per non-zero pair of freedoms

#include <algorithm>

#include "linkwright/dynamics/sweeps/kinematics.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// Reaction of a composite body to a unit acceleration of freedom i of its joint: C H*_i.
template <class J, class T, class B>
LINKWRIGHT_INLINE Force<T> unit_reaction(J, const Tree<B>& tree, const Node<B>& n,
                                         const Inertia<T>& C, int i) {
  const Vector3<T>& h = C.first_moment;
  if constexpr (std::is_base_of_v<Wide, J>)
    return C * tree.modes[static_cast<std::size_t>(n.wide)].column[i];
  else if constexpr (J::slides)
    return {{h.y, -h.x, T(0)}, {T(0), T(0), C.mass}};
  else
    return {{C.rotational.xz, C.rotational.yz, C.rotational.zz}, {-h.y, h.x, T(0)}};
}

/// row[c] = f · column(c) for the freedoms first … last.
template <class T>
LINKWRIGHT_INLINE void multiply_columns(const T* columns, std::ptrdiff_t nv, const Force<T>& f,
                                        int first, int last, T* row) {
  const T *wx = columns, *wy = wx + nv, *wz = wy + nv, *vx = wz + nv, *vy = vx + nv, *vz = vy + nv;
#pragma GCC ivdep
  for (int c = first; c <= last; ++c)
    row[c] = (f.moment.x * wx[c] + f.moment.y * wy[c] + f.moment.z * wz[c]) +
             (f.force.x * vx[c] + f.force.y * vy[c] + f.force.z * vz[c]);
}

template <class T, class B>
LINKWRIGHT_INLINE Inertia<T> widen(const Inertia<B>& M) {
  const auto& h = M.first_moment;
  const auto& I = M.rotational;
  return {
      T(M.mass), {T(h.x), T(h.y), T(h.z)}, {T(I.xx), T(I.yy), T(I.zz), T(I.xy), T(I.xz), T(I.yz)}};
}

/// Entry (i, j) at out[i + j·stride]; every entry is written.
template <class T>
void mass_matrix(const Tree<Constant<T>>& tree, Scratch<T>& s, T* out, std::ptrdiff_t stride) {
  const auto* nodes = tree.nodes.data();
  const int* velocity_of = tree.velocity_of.data();
  const T* columns = s.columns.data();
  T* row = s.row.data();
  poses<Origin::root>(tree, s);
  motion_columns(tree, s);
  if (!tree.one_chain)
    for (int j = 0; j < tree.nv; ++j) std::fill_n(out + j * stride, tree.nv, T(0));
  for (int k = 1; k < tree.count(); ++k) s.composite[k] = widen<T>(nodes[k].M);
  inward(tree, [&](auto joint, int k) {
    using J = decltype(joint);
    const auto& n = nodes[k];
    const Inertia<T>& C = s.composite[k];
    for (int i = 0; i < J::freedoms; ++i) {
      const Force<T> f = to_parent(s.pose[k], unit_reaction(joint, tree, n, C, i));
      const std::ptrdiff_t own = velocity_of[n.freedom + i];
      for (int l = k, last = n.freedom + i; l != 0;
           l = nodes[l].above, last = nodes[l].freedom + nodes[l].d - 1) {
        const int first = nodes[l].segment;
        if (tree.in_order) {
          T* column = out + own * stride;
          multiply_columns(columns, tree.nv, f, first, last, column);
          for (int c = first; c <= last; ++c) out[own + c * stride] = column[c];
        } else {
          multiply_columns(columns, tree.nv, f, first, last, row);
          for (int c = first; c <= last; ++c) {
            out[own + velocity_of[c] * stride] = row[c];
            out[velocity_of[c] + own * stride] = row[c];
          }
        }
      }
      if constexpr (std::is_base_of_v<Wide, J>)
        out[own + own * stride] += tree.modes[static_cast<std::size_t>(n.wide)].rotor[i];
      else
        out[own + own * stride] += n.rotor;
    }
    if (n.parent != 0)
      s.composite[n.parent] +=
          shift(joint.offset(n, s.place[k]), joint.congruence(n, s.place[k], C));
  });
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
