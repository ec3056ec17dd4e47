#pragma once
/// The rows of all closures through the filter of forward dynamics: Ω = J M⁻¹ Jᵀ without J or M.
///
/// Given    place(k), D, G, a(k), ν(k) of forward_dynamics_filter; pose(k), V(k) of the closures' nodes
/// Computes tip → base, for the forces f = W of a closure on its nodes, all its rows at once:
///            u(k) = H f(k),  f⁺ = f − G u,  f(p) += φ f⁺                            (part 2, 6.9)
///          and from them, without going back to the tips,
///            Ω(i, j) = Σ_k u_iᵀ D⁻¹ u_j                                             (6.7)
///            J v̇_free + J̇ v = Σ_k (f⁺ · a + u · ν) + f(world) · α(world) + what turns at the tips
/// Cost     O(depth) per closure and O(shared joints) per two of them

#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

using spatial::Force, spatial::Motion, spatial::Vector3;

/// pose(k) and V(k) of some nodes, parents first; as `poses` and `velocities` of sweeps/kinematics.hpp.
template <class T>
LINKWRIGHT_INLINE void move_nodes(const Tree<Constant<T>>& tree, Scratch<T>& s,
                                  const std::vector<NodeOfLoops>& nodes, const T* v) {
  s.pose[0] = {};
  s.V[0] = {};
  for (const NodeOfLoops& here : nodes) {
    const auto k = static_cast<std::size_t>(here.node);
    const Node<Constant<T>>& n = tree.nodes[k];
    const auto p = static_cast<std::size_t>(n.parent);
    const sweeps::Place<T>& x = s.place[k];
    sweeps::dispatch(here.kind, [&](auto joint) LINKWRIGHT_INLINE_LAMBDA {
      const spatial::Pose<T>& from = s.pose[p];
      s.pose[k] = {sweeps::rotation_from(joint, n, x, from.rotation),
                   from.translation + from.rotation * joint.offset(n, x)};
      s.V[k] = sweeps::velocity_from(joint, tree, n, x, s.V[p], v);
    });
  }
}

/// What a closure's rows gather on their way to the world.
struct Gathered {
  Rows right, most;
};

/// Rows of the rotors on a closing joint, and what its efforts do.
LINKWRIGHT_INLINE void load_joint(const ClosurePlace& c, const Meeting<double>& m,
                                  const LoopScratch& loops, Force<Rows>& on_b, Rows& bias) {
  for (int r = 0; r < c.rotors; ++r) {
    const Row<double> row = closing_row(c, m, c.rotor_freedom[r]);
    put(on_b, c.rows + r, row.W);
    bias.x[c.rows + r] = row_bias(row, m);
  }
  if (!loops.pushed) return;
  Force<double> pushes{};
  for (int i = 0; i < c.freedoms; ++i)
    pushes += loops.effort[static_cast<std::size_t>(c.closing + i)] * closing_row(c, m, i).W;
  put(on_b, effort_lane, pushes);
}

