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
template <class Motions>
struct TipsOfNode {
  Motions m;
};
template <class T>
struct AtBase {
  Force<T> f;
};
template <class T>
LINKWRIGHT_INLINE AtBase<T> at_base(const Force<T>& f) {
  return {f};
}

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
template <class M>
LINKWRIGHT_INLINE TipsOfNode<M> operator+(const TipsOfNode<M>& a, const TipsOfNode<M>& b) {
  return {plus(a.m, b.m)};
}
template <class M>
LINKWRIGHT_INLINE TipsOfNode<M> operator-(const TipsOfNode<M>& a) {
  return {minus(a.m)};
}
template <class T>
LINKWRIGHT_INLINE AtBase<T> operator+(const AtBase<T>& a, const AtBase<T>& b) {
  return {a.f + b.f};
}
template <class T>
LINKWRIGHT_INLINE AtBase<T> operator-(const AtBase<T>& a) {
  return {-a.f};
}

/// What forces on frames are on the node that carries these.
template <class T, class V>
LINKWRIGHT_INLINE Force<T> force_of_tips(const OperatorData<T>& data, std::size_t k,
                                         const V& tips) {
  Force<T> sum{};
  for (int i = data.first_tip[k]; i < data.first_tip[k + 1]; ++i) {
    const auto tip = static_cast<std::size_t>(i);
    const auto at = 6 * static_cast<std::size_t>(data.tip_place[tip]);
    const auto f = [&](std::size_t j) { return entry<T>(tips, at + j); };
    sum += to_parent(data.tips[tip].pose, Force<T>{{f(0), f(1), f(2)}, {f(3), f(4), f(5)}});
  }
  return sum;
}
template <class T, class J, class V>
LINKWRIGHT_INLINE Force<T> apply_B(const Here<T, J>& here, const Entries<V>& tips) {
  return force_of_tips(here.data, static_cast<std::size_t>(here.k), tips.v);
}
template <class T, class V>
AggregateForces<T> apply_B(const AggregateHere<T>& here, const Entries<V>& tips) {
  const AggregateForces<T> out = here.forces();
  for (int b = 0; b < here.bodies(); ++b) {
    const Force<T> f = force_of_tips(here.data, here.node(b), tips.v);
    write_six(f.moment, f.force, out.x + 6 * b);
  }
  return out;
}

