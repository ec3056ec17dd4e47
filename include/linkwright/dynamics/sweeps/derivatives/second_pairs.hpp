#pragma once
/// Pairs of freedoms, for second derivatives: what joints inboard and outboard of them multiply.
///
/// Given    what prepare_derivatives leaves, and one freedom b
/// Computes for the freedoms a outboard of it and of its joint, in slots, the forces G and the forms of
///          second_order.hpp
///     find_pairs<false>(d, w, n, b, from, to);

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
/// Structs whose numbers stand `stride` apart: a number X is a slot's, or a group of slots' from any slot
/// on. One address serves all numbers of a struct; compilers keep one each for those of a lane.
template <class X, class T>
struct Strided {
  const T* first;
  std::ptrdiff_t stride;

  [[nodiscard]] LINKWRIGHT_INLINE X number(int i) const {
    if constexpr (std::is_same_v<X, T>)
      return first[i * stride];
    else
      return X::load(first + i * stride);
  }
  [[nodiscard]] LINKWRIGHT_INLINE spatial::Vector3<X> vector(int i) const {
    return {number(i), number(i + 1), number(i + 2)};
  }
  [[nodiscard]] LINKWRIGHT_INLINE spatial::Motion<X> motion(int i) const {
    return {vector(i), vector(i + 3)};
  }
  [[nodiscard]] LINKWRIGHT_INLINE spatial::Force<X> force(int i) const {
    return {vector(i), vector(i + 3)};
  }
  [[nodiscard]] LINKWRIGHT_INLINE spatial::Symmetric3<X> symmetric(int i) const {
    return {number(i), number(i + 1), number(i + 2), number(i + 3), number(i + 4), number(i + 5)};
  }
};
/// What rows of the results are made of, S, u, b and J_v, number by number over the slots.
template <class T>
struct SecondRows {
  using L = Slots<T>;
  static constexpr int S = 0, u = 6, b = 12, J_v = 15, numbers = 21;

  explicit SecondRows(int slots)
      : stride(slots), room(static_cast<std::size_t>(numbers) * static_cast<std::size_t>(slots)) {}

  [[nodiscard]] LINKWRIGHT_INLINE Strided<L, T> from(int slot) const {
    return {room.data() + slot, stride};
  }
  LINKWRIGHT_INLINE void put(int i, int slot, const L& x) {
    x.store(room.data() + i * stride + slot);
  }
  LINKWRIGHT_INLINE void put(int i, int slot, const spatial::Vector3<L>& x) {
    put(i, slot, x.x), put(i + 1, slot, x.y), put(i + 2, slot, x.z);
  }

  std::ptrdiff_t stride;
  std::vector<T> room;
};
}  // namespace sweeps

/// Room of the second derivatives.
template <class T>
struct SecondScratch {
  using L = sweeps::Slots<T>;
  static constexpr int lanes = sweeps::slots_of<T, L>;

  explicit SecondScratch(const Tree<T>& tree)
      : change(static_cast<std::size_t>((tree.nv + lanes - 1) / lanes)),
        forms(change.size()),
        rows((static_cast<int>(change.size()) + 1) * lanes),
        side_by_side(static_cast<std::size_t>(tree.nv), 1) {
    for (auto f = side_by_side.size(); f-- > 1;)
      if (tree.velocity_of[f] == tree.velocity_of[f - 1] + 1)
        side_by_side[f - 1] = side_by_side[f] + 1;
  }

  std::vector<sweeps::GyricChange<L>> change;
  std::vector<sweeps::PairForms<L>> forms;
  sweeps::SecondRows<T> rows;
  std::vector<int> side_by_side;  // how many slots from this one on are neighbours in v
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
    const Felt<L>& f = d.felt[g];
    const int slot = g * slots_of<T, L>;
    using R = SecondRows<T>;
    w.rows.put(R::S, slot, x.S.angular), w.rows.put(R::S + 3, slot, x.S.linear);
    w.rows.put(R::u, slot, f.inertial.moment), w.rows.put(R::u + 3, slot, f.inertial.force);
    w.rows.put(R::b, slot, f.gyric);
    w.rows.put(R::J_v, slot, Vector3<L>{c.J_v.xx, c.J_v.yy, c.J_v.zz});
    w.rows.put(R::J_v + 3, slot, Vector3<L>{c.J_v.xy, c.J_v.xz, c.J_v.yz});
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

/// All pairs with b, of joint n, which stands on the world or not; those a in the groups from … to.
template <bool on_world, class T>
LINKWRIGHT_INLINE void find_pairs(const DerivativeScratch<T>& d, SecondScratch<T>& w,
                                  const Node<T>& n, const Column<T>& b, int from, int to) {
  using L = Slots<T>;
  const L zero(T(0));
  for (int g = from; g <= to; ++g) {
    const Column<L>& a = d.column[g];
    const Felt<L>& f = d.felt[g];
    const GyricChange<L>& c = w.change[g];
    PairForms<L>& p = w.forms[g];
    p.qv = outer_form(a, b.S, b.sum_rate);
    p.vv = gyric_form(a.S, b.S);
    p.turn = bracket(b.S, a.S);
    p.G_qq = apply_inertia_change(c.J_v, f.inertial.force, b.psi_rate2);
    p.G_vv = apply_gyric(c.J_v, f.inertial, b.S);
    p.G_qv =
        apply_inertia_change(c.J_v, f.inertial.force, b.sum_rate) + apply_gyric(c.J_q, c.h_q, b.S);
    p.G_ba = apply_inertia_change(c.J_v, f.inertial.force, b.S);
    if constexpr (on_world) {
      p.qq.u = bracket(b.psi_rate2, a.S);
    } else {
      p.qq = outer_form(a, b.psi_rate, b.psi_rate2);
      p.vq = gyric_form(a.S, b.psi_rate);
      p.G_qq = p.G_qq + apply_gyric(c.J_q, c.h_q, b.psi_rate);
      p.G_qq_in = p.G_qq + force_bracket(b.S, f.by_q);
      p.G_vq = apply_gyric(c.J_v, f.inertial, b.psi_rate);
      p.G_vq_in = p.G_vq + force_bracket(b.S, f.by_v);
      p.G_ab_in = force_bracket(b.S, f.inertial);
    }
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

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