/// Forces of a closure's rows on its two nodes, and J̇ v as far as it arises between them.
struct Tips {
  Force<Rows> at_a, at_b;
  Rows bias;
};
/// Any closure.
LINKWRIGHT_INLINE void load_tips(const Scratch<double>& s, const ClosurePlace& c,
                                 const LoopScratch& loops, Tips& tips) {
  const auto a = static_cast<std::size_t>(c.node_a), b = static_cast<std::size_t>(c.node_b);
  const Meeting<double> m = meet(c, s.pose[a], s.pose[b], s.V[a], s.V[b]);
  Force<Rows> on_b = no_force();
  tips.bias = Rows(0.0);
  for (int i = 0; i < c.rows; ++i) {
    const Row<double> row = row_of(c, m, i);
    put(on_b, i, row.W);
    tips.bias.x[i] = row_bias(row, m);
  }
  load_joint(c, m, loops, on_b, tips.bias);
  tips.at_b = to_parent(c.at_b, on_b);
  tips.at_a = to_parent(c.at_a, to_parent(m.X, on_b));
}
/// Rows W that are constant on node b, the same with the nodes' own frames for those of the closure:
/// V = V_b − X⁻¹ V_a, w = Rᵀ ω_a, J̇ v = W · [ω × w; −w × (w × p′) − 2 w × v − ω × v].
LINKWRIGHT_INLINE void load_constant_tips(const Scratch<double>& s, const ClosurePlace& c,
                                          const Force<Rows>& W, Tips& tips) {
  const auto a = static_cast<std::size_t>(c.node_a), b = static_cast<std::size_t>(c.node_b);
  tips.at_b = W;
  if (a == 0) {
    const Motion<double>& V = s.V[b];
    const spatial::Pose<double>& X = s.pose[b];
    tips.bias = -dot(W.force, cross(V.angular, V.linear));
    tips.at_a = to_parent(X, W);
    return;
  }
  const spatial::Pose<double> X = inverse(s.pose[a]) * s.pose[b];
  const Motion<double> seen = to_child(X, s.V[a]);
  const Motion<double> V = s.V[b] - seen;
  const Vector3<double>& w = seen.angular;
  const Vector3<double> away = transpose_times(X.rotation, X.translation);
  tips.bias = dot(W, Motion<double>{cross(V.angular, w), -cross(w, cross(w, away)) -
                                                             cross(w + w + V.angular, V.linear)});
  tips.at_a = to_parent(X, W);
}

/// The forces of one closure's rows at a node of its path; those of the next one take their place.
LINKWRIGHT_INLINE Force<Rows>& force_at(LoopScratch& loops, const Path& path, int at) {
  return loops.force[static_cast<std::size_t>(at - path.begin)];
}

/// Where the frames of a closure meet, and its rows as forces on its two nodes.
LINKWRIGHT_INLINE void load_path(const Scratch<double>& s, const ClosurePlace& c, const Path& path,
                                 const Motion<double>& world, LoopScratch& loops,
                                 std::size_t index) {
  Tips tips;
  if (path.constant && !(loops.pushed && c.freedoms > 0))
    load_constant_tips(s, c, loops.constant_rows[index], tips);
  else
    load_tips(s, c, loops, tips);
  if (path.at_b >= 0)
    force_at(loops, path, path.at_b) = tips.at_b;
  else
    tips.bias = tips.bias + dot(tips.at_b, world);
  if (path.at_a >= 0)
    force_at(loops, path, path.at_a) = -tips.at_a;
  else
    tips.bias = tips.bias - dot(tips.at_a, world);
  loops.right[index] = tips.bias;
}

/// u = H f (for gears and the effort itself), f⁺, of a joint with one freedom. `felt` is the size of f,
/// `reach` what the freedom could make of it.
template <class J>
LINKWRIGHT_INLINE Force<Rows> pass(J joint, const Tree<double>& tree, const Node<double>& n,
                                   const sweeps::Gain<double>& gain, const Force<Rows>& f,
                                   const Rows& felt, const double* reach, double* weight, Rows* u,
                                   Gathered& sum) {
  Rows x;
  joint.project(tree, n, f, &x);
  x = u[0] + x;
  u[0] = x;
  weight[0] = gain.D_inv;
  sum.most = sum.most + gain.D_inv * (reach[0] * felt + x * x);
  sum.right = sum.right + gain.nu * x;
  return f - x * gain.G;
}
/// Of a joint with several: u is kept as L⁻¹ u, D = L Δ Lᵀ.
template <class J>
LINKWRIGHT_INLINE Force<Rows> pass(J joint, const Tree<double>& tree, const Node<double>& n,
                                   const sweeps::MultiGain<double>& gain, const Force<Rows>& f,
                                   const Rows& felt, const double* reach, double* weight, Rows* u,
                                   Gathered& sum) {
  Rows x[J::most_freedoms];
  joint.project(tree, n, f, x);
  Force<Rows> rest = f;
  for (int i = 0; i < J::freedoms(n); ++i) {
    x[i] = u[i] + x[i];
    for (int j = 0; j < i; ++j) x[i] = x[i] - gain.L[i][j] * x[j];
    u[i] = x[i];
    weight[i] = gain.inverse_Delta[i];
    const Rows weighted = weight[i] * x[i];
    sum.right = sum.right + gain.e[i] * weighted;
    sum.most = sum.most + (weight[i] * reach[i]) * felt + weighted * x[i];
    rest -= weighted * gain.Y[i];
  }
  return rest;
}

