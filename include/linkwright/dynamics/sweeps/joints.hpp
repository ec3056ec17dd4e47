#pragma once
/// Every joint type, as the sweeps meet it, and the one function that tells them apart.
///
/// A joint kind J answers, for a node n placed at x (letters of the papers in brackets):
///   place      rotation, offset from q (revolute joints: placement.hpp)   θ → R, ℓ
///   to_child   a free vector from parent's to child's axes           Rᵀ u
///   to_parent  the way back                                          R u
///   offset     the joint's origin in the parent's frame              ℓ(k+1, k)
///   rate       relative velocity of the joint                        H* v
///   coriolis   bias acceleration without its centrifugal part        a(k)
///   accelerate adds H* v̇ to an acceleration
///   project    joint efforts of a force                              H f
///   reaction   force of an inertia per unit acceleration of freedom i  P H*_i
///   congruence R P Rᵀ of an inertia
///   freedoms   how many it has                                       d
///   rotor      reflected rotor inertia of freedom i
///   gain       where the filter keeps its results (gains.hpp)
/// One-freedom joints have their axis along local z, so H picks one component.

#include "linkwright/spatial/articulated_inertia.hpp"
#include "linkwright/system/tree.hpp"

#ifndef LINKWRIGHT_ISA
#define LINKWRIGHT_ISA baseline
#endif

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

using spatial::ArticulatedInertia, spatial::Constant, spatial::Force, spatial::Inertia,
    spatial::Matrix3, spatial::Motion, spatial::Pose, spatial::Quaternion, spatial::ReducedInertia,
    spatial::RotationX, spatial::RotationZ, spatial::Symmetric3, spatial::Vector3,
    spatial::VectorXZ;
using spatial::sin_cos, spatial::square_root;

/// Where a joint's coordinates have put the child. One-freedom joints use what they need of it.
template <class T>
struct Place {
  T c{}, s{};      // revolute: of the canonical angle
  Matrix3<T> R{};  // several freedoms: child axes in parent axes
  Vector3<T> p{};  // prismatic and several freedoms: child origin in the parent's frame
};

/// What joints with one freedom share.
struct OneFreedom {
  static constexpr int most_freedoms = 1;

  template <class B>
  LINKWRIGHT_INLINE static constexpr int freedoms(const Node<B>&) {
    return 1;
  }
  template <class B>
  LINKWRIGHT_INLINE static B rotor(const Tree<B>&, const Node<B>& n, int) {
    return n.rotor;
  }
  template <class S, class B>
  LINKWRIGHT_INLINE static auto& gain(S& s, const Node<B>&, int k) {
    return s.gain[static_cast<std::size_t>(k)];
  }
};

/// A revolute joint about local z behind the constant rotation R0: a turn about x, or one about z
/// behind one about x.
template <bool Twist, bool Rotor>
struct Revolute : OneFreedom {
  /// Without rotor inertia the eliminated row and column of P vanish exactly.
  static constexpr bool reduces = !Rotor;
  static constexpr bool revolute = true, slides = false;

