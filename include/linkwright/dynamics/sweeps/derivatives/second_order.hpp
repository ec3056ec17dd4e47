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
/// World    where the joint of b stands on the world, V(p) = 0 and with it ψ̇_b: the third line is zero
/// Cost     per pair 36 multiplications and additions for every joint inboard, 60 for every one
///          outboard, eight at a time, and 500 for the pair itself, eight pairs at a time; for b on
///          the world 24, 33 and 200

#include "linkwright/dynamics/sweeps/derivatives/mass_factors.hpp"
#include "linkwright/dynamics/sweeps/derivatives/second_pairs.hpp"

namespace linkwright::sweeps {
/// The caller's arrays: entry (i, j, k) at data[i + nv (j + nv k)], what is zero by structure being
/// zero already.
template <class T>
struct Cubes {
  T *qq, *vv, *qv, *aq;
};
}  // namespace linkwright::sweeps

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// Rows of one column in tree order, at most a group of them: where the first is in v, and whether the
/// others follow it there.
struct RowGroup {
  int slot, count, entry;
  bool together;
};
/// step(rows) for the slots from … end − 1.
template <class T, class Step>
LINKWRIGHT_INLINE void each_row_group(const int* entry, const int* side_by_side, int from, int end,
                                      Step&& step) {
  constexpr int lanes = slots_of<T, Slots<T>>;
  for (int slot = from; slot < end; slot += lanes) {
    const int count = std::min(lanes, end - slot);
    step(RowGroup{slot, count, entry[slot], side_by_side[slot] >= count});
  }
}

/// The columns of a pair of freedoms, (a, b) and (b, a). What is zero by structure is not written.
template <class T>
struct PairColumns {
  using L = Slots<T>;
  T *qq_ab, *qq_ba, *vv_ab, *vv_ba, *vq, *qv, *aq_ab, *aq_ba;
  const int* entry;  // of a slot
  bool one_joint;

  LINKWRIGHT_INLINE PairColumns(const Cubes<T>& out, const int* entry_of, std::ptrdiff_t nv,
                                std::ptrdiff_t a, std::ptrdiff_t b, bool same)
      : qq_ab(out.qq + nv * (a + nv * b)),
        qq_ba(out.qq + nv * (b + nv * a)),
        vv_ab(out.vv + nv * (a + nv * b)),
        vv_ba(out.vv + nv * (b + nv * a)),
        vq(out.qv + nv * (b + nv * a)),
        qv(out.qv + nv * (a + nv * b)),
        aq_ab(out.aq + nv * (a + nv * b)),
        aq_ba(out.aq + nv * (b + nv * a)),
        entry(entry_of),
        one_joint(same) {}

  LINKWRIGHT_INLINE void store(const RowGroup& rows, const L& x, T* column) const {
    if (rows.together) [[likely]]
      return store_first(x.x, rows.count, column + rows.entry);
    T number[slots_of<T, L>];
    store_slots<T>(x, number);
    for (int i = 0; i < rows.count; ++i) column[entry[rows.slot + i]] = number[i];
  }
  /// Derivatives that commute, or are first by a.
  LINKWRIGHT_INLINE void store_both(const RowGroup& rows, const L& x, T* ab, T* ba) const {
    store(rows, x, ab);
    if (!one_joint) store(rows, x, ba);
  }
};

/// The forces and forms of one pair.
template <class T>
struct PairNumbers {
  using P = PairForms<Slots<T>>;
  static constexpr std::size_t number = sizeof(Slots<T>);
  Strided<T, T> all;

  LINKWRIGHT_INLINE PairNumbers(const SecondScratch<T>& w, int a)
      : all{reinterpret_cast<const T*>(w.forms.data() + a / slots_of<T, Slots<T>>) +
                a % slots_of<T, Slots<T>>,
            slots_of<T, Slots<T>>} {}
  [[nodiscard]] LINKWRIGHT_INLINE Force<T> force(std::size_t at) const {
    return all.force(static_cast<int>(at / number));
  }
  [[nodiscard]] LINKWRIGHT_INLINE Motion<T> motion(std::size_t at) const {
    return all.motion(static_cast<int>(at / number));
  }
  [[nodiscard]] LINKWRIGHT_INLINE GyricForm<T> gyric(std::size_t at) const {
    const int i = static_cast<int>(at / number);
    return {all.motion(i), all.symmetric(i + 6)};
  }
  [[nodiscard]] LINKWRIGHT_INLINE OuterForm<T> outer(std::size_t at) const {
    const int i = static_cast<int>(at / number);
    return {all.motion(i), all.vector(i + 6), all.symmetric(i + 9)};
  }
};

