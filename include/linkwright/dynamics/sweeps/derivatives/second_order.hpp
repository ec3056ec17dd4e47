#pragma once
/// Second derivatives of inverse dynamics: by q and q, v and v, q and v, and d𝓜/dq, along the group.
///
/// Given    what prepare_derivatives leaves: S, ψ̇, ψ̈, σ = ψ̇ + Ṡ of every freedom; I, B, h, F of what
///          is outboard of it, u = I S, b = 2Bᵀ S, Y = dF/dq, w = dF/dv
/// Slots    the change of 2B along v_o and along q_o has the form of 2B, [J̇ − h̃_N, 0; −2 h̃_F, 0]:
///            J_v = J̇(I, S), h_v = u;   J_q = J̇(J̇ and h_F, S) + J̇(I, ψ̇), h_q = S ×* h + I ψ̇
///          as a form on motions x, y: β(J, h; x, y) = x_ω·J y_ω − h_N·(y_ω × x_ω) − 2 h_F·(y_ω × x_v)
///          and İ of I along S: π(x, y) = x_ω·J_v y_ω + u_F·(y_v × x_ω − y_ω × x_v)
/// Triples  of three freedoms on one way to the base, o the outermost, 2 not outboard of 1:
///   T_o by q₁q₂  u·(ψ̈₂ × S₁ + [ψ̇₂ω × ψ̇₁ω; 2 ψ̇₂ω × ψ̇₁v]) + b·(ψ̇₂ω × S₁ω) − ψ̇₁ω·J_v ψ̇₂ω
///   T₁ by q_o q₂ π(S₁, ψ̈₂) + β_q(S₁, ψ̇₂)
///   T₂ by q_o q₁ π(S₂, ψ̈₁) + β_q(S₂, ψ̇₁) + (S₂ × S₁)·Y        the last where 2 is of another joint
///   T_o by v₁v₂  −β_v(S₁, S₂),  T₁ by v_o v₂  β_v(S₁, S₂),  T₂ by v_o v₁  β_v(S₂, S₁)
///   T_o by q₁v₂  u·(σ₂ × S₁ + [S₂ω × ψ̇₁ω; 2 S₂ω × ψ̇₁v]) + b·(S₂ω × S₁ω) − ψ̇₁ω·J_v S₂ω;
///                of one joint −β_v(S₂, ψ̇₁)
///   T_o by q₂v₁  −β_v(S₁, ψ̇₂),  T₁ by q₂v_o  β_v(S₁, ψ̇₂)
///   T₂ by q₁v_o  β_v(S₂, ψ̇₁) + (S₂ × S₁)·w                     the last likewise
///   T₁ by q_o v₂ π(S₁, σ₂) + β_q(S₁, S₂),  T₂ by q_o v₁ likewise
///   𝓜₁₂ by q_o   π(S₁, S₂),  𝓜_o2 by q₁  u·(S₂ × S₁), 0 where they are of one joint
///          Derivatives by the positions of two joints commute; within a joint they do not.
/// Cost     150 multiplications and additions per triple, eight o at a time for a single state

#include "linkwright/dynamics/sweeps/derivatives/inverse_dynamics.hpp"

namespace linkwright {

namespace sweeps {
/// J_v, J_q and h_q.
template <class T>
struct GyricChange {
  spatial::Symmetric3<T> J_v{}, J_q{};
  spatial::Force<T> h_q{};
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
  static constexpr int results = 14;

  explicit SecondScratch(int groups) : change(static_cast<std::size_t>(groups)) {
    for (auto& r : rows) r.resize(static_cast<std::size_t>(groups));
  }

  std::vector<sweeps::GyricChange<L>> change;
  std::vector<L> rows[results];

