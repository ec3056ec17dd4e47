#pragma once
/// The kept rows of all closures through the filter, for eight states at a time.
///
/// Given    place(k), D, G, a(k), ν(k) of forward_dynamics_filter; pose(k), V(k) of the closures' nodes
/// Computes as closure/sweeps/columns.hpp, row by row since the lanes are states:
///            u(k) = H f(k),  f⁺ = f − G u,  f(p) += φ f⁺
///            J v̇_free + J̇ v = Σ_k (f · α′ + u · (ν − Gᵀ α′)),  α′ = a, plus the world's acceleration at
///          joints on the world
/// Cost     O(rows · depth)

#include "closure/batch/closed_kernels.hpp"
#include "linkwright/closure/sweeps/columns.hpp"
#include "linkwright/closure/sweeps/legs.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

using StateForce = spatial::Force<States>;
using StateMotion = spatial::Motion<States>;

LINKWRIGHT_INLINE std::size_t index(int i) { return static_cast<std::size_t>(i); }

LINKWRIGHT_INLINE StateForce to_states(const spatial::Force<double>& f) {
  return {{States(f.moment.x), States(f.moment.y), States(f.moment.z)},
          {States(f.force.x), States(f.force.y), States(f.force.z)}};
}
LINKWRIGHT_INLINE StateForce nothing() {
  const States zero(0.0);
  return {{zero, zero, zero}, {zero, zero, zero}};
}

/// Kept row i of a closure that is not constant, of a rotor behind the closure's own.
LINKWRIGHT_INLINE Row<States> kept_row(const ClosurePlace& c, const Meeting<States>& m, int row) {
  if (row < c.rows) return row_of(c, m, row);
  return closing_row(c, m, c.rotor_freedom[row - c.rows]);
}

/// Rows of any closure as forces on its two nodes (a feels the opposite), and J̇ v as far as it arises between them.
LINKWRIGHT_INLINE void load_rows(const Scratch<States>& s, const ClosurePlace& c,
                                 const KeptRows& own, StateForce* at_b, StateForce* at_a,
                                 States* bias) {
  const auto a = index(c.node_a), b = index(c.node_b);
  const Meeting<States> m = meet(c, s.pose[a], s.pose[b], s.V[a], s.V[b]);
  for (int r = 0; r < own.count; ++r) {
    const Row<States> row = kept_row(c, m, own.row[r]);
    bias[r] = row_bias(row, m);
    at_b[r] = to_parent(c.at_b, row.W);
    at_a[r] = -to_parent(c.at_a, to_parent(m.X, row.W));
  }
}
/// Rows that are constant on node b; as load_constant_tips of a single state.
LINKWRIGHT_INLINE void load_constant_rows(const Scratch<States>& s, const ClosurePlace& c,
                                          const KeptRows& own, StateForce* at_b, StateForce* at_a,
                                          States* bias) {
  const auto a = index(c.node_a), b = index(c.node_b);
  const bool on_world = a == 0;
  spatial::Pose<States> X = s.pose[b];
  StateMotion V = s.V[b], turning{{}, -cross(V.angular, V.linear)};
  if (!on_world) {
    X = inverse(s.pose[a]) * s.pose[b];
    const StateMotion seen = to_child(X, s.V[a]);
    V = s.V[b] - seen;
    const spatial::Vector3<States>& w = seen.angular;
    const spatial::Vector3<States> away = transpose_times(X.rotation, X.translation);
    turning = {cross(V.angular, w), -cross(w, cross(w, away)) - cross(w + w + V.angular, V.linear)};
  }
  for (int r = 0; r < own.count; ++r) {
    const StateForce W = to_states(own.constant[r]);
    bias[r] = on_world ? dot(W.force, turning.linear) : dot(W, turning);
    at_b[r] = W;
    at_a[r] = -to_parent(X, W);
  }
}