/// One closure's rows from its tips to the world.
LINKWRIGHT_INLINE void walk_inward(const Tree<double>& tree, const Scratch<double>& s,
                                   const Path& path, const Motion<double>& world,
                                   LoopScratch& loops, std::size_t index) {
  Gathered sum{loops.right[index], Rows(0.0)};
  for (int at = path.begin; at < path.end; ++at) {
    const PathNode& here = loops.path[static_cast<std::size_t>(at)];
    const auto k = static_cast<std::size_t>(here.node);
    const Node<double>& n = tree.nodes[k];
    const sweeps::Place<double>& x = s.place[k];
    const Force<Rows>& f = force_at(loops, path, at);
    const Rows felt = dot(f.moment, f.moment) + loops.length2 * dot(f.force, f.force);
    sweeps::dispatch(here.kind, [&](auto joint) LINKWRIGHT_INLINE_LAMBDA {
      using J = decltype(joint);
      const Force<Rows> rest =
          pass(joint, tree, n, J::gain(s, n, here.node), f, felt, loops.reach.data() + here.first,
               loops.weight.data() + here.first, loops.u.data() + here.first, sum);
      sum.right = sum.right + dot(rest, s.a[k]);
      const Force<Rows> up = shift(J::offset(n, x), Force<Rows>{J::to_parent(n, x, rest.moment),
                                                                J::to_parent(n, x, rest.force)});
      if (here.handing == PathNode::to_world)
        sum.right = sum.right + dot(up, world);
      else if (here.handing == PathNode::first_there)
        force_at(loops, path, here.up) = up;
      else
        force_at(loops, path, here.up) += up;
    });
  }
  loops.right[index] = sum.right;
  loops.most[index] = loops.compliance.empty() ? sum.most : sum.most + loops.compliance[index];
}

/// A gear pushes on two joints, and on nothing in between.
LINKWRIGHT_INLINE void load_gear(const ClosurePlace& c, const Path& path, LoopScratch& loops,
                                 std::size_t index) {
  const auto slot = [&](int at, int freedom) -> Rows& {
    return loops
        .u[static_cast<std::size_t>(loops.path[static_cast<std::size_t>(at)].first + freedom)];
  };
  slot(path.at_a, path.slot_a).x[0] -= c.ratio;
  slot(path.at_b, path.slot_b).x[0] += 1;
  for (const int at : {path.at_a, path.at_b}) force_at(loops, path, at) = no_force();
  loops.right[index] = Rows(0.0);
}

/// Rows of every closure, Ω's sums aside.
template <class Closures>
LINKWRIGHT_INLINE void loop_columns(const Tree<double>& tree, Scratch<double>& s,
                                    const Closures& closures, LoopScratch& loops) {
  const Motion<double> world = sweeps::moving_world<double>(tree).alpha;
  for (auto& u : loops.u) u = Rows(0.0);
  for (std::size_t i = 0; i < closures.size(); ++i) {
    const ClosurePlace& c = closures[i];
    const Path& path = loops.paths[i];
    if (c.kind == PairKind::gear)
      load_gear(c, path, loops, i);
    else
      load_path(s, c, path, world, loops, i);
    walk_inward(tree, s, path, world, loops, i);
  }
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