/// One letter at one node; `memory` is its number within the expression.
template <std::size_t memory, Letter l, Space to, Space from, Kind kind, class At, class V>
LINKWRIGHT_INLINE auto act(Leaf<l, to, from, kind>, const At& here, const V& v) {
  if constexpr (has_memory(l))
    return recur<l>(here, v, here.data.forces[memory].data());
  else if constexpr (l == Letter::delta_phi)
    return here.inboard(v);
  else if constexpr (l == Letter::delta_psi)
    return here.inboard(give_way(here, v));
  else if constexpr (l == Letter::H)
    return apply_H(here, v);
  else if constexpr (l == Letter::M)
    return apply_M(here, v);
  else if constexpr (l == Letter::P)
    return apply_P(here, v);
  else if constexpr (l == Letter::D)
    return apply_D(here, v);
  else if constexpr (l == Letter::D_inverse || l == Letter::HPH_inverse)
    return apply_D_inverse(here, v);
  else if constexpr (l == Letter::R)
    return apply_R(here, v);
  else if constexpr (l == Letter::G)
    return apply_G(here, v);
  else if constexpr (l == Letter::L)
    return here.inboard(apply_G(here, v));
  else if constexpr (l == Letter::B)
    return apply_B(here, v);
  else
    return here.parent() == 0 ? here.to_child(v) : here.no_motion();  // E
}
template <std::size_t memory, Letter l, Space to, Space from, Kind kind, class At, class V>
LINKWRIGHT_INLINE auto act(Transposed<Leaf<l, to, from, kind>>, const At& here, const V& v) {
  if constexpr (has_memory(l))
    return recur<l>(here, v, here.data.motions[memory].data());
  else if constexpr (l == Letter::delta_phi)
    return here.outboard(v);
  else if constexpr (l == Letter::delta_psi)
    return give_way(here, here.outboard(v));
  else if constexpr (l == Letter::H)
    return apply_Ht(here, v);
  else if constexpr (l == Letter::G)
    return apply_Gt(here, v);
  else if constexpr (l == Letter::L)
    return apply_Gt(here, here.outboard(v));
  else if constexpr (l == Letter::B)
    return TipsOfNode<V>{v};
  else
    return at_base(here.parent() == 0 ? here.to_parent(v) : decltype(here.to_parent(v)){});  // Eᵀ
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
LINKWRIGHT_INLINE void add_six(const Vector3<T>& a, const Vector3<T>& b, T* to) {
  to[0] += a.x, to[1] += a.y, to[2] += a.z, to[3] += b.x, to[4] += b.y, to[5] += b.z;
}

/// Where a node's six numbers start in stacked link and inboard vectors.
template <Space s, class T>
LINKWRIGHT_INLINE std::size_t place_of(const OperatorData<T>& data, std::size_t k) {
  return 6 * (is_inboard(s) ? static_cast<std::size_t>(data.inboard[k]) : k - 1);
}

/// The part of a stacked vector that belongs to a node.
template <std::size_t memory, Space s, class T, class J>
LINKWRIGHT_INLINE auto value(const Stacked<s, T>& x, const Here<T, J>& here) {
  const auto k = static_cast<std::size_t>(here.k);
  const auto six = [&]() LINKWRIGHT_INLINE_LAMBDA { return x.data + place_of<s>(here.data, k); };
  if constexpr (is_joint(s)) {
    JointVector<T, J> v(here.n);
    for (int i = 0; i < v.count; ++i) v[i] = x.data[here.data.first_joint[k] + i];
    return v;
  } else if constexpr (s == Space::link_force) {
    return read_force(six());
  } else if constexpr (s == Space::link_motion) {
    return read_motion(six());
  } else if constexpr (s == Space::inboard_force) {
    const Force<T> f = read_force(six());
    const Vector3<T> N = f.moment + cross(f.force, J::offset(here.n, here.x));
    return Force<T>{J::to_child(here.n, here.x, N), J::to_child(here.n, here.x, f.force)};
  } else if constexpr (s == Space::inboard_motion) {
    return here.to_child(read_motion(six()));
  } else if constexpr (s == Space::tip_force) {
    return Entries<Stacked<s, T>>{x};
  } else if constexpr (s == Space::base_motion) {
    return read_motion(x.data);
  } else if constexpr (s == Space::tip_motion) {
    return TipsOfNode<Motion<T>>{};  // added as a whole
  } else {
    return AtBase<T>{};
  }
}
template <std::size_t memory, Space s, class T>
auto value(const Stacked<s, T>& x, const AggregateHere<T>& here) {
  if constexpr (is_joint(s)) {
    const AggregateJoint<T> v = here.joint();
    for (std::size_t i = 0; i < v.size; ++i) v.x[i] = x.data[here.n.joint[i]];
    return v;
  } else if constexpr (is_link(s)) {
    const auto out = [&] {
      if constexpr (s == Space::link_force)
        return here.forces();
      else
        return here.motions();
    }();
    for (int b = 0; b < here.bodies(); ++b)
      for (std::size_t i = 0; i < 6; ++i)
        out.x[6 * static_cast<std::size_t>(b) + i] =
            x.data[place_of<s>(here.data, here.node(b)) + i];
    return out;
  } else if constexpr (s == Space::inboard_force) {
    return read_force(x.data + place_of<s>(here.data, here.node(0)));
  } else if constexpr (s == Space::inboard_motion) {
    return read_motion(x.data + place_of<s>(here.data, here.node(0)));
  } else if constexpr (s == Space::tip_force) {
    return Entries<Stacked<s, T>>{x};
  } else if constexpr (s == Space::base_motion) {
    return read_motion(x.data);
  } else if constexpr (s == Space::tip_motion) {
    return TipsOfNode<AggregateMotions<T>>{here.no_motion()};  // added as a whole
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

/// Adds the motion of a node to the frames that it carries.
template <class T>
LINKWRIGHT_INLINE void add_to_tips(const OperatorData<T>& data, std::size_t k, const Motion<T>& of,
                                   T* out) {
  for (int i = data.first_tip[k]; i < data.first_tip[k + 1]; ++i) {
    const Motion<T> m = to_child(data.tips[static_cast<std::size_t>(i)].pose, of);
    add_six(m.angular, m.linear, out + 6 * data.tip_place[static_cast<std::size_t>(i)]);
  }
}

/// Writes the part of a node; adds it where the result is no node's own.
template <Space s, class V, class T, class J>
LINKWRIGHT_INLINE void store(const V& v, const Here<T, J>& here, T* out) {
  const auto k = static_cast<std::size_t>(here.k);
  const auto six = [&]() LINKWRIGHT_INLINE_LAMBDA { return out + place_of<s>(here.data, k); };
  if constexpr (is_joint(s)) {
    for (int i = 0; i < v.count; ++i) out[here.data.first_joint[k] + i] = v[i];
  } else if constexpr (s == Space::link_force) {
    write_six(v.moment, v.force, six());
  } else if constexpr (s == Space::link_motion) {
    write_six(v.angular, v.linear, six());
  } else if constexpr (s == Space::inboard_force) {
    const Force<T> f = here.to_parent(v);
    write_six(f.moment, f.force, six());
  } else if constexpr (s == Space::inboard_motion) {
    const Vector3<T> w = J::to_parent(here.n, here.x, v.angular);
    const Vector3<T> u = J::to_parent(here.n, here.x, v.linear);
    write_six(w, u - cross(w, J::offset(here.n, here.x)), six());
  } else if constexpr (s == Space::tip_motion) {
    add_to_tips(here.data, k, v.m, out);
  } else if constexpr (s == Space::base_force) {
    if (here.n.parent == 0) add_six(v.f.moment, v.f.force, out);
  }
}
template <Space s, class V, class T>
void store(const V& v, const AggregateHere<T>& here, T* out) {
  if constexpr (is_joint(s)) {
    for (std::size_t i = 0; i < v.size; ++i) out[here.n.joint[i]] = v.x[i];
  } else if constexpr (is_link(s)) {
    for (int b = 0; b < here.bodies(); ++b)
      for (std::size_t i = 0; i < 6; ++i)
        out[place_of<s>(here.data, here.node(b)) + i] = v.x[6 * static_cast<std::size_t>(b) + i];
  } else if constexpr (s == Space::inboard_force) {
    write_six(v.moment, v.force, out + place_of<s>(here.data, here.node(0)));
  } else if constexpr (s == Space::inboard_motion) {
    write_six(v.angular, v.linear, out + place_of<s>(here.data, here.node(0)));
  } else if constexpr (s == Space::tip_motion) {
    for (int b = 0; b < here.bodies(); ++b)
      add_to_tips(here.data, here.node(b), read_motion(v.m.x + 6 * b), out);
  } else if constexpr (s == Space::base_force) {
    if (here.parent() == 0) add_six(v.f.moment, v.f.force, out);
  }
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
