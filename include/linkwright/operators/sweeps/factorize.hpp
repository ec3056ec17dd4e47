#pragma once
/// P, D and G of a tree whose loops are aggregates.
///
/// Given    place(k); G and R of every aggregate
/// Computes tip → base, at an aggregate of bodies b:
///            H*(b) = φᵀ(p(b), b) H*(p(b)) + H*_tree(b) G                           base → tip inside
///            P(b) = M(b) + what hangs on b,  D = Σ_b H(b) P(b) H*(b) + R = L Δ Lᵀ  (4.6)
///            P(p) += Σ_b φ P(b) φᵀ − Σ_j y_j Δ_j⁻¹ y_jᵀ,  y = Σ_b φ P(b) H*(b) L⁻ᵀ (4.4), (4.5)
///          at every other node as `factorize` of the tree
/// Cost     O(N) outside; bodies · independents² in an aggregate, and independents³

#include "linkwright/dynamics/sweeps/mass_matrix_inverse.hpp"
#include "linkwright/operators/sweeps/aggregate_letters.hpp"

namespace linkwright::operators {
inline namespace LINKWRIGHT_ISA {

template <class B>
LINKWRIGHT_INLINE Vector3<B> full(const Vector3<B>& l) {
  return l;
}
template <class B>
LINKWRIGHT_INLINE Vector3<B> full(const spatial::VectorXZ<B>& l) {
  return {l.x, B(0), l.z};
}

/// The child's frame in the parent's.
template <class T, class J, class B>
LINKWRIGHT_INLINE spatial::Pose<T> pose_of(J, const Node<B>& n, const sweeps::Place<T>& x) {
  const Vector3<T> i = J::to_parent(n, x, Vector3<T>{T(1), T(0), T(0)});
  const Vector3<T> j = J::to_parent(n, x, Vector3<T>{T(0), T(1), T(0)});
  const Vector3<T> k = J::to_parent(n, x, Vector3<T>{T(0), T(0), T(1)});
  const auto l = full(J::offset(n, x));
  return {{i.x, j.x, k.x, i.y, j.y, k.y, i.z, j.z, k.z}, {T(l.x), T(l.y), T(l.z)}};
}

/// Poses and H* of an aggregate.
template <class T>
void place_aggregate(const OperatorData<T>& data, Aggregate<T>& a) {
  const std::size_t bodies = a.nodes.size(), rows = a.freedoms.size();
  for (std::size_t b = 0; b < bodies; ++b) {
    const auto k = static_cast<std::size_t>(a.nodes[b]), up = static_cast<std::size_t>(a.inside[b]);
    const auto& n = data.tree->nodes[k];
    sweeps::dispatch(a.kinds[b], [&](auto joint) {
      a.own[b] = pose_of(joint, n, data.s.place[k]);
      a.pose[b] = a.inside[b] < 0 ? a.own[b] : a.pose[up] * a.own[b];
      for (std::size_t j = 0; j < a.independent.size(); ++j) {
        Motion<T> m{};
        if (a.inside[b] >= 0) m = to_child(a.own[b], a.Hstar[j * bodies + up]);
        joint.accelerate(*data.tree, n, a.G.data() + j * rows + static_cast<std::size_t>(a.row[b]),
                         m);
        a.Hstar[j * bodies + b] = m;
      }
    });
  }
}
/// Motions of the bodies of an aggregate whose joints move at these rates, with motions of their own
/// on top; out may be `extra`.
template <class T>
void spread_aggregate(const OperatorData<T>& data, const Aggregate<T>& a, const T* rates,
                      const Motion<T>* extra, Motion<T>* out) {
  for (std::size_t b = 0; b < a.nodes.size(); ++b) {
    const auto k = static_cast<std::size_t>(a.nodes[b]);
    const auto& n = data.tree->nodes[k];
    Motion<T> m = extra[k];
    if (a.inside[b] >= 0)
      m += to_child(a.own[b],
                    out[static_cast<std::size_t>(a.nodes[static_cast<std::size_t>(a.inside[b])])]);
    sweeps::dispatch(a.kinds[b],
                     [&](auto joint) { joint.accelerate(*data.tree, n, rates + a.row[b], m); });
    out[k] = m;
  }
}

/// D = L Δ Lᵀ without pivoting, and Y.
template <class T>
void eliminate(const OperatorData<T>& data, Aggregate<T>& a) {
  const std::size_t bodies = a.nodes.size(), r = a.independent.size();
  const auto P = [&](std::size_t b) -> const spatial::ArticulatedInertia<T>& {
    return data.s.P[static_cast<std::size_t>(a.nodes[b])];
  };
  for (std::size_t j = 0; j < r; ++j) {
    T most = a.R[j * r + j];
    for (std::size_t b = 0; b < bodies; ++b) {
      const Motion<T>& m = a.Hstar[j * bodies + b];
      a.Y[j * bodies + b] = P(b) * m;
      const auto &I = P(b).I, &M = P(b).M;
      most += dot(m.angular, m.angular) * (I.xx + I.yy + I.zz) +
              dot(m.linear, m.linear) * (M.xx + M.yy + M.zz);
    }
    a.most[j] = most;
    // Row j of D becomes one of L Δ, then one of L.
    for (std::size_t l = 0; l <= j; ++l) {
      T D = a.R[j * r + l];
      for (std::size_t b = 0; b < bodies; ++b)
        D += dot(a.Y[j * bodies + b], a.Hstar[l * bodies + b]);
      a.L[j * r + l] = D;
    }
    for (std::size_t l = 0; l < j; ++l)
      for (std::size_t i = 0; i < l; ++i) a.L[j * r + l] -= a.L[j * r + i] * a.L[l * r + i];
    T pivot = a.L[j * r + j];
    for (std::size_t l = 0; l < j; ++l) {
      const T scaled = a.L[j * r + l] * a.inverse_Delta[l];
      pivot -= scaled * a.L[j * r + l];
      a.L[j * r + l] = scaled;
    }
    a.pivot[j] = pivot;
    a.inverse_Delta[j] = T(1) / pivot;
    for (std::size_t l = 0; l < j; ++l)
      for (std::size_t b = 0; b < bodies; ++b)
        a.Y[j * bodies + b] -= a.L[j * r + l] * a.Y[l * bodies + b];
  }
}

/// What its parent feels of an aggregate.
template <class T>
spatial::ArticulatedInertia<T> remainder(const OperatorData<T>& data, const Aggregate<T>& a) {
  const std::size_t bodies = a.nodes.size();
  spatial::ArticulatedInertia<T> sum{};
  for (std::size_t b = 0; b < bodies; ++b)
    sum += shift(a.pose[b].translation,
                 congruence(a.pose[b].rotation, data.s.P[static_cast<std::size_t>(a.nodes[b])]));
  for (std::size_t j = 0; j < a.independent.size(); ++j) {
    Force<T> y{};
    for (std::size_t b = 0; b < bodies; ++b) y += to_parent(a.pose[b], a.Y[j * bodies + b]);
    sweeps::subtract_product(sum, a.inverse_Delta[j] * y, y);
  }
  return sum;
}

template <class T>
void factorize(OperatorData<T>& data) {
  Scratch<T>& s = data.s;
  s.stamp.add(Held::gains);
  s.stamp.add(Held::inertias);
  for (auto& P : s.P) P = {};
  for (auto stretch = data.stretches.end(); stretch != data.stretches.begin();) {
    --stretch;
    if (stretch->aggregate >= 0) {
      Aggregate<T>& a = data.aggregates[static_cast<std::size_t>(stretch->aggregate)];
      place_aggregate(data, a);
      for (const int k : a.nodes) {
        const auto i = static_cast<std::size_t>(k);
        s.P[i] = data.tree->nodes[i].M + s.P[i];
      }
      eliminate(data, a);
      if (a.parent != 0) s.P[static_cast<std::size_t>(a.parent)] += remainder(data, a);
    }
    sweeps::factorize_runs(*data.tree, stretch->runs, s);
  }
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
