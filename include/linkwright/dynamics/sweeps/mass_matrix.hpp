#pragma once
/// Mass matrix by composite rigid bodies: M = H φ M φᵀ H*, entry by entry (3.20).
///
/// Given    place(k)
/// Computes the composite inertia of everything outboard of joint k, tip → base; its reaction to a unit
///          acceleration of each freedom, in world axes; and the products with the motion columns of all
///          freedoms between that joint and the base. The two triangles are written together.
/// Cost     O(N) for the composites, 6 multiplications per non-zero pair of freedoms

#include "linkwright/dynamics/sweeps/kinematics.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// Entry (i, j) at out[i + j·stride]; every entry is written.
template <class T>
void mass_matrix(const Tree<Constant<T>>& tree, Scratch<T>& s, T* out, std::ptrdiff_t stride) {
  const auto* nodes = tree.nodes.data();
  poses<Origin::root>(tree, s);
  motion_columns(tree, s);
  for (int j = 0; j < tree.nv; ++j) std::fill_n(out + j * stride, tree.nv, T(0));
  for (int k = 1; k < tree.count(); ++k) s.composite[k] = Inertia<T>{
      T(nodes[k].M.mass),
      {T(nodes[k].M.first_moment.x), T(nodes[k].M.first_moment.y), T(nodes[k].M.first_moment.z)},
      {T(nodes[k].M.rotational.xx), T(nodes[k].M.rotational.yy), T(nodes[k].M.rotational.zz),
       T(nodes[k].M.rotational.xy), T(nodes[k].M.rotational.xz), T(nodes[k].M.rotational.yz)}};
  inward(tree, [&](auto joint, int k) {
    using J = decltype(joint);
    const auto& n = nodes[k];
    const Inertia<T>& C = s.composite[k];
    for (int i = 0; i < J::freedoms; ++i) {
      Force<T> f;
      if constexpr (std::is_base_of_v<Wide, J>)
        f = C * tree.modes[static_cast<std::size_t>(n.wide)].column[i];
      else if constexpr (J::slides)
        f = {{C.first_moment.y, -C.first_moment.x, T(0)}, {T(0), T(0), C.mass}};
      else
        f = {{C.rotational.xz, C.rotational.yz, C.rotational.zz}, {-C.first_moment.y, C.first_moment.x, T(0)}};
      f = to_parent(s.pose[k], f);
      const std::ptrdiff_t row = n.v + i;
      for (int l = k; l != 0; l = nodes[l].parent)
        for (int c = nodes[l].v; c < nodes[l].v + nodes[l].d; ++c) {
          const T entry = dot(f, s.column[c]);
          out[row + c * stride] = entry;
          out[c + row * stride] = entry;
        }
      if constexpr (std::is_base_of_v<Wide, J>)
        out[row + row * stride] += tree.modes[static_cast<std::size_t>(n.wide)].rotor[i];
      else
        out[row + row * stride] += n.rotor;
    }
    if (n.parent != 0)
      s.composite[n.parent] += shift(joint.offset(n, s.place[k]), joint.congruence(n, s.place[k], C));
  });
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