  template <class B>
  LINKWRIGHT_INLINE static auto constant(const Node<B>& n) {
    if constexpr (Twist)
      return n.twist;
    else
      return spatial::Tilt<B>{{n.R0.xx, n.R0.yx}, {n.R0.zz, n.R0.zy}};
  }
  template <class T, class U, class B>
  LINKWRIGHT_INLINE static auto to_child(const Node<B>& n, const Place<T>& x, const Vector3<U>& u) {
    return transpose_times(RotationZ<T>{x.c, x.s}, transpose_times(constant(n), u));
  }
  template <class T, class U, class B>
  LINKWRIGHT_INLINE static auto to_parent(const Node<B>& n, const Place<T>& x,
                                          const Vector3<U>& u) {
    return constant(n) * (RotationZ<T>{x.c, x.s} * u);
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static auto offset(const Node<B>& n, const Place<T>&) {
    if constexpr (Twist)
      return VectorXZ<B>{n.p0.x, n.p0.z};
    else
      return n.p0;
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static Motion<T> rate(const Tree<B>&, const Node<B>&, const T* v) {
    return {{T(0), T(0), v[0]}, {T(0), T(0), T(0)}};
  }
  template <class T>
  LINKWRIGHT_INLINE static Motion<T> coriolis(const Vector3<T>& wp, const Vector3<T>&,
                                              const Motion<T>& r) {
    return {{wp.y * r.angular.z, -wp.x * r.angular.z, T(0)}, {T(0), T(0), T(0)}};
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void accelerate(const Tree<B>&, const Node<B>&, const T* a,
                                           Motion<T>& alpha) {
    alpha.angular.z += a[0];
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void project(const Tree<B>&, const Node<B>&, const Force<T>& f, T* tau) {
    tau[0] = f.moment.z;
  }
  template <class P, class B>
  LINKWRIGHT_INLINE static auto reaction(const Tree<B>&, const Node<B>&, const P& inertia, int) {
    return angular_column(inertia, 2);
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void add_rotor(const Tree<B>&, const Node<B>& n, const T* a, T* tau) {
    if constexpr (Rotor) tau[0] += n.rotor * a[0];
  }
  template <class T, class B, class P>
  LINKWRIGHT_INLINE static auto congruence(const Node<B>& n, const Place<T>& x, const P& p) {
    return spatial::congruence(constant(n), spatial::congruence(RotationZ<T>{x.c, x.s}, p));
  }
};

/// A slide along local z; its rotation is constant.
struct Prismatic : OneFreedom {
  static constexpr bool reduces = false;
  static constexpr bool revolute = false, slides = true;

  template <class T, class B>
  LINKWRIGHT_INLINE static void place(const Tree<B>&, const Node<B>& n, const T* q, Place<T>& x) {
    x.p = n.p0 + q[0] * n.R0.column_z();
  }
  template <class T, class U, class B>
  LINKWRIGHT_INLINE static auto to_child(const Node<B>& n, const Place<T>&, const Vector3<U>& u) {
    return transpose_times(n.R0, u);
  }
  template <class T, class U, class B>
  LINKWRIGHT_INLINE static auto to_parent(const Node<B>& n, const Place<T>&, const Vector3<U>& u) {
    return n.R0 * u;
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static const Vector3<T>& offset(const Node<B>&, const Place<T>& x) {
    return x.p;
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static Motion<T> rate(const Tree<B>&, const Node<B>&, const T* v) {
    return {{T(0), T(0), T(0)}, {T(0), T(0), v[0]}};
  }
  template <class T>
  LINKWRIGHT_INLINE static Motion<T> coriolis(const Vector3<T>& wp, const Vector3<T>&,
                                              const Motion<T>& r) {
    const T twice = r.linear.z + r.linear.z;
    return {{T(0), T(0), T(0)}, {wp.y * twice, -wp.x * twice, T(0)}};
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void accelerate(const Tree<B>&, const Node<B>&, const T* a,
                                           Motion<T>& alpha) {
    alpha.linear.z += a[0];
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void project(const Tree<B>&, const Node<B>&, const Force<T>& f, T* tau) {
    tau[0] = f.force.z;
  }
  template <class P, class B>
  LINKWRIGHT_INLINE static auto reaction(const Tree<B>&, const Node<B>&, const P& inertia, int) {
    return linear_column(inertia, 2);
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void add_rotor(const Tree<B>&, const Node<B>& n, const T* a, T* tau) {
    tau[0] += n.rotor * a[0];
  }
  template <class T, class B, class P>
  LINKWRIGHT_INLINE static auto congruence(const Node<B>& n, const Place<T>&, const P& p) {
    return spatial::congruence(n.R0, p);
  }
};

/// What joints with several freedoms share: they keep the full rotation and offset of the child.
struct SeveralFreedoms {
  static constexpr bool reduces = false, revolute = false, slides = false;

  template <class B>
  LINKWRIGHT_INLINE static const Modes<B>& modes(const Tree<B>& tree, const Node<B>& n) {
    return tree.modes[static_cast<std::size_t>(n.modes)];
  }
  template <class B>
  LINKWRIGHT_INLINE static B rotor(const Tree<B>& tree, const Node<B>& n, int i) {
    return modes(tree, n).rotor[i];
  }
  template <class S, class B>
  LINKWRIGHT_INLINE static auto& gain(S& s, const Node<B>& n, int) {
    return s.multi_gain[static_cast<std::size_t>(n.modes)];
  }

  template <class T, class U, class B>
  LINKWRIGHT_INLINE static auto to_child(const Node<B>&, const Place<T>& x, const Vector3<U>& u) {
    return transpose_times(x.R, u);
  }
  template <class T, class U, class B>
  LINKWRIGHT_INLINE static auto to_parent(const Node<B>&, const Place<T>& x, const Vector3<U>& u) {
    return x.R * u;
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static const Vector3<T>& offset(const Node<B>&, const Place<T>& x) {
    return x.p;
  }
  template <class T>
  LINKWRIGHT_INLINE static Motion<T> coriolis(const Vector3<T>& wp, const Vector3<T>& w,
                                              const Motion<T>& r) {
    return {cross(wp, r.angular), cross(wp + w, r.linear)};
  }
  template <class T, class B, class P>
  LINKWRIGHT_INLINE static auto congruence(const Node<B>&, const Place<T>& x, const P& p) {
    return spatial::congruence(x.R, p);
  }
  /// q = [w x y z, px py pz]
  template <class T, class B>
  LINKWRIGHT_INLINE static void place_pose(const Node<B>& n, const T* q, Place<T>& x) {
    x.R = n.R0 * to_matrix(Quaternion<T>{q[0], q[1], q[2], q[3]});
    x.p = n.p0 + n.R0 * Vector3<T>{q[4], q[5], q[6]};
  }
};

struct Spherical : SeveralFreedoms {
  static constexpr int most_freedoms = 3;

  template <class B>
  LINKWRIGHT_INLINE static constexpr int freedoms(const Node<B>&) {
    return 3;
  }
  template <class P, class B>
  LINKWRIGHT_INLINE static auto reaction(const Tree<B>&, const Node<B>&, const P& inertia, int i) {
    return angular_column(inertia, i);
  }

  template <class T, class B>
  LINKWRIGHT_INLINE static void place(const Tree<B>&, const Node<B>& n, const T* q, Place<T>& x) {
    x.R = n.R0 * to_matrix(Quaternion<T>{q[0], q[1], q[2], q[3]});
    x.p = {T(n.p0.x), T(n.p0.y), T(n.p0.z)};
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static Motion<T> rate(const Tree<B>&, const Node<B>&, const T* v) {
    return {{v[0], v[1], v[2]}, {T(0), T(0), T(0)}};
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void accelerate(const Tree<B>&, const Node<B>&, const T* a,
                                           Motion<T>& alpha) {
    alpha.angular += Vector3<T>{a[0], a[1], a[2]};
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void project(const Tree<B>&, const Node<B>&, const Force<T>& f, T* tau) {
    tau[0] = f.moment.x, tau[1] = f.moment.y, tau[2] = f.moment.z;
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void add_rotor(const Tree<B>& tree, const Node<B>& n, const T* a,
                                          T* tau) {
    for (int i = 0; i < 3; ++i) tau[i] += rotor(tree, n, i) * a[i];
  }
};

struct Free : SeveralFreedoms {
  static constexpr int most_freedoms = 6;

  template <class B>
  LINKWRIGHT_INLINE static constexpr int freedoms(const Node<B>&) {
    return 6;
  }
  template <class P, class B>
  LINKWRIGHT_INLINE static auto reaction(const Tree<B>&, const Node<B>&, const P& inertia, int i) {
    return i < 3 ? angular_column(inertia, i) : linear_column(inertia, i - 3);
  }

  template <class T, class B>
  LINKWRIGHT_INLINE static void place(const Tree<B>&, const Node<B>& n, const T* q, Place<T>& x) {
    place_pose(n, q, x);
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static Motion<T> rate(const Tree<B>&, const Node<B>&, const T* v) {
    return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void accelerate(const Tree<B>&, const Node<B>&, const T* a,
                                           Motion<T>& alpha) {
    alpha += Motion<T>{{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void project(const Tree<B>&, const Node<B>&, const Force<T>& f, T* tau) {
    tau[0] = f.moment.x, tau[1] = f.moment.y, tau[2] = f.moment.z;
    tau[3] = f.force.x, tau[4] = f.force.y, tau[5] = f.force.z;
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void add_rotor(const Tree<B>& tree, const Node<B>& n, const T* a,
                                          T* tau) {
    for (int i = 0; i < 6; ++i) tau[i] += rotor(tree, n, i) * a[i];
  }
};

/// Constant modes in the child's frame: V_rel = Σ column_i v_i. How many is known at run time only:
/// one kind for all of them costs such a joint some loops, and every sweep five copies less.
struct Custom : SeveralFreedoms {
  static constexpr int most_freedoms = 6;

  template <class B>
  LINKWRIGHT_INLINE static int freedoms(const Node<B>& n) {
    return n.d;
  }
  template <class P, class B>
  LINKWRIGHT_INLINE static auto reaction(const Tree<B>& tree, const Node<B>& n, const P& inertia,
                                         int i) {
    return inertia * modes(tree, n).column[i];
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void place(const Tree<B>& tree, const Node<B>& n, const T* q,
                                      Place<T>& x) {
    const Modes<B>& m = modes(tree, n);
    if (m.plain)
      place_screw(m, n, q, x);
    else
      place_pose(n, q, x);
  }
  /// Commuting modes share one axis: exp(Σ column_i q_i) is a turn by Σ turn_i q_i about `axis`
  /// through a fixed point, and a slide Σ slide_i q_i.
  template <class T, class B>
  LINKWRIGHT_INLINE static void place_screw(const Modes<B>& m, const Node<B>& n, const T* q,
                                            Place<T>& x) {
    T angle = m.turn[0] * q[0];
    Vector3<T> slide = q[0] * m.slide[0];
    for (int i = 1; i < n.d; ++i) {
      angle += m.turn[i] * q[i];
      slide += q[i] * m.slide[i];
    }
    const auto [s, c] = sin_cos(angle);
    const T e = T(1) - c;
    const Vector3<B>& u = m.axis;
    const Matrix3<T> R{
        c + e * (u.x * u.x),       e * (u.x * u.y) - s * u.z, e * (u.x * u.z) + s * u.y,
        e * (u.x * u.y) + s * u.z, c + e * (u.y * u.y),       e * (u.y * u.z) - s * u.x,
        e * (u.x * u.z) - s * u.y, e * (u.y * u.z) + s * u.x, c + e * (u.z * u.z)};
    x.R = n.R0 * R;
    x.p = n.p0 + n.R0 * (s * m.moment + e * cross(m.axis, m.moment) + slide);
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static Motion<T> rate(const Tree<B>& tree, const Node<B>& n, const T* v) {
    const Modes<B>& m = modes(tree, n);
    Motion<T> r = v[0] * m.column[0];
    for (int i = 1; i < n.d; ++i) r += v[i] * m.column[i];
    return r;
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void accelerate(const Tree<B>& tree, const Node<B>& n, const T* a,
                                           Motion<T>& alpha) {
    for (int i = 0; i < n.d; ++i) alpha += a[i] * modes(tree, n).column[i];
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void project(const Tree<B>& tree, const Node<B>& n, const Force<T>& f,
                                        T* tau) {
    for (int i = 0; i < n.d; ++i) tau[i] = dot(f, modes(tree, n).column[i]);
  }
  template <class T, class B>
  LINKWRIGHT_INLINE static void add_rotor(const Tree<B>& tree, const Node<B>& n, const T* a,
                                          T* tau) {
    for (int i = 0; i < n.d; ++i) tau[i] += rotor(tree, n, i) * a[i];
  }
};

/// The only place where joint types are told apart. Calls f with the joint kind as a value.
template <class F>
LINKWRIGHT_INLINE void dispatch(NodeKind kind, F&& f) {
  switch (kind) {
    case NodeKind::revolute_twist:
      return f(Revolute<true, false>{});
    case NodeKind::revolute:
      return f(Revolute<false, false>{});
    case NodeKind::revolute_twist_rotor:
      return f(Revolute<true, true>{});
    case NodeKind::revolute_rotor:
      return f(Revolute<false, true>{});
    case NodeKind::prismatic:
      return f(Prismatic{});
    case NodeKind::spherical:
      return f(Spherical{});
    case NodeKind::free:
      return f(Free{});
    case NodeKind::custom:
      return f(Custom{});
  }
}

/// One run in either direction: a function of its own per joint kind, so that what passes from a
/// node to its neighbour stays in registers.
template <class J, class Take, class Step, class Leave>
[[gnu::noinline]] void go_out(J joint, const Run& run, Take& take, Step& step, Leave& leave) {
  auto carry = take(run.parent);
  for (int k = run.first; k <= run.last; ++k) carry = step(joint, k, carry);
  leave(run.last, carry);
}
template <class J, class Take, class Step, class Leave>
[[gnu::noinline]] void go_in(J joint, const Run& run, Take& take, Step& step, Leave& leave) {
  auto carry = take(run.last);
  for (int k = run.last; k >= run.first; --k) carry = step(joint, k, carry);
  leave(run, carry);
}

/// Anticausal: base → tip. A run starts with carry = take(its parent), hands it from node to node
/// by carry = step(joint, k, carry), and ends with leave(its last node, carry).
template <class Take, class Step, class Leave>
LINKWRIGHT_INLINE void outward(const std::vector<Run>& runs, Take&& take, Step&& step,
                               Leave&& leave) {
  for (const Run& run : runs)
    dispatch(run.kind, [&](auto joint) { go_out(joint, run, take, step, leave); });
}
/// Causal: tip → base. A run starts with carry = take(its last node), hands it from node to node,
/// and ends with leave(run, carry).
template <class Take, class Step, class Leave>
LINKWRIGHT_INLINE void inward(const std::vector<Run>& runs, Take&& take, Step&& step,
                              Leave&& leave) {
  for (auto run = runs.end(); run != runs.begin();) {
    --run;
    dispatch(run->kind, [&](auto joint) { go_in(joint, *run, take, step, leave); });
  }
}

/// Anticausal: base → tip. step(joint, k) for k = 1…N.
template <class B, class Step>
LINKWRIGHT_INLINE void outward(const Tree<B>& tree, Step&& step) {
  for (const Run& run : tree.runs)
    dispatch(run.kind, [&](auto joint) {
      for (int k = run.first; k <= run.last; ++k) step(joint, k);
    });
}
/// Causal: tip → base. step(joint, k) for k = N…1.
template <class B, class Step>
LINKWRIGHT_INLINE void inward(const Tree<B>& tree, Step&& step) {
  for (auto run = tree.runs.end(); run != tree.runs.begin();) {
    --run;
    dispatch(run->kind, [&](auto joint) {
      for (int k = run->last; k >= run->first; --k) step(joint, k);
    });
  }
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
