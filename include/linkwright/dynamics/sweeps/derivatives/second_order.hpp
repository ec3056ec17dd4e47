#pragma once
/// Second derivatives of inverse dynamics: by q and q, v and v, q and v, and d𝓜/dq, along the group.
///
/// Given    what prepare_derivatives leaves: S, ψ̇, ψ̈, σ = ψ̇ + Ṡ of every freedom; I, B, h, F of what
///          is outboard of it, u = I S, b = 2Bᵀ S, Y = dF/dq, w = dF/dv
/// Slots    the change of 2B along v_a and along q_a has the form of 2B, [J̇ − h̃_N, 0; −2 h̃_F, 0]:
///            B_v: J_v = J̇(I, S), h_v = u;   B_q: J_q = J̇(J̇ and h_F, S) + J̇(I, ψ̇), h_q = S ×* h + I ψ̇
///          and that of I along S the form P = [J_v, ũ_F; −ũ_F, 0]
/// Pairs    of freedom a and a freedom b of its joint or inboard of it, all of them at once for one b:
///          six forces G, which S_i of a joint inboard of a multiplies, and forms of what is outboard
///   T_i by         i inboard of a: S_i·                        i of a's joint or outboard of it
///   q_a q_b        P ψ̈_b + B_q ψ̇_b (+ S_b ×* Y_a)              u·(ψ̈_b × S_a + [ψ̇_bω × ψ̇_aω; 2 ψ̇_bω × ψ̇_av])
///                                                               + b·(ψ̇_bω × S_aω) − ψ̇_aω·J_v ψ̇_bω
///   v_a v_b        B_v S_b                                      −S_aω·J_v S_bω + u·[S_bω × S_aω; 2 S_bω × S_av]
///   q_b v_a        B_v ψ̇_b (+ S_b ×* w_a)                       likewise with ψ̇_b for S_b
///   q_a v_b        P σ_b + B_q S_b                              the first with σ_b, S_b for ψ̈_b, ψ̇_b
///   𝓜_ib by q_a    P S_b                                        u·(S_b × S_a)
///   𝓜_ia by q_b    S_b ×* u_a for i inboard of b, else 0        0
///          What stands in brackets is for i inboard of b. Derivatives by the positions of two joints
///          commute; within a joint q_a q_b is first by a, and both by v are the mean of both orders,
///          B_v S_b + I (S_a × S_b); q_a v_b is then the fourth line with a and b exchanged, and the
///          fifth is none.
/// Cost     per pair 36 multiplications and additions for every joint inboard, 60 for every one
///          outboard, eight at a time, and 500 for the pair itself, eight pairs at a time

#include "linkwright/dynamics/sweeps/derivatives/pairs.hpp"

namespace linkwright {

namespace sweeps {
/// J_v, J_q and h_q.
template <class T>
struct GyricChange {
  spatial::Symmetric3<T> J_v{}, J_q{};
  spatial::Force<T> h_q{};
};
/// What u, b and J_v of the joints outboard are multiplied with.
template <class T>
struct OuterForm {
  spatial::Motion<T> u{};
  spatial::Vector3<T> b{};
  spatial::Symmetric3<T> J{};
};
template <class T>
struct GyricForm {
  spatial::Motion<T> u{};
  spatial::Symmetric3<T> J{};
};
/// Everything about pairs of freedoms a, in slots, with one b.
template <class T>
struct PairForms {
  OuterForm<T> qq{}, qv{};
  GyricForm<T> vv{}, vq{};
  spatial::Motion<T> turn{};
  spatial::Force<T> G_qq{}, G_qq_in{}, G_vv{}, G_vq{}, G_vq_in{}, G_qv{}, G_ba{}, G_ab_in{};
};
/// The caller's arrays: entry (i, j, k) at data[i + nv (j + nv k)], what is zero by structure being
/// zero already.
template <class T>
struct Cubes {
  T *qq, *vv, *qv, *aq;
};
}  // namespace sweeps

/// Room of the second derivatives.
template <class T>
struct SecondScratch {
  using L = sweeps::Slots<T>;

  explicit SecondScratch(int groups)
      : change(static_cast<std::size_t>(groups)), forms(static_cast<std::size_t>(groups)) {}

  std::vector<sweeps::GyricChange<L>> change;
  std::vector<sweeps::PairForms<L>> forms;
};

}  // namespace linkwright

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

