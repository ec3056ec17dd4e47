#pragma once
/// The freedoms between two frames, as twists in the axes of the second, and how these twists change while
/// the freedoms move. What influence coefficients of frames and rows of closures are made of.
///
///     auto path = closure::loop_path<double>(system.tree(), scratch, node_a, node_b, tip);
///     Motion column = path[j].side * path[j].twist;              // of b relative to a, per unit of freedom j
///     Motion rate = path[j].side * closure::twist_rate(path[k], path[j]);     // while freedom k alone moves
///
/// Given    pose(k) and column(i) of every node and freedom (poses, motion_columns)
/// Equations  in b's axes ξ_j = Ad⁻¹ S_j. Freedom k carries S_j with it where it is inboard of j or belongs to
///          the same joint (modes are constant behind their joint), and b's axes where it is on b's side:
///          ∂_k ξ_j = ε_kj [ξ_k, ξ_j],   ε_kj = (k carries j) − (k moves b)
///          ∂_l ∂_k ξ_j = ε_kj (ε_lk [[ξ_l, ξ_k], ξ_j] + ε_lj [ξ_k, [ξ_l, ξ_j]])
///          Freedoms inboard of both frames move them alike: they are left out, exactly.
/// Cost     O(path) for the twists, O(1) for each rate

#include <vector>

#include "linkwright/dynamics/sweeps/scratch.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

template <class T>
struct LoopFreedom {
  int v;                     // entry of v
  int depth;                 // nodes inboard of it, counted from where the two sides part
  int side;                  // 1: between that place and b; −1: and a
  spatial::Motion<T> twist;  // ξ
};
template <class T>
using LoopPath = std::vector<LoopFreedom<T>>;

/// The last node that both have inboard of them. Parents have lower numbers.
template <class B>
int common_node(const Tree<B>& tree, int a, int b) {
  while (a != b) {
    int& outer = a > b ? a : b;
    outer = tree.nodes[static_cast<std::size_t>(outer)].parent;
  }
  return a;
}

/// `tip`: the frame on b whose axes count, where the poses of the scratch have their origin.
template <class T>
LoopPath<T> loop_path(const Tree<spatial::Constant<T>>& tree, const Scratch<T>& s, int node_a,
                      int node_b, const spatial::Pose<T>& tip) {
  const auto& nodes = tree.nodes;
  const int common = common_node(tree, node_a, node_b);
  LoopPath<T> path;
  const auto add = [&](int from, int side) {
    int depth = 0;
    for (int k = from; k != common; k = nodes[static_cast<std::size_t>(k)].parent) ++depth;
    for (int k = from; k != common; k = nodes[static_cast<std::size_t>(k)].parent, --depth)
      for (int i = 0; i < nodes[static_cast<std::size_t>(k)].d; ++i) {
        const auto& n = nodes[static_cast<std::size_t>(k)];
        path.push_back({n.v + i, depth, side, to_child(tip, s.column(n.freedom + i))});
      }
  };
  add(node_b, 1);
  add(node_a, -1);
  return path;
}

/// ε_kj
template <class T>
int carries(const LoopFreedom<T>& k, const LoopFreedom<T>& j) {
  const int with = k.side == j.side && k.depth <= j.depth ? 1 : 0;
  return with - (k.side > 0 ? 1 : 0);
}

/// ∂_k ξ_j
template <class T>
spatial::Motion<T> twist_rate(const LoopFreedom<T>& k, const LoopFreedom<T>& j) {
  const int e = carries(k, j);
  if (e == 0) return {};
  return T(e) * bracket(k.twist, j.twist);
}

/// ∂_l ∂_k ξ_j
template <class T>
spatial::Motion<T> twist_second_rate(const LoopFreedom<T>& l, const LoopFreedom<T>& k,
                                     const LoopFreedom<T>& j) {
  const int e = carries(k, j);
  if (e == 0) return {};
  return T(e) * (bracket(twist_rate(l, k), j.twist) + bracket(k.twist, twist_rate(l, j)));
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
