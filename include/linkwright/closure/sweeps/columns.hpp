#pragma once
/// The rows of all closures through the filter of forward dynamics: Ω = J M⁻¹ Jᵀ without J or M.
///
/// Given    place(k), D, G, a(k), ν(k) of forward_dynamics_filter; pose(k), V(k) of the closures' nodes
/// Computes tip → base, for the forces f = W of a closure on its nodes, all its rows at once:
///            u(k) = H f(k),  f⁺ = f − G u,  f(p) += φ f⁺                            (part 2, 6.9)
///          and from them, without going back to the tips,
///            Ω(i, j) = Σ_k u_iᵀ D⁻¹ u_j                                             (6.7)
///            J v̇_free + J̇ v = Σ_k (f · α′ + u · (ν − Gᵀ α′)) + what turns at the tips, α′ = a, plus the world's
///          acceleration at joints on the world
/// Cost     O(depth) per closure and O(shared joints) per two of them

#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

using spatial::Force, spatial::Motion, spatial::Vector3;

/// u · v of what stands in the lanes.
LINKWRIGHT_INLINE Rows along(const Vector3<Rows>& u, const Vector3<double>& v) { return dot(u, v); }
LINKWRIGHT_INLINE Rows along(const Vector3<Rows>& u, const spatial::VectorXZ<double>& v) {
  return u.x * v.x + u.z * v.z;
}

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

/// How a closure's node moves on from its parent, for a single state: all that turns, in one go.
template <class J>
LINKWRIGHT_INLINE MovedNode moved_from(J joint, const Tree<double>& tree, const Node<double>& n,
                                       const sweeps::Place<double>& x, const MovedNode& parent,
                                       const double* v) {
  using Lanes = typename Rows::Lanes;
  const auto offset = J::offset(n, x);
  const auto turning = [](double omega, double v_) LINKWRIGHT_INLINE_LAMBDA {
    return Rows(Lanes{0, 0, 0, omega, v_, 0, 0, 0});
  };
  const Vector3<Rows>& t = parent.turned;
  const auto to_lane_of_v = [](const Rows& a) LINKWRIGHT_INLINE_LAMBDA {
    return spatial::moved_lane<MovedNode::omega, MovedNode::v>(a);
  };
  const Vector3<Rows> omega{to_lane_of_v(t.x), to_lane_of_v(t.y), to_lane_of_v(t.z)};
  MovedNode here;
  here.translation = parent.translation + along(t, offset);
  here.turned = J::to_child(n, x, t + cross(omega, offset));
  if constexpr (J::revolute) {
    here.turned.z = here.turned.z + turning(v[n.v], 0);
  } else {
    const Motion<double> rate = joint.rate(tree, n, v + n.v);
    here.turned += Vector3<Rows>{turning(rate.angular.x, rate.linear.x),
                                 turning(rate.angular.y, rate.linear.y),
                                 turning(rate.angular.z, rate.linear.z)};
  }
  return here;
}
/// The same number by number.
LINKWRIGHT_INLINE void write_out(const MovedNode& m, spatial::Pose<double>& pose,
                                 Motion<double>& V) {
  double x[8], y[8], z[8], p[8];
  m.turned.x.store(x), m.turned.y.store(y), m.turned.z.store(z), m.translation.store(p);
  pose.rotation = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
  pose.translation = {p[0], p[1], p[2]};
  V.angular = {x[MovedNode::omega], y[MovedNode::omega], z[MovedNode::omega]};
  V.linear = {x[MovedNode::v], y[MovedNode::v], z[MovedNode::v]};
}
/// pose(k) and V(k) of a single state, where closures have their frames.
LINKWRIGHT_INLINE void move_tips(const Tree<double>& tree, Scratch<double>& s, LoopScratch& loops,
                                 const double* v) {
  using Lanes = typename Rows::Lanes;
  const MovedNode world{{Rows(Lanes{1}), Rows(Lanes{0, 1}), Rows(Lanes{0, 0, 1})}, Rows(0.0)};
  s.pose[0] = {};
  s.V[0] = {};
  s.stamp.drop(Held::poses), s.stamp.drop(Held::velocities);
  MovedNode here = world;
  for (int i = 0; i < static_cast<int>(loops.moving.size()); ++i) {
    const NodeOfLoops& node = loops.moving[static_cast<std::size_t>(i)];
    const auto k = static_cast<std::size_t>(node.node);
    // What the parent left is still at hand where it came just before.
    if (node.from < 0)
      here = world;
    else if (node.from != i - 1)
      here = loops.moved[static_cast<std::size_t>(node.from)];
    sweeps::dispatch(node.kind, [&](auto joint) LINKWRIGHT_INLINE_LAMBDA {
      here = moved_from(joint, tree, tree.nodes[k], s.place[k], here, v);
    });
    loops.moved[static_cast<std::size_t>(i)] = here;
    if (node.meets) write_out(here, s.pose[k], s.V[k]);
  }
}

