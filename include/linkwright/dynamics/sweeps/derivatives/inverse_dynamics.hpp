#pragma once
/// First derivatives of inverse dynamics, world axes about each tree's root, along the group: column
/// k is the derivative for q ⊕ ε e_k.
///
/// Given    place(k), v, v̇, forces that turn with their bodies
/// Outward  pose(k), S = φᵀ H*, V(k) = V(p) + S v, α(k) = α(p) + S v̇ + ψ̇ v  (α(0) = −g)
///          ψ̇ = V(p) × S, ψ̈ = α(p) × S + V(p) × ψ̇, Ṡ = V(k) × S
/// Inward   I, 2B, F of everything outboard of k; f = I α + V ×* I V − f_ext of one body,
///          2B = V×* I − I V× + (I V)×̄* = [J̇ − h̃_N, 0; −2 h̃_F, 0], h = I V, J̇ the rate of the
///          rotational part of I: twelve numbers
/// Pairs    of joint j and a freedom k outboard of it (or its own), I, B, F of k:
///          dT_j/dq_k = S_j · (S_k ×* F + I ψ̈_k + 2B ψ̇_k)         (not of j's own)
///          dT_j/dv_k = S_j · (I (ψ̇_k + Ṡ_k) + 2B S_k)
///          dT_k/dq_j = I S_k · ψ̈_j + 2Bᵀ S_k · ψ̇_j
///          dT_k/dv_j = I S_k · (ψ̇_j + Ṡ_j) + 2Bᵀ S_k · S_j
///          𝓜_jk     = S_j · I S_k
/// Cost     O(N) for what stands in slots, and 30 multiplications and additions per pair (36 with
///          𝓜), eight pairs at a time for a single state. Derived in docs/dynamics.md

#include "linkwright/dynamics/sweeps/acting_forces.hpp"
#include "linkwright/dynamics/sweeps/derivatives/scratch.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/dynamics/sweeps/mass_matrix.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// The bracket of motions, and its dual on forces: V ×* f.
template <class A, class B>
LINKWRIGHT_INLINE auto force_bracket(const Motion<A>& V, const Force<B>& f)
    -> Force<spatial::Product<A, B>> {
  return {cross(V.angular, f.moment) + cross(V.linear, f.force), cross(V.angular, f.force)};
}
template <class T>
LINKWRIGHT_INLINE Motion<T> column_of(const Matrix3<T>& R, const Vector3<T>& p, const auto& mode) {
  const Vector3<T> w = R * mode.angular;
  return {w, R * mode.linear + cross(p, w)};
}

/// The rate of the rotational part of an inertia that moves with V.
template <class T>
LINKWRIGHT_INLINE Symmetric3<T> rotational_rate(const Inertia<T>& I, const Motion<T>& V) {
  const Vector3<T>&w = V.angular, &u = V.linear, &c = I.first_moment;
  const Symmetric3<T>& J = I.rotational;
  // w̃ J + (w̃ J)ᵀ + 2 (u·c) 1 − c uᵀ − u cᵀ
  const T xx = w.y * J.xz - w.z * J.xy, yy = w.z * J.xy - w.x * J.yz, zz = w.x * J.yz - w.y * J.xz;
  const T ux = u.x * c.x, uy = u.y * c.y, uz = u.z * c.z;
  const auto twice = [](const T& x) LINKWRIGHT_INLINE_LAMBDA { return x + x; };
  return {twice(xx + (uy + uz)),
          twice(yy + (ux + uz)),
          twice(zz + (ux + uy)),
          w.y * J.yz - w.z * J.yy + (w.z * J.xx - w.x * J.xz) - (c.x * u.y + u.x * c.y),
          w.y * J.zz - w.z * J.yz + (w.x * J.xy - w.y * J.xx) - (c.x * u.z + u.x * c.z),
          w.z * J.xz - w.x * J.zz + (w.x * J.yy - w.y * J.xy) - (c.y * u.z + u.y * c.z)};
}
/// 2B x and, its torque part, 2Bᵀ x.
template <class T>
LINKWRIGHT_INLINE Force<T> apply_gyric(const Outboard<T>& o, const Motion<T>& x) {
  const Vector3<T> f = cross(x.angular, o.h.force);
  return {o.J_rate * x.angular + cross(x.angular, o.h.moment), f + f};
}
template <class T>
LINKWRIGHT_INLINE Vector3<T> apply_gyric_transpose(const Outboard<T>& o, const Motion<T>& x) {
  const Vector3<T> f = cross(o.h.force, x.linear);
  return o.J_rate * x.angular + cross(o.h.moment, x.angular) + (f + f);
}