/// u and D⁻¹ u of one row at a joint with one freedom; u has room for `stride` rows per freedom, and what a
/// gear pushes with in it.
template <class J>
LINKWRIGHT_INLINE void find_u(J joint, const Tree<double>& tree, const Node<double>& n,
                              const sweeps::Gain<States>& gain, const StateForce& f, Pushes pushes,
                              States* u, States* weighted, int) {
  States x[1];
  joint.project(tree, n, f, x);
  if (pushes == Pushes::joints) x[0] += u[0];
  u[0] = x[0];
  weighted[0] = gain.D_inv * x[0];
}
/// Joints with several: u is kept as L⁻¹ u.
template <class J>
LINKWRIGHT_INLINE void find_u(J joint, const Tree<double>& tree, const Node<double>& n,
                              const sweeps::MultiGain<States>& gain, const StateForce& f,
                              Pushes pushes, States* u, States* weighted, int stride) {
  States x[J::most_freedoms];
  joint.project(tree, n, f, x);
  for (int i = 0; i < J::freedoms(n); ++i) {
    if (pushes == Pushes::joints) x[i] += u[i * stride];
    for (int j = 0; j < i; ++j) x[i] -= gain.L[i][j] * x[j];
    u[i * stride] = x[i];
    weighted[i * stride] = gain.inverse_Delta[i] * x[i];
  }
}
/// f⁺.
template <class J>
LINKWRIGHT_INLINE StateForce rest_of(J, const Node<double>&, const sweeps::Gain<States>& gain,
                                     const StateForce& f, const States* u, const States*, int) {
  return f - u[0] * gain.G;
}
template <class J>
LINKWRIGHT_INLINE StateForce rest_of(J, const Node<double>& n,
                                     const sweeps::MultiGain<States>& gain, const StateForce& f,
                                     const States*, const States* weighted, int stride) {
  StateForce rest = f;
  for (int i = 0; i < J::freedoms(n); ++i) rest -= weighted[i * stride] * gain.Y[i];
  return rest;
}

/// ν − Gᵀ α′, of several freedoms Δ L⁻¹ times it: what the joint would do freely.
template <class J>
LINKWRIGHT_INLINE void find_free_rate(J, const Node<double>&, const sweeps::Gain<States>& gain,
                                      const StateMotion& alpha, States* rate) {
  rate[0] = gain.nu - dot(gain.G, alpha);
}
template <class J>
LINKWRIGHT_INLINE void find_free_rate(J, const Node<double>& n,
                                      const sweeps::MultiGain<States>& gain,
                                      const StateMotion& alpha, States* rate) {
  for (int i = 0; i < J::freedoms(n); ++i) rate[i] = gain.e[i] - dot(gain.Y[i], alpha);
}

/// All kept rows of a closure through one joint.
template <class J>
[[gnu::noinline]] void pass_rows(J joint, const BatchPlan& plan, ClosedBatchScratch& w,
                                 const KeptRows& own, const Path& path, int at, Pushes pushes,
                                 const StateMotion& world, States* right) {
  const Tree<double>& tree = plan.system.tree();
  const Scratch<States>& s = w.sweep;
  const PathNode& here = plan.loops.path[index(at)];
  const auto k = index(here.node);
  const Node<double>& n = tree.nodes[k];
  const sweeps::Place<States>& place = s.place[k];
  // A copy of the numbers of one freedom stays in registers: nothing that is written could have changed it.
  using G = std::remove_cvref_t<decltype(J::gain(s, n, here.node))>;
  const std::conditional_t<J::most_freedoms == 1, G, const G&> gain = J::gain(s, n, here.node);
  const bool on_world = here.handing == PathNode::to_world;
  StateMotion alpha = s.a[k];
  if (on_world) alpha.linear += joint.to_child(n, place, world.linear);
  States rate[J::most_freedoms];
  find_free_rate(joint, n, gain, alpha, rate);
  const StateForce* from = w.force.data() + 6 * index(at - path.begin);
  StateForce* const to = w.force.data() + (on_world ? 0 : 6 * index(here.up - path.begin));
  const auto slot = index(plan.u_at[index(here.first)]);
  for (int r = 0; r < own.count; ++r) {
    States *u = w.u.data() + slot + r, *weighted = w.weighted.data() + slot + r;
    const StateForce f = from[r];
    find_u(joint, tree, n, gain, f, pushes, u, weighted, own.count);
    States free = dot(f, alpha);
    const States* felt = J::most_freedoms == 1 ? u : weighted;
    for (int i = 0; i < J::freedoms(n); ++i) free += rate[i] * felt[i * own.count];
    right[r] += free;
    if (on_world) continue;
    const StateForce rest = rest_of(joint, n, gain, f, u, weighted, own.count);
    const StateForce up =
        shift(J::offset(n, place),
              StateForce{J::to_parent(n, place, rest.moment), J::to_parent(n, place, rest.force)});
    if (here.handing == PathNode::first_there)
      put(to[r], up);
    else
      put(to[r], to[r] + up);
  }
}