/// What a closure's rows push on: those of a gear or shaft on joints, and have in u what they push with.
enum class Pushes { bodies, joints };

/// What a closure's rows gather on their way to the world.
struct Gathered {
  Rows right, most;
  double length2;
};

/// Rows of the rotors on a closing joint, and what its efforts do.
LINKWRIGHT_INLINE void load_joint(const ClosurePlace& c, const Meeting<double>& m,
                                  const LoopScratch& loops, int first_rotor, Force<Rows>& on_b,
                                  Rows& bias) {
  for (int r = 0; r < c.rotors; ++r) {
    const Row<double> row = closing_row(c, m, c.rotor_freedom[r]);
    put(on_b, first_rotor + r, row.W);
    bias.x[first_rotor + r] = row_bias(row, m);
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
                                 const LoopScratch& loops, const CarriedRows& carried, Tips& tips) {
  const auto a = static_cast<std::size_t>(c.node_a), b = static_cast<std::size_t>(c.node_b);
  const Meeting<double> m = meet(c, s.pose[a], s.pose[b], s.V[a], s.V[b]);
  Force<Rows> on_b = no_force();
  tips.bias = Rows(0.0);
  for (int i = 0; i < carried.count; ++i) {
    const Row<double> row = row_of(c, m, carried.row[i]);
    put(on_b, i, row.W);
    tips.bias.x[i] = row_bias(row, m);
  }
  load_joint(c, m, loops, carried.count, on_b, tips.bias);
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
    load_tips(s, c, loops, loops.carried[index], tips);
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

/// One freedom's share of what Ω's diagonal could be: `felt` is the size of f, `reach` what the freedom
/// could make of it.
LINKWRIGHT_INLINE Rows could_be(double weight, double reach, const Rows& felt, const Rows& x) {
  return (weight * reach) * felt + weight * (x * x);
}

/// u = H f (for gears and what they push with) of a joint with one freedom, and what the rows gather from it;
/// f becomes f⁺. On the world's side of it nothing is left to feel f⁺: there f meets the acceleration α′
/// that the joint would have without the freedom, and u what the freedom would do then.
template <class J>
LINKWRIGHT_INLINE void pass(J joint, const Tree<double>& tree, const Node<double>& n,
                            const sweeps::Gain<double>& gain, const Motion<double>& alpha,
                            Pushes pushes, const double* reach, double* weight, Rows* u,
                            Force<Rows>& f, Gathered& sum) {
  const Rows felt = dot(f.moment, f.moment) + sum.length2 * dot(f.force, f.force);
  Rows x;
  joint.project(tree, n, f, &x);
  if (pushes == Pushes::joints) x = u[0] + x;
  u[0] = x;
  weight[0] = gain.D_inv;
  sum.most = sum.most + could_be(gain.D_inv, reach[0], felt, x);
  if (n.parent == 0) {
    sum.right = sum.right + dot(f, alpha) + (gain.nu - dot(gain.G, alpha)) * x;
    return;
  }
  f = f - x * gain.G;
  sum.right = sum.right + dot(f, alpha) + gain.nu * x;
}
/// Of a joint with several: u is kept as L⁻¹ u, D = L Δ Lᵀ.
template <class J>
LINKWRIGHT_INLINE void pass(J joint, const Tree<double>& tree, const Node<double>& n,
                            const sweeps::MultiGain<double>& gain, const Motion<double>& alpha,
                            Pushes pushes, const double* reach, double* weight, Rows* u,
                            Force<Rows>& f, Gathered& sum) {
  const Rows felt = dot(f.moment, f.moment) + sum.length2 * dot(f.force, f.force);
  Rows x[J::most_freedoms];
  joint.project(tree, n, f, x);
  sum.right = sum.right + dot(f, alpha);
  for (int i = 0; i < J::freedoms(n); ++i) {
    if (pushes == Pushes::joints) x[i] = u[i] + x[i];
    for (int j = 0; j < i; ++j) x[i] = x[i] - gain.L[i][j] * x[j];
    u[i] = x[i];
    weight[i] = gain.inverse_Delta[i];
    sum.right = sum.right + (weight[i] * (gain.e[i] - dot(gain.Y[i], alpha))) * x[i];
    sum.most = sum.most + could_be(weight[i], reach[i], felt, x[i]);
  }
  if (n.parent == 0) return;
  for (int i = 0; i < J::freedoms(n); ++i) f -= (weight[i] * x[i]) * gain.Y[i];
}

/// One closure's rows from its tips to the world.
LINKWRIGHT_INLINE void walk_inward(const Tree<double>& tree, const Scratch<double>& s,
                                   const Path& path, Pushes pushes, const Motion<double>& world,
                                   LoopScratch& loops, std::size_t index) {
  Gathered sum{loops.right[index], Rows(0.0), loops.length2};
  Force<Rows> f = force_at(loops, path, path.begin);
  for (int at = path.begin; at < path.end; ++at) {
    const PathNode& here = loops.path[static_cast<std::size_t>(at)];
    const auto k = static_cast<std::size_t>(here.node);
    const Node<double>& n = tree.nodes[k];
    const sweeps::Place<double>& x = s.place[k];
    sweeps::dispatch(here.kind, [&](auto joint) LINKWRIGHT_INLINE_LAMBDA {
      using J = decltype(joint);
      Motion<double> alpha = s.a[k];
      if (n.parent == 0) alpha.linear += J::to_child(n, x, world.linear);
      pass(joint, tree, n, J::gain(s, n, here.node), alpha, pushes, loops.reach.data() + here.first,
           loops.weight.data() + here.first, loops.u.data() + here.first, f, sum);
      if (n.parent == 0) return;
      f = shift(J::offset(n, x),
                Force<Rows>{J::to_parent(n, x, f.moment), J::to_parent(n, x, f.force)});
    });
    const bool stays = here.up == at + 1;
    if (here.handing == PathNode::first_there && !stays) force_at(loops, path, here.up) = f;
    if (here.handing == PathNode::added) {
      f += force_at(loops, path, here.up);
      if (!stays) force_at(loops, path, here.up) = f;
    }
    if (!stays && at + 1 < path.end) f = force_at(loops, path, at + 1);
  }
  loops.right[index] = sum.right;
  loops.most[index] = loops.compliance.empty() ? sum.most : sum.most + loops.compliance[index];
}

/// A gear and a shaft push on their joints, and on nothing in between. A gear's row and that of a shaft's
/// rotor have the same lane.
LINKWRIGHT_INLINE void load_terms(const ClosurePlace& c, const Path& path, LoopScratch& loops,
                                  std::size_t index) {
  for (int i = path.first; i < path.first + path.freedoms; ++i)
    loops.u[static_cast<std::size_t>(i)] = Rows(0.0);
  const bool has_row = c.rows > 0 || c.rotors > 0;
  const double effort =
      c.freedoms > 0 && loops.pushed ? loops.effort[static_cast<std::size_t>(c.closing)] : 0;
  for (int i = path.terms; i < path.term_end; ++i) {
    const PathTerm& term = loops.terms[static_cast<std::size_t>(i)];
    const int first = loops.path[static_cast<std::size_t>(term.at)].first;
    Rows& slot = loops.u[static_cast<std::size_t>(first + term.slot)];
    if (has_row) slot.x[0] += term.ratio;
    slot.x[effort_lane] += effort * term.ratio;
    force_at(loops, path, term.at) = no_force();
  }
  loops.right[index] = Rows(0.0);
}

/// Rows of every closure, Ω's sums aside.
template <class Closures>
LINKWRIGHT_INLINE void loop_columns(const Tree<double>& tree, Scratch<double>& s,
                                    const Closures& closures, LoopScratch& loops) {
  const Motion<double> world = sweeps::moving_world<double>(tree).alpha;
  for (std::size_t i = 0; i < closures.size(); ++i) {
    const ClosurePlace& c = closures[i];
    const Path& path = loops.paths[i];
    const Pushes pushes = is_among_joints(c.kind) ? Pushes::joints : Pushes::bodies;
    if (pushes == Pushes::joints)
      load_terms(c, path, loops, i);
    else
      load_path(s, c, path, world, loops, i);
    walk_inward(tree, s, path, pushes, world, loops, i);
  }
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
