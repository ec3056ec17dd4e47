#pragma once
/// A body on the world that closures tie to it by legs: a plate on its struts, a walking machine on its feet.
/// Each leg is a chain of joints between the body, the hub, and the world, with a closure at one end of it;
/// legs share nothing but the hub. Their rows stay among themselves until they meet there.
///
/// Given    place(k), D, G, a(k), ν(k) of forward_dynamics_filter, the hub's likewise
/// Computes u(k), Ω′ = Σ u D⁻¹ uᵀ of a leg without the hub and U, its rows as forces on the hub,
///          (D + Σ Uᵀ Ω′⁻¹ U) x = Σ Uᵀ Ω′⁻¹ r,  λ = Ω′⁻¹ (r − U x)              (omega_pattern.hpp)
///          and ν + D⁻¹ Σ u λ
/// Cost     O(legs). T carries equal legs side by side for a single state, or many states.

#include "linkwright/closure/sweeps/leg_scratch.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

/// A leg's Ω′ must be as well clear of singular as this, each pivot of its own diagonal entry, and that of the
/// largest. Else the leg alone cannot give way in all its rows, and the hub must be asked first.
inline constexpr double clear_pivot = 1e-5, clear_diagonal = 1e-8;

template <class T>
LINKWRIGHT_INLINE const T& spread(const T& x) {
  return x;
}
template <class T>
requires(!std::is_same_v<T, double>) LINKWRIGHT_INLINE T spread(double x) { return T(x); }
template <class T, class S>
LINKWRIGHT_INLINE spatial::Vector3<T> spread(const spatial::Vector3<S>& v) {
  return {spread<T>(v.x), spread<T>(v.y), spread<T>(v.z)};
}
template <class T, class S>
LINKWRIGHT_INLINE spatial::Motion<T> spread(const spatial::Motion<S>& m) {
  return {spread<T>(m.angular), spread<T>(m.linear)};
}
template <class T, class S>
LINKWRIGHT_INLINE spatial::Force<T> spread(const spatial::Force<S>& f) {
  return {spread<T>(f.moment), spread<T>(f.force)};
}
template <class T, class S>
LINKWRIGHT_INLINE spatial::Pose<T> spread(const spatial::Pose<S>& x) {
  const auto& R = x.rotation;
  return {{spread<T>(R.xx), spread<T>(R.xy), spread<T>(R.xz), spread<T>(R.yx), spread<T>(R.yy),
           spread<T>(R.yz), spread<T>(R.zx), spread<T>(R.zy), spread<T>(R.zz)},
          spread<T>(x.translation)};
}

/// Number by number. Copied as a whole, what was written in halves is read back in one and waits for both.
template <class T>
LINKWRIGHT_INLINE void put(spatial::Vector3<T>& to, const spatial::Vector3<T>& v) {
  to.x = v.x, to.y = v.y, to.z = v.z;
}
template <class T>
LINKWRIGHT_INLINE void put(spatial::Force<T>& to, const spatial::Force<T>& f) {
  put(to.moment, f.moment), put(to.force, f.force);
}
template <class T>
LINKWRIGHT_INLINE void put(spatial::Motion<T>& to, const spatial::Motion<T>& m) {
  put(to.angular, m.angular), put(to.linear, m.linear);
}
template <class T>
LINKWRIGHT_INLINE void put(spatial::Pose<T>& to, const spatial::Pose<T>& x) {
  const spatial::Matrix3<T>& R = x.rotation;
  to.rotation.xx = R.xx, to.rotation.xy = R.xy, to.rotation.xz = R.xz;
  to.rotation.yx = R.yx, to.rotation.yy = R.yy, to.rotation.yz = R.yz;
  to.rotation.zx = R.zx, to.rotation.zy = R.zy, to.rotation.zz = R.zz;
  put(to.translation, x.translation);
}

/// What the filter left at the hub: D = L Δ Lᵀ, and how it would move without closures.
template <class S>
struct FreeHub {
  spatial::Pose<S> pose{};
  spatial::Motion<S> V{}, alpha{};  // of the hub's frame; α plus −g
  S D[6][6];                        // lower triangle
  S t[6];                           // Σ Uᵀ Ω′⁻¹ r
};

