#pragma once
/// The value of an expression at one node, and stacked vectors in and out.

#include "linkwright/operators/sweeps/recursions.hpp"
#include "linkwright/operators/vectors.hpp"

namespace linkwright::operators {
inline namespace LINKWRIGHT_ISA {

/// How many letters with memory an expression has.
template <class X>
inline constexpr std::size_t memories = 0;
template <Letter l, Space to, Space from, Kind k>
inline constexpr std::size_t memories<Leaf<l, to, from, k>> = has_memory(l) ? 1 : 0;
template <class X>
inline constexpr std::size_t memories<Transposed<X>> = memories<X>;
template <class X>
inline constexpr std::size_t memories<Negative<X>> = memories<X>;
template <class X, class Y>
inline constexpr std::size_t memories<Product<X, Y>> = memories<X> + memories<Y>;
template <class X, class Y>
inline constexpr std::size_t memories<Sum<X, Y>> = memories<X> + memories<Y>;
template <class X, class V>
inline constexpr std::size_t memories<Applied<X, V>> = memories<X> + memories<V>;
template <class V, class W>
inline constexpr std::size_t memories<Added<V, W>> = memories<V> + memories<W>;
template <class V>
inline constexpr std::size_t memories<Negated<V>> = memories<V>;

/// Frames and the base are no nodes. Forces on frames are read entry by entry as far as B asks for
/// them; what Bᵀ and Eᵀ give is a share of each node.
template <class V>
struct Entries {
  V v;
};
template <class T>
struct TipsOfNode {
  Motion<T> m;
};
template <class T>
struct AtBase {
  Force<T> f;
};

/// Entry i of a vector on frames or the base, without what the nodes add to it.
template <class T, Space s>
LINKWRIGHT_INLINE T entry(const Stacked<s, T>& x, std::size_t i) {
  return x.data[i];
}
template <class T, class X, class V>
LINKWRIGHT_INLINE T entry(const Applied<X, V>&, std::size_t) {
  static_assert(is_sink(X::range) && !is_sink(X::domain),
                "only what nodes give to frames and the base starts from zero");
  return T(0);
}
template <class T, class V>
LINKWRIGHT_INLINE T entry(const Negated<V>& x, std::size_t i) {
  return -entry<T>(x.v, i);
}
template <class T, class V, class W>
LINKWRIGHT_INLINE T entry(const Added<V, W>& x, std::size_t i) {
  return entry<T>(x.v, i) + entry<T>(x.w, i);
}

template <class V, class W>
LINKWRIGHT_INLINE Entries<Added<V, W>> operator+(const Entries<V>& a, const Entries<W>& b) {
  return {{a.v, b.v}};
}
template <class V>
LINKWRIGHT_INLINE Entries<Negated<V>> operator-(const Entries<V>& a) {
  return {{a.v}};
}
template <class T>
LINKWRIGHT_INLINE TipsOfNode<T> operator+(const TipsOfNode<T>& a, const TipsOfNode<T>& b) {
  return {a.m + b.m};
}
template <class T>
LINKWRIGHT_INLINE TipsOfNode<T> operator-(const TipsOfNode<T>& a) {
  return {-a.m};
}
template <class T>
LINKWRIGHT_INLINE AtBase<T> operator+(const AtBase<T>& a, const AtBase<T>& b) {
  return {a.f + b.f};
}
template <class T>
LINKWRIGHT_INLINE AtBase<T> operator-(const AtBase<T>& a) {
  return {-a.f};
}

/// a + b and −a of whatever an expression is at a node, joint vectors number by number.
template <class V, class W>
LINKWRIGHT_INLINE auto plus(V a, const W& b) {
  if constexpr (requires { a.count; }) {
    for (int i = 0; i < a.count; ++i) a[i] += b[i];
    return a;
  } else {
    return a + b;
  }
}
template <class V>
LINKWRIGHT_INLINE auto minus(V a) {
  if constexpr (requires { a.count; }) {
    for (int i = 0; i < a.count; ++i) a[i] = -a[i];
    return a;
  } else {
    return -a;
  }
}

template <class T, class J, class V>
LINKWRIGHT_INLINE Force<T> apply_B(const Here<T, J>& here, const Entries<V>& tips) {
  Force<T> sum{};
  const auto& data = here.data;
  const auto k = static_cast<std::size_t>(here.k);
  for (int i = data.first_tip[k]; i < data.first_tip[k + 1]; ++i) {
    const auto tip = static_cast<std::size_t>(i);
    const auto at = 6 * static_cast<std::size_t>(data.tip_place[tip]);
    const auto f = [&](std::size_t j) { return entry<T>(tips.v, at + j); };
    sum += to_parent(data.tips[tip].pose, Force<T>{{f(0), f(1), f(2)}, {f(3), f(4), f(5)}});
  }
  return sum;
}

/// One letter at one node; `memory` is its number within the expression.
template <std::size_t memory, Letter l, Space to, Space from, Kind kind, class T, class J, class V>
LINKWRIGHT_INLINE auto act(Leaf<l, to, from, kind>, const Here<T, J>& here, const V& v) {
  if constexpr (has_memory(l))
    return recur<l>(here, v, here.data.forces[memory].data());
  else if constexpr (l == Letter::delta_phi)
    return v;
  else if constexpr (l == Letter::delta_psi)
    return give_way(here, v);
  else if constexpr (l == Letter::H)
    return apply_H(here, v);
  else if constexpr (l == Letter::M)
    return here.n.M * v;
  else if constexpr (l == Letter::P)
    return P_of(here) * v;
  else if constexpr (l == Letter::D)
    return apply_D(here, v);
  else if constexpr (l == Letter::D_inverse || l == Letter::HPH_inverse)
    return apply_D_inverse(here, v);
  else if constexpr (l == Letter::R)
    return apply_R(here, v);
  else if constexpr (l == Letter::G || l == Letter::L)
    return apply_G(here, v);
  else if constexpr (l == Letter::B)
    return apply_B(here, v);
  else
    return here.n.parent == 0 ? here.to_child(v) : Motion<T>{};  // E
}
template <std::size_t memory, Letter l, Space to, Space from, Kind kind, class T, class J, class V>
LINKWRIGHT_INLINE auto act(Transposed<Leaf<l, to, from, kind>>, const Here<T, J>& here,
                           const V& v) {
  if constexpr (has_memory(l))
    return recur<l>(here, v, here.data.motions[memory].data());
  else if constexpr (l == Letter::delta_phi)
    return v;
  else if constexpr (l == Letter::delta_psi)
    return give_way(here, v);
  else if constexpr (l == Letter::H)
    return apply_Ht(here, v);
  else if constexpr (l == Letter::G || l == Letter::L)
    return apply_Gt(here, v);
  else if constexpr (l == Letter::B)
    return TipsOfNode<T>{v};
  else
    return AtBase<T>{here.n.parent == 0 ? here.to_parent(v) : Force<T>{}};  // Eᵀ
}
template <std::size_t memory, Space s, class H, class V>
LINKWRIGHT_INLINE V act(Identity<s>, const H&, const V& v) {
  return v;
}
template <std::size_t memory, class X, class H, class V>
LINKWRIGHT_INLINE auto act(Negative<X>, const H& here, const V& v) {
  return minus(act<memory>(X{}, here, v));
}
template <std::size_t memory, class X, class Y, class H, class V>
LINKWRIGHT_INLINE auto act(Product<X, Y>, const H& here, const V& v) {
  return act<memory>(X{}, here, act<memory + memories<X>>(Y{}, here, v));
}
template <std::size_t memory, class X, class Y, class H, class V>
LINKWRIGHT_INLINE auto act(Sum<X, Y>, const H& here, const V& v) {
  return plus(act<memory>(X{}, here, v), act<memory + memories<X>>(Y{}, here, v));
}

template <class T>
LINKWRIGHT_INLINE Motion<T> read_motion(const T* x) {
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}
template <class T>
LINKWRIGHT_INLINE Force<T> read_force(const T* x) {
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}
template <class T>
LINKWRIGHT_INLINE void write_six(const Vector3<T>& a, const Vector3<T>& b, T* to) {
  to[0] = a.x, to[1] = a.y, to[2] = a.z, to[3] = b.x, to[4] = b.y, to[5] = b.z;
}
template <class T>
LINKWRIGHT_INLINE void add_six(const Vector3<T>& a, const Vector3<T>& b, T* to) {
  to[0] += a.x, to[1] += a.y, to[2] += a.z, to[3] += b.x, to[4] += b.y, to[5] += b.z;
}

/// The part of a stacked vector that belongs to a node.
template <std::size_t memory, Space s, class T, class J>
LINKWRIGHT_INLINE auto value(const Stacked<s, T>& x, const Here<T, J>& here) {
  const T* six = x.data + 6 * (here.k - 1);
  if constexpr (is_joint(s)) {
    JointVector<T, J> v(here.n);
    for (int i = 0; i < v.count; ++i) v[i] = x.data[here.n.v + i];
    return v;
  } else if constexpr (s == Space::link_force) {
    return read_force(six);
  } else if constexpr (s == Space::link_motion) {
    return read_motion(six);
  } else if constexpr (s == Space::inboard_force) {
    const Force<T> f = read_force(six);
    const Vector3<T> N = f.moment + cross(f.force, J::offset(here.n, here.x));
    return Force<T>{J::to_child(here.n, here.x, N), J::to_child(here.n, here.x, f.force)};
  } else if constexpr (s == Space::inboard_motion) {
    return here.to_child(read_motion(six));
  } else if constexpr (s == Space::tip_force) {
    return Entries<Stacked<s, T>>{x};
  } else if constexpr (s == Space::base_motion) {
    return read_motion(x.data);
  } else if constexpr (s == Space::tip_motion) {
    return TipsOfNode<T>{};  // added as a whole
  } else {
    return AtBase<T>{};
  }
}
template <std::size_t memory, class X, class V, class H>
LINKWRIGHT_INLINE auto value(const Applied<X, V>& x, const H& here) {
  return act<memory>(X{}, here, value<memory + memories<X>>(x.v, here));
}
template <std::size_t memory, class V, class W, class H>
LINKWRIGHT_INLINE auto value(const Added<V, W>& x, const H& here) {
  return plus(value<memory>(x.v, here), value<memory + memories<V>>(x.w, here));
}
template <std::size_t memory, class V, class H>
LINKWRIGHT_INLINE auto value(const Negated<V>& x, const H& here) {
  return minus(value<memory>(x.v, here));
}

/// Writes the part of a node; adds it where the result is no node's own.
template <Space s, class V, class T, class J>
LINKWRIGHT_INLINE void store(const V& v, const Here<T, J>& here, T* out) {
  T* six = out + 6 * (here.k - 1);
  if constexpr (is_joint(s)) {
    for (int i = 0; i < v.count; ++i) out[here.n.v + i] = v[i];
  } else if constexpr (s == Space::link_force) {
    write_six(v.moment, v.force, six);
  } else if constexpr (s == Space::link_motion) {
    write_six(v.angular, v.linear, six);
  } else if constexpr (s == Space::inboard_force) {
    const Force<T> f = here.to_parent(v);
    write_six(f.moment, f.force, six);
  } else if constexpr (s == Space::inboard_motion) {
    const Vector3<T> w = J::to_parent(here.n, here.x, v.angular);
    const Vector3<T> u = J::to_parent(here.n, here.x, v.linear);
    write_six(w, u - cross(w, J::offset(here.n, here.x)), six);
  } else if constexpr (s == Space::tip_motion) {
    const auto& data = here.data;
    const auto k = static_cast<std::size_t>(here.k);
    for (int i = data.first_tip[k]; i < data.first_tip[k + 1]; ++i) {
      const Motion<T> m = to_child(data.tips[static_cast<std::size_t>(i)].pose, v.m);
      add_six(m.angular, m.linear, out + 6 * data.tip_place[static_cast<std::size_t>(i)]);
    }
  } else if constexpr (s == Space::base_force) {
    if (here.n.parent == 0) add_six(v.f.moment, v.f.force, out);
  }
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