  [[nodiscard]] LINKWRIGHT_INLINE T* row(int i) { return reinterpret_cast<T*>(rows[i].data()); }
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
    c.J_q = rotational_rate(Inertia<L>{L(Constant<T>(0)), o.h.force, o.J_rate}, x.S) +
            rotational_rate(o.I, x.psi_rate);
    c.h_q = force_bracket(x.S, o.h) + o.I * x.psi_rate;
  }
}

/// What x·J y multiplies the six numbers of J with.
template <class T>
LINKWRIGHT_INLINE Symmetric3<T> form_of(const Vector3<T>& x, const Vector3<T>& y) {
  return {x.x * y.x,
          x.y * y.y,
          x.z * y.z,
          x.x * y.y + x.y * y.x,
          x.x * y.z + x.z * y.x,
          x.y * y.z + x.z * y.y};
}
template <class A, class B>
LINKWRIGHT_INLINE auto dot(const Symmetric3<A>& a, const Symmetric3<B>& b) {
  return (a.xx * b.xx + a.yy * b.yy + a.zz * b.zz) + (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}
using spatial::dot;

template <class T>
LINKWRIGHT_INLINE Vector3<T> twice(const Vector3<T>& a) {
  return a + a;
}

/// β as numbers that J and h multiply, and π likewise.
template <class T>
struct GyricForm {
  Symmetric3<T> J;
  Vector3<T> N, F;

  LINKWRIGHT_INLINE GyricForm(const Motion<T>& x, const Motion<T>& y)
      : J(form_of(x.angular, y.angular)),
        N(cross(x.angular, y.angular)),
        F(twice(cross(x.linear, y.angular))) {}
  template <class L>
  LINKWRIGHT_INLINE L of(const Symmetric3<L>& rate, const Force<L>& h) const {
    return dot(rate, J) + (dot(h.moment, N) + dot(h.force, F));
  }
};
template <class T>
struct InertiaForm {
  Symmetric3<T> J;
  Vector3<T> F;

  LINKWRIGHT_INLINE InertiaForm(const Motion<T>& x, const Motion<T>& y)
      : J(form_of(x.angular, y.angular)),
        F(cross(y.linear, x.angular) + cross(x.linear, y.angular)) {}
  template <class L>
  LINKWRIGHT_INLINE L of(const Symmetric3<L>& rate, const Force<L>& u) const {
    return dot(rate, J) + dot(u.force, F);
  }
};
/// T_o by the positions, or the position and the velocity, of two joints: y the inner one's column of
/// the last derivative, y_rate its rate.
template <class T>
struct OuterForm {
  Motion<T> u;
  Vector3<T> b;
  Symmetric3<T> J;

  LINKWRIGHT_INLINE OuterForm(const Motion<T>& S, const Motion<T>& psi_rate, const Motion<T>& y,
                              const Motion<T>& y_rate)
      : u(bracket(y_rate, S) +
          Motion<T>{cross(y.angular, psi_rate.angular), twice(cross(y.angular, psi_rate.linear))}),
        b(cross(y.angular, S.angular)),
        J(form_of(psi_rate.angular, y.angular)) {}
  template <class L>
  LINKWRIGHT_INLINE L of(const Felt<L>& f, const Symmetric3<L>& rate) const {
    return dot(f.inertial, u) + dot(f.gyric, b) - dot(rate, J);
  }
};

/// The results for one pair of freedoms as rows over o: by_of, o the outermost, 1 and 2 as above.
enum Triple {
  qq_o12,
  qq_o21,
  qq_1o2,
  qq_2o1,
  vv_o12,
  vv_1o2,
  vv_2o1,
  aq_12o,
  aq_o21,
  qv_o12,
  qv_12o,
  qv_21o,
  qv_1o2,
  qv_2o1,
  triples
};
/// Whether 1 and 2 are of one joint.
enum class Joints { one, two };

template <Joints joints, class T>
LINKWRIGHT_INLINE void find_triples(const DerivativeScratch<T>& d, SecondScratch<T>& w,
                                    const Column<T>& x1, const Column<T>& x2, int from, int to) {
  using L = Slots<T>;
  const Symmetric3<T> ww = form_of(x1.S.angular, x2.S.angular);
  const Vector3<T> w21 = cross(x2.S.angular, x1.S.angular), w2u1 = cross(x2.S.angular, x1.S.linear),
                   w1u2 = cross(x1.S.angular, x2.S.linear);
  const OuterForm<T> o12(x1.S, x1.psi_rate, x2.psi_rate, x2.psi_rate2);
  const OuterForm<T> mixed = joints == Joints::two
                                 ? OuterForm<T>(x1.S, x1.psi_rate, x2.S, x2.sum_rate)
                                 : OuterForm<T>(x2.S, x2.psi_rate, x1.psi_rate, x1.psi_rate2);
  const GyricForm<T> b12(x1.S, x2.psi_rate), b21(x2.S, x1.psi_rate), s12(x1.S, x2.S),
      s21(x2.S, x1.S);
  const InertiaForm<T> p12(x1.S, x2.psi_rate2), p21(x2.S, x1.psi_rate2), r12(x1.S, x2.sum_rate),
      r21(x2.S, x1.sum_rate);
  const Motion<T> turn = bracket(x2.S, x1.S);
  for (int g = from; g <= to; ++g) {
    const Felt<L>& f = d.felt[g];
    const GyricChange<L>& c = w.change[g];
    const auto put = [&](Triple which, const L& x)
                         LINKWRIGHT_INLINE_LAMBDA { w.rows[which][g] = x; };
    const L a = dot(c.J_v, ww), b = dot(f.inertial.moment, w21), g12 = dot(f.inertial.force, w2u1),
            g21 = dot(f.inertial.force, w1u2);
    const L v12 = a - b - (g12 + g12), v21 = a + b - (g21 + g21);
    put(vv_1o2, v12);
    put(vv_2o1, v21);
    put(vv_o12, joints == Joints::two ? -v12 : (g12 + g21) - a);
    put(aq_12o, a - g12 - g21);
    if constexpr (joints == Joints::two) put(aq_o21, b + g12 - g21);
    put(qq_o12, o12.of(f, c.J_v));
    put(qq_1o2, p12.of(c.J_v, f.inertial) + b12.of(c.J_q, c.h_q));
    const L q21 = p21.of(c.J_v, f.inertial) + b21.of(c.J_q, c.h_q);
    const L m12 = b12.of(c.J_v, f.inertial), m21 = b21.of(c.J_v, f.inertial);
    put(qv_12o, m12);
    if constexpr (joints == Joints::two) {
      put(qq_2o1, q21 + dot(f.by_q, turn));
      put(qv_21o, m21 + dot(f.by_v, turn));
      put(qv_o12, mixed.of(f, c.J_v));
    } else {
      put(qq_2o1, q21);
      put(qv_21o, m21);
      put(qv_o12, -m21);
      put(qq_o21, mixed.of(f, c.J_v));
    }
    put(qv_1o2, r12.of(c.J_v, f.inertial) + s12.of(c.J_q, c.h_q));
    put(qv_2o1, r21.of(c.J_v, f.inertial) + s21.of(c.J_q, c.h_q));
  }
}

/// Where the entries of one pair go.
template <class T>
struct TripleWriter {
  const Tree<Constant<T>>& tree;
  SecondScratch<T>& w;
  Cubes<T> out;
  std::ptrdiff_t nv, e1, e2;  // entries of v of 1 and 2
  int first, behind, end;     // slots of 1's joint, behind it, behind the last outboard

  /// Entry (i, j, k); o stands for 0.
  [[nodiscard]] LINKWRIGHT_INLINE std::ptrdiff_t at(std::ptrdiff_t i, std::ptrdiff_t j,
                                                    std::ptrdiff_t k) const {
    return i + nv * (j + nv * k);
  }
  LINKWRIGHT_INLINE void spread(const T* row, int from, T* to, std::ptrdiff_t stride) const {
    const int* entry = tree.velocity_of.data();
    for (int o = from; o < end; ++o) to[entry[o] * stride] = row[o];
  }
  LINKWRIGHT_INLINE void spread_negative(const T* row, int from, T* to) const {
    const int* entry = tree.velocity_of.data();
    for (int o = from; o < end; ++o) to[entry[o]] = -row[o];
  }
  template <Joints joints>
  LINKWRIGHT_INLINE void write() const {
    const std::ptrdiff_t page = nv * nv;
    // The forms for o of 1's own joint are those of another pair, or hold for them too.
    const int own = joints == Joints::two ? first : behind;
    spread(w.row(qq_o12), first, out.qq + at(0, e1, e2), 1);
    spread(w.row(joints == Joints::two ? qq_o12 : qq_o21), first, out.qq + at(0, e2, e1), 1);
    spread(w.row(qq_2o1), own, out.qq + at(e2, 0, e1), nv);
    spread(w.row(qq_2o1), behind, out.qq + at(e2, e1, 0), page);
    spread(w.row(qq_1o2), behind, out.qq + at(e1, 0, e2), nv);
    spread(w.row(qq_1o2), behind, out.qq + at(e1, e2, 0), page);

    spread(w.row(vv_o12), first, out.vv + at(0, e1, e2), 1);
    spread(w.row(vv_o12), first, out.vv + at(0, e2, e1), 1);
    spread(w.row(vv_2o1), own, out.vv + at(e2, 0, e1), nv);
    spread(w.row(vv_2o1), behind, out.vv + at(e2, e1, 0), page);
    spread(w.row(vv_1o2), behind, out.vv + at(e1, 0, e2), nv);
    spread(w.row(vv_1o2), behind, out.vv + at(e1, e2, 0), page);

    if constexpr (joints == Joints::two) {
      spread(w.row(aq_o21), first, out.aq + at(0, e2, e1), 1);
      spread(w.row(aq_o21), first, out.aq + at(e2, 0, e1), nv);
    }
    spread(w.row(aq_12o), behind, out.aq + at(e1, e2, 0), page);
    spread(w.row(aq_12o), behind, out.aq + at(e2, e1, 0), page);

    spread(w.row(qv_o12), first, out.qv + at(0, e1, e2), 1);
    spread_negative(w.row(qv_12o), first, out.qv + at(0, e2, e1));
    spread(w.row(qv_21o), own, out.qv + at(e2, e1, 0), page);
    spread(w.row(qv_12o), behind, out.qv + at(e1, e2, 0), page);
    spread(w.row(qv_1o2), behind, out.qv + at(e1, 0, e2), nv);
    spread(w.row(qv_2o1), behind, out.qv + at(e2, 0, e1), nv);
  }
};

/// By two velocities of one joint: the mean of both orders.
template <class T, class B>
LINKWRIGHT_INLINE void symmetrize_joint(const Tree<B>& tree, const DerivativeScratch<T>& d,
                                        const Node<B>& n, const Cubes<T>& out) {
  const std::ptrdiff_t nv = tree.nv;
  const B half(0.5);
  for (int f = d.inboard[static_cast<std::size_t>(n.freedom)]; f >= 0;
       f = d.inboard[static_cast<std::size_t>(f)])
    for (int j = n.v; j < n.v + n.d; ++j)
      for (int k = n.v; k < j; ++k) {
        const std::ptrdiff_t i = tree.velocity_of[static_cast<std::size_t>(f)];
        T &x = out.vv[i + nv * (j + nv * k)], &y = out.vv[i + nv * (k + nv * j)];
        x = y = half * (x + y);
      }
}

/// Of bodies and the forces that turn with them, after prepare_derivatives.
template <class T>
void second_derivatives(const Tree<Constant<T>>& tree, DerivativeScratch<T>& d, SecondScratch<T>& w,
                        const Cubes<T>& out) {
  constexpr int lanes = slots_of<T, Slots<T>>;
  find_gyric_changes(d, w);
  for (int k = 1; k < tree.count(); ++k) {
    const auto& n = tree.nodes[static_cast<std::size_t>(k)];
    const int from = n.freedom / lanes, to = (n.end - 1) / lanes;
    for (int i = 0; i < n.d; ++i) {
      const int f1 = n.freedom + i;
      const Column<T> x1 = read_slot<T>(d.column.data(), f1);
      for (int f2 = f1; f2 >= 0; f2 = d.inboard[static_cast<std::size_t>(f2)]) {
        const Column<T> x2 = read_slot<T>(d.column.data(), f2);
        const TripleWriter<T> writer{tree,      w,
                                     out,       tree.nv,
                                     n.v + i,   tree.velocity_of[static_cast<std::size_t>(f2)],
                                     n.freedom, n.freedom + n.d,
                                     n.end};
        if (f2 < n.freedom) {
          find_triples<Joints::two>(d, w, x1, x2, from, to);
          writer.template write<Joints::two>();
        } else {
          find_triples<Joints::one>(d, w, x1, x2, from, to);
          writer.template write<Joints::one>();
        }
      }
    }
    if (n.d > 1) symmetrize_joint(tree, d, n, out);
  }
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