template <class S>
LINKWRIGHT_INLINE void unfold(const sweeps::Gain<S>& gain, int, S (&D)[6][6]) {
  D[0][0] = S(1) / gain.D_inv;
}
template <class S>
LINKWRIGHT_INLINE void unfold(const sweeps::MultiGain<S>& gain, int d, S (&D)[6][6]) {
  for (int i = 0; i < d; ++i)
    for (int j = 0; j <= i; ++j) {
      S sum = j < i ? gain.L[i][j] * gain.pivot[j] : gain.pivot[i];
      for (int k = 0; k < j; ++k) sum += (gain.L[i][k] * gain.pivot[k]) * gain.L[j][k];
      D[i][j] = sum;
    }
}

template <class S, class B>
LINKWRIGHT_INLINE void find_hub(const Tree<B>& tree, const Scratch<S>& s, const LegPlan& plan,
                                const S* v, FreeHub<S>& hub) {
  const auto k = static_cast<std::size_t>(plan.hub);
  const Node<B>& n = tree.nodes[k];
  const sweeps::Place<S>& x = s.place[k];
  const auto world = sweeps::moving_world<S>(tree).alpha.linear;
  sweeps::dispatch(plan.hub_kind, [&](auto joint) LINKWRIGHT_INLINE_LAMBDA {
    using J = decltype(joint);
    const auto& gain = J::gain(s, n, plan.hub);
    hub.pose = {sweeps::rotation_from(joint, n, x, spatial::Matrix3<S>::identity()),
                spatial::Vector3<S>{} + joint.offset(n, x)};
    hub.V = joint.rate(tree, n, v + n.v);
    hub.alpha = s.a[k];
    hub.alpha.linear += J::to_child(n, x, world);
    S a[J::most_freedoms];
    gain.smooth(joint, n, hub.alpha, a);
    joint.accelerate(tree, n, a, hub.alpha);
    unfold(gain, J::freedoms(n), hub.D);
  });
  for (S& t : hub.t) t = S(0);
}

/// Where a closure's frames meet: X of b in a, and V̇ of rows that are constant on b while the bodies' own frames
/// accelerate not at all.
template <class T>
struct ConstantMeeting {
  spatial::Pose<T> X;
  spatial::Motion<T> bias;
};
template <class T>
LINKWRIGHT_INLINE ConstantMeeting<T> meet_constant(const spatial::Pose<T>& pose_a,
                                                   const spatial::Motion<T>& V_a,
                                                   const spatial::Pose<T>& pose_b,
                                                   const spatial::Motion<T>& V_b) {
  const spatial::Pose<T> X = inverse(pose_a) * pose_b;
  const spatial::Motion<T> seen = to_child(X, V_a), V = V_b - seen;
  const spatial::Vector3<T>& w = seen.angular;
  const spatial::Vector3<T> away = transpose_times(X.rotation, X.translation);
  return {X, {cross(V.angular, w), -cross(w, cross(w, away)) - cross(w + w + V.angular, V.linear)}};
}

/// Rows of a leg's closure as forces on the leg's tip and on its other frame, and what arises between them.
template <int rows, class T, class W>
[[gnu::noinline]] void load_leg(const Leg<W>& leg, const spatial::Pose<T>& tip,
                                const spatial::Motion<T>& V_tip, const spatial::Pose<T>& other,
                                const spatial::Motion<T>& V_other, LegForces<T>& r) {
  const spatial::Pose<T>&pose_a = leg.tip_is_b ? other : tip, &pose_b = leg.tip_is_b ? tip : other;
  const spatial::Motion<T>&V_a = leg.tip_is_b ? V_other : V_tip,
        &V_b = leg.tip_is_b ? V_tip : V_other;
  spatial::Force<T>*at_a = leg.tip_is_b ? r.on_other : r.on_leg,
  *at_b = leg.tip_is_b ? r.on_leg : r.on_other;
  const ConstantMeeting<T> m = meet_constant(pose_a, V_a, pose_b, V_b);
  for (int i = 0; i < rows; ++i) {
    const spatial::Force<T> on_b = spread<T>(leg.W_b[i]);
    r.right[i] = dot(on_b, m.bias);
    put(at_b[i], on_b);
    put(at_a[i], -to_parent(m.X, on_b));
  }
}