/// A gear and a shaft push on their joints, and on nothing in between; each has one row.
LINKWRIGHT_INLINE void load_terms(const BatchPlan& plan, const Path& path, ClosedBatchScratch& w) {
  const auto slot = [&](int at, int freedom) LINKWRIGHT_INLINE_LAMBDA {
    return index(plan.u_at[index(plan.loops.path[index(at)].first + freedom)]);
  };
  for (int at = path.begin; at < path.end; ++at)
    for (int i = 0; i < plan.system.tree().nodes[index(plan.loops.path[index(at)].node)].d; ++i)
      w.u[slot(at, i)] = States(0.0);
  for (int i = path.terms; i < path.term_end; ++i) {
    const PathTerm& term = plan.loops.terms[index(i)];
    w.u[slot(term.at, term.slot)] += term.ratio;
    w.force[6 * index(term.at - path.begin)] = nothing();
  }
}

/// Forces of a pair's rows where its frames are; `right` starts with J̇ v between them.
[[gnu::noinline]] inline void load_pair(const Scratch<States>& s, const ClosurePlace& c,
                                        const KeptRows& own, const Path& path,
                                        const StateMotion& world, ClosedBatchScratch& w,
                                        States* right) {
  const auto force_at = [&](int at) LINKWRIGHT_INLINE_LAMBDA {
    return at >= 0 ? w.force.data() + 6 * index(at - path.begin) : w.on_world;
  };
  StateForce *at_b = force_at(path.at_b), *at_a = force_at(path.at_a);
  if (path.constant)
    load_constant_rows(s, c, own, at_b, at_a, right);
  else
    load_rows(s, c, own, at_b, at_a, right);
  if (path.at_a >= 0 && path.at_b >= 0) return;
  for (int r = 0; r < own.count; ++r) right[r] += dot(w.on_world[r].force, world.linear);
}

/// u of every kept row, and −(J v̇_free + J̇ v) in λ.
LINKWRIGHT_INLINE void closed_rows(const BatchPlan& plan, ClosedBatchScratch& w) {
  const StateMotion world = sweeps::moving_world<States>(plan.system.tree()).alpha;
  for (std::size_t i = 0; i < plan.closures.size(); ++i) {
    const KeptRows& own = plan.closures[i];
    if (own.count == 0) continue;
    const ClosurePlace& c = plan.system.closures()[i];
    const Path& path = plan.loops.paths[i];
    const Pushes pushes = is_among_joints(c.kind) ? Pushes::joints : Pushes::bodies;
    States right[6];
    for (States& r : right) r = States(0.0);
    if (pushes == Pushes::joints)
      load_terms(plan, path, w);
    else
      load_pair(w.sweep, c, own, path, world, w, right);
    for (int at = path.begin; at < path.end; ++at)
      sweeps::dispatch(plan.loops.path[index(at)].kind, [&](auto joint) LINKWRIGHT_INLINE_LAMBDA {
        pass_rows(joint, plan, w, own, path, at, pushes, world, right);
      });
    States* lambda = w.lambda.data() + plan.lambda_at[index(plan.pattern.position[i])];
    for (int r = 0; r < own.count; ++r) lambda[r] = -right[r];
  }
}

/// ν ← ν + D⁻¹ Σ u λ at every joint that a closure reaches.
LINKWRIGHT_INLINE void add_closure_forces(const BatchPlan& plan, ClosedBatchScratch& w) {
  for (std::size_t c = 0; c < plan.closures.size(); ++c) {
    const int count = plan.closures[c].count;
    const States* lambda = w.lambda.data() + plan.lambda_at[index(plan.pattern.position[c])];
    for (int at = plan.loops.paths[c].begin; at < plan.loops.paths[c].end; ++at) {
      const PathNode& here = plan.loops.path[index(at)];
      const auto k = index(here.node);
      const Node<double>& n = plan.system.tree().nodes[k];
      const auto slot = index(plan.u_at[index(here.first)]);
      for (int i = 0; i < n.d; ++i) {
        const States* felt = (n.modes < 0 ? w.weighted : w.u).data() + slot + index(i * count);
        States& innovation =
            n.modes < 0 ? w.sweep.gain[k].nu : w.sweep.multi_gain[index(n.modes)].e[i];
        States sum = innovation;
        for (int r = 0; r < count; ++r) sum += felt[r] * lambda[r];
        innovation = sum;
      }
    }
  }
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
