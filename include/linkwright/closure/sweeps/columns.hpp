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

namespace linkwright::closure::inline LINKWRIGHT_ISA {

using spatial::Force, spatial::Motion, spatial::Vector3;

LINKWRIGHT_INLINE Force<Rows> no_force() {
  const Rows zero(0.0);
  return {{zero, zero, zero}, {zero, zero, zero}};
}
template <class T>
LINKWRIGHT_INLINE void put(Force<Rows>& f, int i, const Force<T>& row) {
  f.moment.x.x[i] = row.moment.x, f.moment.y.x[i] = row.moment.y, f.moment.z.x[i] = row.moment.z;
  f.force.x.x[i] = row.force.x, f.force.y.x[i] = row.force.y, f.force.z.x[i] = row.force.z;
}

/// Where the frames of a closure meet, and its rows as forces on its two nodes.
LINKWRIGHT_INLINE void load_tips(const Scratch<double>& s, const ClosurePlace& c, const Path& path,
                                 const Motion<double>& world, LoopScratch& loops,
                                 std::size_t index) {
  const auto a = static_cast<std::size_t>(c.node_a), b = static_cast<std::size_t>(c.node_b);
  Meeting<double>& m = loops.meetings[index];
  m = meet(c, s.pose[a], s.pose[b], s.V[a], s.V[b]);
  Force<Rows> on_b = no_force();
  Rows bias(0.0);
  for (int i = 0; i < c.rows; ++i) {
    const Row<double> row = row_of(c, m, i);
    put(on_b, i, row.W);
    bias.x[i] = row_bias(row, m);
  }
  const Force<Rows> at_b = to_parent(c.at_b, on_b);
  const Force<Rows> at_a = to_parent(c.at_a, to_parent(m.X, on_b));
  if (path.at_b >= 0)
    loops.force[static_cast<std::size_t>(path.at_b)] += at_b;
  else
    bias = bias + dot(at_b, world);
  if (path.at_a >= 0)
    loops.force[static_cast<std::size_t>(path.at_a)] -= at_a;
  else
    bias = bias - dot(at_a, world);
  loops.right[index] = bias;
}

/// What a closure's rows gather on their way to the world.
struct Gathered {
  Rows right, most;
};

/// u = H f (and for gears the effort itself), f⁺, of a joint with one freedom. `felt` is the size of f,
/// `reach` what the freedom could make of it.
template <class J>
LINKWRIGHT_INLINE Force<Rows> pass(J joint, const Tree<double>& tree, const Node<double>& n,
                                   const sweeps::Gain<double>& gain, const Force<Rows>& f,
                                   const Rows& felt, const double* reach, double* weight, Rows* u,
                                   Gathered& sum) {
  Rows x;
  joint.project(tree, n, f, &x);
  u[0] = u[0] + x;
  weight[0] = gain.D_inv;
  sum.most = sum.most + gain.D_inv * (reach[0] * felt + u[0] * u[0]);
  sum.right = sum.right + gain.nu * u[0];
  return f - u[0] * gain.G;
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
    u[i] = u[i] + x[i];
    for (int j = 0; j < i; ++j) u[i] = u[i] - gain.L[i][j] * u[j];
    weight[i] = gain.inverse_Delta[i];
    const Rows weighted = weight[i] * u[i];
    sum.right = sum.right + gain.e[i] * weighted;
    sum.most = sum.most + (weight[i] * reach[i]) * felt + weighted * u[i];
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
    const Force<Rows>& f = loops.force[static_cast<std::size_t>(at)];
    const Rows felt = dot(f.moment, f.moment) + loops.length2 * dot(f.force, f.force);
    sweeps::dispatch(here.kind, [&](auto joint) LINKWRIGHT_INLINE_LAMBDA {
      using J = decltype(joint);
      const Force<Rows> rest =
          pass(joint, tree, n, J::gain(s, n, here.node), f, felt, loops.reach.data() + here.first,
               loops.weight.data() + here.first, loops.u.data() + here.first, sum);
      sum.right = sum.right + dot(rest, s.a[k]);
      const Force<Rows> up = shift(J::offset(n, x), Force<Rows>{J::to_parent(n, x, rest.moment),
                                                                J::to_parent(n, x, rest.force)});
      if (here.up >= 0)
        loops.force[static_cast<std::size_t>(here.up)] += up;
      else
        sum.right = sum.right + dot(up, world);
    });
  }
  loops.right[index] = sum.right;
  loops.most[index] = sum.most;
}

/// Rows of every closure, Ω's sums aside.
template <class Closures>
LINKWRIGHT_INLINE void loop_columns(const Tree<double>& tree, Scratch<double>& s,
                                    const Closures& closures, LoopScratch& loops) {
  const Motion<double> world = sweeps::moving_world<double>(tree).alpha;
  for (auto& f : loops.force) f = no_force();
  for (auto& u : loops.u) u = Rows(0.0);
  for (std::size_t i = 0; i < closures.size(); ++i) {
    const ClosurePlace& c = closures[i];
    const Path& path = loops.paths[i];
    if (c.kind == PairKind::gear) {
      const auto slot = [&](int at, int freedom) -> Rows& {
        return loops
            .u[static_cast<std::size_t>(loops.path[static_cast<std::size_t>(at)].first + freedom)];
      };
      slot(path.at_a, path.slot_a).x[0] -= c.ratio;
      slot(path.at_b, path.slot_b).x[0] += 1;
      loops.right[i] = Rows(0.0);
    } else {
      load_tips(s, c, path, world, loops, i);
    }
    walk_inward(tree, s, path, world, loops, i);
  }
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