template <class T>
void place_columns(const Tree<Constant<T>>& tree, Scratch<T>& s, DerivativeScratch<T>& d) {
  poses<Origin::root>(tree, s);
  for (int k = 1; k < tree.count(); ++k) {
    const auto& n = tree.nodes[static_cast<std::size_t>(k)];
    for (int i = 0; i < n.d; ++i)
      write_slot<T>(d.placed.data(), n.freedom + i, {s.pose[k].rotation, s.pose[k].translation});
  }
  for (int g = 0; g < d.groups; ++g)
    d.column[g].S = column_of(d.placed[g].R, d.placed[g].p, d.mode[g]);
}

template <class T, class L>
LINKWRIGHT_INLINE Motion<T> read_S(const std::vector<Column<L>>& column, int f) {
  constexpr int lanes = slots_of<T, L>;
  return Lane<T, L>{f % lanes}.read(column[static_cast<std::size_t>(f / lanes)].S);
}

/// The rates of a column whose joint's parent moves with Vp and αp, and whose child with V.
template <class T>
LINKWRIGHT_INLINE void set_rates(Column<T>& x, const Motion<T>& S, const Motion<T>& Vp,
                                 const Motion<T>& ap, const Motion<T>& V) {
  const Motion<T> psi_rate = bracket(Vp, S);
  x.psi_rate = psi_rate;
  x.psi_rate2 = bracket(ap, S) + bracket(Vp, psi_rate);
  x.sum_rate = psi_rate + bracket(V, S);
}

/// V and α of all nodes, and the rates of the columns.
template <class T>
void carry_motions(const Tree<Constant<T>>& tree, DerivativeScratch<T>& d, const T* v, const T* a) {
  using L = Slots<T>;
  d.V[0] = {};
  d.alpha[0] = moving_world<T>(tree).alpha;
  for (int k = 1; k < tree.count(); ++k) {
    const auto& n = tree.nodes[static_cast<std::size_t>(k)];
    const Motion<T>& Vp = d.V[static_cast<std::size_t>(n.parent)];
    const Motion<T>& ap = d.alpha[static_cast<std::size_t>(n.parent)];
    Motion<T> V = Vp, alpha = ap, rate{};
    for (int i = 0; i < n.d; ++i) {
      const Motion<T> S = read_S<T>(d.column, n.freedom + i);
      rate += v[n.v + i] * S;
      alpha += a[n.v + i] * S;
    }
    V += rate;
    alpha += bracket(Vp, rate);
    d.V[static_cast<std::size_t>(k)] = V;
    d.alpha[static_cast<std::size_t>(k)] = alpha;
    for (int i = 0; i < n.d; ++i)
      write_slot<T>(d.carried.data(), n.freedom + i, Carried<T>{Vp, V, ap, alpha});
  }
  for (int g = 0; g < d.groups; ++g) {
    const Carried<L>& c = d.carried[g];
    set_rates(d.column[g], d.column[g].S, c.V_parent, c.alpha_parent, c.V_child);
  }
}

/// I, J̇, h and F of a body at x that moves with V and α.
template <class T, class M>
LINKWRIGHT_INLINE void weigh(Outboard<T>& o, const Placed<T>& x, const M& own, const Motion<T>& V,
                             const Motion<T>& alpha) {
  const Inertia<T> I = to_parent(Pose<T>{x.R, x.p}, own);
  const Force<T> h = I * V;
  o.I = I;
  o.J_rate = rotational_rate(I, V);
  o.h = h;
  o.F = I * alpha + force_bracket(V, h);
}
/// I, J̇, h and F of every body.
template <class T>
void weigh_bodies(DerivativeScratch<T>& d) {
  using L = Slots<T>;
  for (int g = 0; g < d.groups; ++g) {
    const Carried<L>& c = d.carried[g];
    weigh(d.outboard[g], d.placed[g], d.M[g], c.V_child, c.alpha_child);
  }
}

/// All of these joint by joint, where a slot is a group: what a joint passes on need not go through memory.
template <class T>
requires(!std::is_floating_point_v<T>) void move_and_weigh(const Tree<Constant<T>>& tree,
                                                           Scratch<T>& s, DerivativeScratch<T>& d,
                                                           const T* v, const T* a) {
  poses<Origin::root>(tree, s);
  d.V[0] = {};
  d.alpha[0] = moving_world<T>(tree).alpha;
  for (int k = 1; k < tree.count(); ++k) {
    const auto node = static_cast<std::size_t>(k);
    const auto& n = tree.nodes[node];
    const auto first = static_cast<std::size_t>(n.freedom);
    const Placed<T> x{s.pose[node].rotation, s.pose[node].translation};
    const Motion<T> Vp = d.V[static_cast<std::size_t>(n.parent)],
                    ap = d.alpha[static_cast<std::size_t>(n.parent)];
    Motion<T> alpha = ap, rate{};
    for (int i = 0; i < n.d; ++i) {
      const Motion<T> S = column_of(x.R, x.p, d.mode[first + static_cast<std::size_t>(i)]);
      d.column[first + static_cast<std::size_t>(i)].S = S;
      rate += v[n.v + i] * S;
      alpha += a[n.v + i] * S;
    }
    const Motion<T> V = Vp + rate;
    alpha += bracket(Vp, rate);
    d.V[node] = V;
    d.alpha[node] = alpha;
    for (auto f = first; f < first + static_cast<std::size_t>(n.d); ++f)
      set_rates<T>(d.column[f], Motion<T>{d.column[f].S}, Vp, ap, V);
    weigh(d.outboard[first], x, d.M[first], V, alpha);
  }
}