/// What the rows of a pair are: of a's joint and outboard of it …
template <bool on_world, class T>
LINKWRIGHT_INLINE void write_behind(const SecondScratch<T>& w, const PairNumbers<T>& p,
                                    const RowGroup& rows, const PairColumns<T>& columns) {
  using P = typename PairNumbers<T>::P;
  using R = SecondRows<T>;
  const auto row = w.rows.from(rows.slot);
  const auto u = row.force(R::u);
  const auto b = row.vector(R::b);
  const auto J = row.symmetric(R::J_v);
  const auto gyric = [&](const GyricForm<T>& x)
                         LINKWRIGHT_INLINE_LAMBDA { return dot(u, x.u) - apply_form(J, x.J); };
  const auto outer = [&](const OuterForm<T>& x) LINKWRIGHT_INLINE_LAMBDA {
    return (dot(u, x.u) + dot(b, x.b)) - apply_form(J, x.J);
  };
  if constexpr (on_world)
    columns.store_both(rows, dot(u, p.motion(offsetof(P, qq))), columns.qq_ab, columns.qq_ba);
  else
    columns.store_both(rows, outer(p.outer(offsetof(P, qq))), columns.qq_ab, columns.qq_ba);
  columns.store_both(rows, gyric(p.gyric(offsetof(P, vv))), columns.vv_ab, columns.vv_ba);
  if constexpr (!on_world) columns.store(rows, gyric(p.gyric(offsetof(P, vq))), columns.vq);
  if (columns.one_joint) return;
  columns.store(rows, outer(p.outer(offsetof(P, qv))), columns.qv);
  columns.store(rows, dot(u, p.motion(offsetof(P, turn))), columns.aq_ba);
}
/// … between a and b, those of b's joint among them …
template <bool on_world, class T>
LINKWRIGHT_INLINE void write_between(const SecondScratch<T>& w, const PairNumbers<T>& p,
                                     const RowGroup& rows, const PairColumns<T>& columns) {
  using P = typename PairNumbers<T>::P;
  const auto S = w.rows.from(rows.slot).motion(SecondRows<T>::S);
  columns.store_both(rows, dot(p.force(offsetof(P, G_qq)), S), columns.qq_ab, columns.qq_ba);
  columns.store_both(rows, dot(p.force(offsetof(P, G_vv)), S), columns.vv_ab, columns.vv_ba);
  if constexpr (!on_world) columns.store(rows, dot(p.force(offsetof(P, G_vq)), S), columns.vq);
  columns.store(rows, dot(p.force(offsetof(P, G_qv)), S), columns.qv);
  columns.store(rows, dot(p.force(offsetof(P, G_ba)), S), columns.aq_ba);
}
/// … and inboard of both.
template <class T>
LINKWRIGHT_INLINE void write_before(const SecondScratch<T>& w, const PairNumbers<T>& p,
                                    const RowGroup& rows, const PairColumns<T>& columns) {
  using P = typename PairNumbers<T>::P;
  const auto S = w.rows.from(rows.slot).motion(SecondRows<T>::S);
  columns.store_both(rows, dot(p.force(offsetof(P, G_qq_in)), S), columns.qq_ab, columns.qq_ba);
  columns.store_both(rows, dot(p.force(offsetof(P, G_vv)), S), columns.vv_ab, columns.vv_ba);
  columns.store(rows, dot(p.force(offsetof(P, G_vq_in)), S), columns.vq);
  columns.store(rows, dot(p.force(offsetof(P, G_ab_in)), S), columns.aq_ab);
  if (columns.one_joint) return;
  columns.store(rows, dot(p.force(offsetof(P, G_qv)), S), columns.qv);
  columns.store(rows, dot(p.force(offsetof(P, G_ba)), S), columns.aq_ba);
}

/// The columns of a, of node n, and b, of a joint whose first freedom is b_first.
template <bool on_world, class T>
LINKWRIGHT_INLINE void write_pair(const DerivativeScratch<T>& d, const SecondScratch<T>& w,
                                  const Node<T>& n, int a, int b_first,
                                  const PairColumns<T>& columns) {
  const auto each_group = [&](int from, int end, auto&& step) LINKWRIGHT_INLINE_LAMBDA {
    each_row_group<T>(columns.entry, w.side_by_side.data(), from, end, step);
  };
  const PairNumbers<T> p(w, a);
  each_group(n.freedom, n.end, [&](const RowGroup& rows) LINKWRIGHT_INLINE_LAMBDA {
    write_behind<on_world>(w, p, rows, columns);
  });
  each_stretch(d, n.freedom, [&](int lo, int hi, int) LINKWRIGHT_INLINE_LAMBDA {
    const int middle = std::clamp(b_first, lo, hi + 1);
    each_group(middle, hi + 1, [&](const RowGroup& rows) LINKWRIGHT_INLINE_LAMBDA {
      write_between<on_world>(w, p, rows, columns);
    });
    if constexpr (!on_world)
      each_group(lo, middle, [&](const RowGroup& rows) LINKWRIGHT_INLINE_LAMBDA {
        write_before(w, p, rows, columns);
      });
  });
}

/// All pairs with the freedoms b of node n.
template <bool on_world, class T>
LINKWRIGHT_INLINE void write_pairs_of(const Tree<T>& tree, const DerivativeScratch<T>& d,
                                      SecondScratch<T>& w, const Node<T>& n, const Cubes<T>& out) {
  constexpr int lanes = slots_of<T, Slots<T>>;
  for (int i = 0; i < n.d; ++i) {
    find_pairs<on_world>(d, w, n, read_slot<T>(d.column.data(), n.freedom + i), n.freedom / lanes,
                         (n.end - 1) / lanes);
    for (int a = n.freedom; a < n.end; ++a) {
      const auto slot = static_cast<std::size_t>(a);
      const PairColumns<T> columns(out, tree.velocity_of.data(), tree.nv, tree.velocity_of[slot],
                                   n.v + i, a < n.freedom + n.d);
      write_pair<on_world>(d, w, tree.nodes[static_cast<std::size_t>(d.node[slot])], a, n.freedom,
                           columns);
    }
  }
}

/// Of bodies and the forces that turn with them, after prepare_derivatives.
template <class T>
void second_derivatives(const Tree<T>& tree, DerivativeScratch<T>& d, SecondScratch<T>& w,
                        const Cubes<T>& out) {
  find_gyric_changes(d, w);
  for (int k = 1; k < tree.count(); ++k) {
    const auto& n = tree.nodes[static_cast<std::size_t>(k)];
    if (n.parent == 0)
      write_pairs_of<true>(tree, d, w, n, out);
    else
      write_pairs_of<false>(tree, d, w, n, out);
  }
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