/// u of all rows at a joint with one freedom, and what they gather there.
template <int rows, class J, class T, class B>
LINKWRIGHT_INLINE void pass_joint(J joint, const Tree<B>& tree, const Node<B>& n,
                                  const sweeps::Gain<T>& gain, const spatial::Motion<T>& alpha,
                                  T* u, T* weighted, LegForces<T>& r) {
  const T rate = gain.nu - dot(gain.G, alpha);
  for (int i = 0; i < rows; ++i) {
    spatial::Force<T>& f = r.on_leg[i];
    T x[1];
    joint.project(tree, n, f, x);
    u[i] = x[0];
    weighted[i] = gain.D_inv * x[0];
    r.right[i] = r.right[i] + dot(f, alpha) + rate * x[0];
    put(f, f - x[0] * gain.G);
  }
}
/// With several: u is kept as L⁻¹ u.
template <int rows, class J, class T, class B>
LINKWRIGHT_INLINE void pass_joint(J joint, const Tree<B>& tree, const Node<B>& n,
                                  const sweeps::MultiGain<T>& gain, const spatial::Motion<T>& alpha,
                                  T* u, T* weighted, LegForces<T>& r) {
  const int d = J::freedoms(n);
  for (int i = 0; i < rows; ++i) {
    spatial::Force<T>& f = r.on_leg[i];
    T x[J::most_freedoms];
    joint.project(tree, n, f, x);
    r.right[i] = r.right[i] + dot(f, alpha);
    for (int j = 0; j < d; ++j) {
      for (int k = 0; k < j; ++k) x[j] -= gain.L[j][k] * x[k];
      const T w = gain.inverse_Delta[j] * x[j];
      u[j * rows + i] = x[j];
      weighted[j * rows + i] = w;
      r.right[i] = r.right[i] + (gain.e[j] - dot(gain.Y[j], alpha)) * w;
    }
    for (int j = 0; j < d; ++j) f -= weighted[j * rows + i] * gain.Y[j];
  }
}

/// All rows of a leg through one of its joints: a function of its own per joint kind, so that what it reads again
/// and again stays in registers. What is left of them pushes on whom the joint hangs on; on the world nobody
/// asks.
template <int rows, class J, class T, class B>
[[gnu::noinline]] void pass_leg(J joint, const Tree<B>& tree, const Scratch<T>& s,
                                const LegNode& here, bool on_world, LegForces<T>& forces,
                                LegRows<T>& r) {
  const auto k = static_cast<std::size_t>(here.node);
  const Node<B>& n = tree.nodes[k];
  const sweeps::Place<T>& x = s.place[k];
  spatial::Motion<T> alpha = s.a[k];
  if (on_world) alpha.linear += J::to_child(n, x, sweeps::moving_world<T>(tree).alpha.linear);
  T *u = r.u.data() + rows * here.first, *weighted = r.weighted.data() + rows * here.first;
  pass_joint<rows>(joint, tree, n, J::gain(s, n, here.node), alpha, u, weighted, forces);
  if (on_world) return;
  for (int i = 0; i < rows; ++i) {
    const spatial::Force<T>& f = forces.on_leg[i];
    put(forces.on_leg[i], shift(J::offset(n, x), spatial::Force<T>{J::to_parent(n, x, f.moment),
                                                                   J::to_parent(n, x, f.force)}));
  }
}
/// From the leg's tip to its root.
template <int rows, class T, class B, class W>
LINKWRIGHT_INLINE void walk_leg(const Tree<B>& tree, const Scratch<T>& s, const Leg<W>& leg,
                                LegForces<T>& forces, LegRows<T>& r) {
  for (const LegNode& here : leg.nodes) {
    const bool on_world = !leg.on_hub && &here == &leg.nodes.back();
    sweeps::dispatch(here.kind, [&](auto joint) LINKWRIGHT_INLINE_LAMBDA {
      pass_leg<rows>(joint, tree, s, here, on_world, forces, r);
    });
  }
}

/// Ω′ = L Δ Lᵀ; the mask of the lanes where it is well clear of singular.
template <int rows, class T, class W>
[[gnu::noinline]] auto factor_leg(const Leg<W>& leg, LegRows<T>& r) {
  T(&A)[6][6] = r.L;
  const T *u = r.u.data(), *weighted = r.weighted.data();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j <= i; ++j) A[i][j] = u[i] * weighted[j];
  for (int k = 1; k < leg.freedoms; ++k) {
    u += rows, weighted += rows;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j <= i; ++j) A[i][j] += u[i] * weighted[j];
  }
  T largest(0.0), diagonal[rows];
  for (int i = 0; i < rows; ++i) {
    diagonal[i] = A[i][i];
    largest = larger(largest, leg.measure[i] * diagonal[i]);
  }
  auto fine = above(largest, T(0.0));
  for (int k = 0; k < rows; ++k) {
    fine = fine & above(leg.measure[k] * diagonal[k], clear_diagonal * largest) &
           above(A[k][k], clear_pivot * diagonal[k]);
    r.inverse[k] = T(1.0) / A[k][k];
    T column[rows];
    for (int i = k + 1; i < rows; ++i) column[i] = A[i][k];
    for (int i = k + 1; i < rows; ++i) {
      A[i][k] = r.inverse[k] * column[i];
      for (int j = k + 1; j <= i; ++j) A[i][j] -= A[i][k] * column[j];
    }
  }
  return fine;
}