/// Forces that turn with their bodies belong to F; those in the world's axes have derivatives of their
/// own (forces.hpp).
template <class T, class Loads>
void subtract_loads(const Tree<Constant<T>>& tree, const Scratch<T>& s, DerivativeScratch<T>& d,
                    const Loads& loads) {
  const auto subtract = [&](const auto& load) LINKWRIGHT_INLINE_LAMBDA {
    if (load.node == 0 || load.in_world) return;
    const auto& x = s.pose[static_cast<std::size_t>(load.node)];
    const Vector3<T> push = x.rotation * load.force.force;
    const Force<T> f{x.rotation * load.force.moment + cross(x * load.at, push), push};
    const int slot = tree.nodes[static_cast<std::size_t>(load.node)].freedom;
    constexpr int lanes = slots_of<T, Slots<T>>;
    auto& F = d.outboard[static_cast<std::size_t>(slot / lanes)].F;
    const Lane<T, Slots<T>> lane{slot % lanes};
    lane.write(F, lane.read(F) - f);
  };
  loads.each(subtract);
  for (const auto& load : tree.body_forces.loads) subtract(load);
}

/// What everything outboard of a freedom makes of it.
template <class T>
LINKWRIGHT_INLINE void feel(Felt<T>& f, const Outboard<T>& o, const Column<T>& x) {
  f.inertial = o.I * x.S;
  f.gyric = apply_gyric_transpose(o, x.S);
  f.by_q = force_bracket(x.S, o.F) + o.I * x.psi_rate2 + apply_gyric(o, x.psi_rate);
  f.by_v = o.I * x.sum_rate + apply_gyric(o, x.S);
}

/// Sums over everything outboard, and what follows from them for every freedom.
template <class T>
void gather_outboard(const Tree<Constant<T>>& tree, DerivativeScratch<T>& d) {
  using L = Slots<T>;
  constexpr int lanes = slots_of<T, L>;
  constexpr int count = sizeof(Outboard<L>) / sizeof(L);
  T* numbers = reinterpret_cast<T*>(d.outboard.data());
  const auto at = [&](int f) LINKWRIGHT_INLINE_LAMBDA {
    return numbers + static_cast<std::ptrdiff_t>(f / lanes) * (count * lanes) + f % lanes;
  };
  for (int k = tree.count() - 1; k >= 1; --k) {
    const auto& n = tree.nodes[static_cast<std::size_t>(k)];
    const T* from = at(n.freedom);
    if constexpr (std::is_floating_point_v<T>) {
      for (int i = 1; i < n.d; ++i) {
        T* copy = at(n.freedom + i);
        for (int c = 0; c < count; ++c) copy[c * lanes] = from[c * lanes];
      }
    } else {
      const auto first = static_cast<std::size_t>(n.freedom);
      for (auto f = first; f < first + static_cast<std::size_t>(n.d); ++f)
        feel(d.felt[f], d.outboard[first], d.column[f]);
    }
    if (n.parent == 0) continue;
    T* to = at(tree.nodes[static_cast<std::size_t>(n.parent)].freedom);
    for (int c = 0; c < count; ++c) to[c * lanes] += from[c * lanes];
  }
  if constexpr (std::is_floating_point_v<T>)
    for (int g = 0; g < d.groups; ++g) feel(d.felt[g], d.outboard[g], d.column[g]);
}

/// Everything before the pairs. The joints stand already.
template <class T, class Loads>
void prepare_derivatives(const Tree<Constant<T>>& tree, Scratch<T>& s, DerivativeScratch<T>& d,
                         const T* v, const T* a, const Loads& loads) {
  if constexpr (std::is_floating_point_v<T>) {
    place_columns(tree, s, d);
    carry_motions(tree, d, v, a);
    weigh_bodies(d);
  } else {
    move_and_weigh(tree, s, d, v, a);
  }
  if (!loads.empty() || tree.body_forces.any()) subtract_loads(tree, s, d, loads);
  gather_outboard(tree, d);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
