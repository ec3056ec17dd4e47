#pragma once
/// What each letter does at an aggregate: the functions of letters.hpp for a node of several bodies.
///
/// Given    pose, H*, Y, L, Δ of `factorize`
/// Computes H f = Σ_b H*_bᵀ f(b),  φ(p, S) f = Σ_b φ(p, b) f(b),  G = Y Δ⁻¹ L⁻¹; P and M body by body
/// Cost     O(bodies · independents) for H and G, O(bodies) for the others, O(independents²) for D and R
///
/// An inboard vector stands at the parent's origin, in its axes: six numbers for all of it.

#include "linkwright/operators/sweeps/letters.hpp"

namespace linkwright::operators {
inline namespace LINKWRIGHT_ISA {

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

/// Of a stacked vector what belongs to an aggregate; `Each` tells forces, motions and joint numbers
/// apart. Copies speak of the same numbers, which nobody changes once they are written.
template <class T, class Each>
struct AggregateVector {
  T* x;
  std::size_t size;
  AggregateRoom<T>* room;

  [[nodiscard]] AggregateVector like() const { return {room->take(size), size, room}; }
};
template <class T>
using AggregateForces = AggregateVector<T, Force<T>>;
template <class T>
using AggregateMotions = AggregateVector<T, Motion<T>>;
template <class T>
using AggregateJoint = AggregateVector<T, T>;

template <class T, class Each>
AggregateVector<T, Each> plus(const AggregateVector<T, Each>& a,
                              const AggregateVector<T, Each>& b) {
  const AggregateVector<T, Each> sum = a.like();
  for (std::size_t i = 0; i < a.size; ++i) sum.x[i] = a.x[i] + b.x[i];
  return sum;
}
template <class T, class Each>
AggregateVector<T, Each> minus(const AggregateVector<T, Each>& a) {
  const AggregateVector<T, Each> opposite = a.like();
  for (std::size_t i = 0; i < a.size; ++i) opposite.x[i] = -a.x[i];
  return opposite;
}

/// An aggregate in a sweep.
template <class T>
struct AggregateHere {
  OperatorData<T>& data;
  const Aggregate<T>& n;

  [[nodiscard]] int parent() const { return n.parent; }
  [[nodiscard]] int bodies() const { return n.bodies(); }
  [[nodiscard]] std::size_t node(int b) const {
    return static_cast<std::size_t>(n.nodes[static_cast<std::size_t>(b)]);
  }
  template <class Each>
  [[nodiscard]] AggregateVector<T, Each> room_for(std::size_t size) const {
    return {data.room.take(size), size, &data.room};
  }
  [[nodiscard]] AggregateForces<T> forces() const { return room_for<Force<T>>(6 * n.nodes.size()); }
  [[nodiscard]] AggregateMotions<T> motions() const {
    return room_for<Motion<T>>(6 * n.nodes.size());
  }
  [[nodiscard]] AggregateJoint<T> joint() const { return room_for<T>(n.independent.size()); }

  /// φ(p, S) f
  [[nodiscard]] Force<T> to_parent(const AggregateForces<T>& f) const {
    Force<T> sum{};
    for (int b = 0; b < bodies(); ++b)
      sum += spatial::to_parent(n.pose[static_cast<std::size_t>(b)], read_force(f.x + 6 * b));
    return sum;
  }
  /// φᵀ(p, S) m
  [[nodiscard]] AggregateMotions<T> to_child(const Motion<T>& m) const {
    const AggregateMotions<T> out = motions();
    for (int b = 0; b < bodies(); ++b) {
      const Motion<T> own = spatial::to_child(n.pose[static_cast<std::size_t>(b)], m);
      write_six(own.angular, own.linear, out.x + 6 * b);
    }
    return out;
  }
  [[nodiscard]] Force<T> inboard(const AggregateForces<T>& f) const { return to_parent(f); }
  [[nodiscard]] AggregateMotions<T> outboard(const Motion<T>& u) const { return to_child(u); }
  [[nodiscard]] const Force<T>& arrive(const Force<T>& u) const { return u; }
  [[nodiscard]] const Motion<T>& depart(const Motion<T>& m) const { return m; }

  [[nodiscard]] AggregateForces<T> read(const Force<T>* all) const {
    const AggregateForces<T> out = forces();
    for (int b = 0; b < bodies(); ++b)
      write_six(all[node(b)].moment, all[node(b)].force, out.x + 6 * b);
    return out;
  }
  void write(const AggregateMotions<T>& m, Motion<T>* all) const {
    for (int b = 0; b < bodies(); ++b) all[node(b)] = read_motion(m.x + 6 * b);
  }
  [[nodiscard]] AggregateMotions<T> no_motion() const {
    const AggregateMotions<T> out = motions();
    for (std::size_t i = 0; i < out.size; ++i) out.x[i] = T(0);
    return out;
  }
};

template <class T>
AggregateForces<T> apply_M(const AggregateHere<T>& here, const AggregateMotions<T>& m) {
  const AggregateForces<T> out = here.forces();
  for (int b = 0; b < here.bodies(); ++b) {
    const Force<T> f = here.data.tree->nodes[here.node(b)].M * read_motion(m.x + 6 * b);
    write_six(f.moment, f.force, out.x + 6 * b);
  }
  return out;
}
template <class T>
AggregateForces<T> apply_P(const AggregateHere<T>& here, const AggregateMotions<T>& m) {
  const AggregateForces<T> out = here.forces();
  for (int b = 0; b < here.bodies(); ++b) {
    const Force<T> f = here.data.s.P[here.node(b)] * read_motion(m.x + 6 * b);
    write_six(f.moment, f.force, out.x + 6 * b);
  }
  return out;
}
template <class T>
AggregateJoint<T> apply_H(const AggregateHere<T>& here, const AggregateForces<T>& f) {
  const AggregateJoint<T> tau = here.joint();
  const Motion<T>* column = here.n.Hstar.data();
  for (std::size_t j = 0; j < tau.size; ++j) {
    tau.x[j] = T(0);
    for (int b = 0; b < here.bodies(); ++b) tau.x[j] += dot(read_force(f.x + 6 * b), *column++);
  }
  return tau;
}
template <class T>
AggregateMotions<T> apply_Ht(const AggregateHere<T>& here, const AggregateJoint<T>& rate) {
  const AggregateMotions<T> out = here.motions();
  const auto bodies = static_cast<std::size_t>(here.bodies());
  for (std::size_t b = 0; b < bodies; ++b) {
    Motion<T> m{};
    for (std::size_t j = 0; j < rate.size; ++j) m += rate.x[j] * here.n.Hstar[j * bodies + b];
    write_six(m.angular, m.linear, out.x + 6 * b);
  }
  return out;
}

/// x = L⁻¹ x and x = L⁻ᵀ x
template <class T>
void divide_by_L(const Aggregate<T>& n, T* x) {
  const std::size_t r = n.independent.size();
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < i; ++j) x[i] -= n.L[i * r + j] * x[j];
}
template <class T>
void divide_by_Lt(const Aggregate<T>& n, T* x) {
  const std::size_t r = n.independent.size();
  for (std::size_t i = r; i-- > 0;)
    for (std::size_t j = i + 1; j < r; ++j) x[i] -= n.L[j * r + i] * x[j];
}
template <class T>
AggregateJoint<T> apply_D_inverse(const AggregateHere<T>& here, const AggregateJoint<T>& tau) {
  const AggregateJoint<T> a = here.joint();
  for (std::size_t i = 0; i < tau.size; ++i) a.x[i] = tau.x[i];
  divide_by_L(here.n, a.x);
  for (std::size_t i = 0; i < tau.size; ++i) a.x[i] = here.n.inverse_Delta[i] * a.x[i];
  divide_by_Lt(here.n, a.x);
  return a;
}
template <class T>
AggregateForces<T> apply_G(const AggregateHere<T>& here, const AggregateJoint<T>& tau) {
  const AggregateForces<T> out = here.forces();
  const AggregateJoint<T> e = here.joint();
  for (std::size_t i = 0; i < tau.size; ++i) e.x[i] = tau.x[i];
  divide_by_L(here.n, e.x);
  for (std::size_t i = 0; i < tau.size; ++i) e.x[i] = here.n.inverse_Delta[i] * e.x[i];
  const auto bodies = static_cast<std::size_t>(here.bodies());
  for (std::size_t b = 0; b < bodies; ++b) {
    Force<T> f{};
    for (std::size_t j = 0; j < tau.size; ++j) f += e.x[j] * here.n.Y[j * bodies + b];
    write_six(f.moment, f.force, out.x + 6 * b);
  }
  return out;
}
template <class T>
AggregateJoint<T> apply_Gt(const AggregateHere<T>& here, const AggregateMotions<T>& m) {
  const AggregateJoint<T> a = here.joint();
  const Force<T>* column = here.n.Y.data();
  for (std::size_t j = 0; j < a.size; ++j) {
    a.x[j] = T(0);
    for (int b = 0; b < here.bodies(); ++b) a.x[j] += dot(*column++, read_motion(m.x + 6 * b));
    a.x[j] = here.n.inverse_Delta[j] * a.x[j];
  }
  divide_by_Lt(here.n, a.x);
  return a;
}
template <class T>
AggregateJoint<T> apply_R(const AggregateHere<T>& here, const AggregateJoint<T>& a) {
  const AggregateJoint<T> tau = here.joint();
  for (std::size_t i = 0; i < a.size; ++i) {
    tau.x[i] = T(0);
    for (std::size_t j = 0; j < a.size; ++j) tau.x[i] += here.n.R[i * a.size + j] * a.x[j];
  }
  return tau;
}
/// D a = H P Hᵀ a + R a
template <class T>
AggregateJoint<T> apply_D(const AggregateHere<T>& here, const AggregateJoint<T>& a) {
  return plus(apply_H(here, apply_P(here, apply_Ht(here, a))), apply_R(here, a));
}
/// (I − G H) f and (I − G H)ᵀ m: what passes an aggregate whose joints give way.
template <class T>
AggregateForces<T> give_way(const AggregateHere<T>& here, const AggregateForces<T>& f) {
  return plus(f, minus(apply_G(here, apply_H(here, f))));
}
template <class T>
AggregateMotions<T> give_way(const AggregateHere<T>& here, const AggregateMotions<T>& m) {
  return plus(m, minus(apply_Ht(here, apply_Gt(here, m))));
}

/// Every node and aggregate, base → tip and tip → base: step(here).
template <class T, class Step>
LINKWRIGHT_INLINE void outward(OperatorData<T>& data, Step&& step) {
  for (const Stretch& stretch : data.stretches) {
    for (const Run& run : stretch.runs)
      sweeps::dispatch(run.kind, [&](auto joint) {
        for (int k = run.first; k <= run.last; ++k) {
          const auto i = static_cast<std::size_t>(k);
          step(Here<T, decltype(joint)>{data, data.tree->nodes[i], data.s.place[i], k});
        }
      });
    if (stretch.aggregate < 0) continue;
    data.room.in_use = 0;
    step(AggregateHere<T>{data, data.aggregates[static_cast<std::size_t>(stretch.aggregate)]});
  }
}
template <class T, class Step>
LINKWRIGHT_INLINE void inward(OperatorData<T>& data, Step&& step) {
  for (auto stretch = data.stretches.end(); stretch != data.stretches.begin();) {
    --stretch;
    if (stretch->aggregate >= 0) {
      data.room.in_use = 0;
      step(AggregateHere<T>{data, data.aggregates[static_cast<std::size_t>(stretch->aggregate)]});
    }
    for (auto run = stretch->runs.end(); run != stretch->runs.begin();) {
      --run;
      sweeps::dispatch(run->kind, [&](auto joint) {
        for (int k = run->last; k >= run->first; --k) {
          const auto i = static_cast<std::size_t>(k);
          step(Here<T, decltype(joint)>{data, data.tree->nodes[i], data.s.place[i], k});
        }
      });
    }
  }
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