/// The freedoms of a hub: constant for the most frequent one, a free body.
struct FreeBody {
  static constexpr int freedoms(const LegPlan&) { return 6; }
};
struct AnyHub {
  static int freedoms(const LegPlan& plan) { return plan.freedoms; }
};
template <class F>
LINKWRIGHT_INLINE void with_hub(const LegPlan& plan, F&& f) {
  if (plan.hub_kind == NodeKind::free)
    f(FreeBody{});
  else
    f(AnyHub{});
}

/// U of one row.
template <class T, class HubTree>
LINKWRIGHT_INLINE void project_on_hub(FreeBody, const HubTree& tree, const LegPlan& plan,
                                      const spatial::Force<T>& f, T* U) {
  sweeps::Free::project(tree, tree.nodes[static_cast<std::size_t>(plan.hub)], f, U);
}
template <class T, class HubTree>
LINKWRIGHT_INLINE void project_on_hub(AnyHub, const HubTree& tree, const LegPlan& plan,
                                      const spatial::Force<T>& f, T* U) {
  sweeps::dispatch(plan.hub_kind, [&](auto joint) LINKWRIGHT_INLINE_LAMBDA {
    joint.project(tree, tree.nodes[static_cast<std::size_t>(plan.hub)], f, U);
  });
}

/// What a leg's rows do at the hub: Y = L⁻¹ U and z = L⁻¹ r stay with the leg; S += Yᵀ Δ⁻¹ Y, t += Yᵀ Δ⁻¹ z.
template <int rows, class H, class T, class S, class HubTree, class W>
[[gnu::noinline]] void meet_hub(H kind, const HubTree& tree, const LegPlan& plan, const Leg<W>& leg,
                                const FreeHub<S>& hub, const LegForces<T>& forces, LegRows<T>& r,
                                HubSum<T>& sum) {
  const spatial::Force<T>* on_hub = leg.on_hub ? forces.on_leg : forces.on_other;
  const spatial::Motion<T> free = spread<T>(hub.alpha);
  for (int i = 0; i < rows; ++i) {
    T z = -forces.right[i] - dot(on_hub[i], free);
    if (leg.on_hub)
      z -= dot(forces.on_other[i].force, spread<T>(sweeps::moving_world<S>(tree).alpha.linear));
    project_on_hub(kind, tree, plan, on_hub[i], r.Y[i]);
    for (int k = 0; k < i; ++k) {
      z -= r.L[i][k] * r.z[k];
      for (int j = 0; j < H::freedoms(plan); ++j) r.Y[i][j] -= r.L[i][k] * r.Y[k][j];
    }
    r.z[i] = z;
  }
  for (int j = 0; j < H::freedoms(plan); ++j) {
    T weighted[rows], total = sum.t[j];
    for (int i = 0; i < rows; ++i) {
      weighted[i] = (r.counts * r.inverse[i]) * r.Y[i][j];
      total += weighted[i] * r.z[i];
    }
    sum.t[j] = total;
    for (int k = 0; k <= j; ++k) {
      T entry = sum.S[j][k];
      for (int i = 0; i < rows; ++i) entry += weighted[i] * r.Y[i][k];
      sum.S[j][k] = entry;
    }
  }
}

/// A leg's rows as far as the hub. The mask of the lanes where Ω′ is well clear of singular.
template <int rows, class T, class S, class B, class HubTree, class W>
LINKWRIGHT_INLINE auto stand_leg(const Tree<B>& tree, const Scratch<T>& s, const HubTree& hub_tree,
                                 const LegPlan& plan, const Leg<W>& leg, const FreeHub<S>& hub,
                                 LegForces<T>& forces, LegRows<T>& r, HubSum<T>& sum) {
  const auto tip = static_cast<std::size_t>(leg.tip);
  if (leg.on_hub)
    load_leg<rows>(leg, s.pose[tip], s.V[tip], spatial::Pose<T>{}, spatial::Motion<T>{}, forces);
  else
    load_leg<rows>(leg, s.pose[tip], s.V[tip], spread<T>(hub.pose), spread<T>(hub.V), forces);
  walk_leg<rows>(tree, s, leg, forces, r);
  const auto fine = factor_leg<rows>(leg, r);
  with_hub(plan, [&](auto kind) LINKWRIGHT_INLINE_LAMBDA {
    meet_hub<rows>(kind, hub_tree, plan, leg, hub, forces, r, sum);
  });
  return fine;
}