template <class T>
void find_gyric_changes(const DerivativeScratch<T>& d, SecondScratch<T>& w) {
  using L = Slots<T>;
  for (int g = 0; g < d.groups; ++g) {
    const Outboard<L>& o = d.outboard[g];
    const Column<L>& x = d.column[g];
    GyricChange<L>& c = w.change[g];
    c.J_v = rotational_rate(o.I, x.S);
    c.J_q = rotational_rate(Inertia<L>{L(T(0)), o.h.force, o.J_rate}, x.S) +
            rotational_rate(o.I, x.psi_rate);
    c.h_q = force_bracket(x.S, o.h) + o.I * x.psi_rate;
  }
}

/// What x·J y multiplies the six numbers of J with.
template <class A, class B>
LINKWRIGHT_INLINE auto form_of(const Vector3<A>& x, const Vector3<B>& y)
    -> Symmetric3<spatial::Product<A, B>> {
  return {x.x * y.x,
          x.y * y.y,
          x.z * y.z,
          x.x * y.y + x.y * y.x,
          x.x * y.z + x.z * y.x,
          x.y * y.z + x.z * y.y};
}
template <class A, class B>
LINKWRIGHT_INLINE auto apply_form(const Symmetric3<A>& a, const Symmetric3<B>& b) {
  return (a.xx * b.xx + a.yy * b.yy + a.zz * b.zz) + (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}
template <class T>
LINKWRIGHT_INLINE Vector3<T> twice(const Vector3<T>& a) {
  return a + a;
}

/// [J − h̃_N, 0; −2 h̃_F, 0] y and P y.
template <class L, class T>
LINKWRIGHT_INLINE Force<L> apply_gyric(const Symmetric3<L>& J, const Force<L>& h,
                                       const Motion<T>& y) {
  return {J * y.angular + cross(y.angular, h.moment), twice(cross(y.angular, h.force))};
}
template <class L, class T>
LINKWRIGHT_INLINE Force<L> apply_inertia_change(const Symmetric3<L>& J, const Vector3<L>& uF,
                                                const Motion<T>& y) {
  return {J * y.angular + cross(uF, y.linear), cross(y.angular, uF)};
}

template <class L, class T>
LINKWRIGHT_INLINE OuterForm<L> outer_form(const Column<L>& a, const Motion<T>& y,
                                          const Motion<T>& y_rate) {
  const Motion<L> own{cross(y.angular, a.psi_rate.angular),
                      twice(cross(y.angular, a.psi_rate.linear))};
  return {bracket(y_rate, a.S) + own, cross(y.angular, a.S.angular),
          form_of(a.psi_rate.angular, y.angular)};
}
template <class L, class T>
LINKWRIGHT_INLINE GyricForm<L> gyric_form(const Motion<L>& S, const Motion<T>& y) {
  return {{cross(y.angular, S.angular), twice(cross(y.angular, S.linear))},
          form_of(S.angular, y.angular)};
}

/// All pairs with b, of joint n; those a in the groups from … to.
template <class T>
LINKWRIGHT_INLINE void find_pairs(const DerivativeScratch<T>& d, SecondScratch<T>& w,
                                  const Node<T>& n, const Column<T>& b, int from, int to) {
  using L = Slots<T>;
  const L zero(T(0));
  for (int g = from; g <= to; ++g) {
    const Column<L>& a = d.column[g];
    const Felt<L>& f = d.felt[g];
    const GyricChange<L>& c = w.change[g];
    PairForms<L>& p = w.forms[g];
    p.qq = outer_form(a, b.psi_rate, b.psi_rate2);
    p.qv = outer_form(a, b.S, b.sum_rate);
    p.vv = gyric_form(a.S, b.S);
    p.vq = gyric_form(a.S, b.psi_rate);
    p.turn = bracket(b.S, a.S);
    p.G_qq = apply_inertia_change(c.J_v, f.inertial.force, b.psi_rate2) +
             apply_gyric(c.J_q, c.h_q, b.psi_rate);
    p.G_qq_in = p.G_qq + force_bracket(b.S, f.by_q);
    p.G_vv = apply_gyric(c.J_v, f.inertial, b.S);
    p.G_vq = apply_gyric(c.J_v, f.inertial, b.psi_rate);
    p.G_vq_in = p.G_vq + force_bracket(b.S, f.by_v);
    p.G_qv =
        apply_inertia_change(c.J_v, f.inertial.force, b.sum_rate) + apply_gyric(c.J_q, c.h_q, b.S);
    p.G_ba = apply_inertia_change(c.J_v, f.inertial.force, b.S);
    p.G_ab_in = force_bracket(b.S, f.inertial);
    if (n.d == 1 || g > (n.freedom + n.d - 1) / slots_of<T, L>) continue;
    const auto same = d.slot_number[g].x < T(n.freedom + n.d);
    const auto mine = [&](const Vector3<L>& x) LINKWRIGHT_INLINE_LAMBDA {
      return Vector3<L>{select(same, x.x, zero), select(same, x.y, zero), select(same, x.z, zero)};
    };
    const Motion<L> order{mine(p.turn.angular), mine(p.turn.linear)};
    p.vv.u = p.vv.u - order;
    p.G_vv = p.G_vv - d.outboard[g].I * order;
  }
}

/// One column of each of the arrays, for a group of rows.
template <class L>
struct CubePart {
  L qq, vv, vq, qv, ba, ab;
};
/// Numbers of one slot of the pairs.
template <class T, class L>
LINKWRIGHT_INLINE OuterForm<T> read_form(const Lane<T, L>& lane, const OuterForm<L>& x) {
  return {lane.read(x.u), lane.read(x.b), lane.read(x.J)};
}
template <class T, class L>
LINKWRIGHT_INLINE GyricForm<T> read_form(const Lane<T, L>& lane, const GyricForm<L>& x) {
  return {lane.read(x.u), lane.read(x.J)};
}

/// Of the rows outboard of a, and of its joint.
template <class T>
struct RowsBehind {
  using L = Slots<T>;
  OuterForm<T> qq, qv;
  GyricForm<T> vv, vq;
  Motion<T> turn;

  LINKWRIGHT_INLINE RowsBehind(const Lane<T, L>& lane, const PairForms<L>& p)
      : qq(read_form(lane, p.qq)),
        qv(read_form(lane, p.qv)),
        vv(read_form(lane, p.vv)),
        vq(read_form(lane, p.vq)),
        turn(lane.read(p.turn)) {}
  LINKWRIGHT_INLINE CubePart<L> at(const Felt<L>& f, const GyricChange<L>& c) const {
    const auto outer = [&](const OuterForm<T>& x) LINKWRIGHT_INLINE_LAMBDA {
      return (dot(f.inertial, x.u) + dot(f.gyric, x.b)) - apply_form(c.J_v, x.J);
    };
    const auto gyric = [&](const GyricForm<T>& x) LINKWRIGHT_INLINE_LAMBDA {
      return dot(f.inertial, x.u) - apply_form(c.J_v, x.J);
    };
    return {outer(qq), gyric(vv), gyric(vq), outer(qv), dot(f.inertial, turn), L(T(0))};
  }
};
/// Of the rows between a and b: those of b's joint are among them.
template <class T>
struct RowsBetween {
  using L = Slots<T>;
  Force<T> qq, vv, vq, qv, ba;

  LINKWRIGHT_INLINE RowsBetween(const Lane<T, L>& lane, const PairForms<L>& p)
      : qq(lane.read(p.G_qq)),
        vv(lane.read(p.G_vv)),
        vq(lane.read(p.G_vq)),
        qv(lane.read(p.G_qv)),
        ba(lane.read(p.G_ba)) {}
  LINKWRIGHT_INLINE CubePart<L> at(const Motion<L>& S) const {
    return {dot(qq, S), dot(vv, S), dot(vq, S), dot(qv, S), dot(ba, S), L(T(0))};
  }
};
/// Of the rows inboard of both.
template <class T>
struct RowsBefore {
  using L = Slots<T>;
  Force<T> qq, vv, vq, qv, ba, ab;

  LINKWRIGHT_INLINE RowsBefore(const Lane<T, L>& lane, const PairForms<L>& p)
      : qq(lane.read(p.G_qq_in)),
        vv(lane.read(p.G_vv)),
        vq(lane.read(p.G_vq_in)),
        qv(lane.read(p.G_qv)),
        ba(lane.read(p.G_ba)),
        ab(lane.read(p.G_ab_in)) {}
  LINKWRIGHT_INLINE CubePart<L> at(const Motion<L>& S) const {
    return {dot(qq, S), dot(vv, S), dot(vq, S), dot(qv, S), dot(ba, S), dot(ab, S)};
  }
};

template <class L, class Bits>
LINKWRIGHT_INLINE CubePart<L> kept(const CubePart<L>& x, const Bits& keep) {
  const L zero(typename L::Number(0));
  return {select(keep, x.qq, zero), select(keep, x.vv, zero), select(keep, x.vq, zero),
          select(keep, x.qv, zero), select(keep, x.ba, zero), select(keep, x.ab, zero)};
}
template <class L>
LINKWRIGHT_INLINE CubePart<L> operator+(const CubePart<L>& x, const CubePart<L>& y) {
  return {x.qq + y.qq, x.vv + y.vv, x.vq + y.vq, x.qv + y.qv, x.ba + y.ba, x.ab + y.ab};
}

/// A pair of freedoms: where its columns are.
template <class T>
struct PairColumns {
  const DerivativeScratch<T>& d;
  const Cubes<T>& out;
  std::ptrdiff_t ab, ba;  // columns (a, b) and (b, a)
  bool one_joint;

  LINKWRIGHT_INLINE void put(int g, const CubePart<Slots<T>>& x) const {
    store_group(d, g, x.qq, out.qq + ab);
    store_group(d, g, x.vv, out.vv + ab);
    store_group(d, g, x.vq, out.qv + ba);
    store_group(d, g, x.ab, out.aq + ab);
    if (one_joint) return;
    store_group(d, g, x.qq, out.qq + ba);
    store_group(d, g, x.vv, out.vv + ba);
    store_group(d, g, x.qv, out.qv + ab);
    store_group(d, g, x.ba, out.aq + ba);
  }
};

/// The columns of a, of node n, and b, of a joint whose first freedom is b_first.
template <class T>
LINKWRIGHT_INLINE void write_pair(const DerivativeScratch<T>& d, const SecondScratch<T>& w,
                                  const Node<T>& n, int a, int b_first,
                                  const PairColumns<T>& columns) {
  using L = Slots<T>;
  using Bits = typename L::Bits;
  constexpr int lanes = slots_of<T, L>;
  const Lane<T, L> lane{a % lanes};
  const PairForms<L>& p = w.forms[static_cast<std::size_t>(a / lanes)];
  const RowsBehind<T> behind(lane, p);
  const int own = n.freedom / lanes, last = (n.end - 1) / lanes;
  const auto inboard = [&](int g, int below) LINKWRIGHT_INLINE_LAMBDA {
    return Bits((d.slot_end[g].x > T(a)) & (d.slot_number[g].x < T(below)));
  };
  const auto above = [&](int g) LINKWRIGHT_INLINE_LAMBDA {
    const Motion<L>& S = d.column[g].S;
    CubePart<L> part{};
    if (g * lanes < b_first) part = kept(RowsBefore<T>(lane, p).at(S), inboard(g, b_first));
    if ((g + 1) * lanes > b_first && b_first < n.freedom) {
      const Bits keep = Bits(inboard(g, n.freedom) & (d.slot_number[g].x > T(b_first - 1)));
      part = part + kept(RowsBetween<T>(lane, p).at(S), keep);
    }
    return part;
  };
  for (int g = 0; g < own; ++g)
    if (spatial::any(inboard(g, n.freedom))) columns.put(g, above(g));
  for (int g = own; g <= last; ++g) {
    CubePart<L> part = behind.at(d.felt[g], w.change[g]);
    if (g == own || (g + 1) * lanes > n.end)
      part = kept(part,
                  Bits((d.slot_number[g].x < T(n.end)) & (d.slot_number[g].x > T(n.freedom - 1))));
    if (g == own && n.freedom % lanes != 0) part = part + above(g);
    columns.put(g, part);
  }
}

/// Of bodies and the forces that turn with them, after prepare_derivatives.
template <class T>
void second_derivatives(const Tree<T>& tree, DerivativeScratch<T>& d, SecondScratch<T>& w,
                        const Cubes<T>& out) {
  constexpr int lanes = slots_of<T, Slots<T>>;
  const std::ptrdiff_t nv = tree.nv;
  find_gyric_changes(d, w);
  for (int k = 1; k < tree.count(); ++k) {
    const auto& n = tree.nodes[static_cast<std::size_t>(k)];
    for (int i = 0; i < n.d; ++i) {
      find_pairs(d, w, n, read_slot<T>(d.column.data(), n.freedom + i), n.freedom / lanes,
                 (n.end - 1) / lanes);
      const std::ptrdiff_t eb = n.v + i;
      for (int a = n.freedom; a < n.end; ++a) {
        const std::ptrdiff_t ea = tree.velocity_of[static_cast<std::size_t>(a)];
        const bool one_joint = a < n.freedom + n.d;
        const auto& of_a =
            tree.nodes[static_cast<std::size_t>(d.node[static_cast<std::size_t>(a)])];
        write_pair(d, w, of_a, a, n.freedom,
                   PairColumns<T>{d, out, nv * (ea + nv * eb), nv * (eb + nv * ea), one_joint});
      }
    }
  }
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