/// x of the hub from D + S and t, in t.
template <class H, class S>
[[gnu::noinline]] void solve_hub(H, const LegPlan& plan, S (&A)[6][6], S (&x)[6]) {
  const int d = H::freedoms(plan);
  S inverse[6];
  for (int k = 0; k < d; ++k) {
    inverse[k] = S(1.0) / A[k][k];
    for (int i = k + 1; i < d; ++i) {
      const S l = inverse[k] * A[i][k];
      for (int j = i; j < d; ++j) A[j][i] -= l * A[j][k];
      x[i] -= l * x[k];
    }
  }
  for (int k = d - 1; k >= 0; --k) {
    for (int i = k + 1; i < d; ++i) x[k] -= A[i][k] * x[i];
    x[k] = inverse[k] * x[k];
  }
}

/// λ of a leg in z, and what it adds to the innovations of its joints.
template <int rows, class H, class T, class S, class B, class W>
[[gnu::noinline]] void close_leg(H, const Tree<B>& tree, Scratch<T>& s, const LegPlan& plan,
                                 const Leg<W>& leg, const S (&x)[6], LegRows<T>& r) {
  T lambda[rows];
  for (int i = rows - 1; i >= 0; --i) {
    T y = r.z[i];
    for (int j = 0; j < H::freedoms(plan); ++j) y -= r.Y[i][j] * x[j];
    y = r.inverse[i] * y;
    for (int k = i + 1; k < rows; ++k) y -= r.L[k][i] * lambda[k];
    lambda[i] = y;
  }
  for (const LegNode& here : leg.nodes) {
    const auto k = static_cast<std::size_t>(here.node);
    const Node<B>& n = tree.nodes[k];
    for (int j = 0; j < n.d; ++j) {
      const T* felt = (n.modes < 0 ? r.weighted : r.u).data() + rows * (here.first + j);
      T& innovation =
          n.modes < 0 ? s.gain[k].nu : s.multi_gain[static_cast<std::size_t>(n.modes)].e[j];
      T total = innovation;
      for (int i = 0; i < rows; ++i) total += felt[i] * lambda[i];
      innovation = total;
    }
  }
  for (int i = 0; i < rows; ++i) r.z[i] = lambda[i];
}
/// And of the hub's own: v̇ becomes v̇ + x.
template <class S, class B>
LINKWRIGHT_INLINE void close_hub(const Tree<B>& tree, Scratch<S>& s, const LegPlan& plan,
                                 const S (&x)[6]) {
  const auto k = static_cast<std::size_t>(plan.hub);
  const Node<B>& n = tree.nodes[k];
  if (n.modes < 0) {
    s.gain[k].nu += x[0];
    return;
  }
  auto& gain = s.multi_gain[static_cast<std::size_t>(n.modes)];
  for (int i = 0; i < n.d; ++i) {
    S sum = x[i];
    for (int j = i + 1; j < n.d; ++j) sum += gain.L[j][i] * x[j];
    gain.e[i] += gain.pivot[i] * sum;
  }
}

/// pose(k) and V(k) of one joint of a leg.
template <class J, class T, class B>
[[gnu::noinline]] void move_joint(J joint, const Tree<B>& tree, Scratch<T>& s, int node,
                                  const T* v) {
  const auto k = static_cast<std::size_t>(node);
  const Node<B>& n = tree.nodes[k];
  const auto p = static_cast<std::size_t>(n.parent);
  const sweeps::Place<T>& x = s.place[k];
  const spatial::Pose<T>& from = s.pose[p];
  put(s.pose[k], spatial::Pose<T>{sweeps::rotation_from(joint, n, x, from.rotation),
                                  from.translation + from.rotation * joint.offset(n, x)});
  put(s.V[k], sweeps::velocity_from(joint, tree, n, x, s.V[p], v));
}
/// Along the leg, from whom it hangs on.
template <class T, class B, class W>
LINKWRIGHT_INLINE void move_leg(const Tree<B>& tree, Scratch<T>& s, const Leg<W>& leg, const T* v) {
  for (auto here = leg.nodes.rbegin(); here != leg.nodes.rend(); ++here)
    sweeps::dispatch(here->kind, [&](auto joint) LINKWRIGHT_INLINE_LAMBDA {
      move_joint(joint, tree, s, here->node, v);
    });
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
