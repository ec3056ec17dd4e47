#pragma once
/// What each letter does at one node, given the values there and what its neighbours left.
///
/// An inboard vector u(k) = φ(p, k) u′ is kept as u′, in the child's frame: L, Δφ and Δψ then cost
/// nothing extra, and S, Φ and Ψ shift the sum of all that goes to the parent once.

#include <deque>
#include <utility>

#include "linkwright/dynamics/sweeps/articulated.hpp"
#include "linkwright/operators/aggregates.hpp"
#include "linkwright/operators/expressions.hpp"

namespace linkwright::operators {

/// A frame for which B and Bᵀ speak.
template <class B>
struct Tip {
  int node;
  spatial::Pose<B> pose;  // in the node's frame
};

/// Nodes one after the other as the sweeps meet them, base → tip: runs, then an aggregate.
struct Stretch {
  std::vector<Run> runs;
  int aggregate = -1;  // index into OperatorData::aggregates; −1: none
};

/// Vectors of an aggregate while it is evaluated; given back all at once.
template <class T>
struct AggregateRoom {
  std::deque<std::vector<T>> vectors;
  std::size_t in_use = 0;

  T* take(std::size_t n);
};

/// Everything the letters are made of at one configuration, and the memory of the sweeps. The tree's
/// factorisation belongs to a Workspace.
template <class T>
struct OperatorData {
  using Constant = spatial::Constant<T>;
  /// Every node on its own.
  OperatorData(const Tree<Constant>& of, Scratch<T>& scratch);
  /// The nodes in aggregates as one each, in stretches of their own.
  void gather(std::vector<Aggregate<T>> all);
  /// Places in stacked joint vectors, which hold the entries of v given, ascending. Those outside of
  /// aggregates must be among them.
  void choose(std::span<const int> entries);

  const Tree<Constant>* tree;
  Scratch<T>& s;                         // place, P and gains of a factorised tree
  std::vector<Aggregate<T>> aggregates;  // none: an open tree
  std::vector<Stretch> stretches;        // cover all nodes, base → tip
  std::vector<int> aggregate_of;         // [N + 1], −1: the node stands on its own
  std::vector<int> first_joint;          // [N + 1]: of a node on its own, in joint vectors
  std::vector<int> inboard;              // [N + 1]: which of the inboard vectors is its own
  std::size_t joints = 0, inboards = 0;  // numbers in joint vectors, inboard vectors
  AggregateRoom<T> room;
  std::vector<Tip<Constant>> tips;  // by node
  std::vector<int> tip_place;       // where each of them is in a stacked vector
  std::vector<int> first_tip;       // [N + 2]: those of node k start here
  // By number of the recursion within an expression.
  std::vector<std::vector<spatial::Force<T>>> forces;
  std::vector<std::vector<spatial::Motion<T>>> motions;
};

inline namespace LINKWRIGHT_ISA {

using spatial::Force, spatial::Motion, spatial::Vector3;

/// A node in a sweep.
template <class T, class J>
struct Here {
  OperatorData<T>& data;
  const Node<spatial::Constant<T>>& n;
  const sweeps::Place<T>& x;
  int k;

  [[nodiscard]] const Tree<spatial::Constant<T>>& tree() const { return *data.tree; }
  [[nodiscard]] LINKWRIGHT_INLINE int parent() const { return n.parent; }
  /// φ(p, k) f
  LINKWRIGHT_INLINE Force<T> to_parent(const Force<T>& f) const {
    return shift(J::offset(n, x),
                 Force<T>{J::to_parent(n, x, f.moment), J::to_parent(n, x, f.force)});
  }
  /// φᵀ(p, k) m
  LINKWRIGHT_INLINE Motion<T> to_child(const Motion<T>& m) const {
    const Motion<T> moved = shift(J::offset(n, x), m);
    return {J::to_child(n, x, moved.angular), J::to_child(n, x, moved.linear)};
  }
  /// Δφ f and Δφᵀ u, as inboard vectors are kept; and these vectors at the parent.
  LINKWRIGHT_INLINE const Force<T>& inboard(const Force<T>& f) const { return f; }
  LINKWRIGHT_INLINE const Motion<T>& outboard(const Motion<T>& u) const { return u; }
  LINKWRIGHT_INLINE Force<T> arrive(const Force<T>& u) const { return to_parent(u); }
  LINKWRIGHT_INLINE Motion<T> depart(const Motion<T>& m) const { return to_child(m); }
  /// The part of what is kept per node.
  template <class V>
  LINKWRIGHT_INLINE V read(const V* all) const {
    return all[k];
  }
  template <class V>
  LINKWRIGHT_INLINE void write(const V& v, V* all) const {
    all[k] = v;
  }
  LINKWRIGHT_INLINE Motion<T> no_motion() const { return {}; }
};
/// One number per freedom of a joint.
template <class T, class J>
struct JointVector {
  template <class B>
  LINKWRIGHT_INLINE explicit JointVector(const Node<B>& n) : count(J::freedoms(n)) {}

  T x[J::most_freedoms]{};
  int count;

  LINKWRIGHT_INLINE T& operator[](int i) { return x[i]; }
  LINKWRIGHT_INLINE const T& operator[](int i) const { return x[i]; }
};

template <class T, class J>
LINKWRIGHT_INLINE const auto& gain_of(const Here<T, J>& here) {
  return J::gain(std::as_const(here.data.s), here.n, here.k);
}
template <class T, class J>
LINKWRIGHT_INLINE const spatial::ArticulatedInertia<T>& P_of(const Here<T, J>& here) {
  return here.data.s.P[static_cast<std::size_t>(here.k)];
}
template <class T, class J>
LINKWRIGHT_INLINE Force<T> apply_M(const Here<T, J>& here, const Motion<T>& m) {
  return here.n.M * m;
}
template <class T, class J>
LINKWRIGHT_INLINE Force<T> apply_P(const Here<T, J>& here, const Motion<T>& m) {
  return P_of(here) * m;
}
template <class T, class J>
LINKWRIGHT_INLINE JointVector<T, J> apply_H(const Here<T, J>& here, const Force<T>& f) {
  JointVector<T, J> tau(here.n);
  J::project(here.tree(), here.n, f, tau.x);
  return tau;
}
template <class T, class J>
LINKWRIGHT_INLINE Motion<T> apply_Ht(const Here<T, J>& here, const JointVector<T, J>& rate) {
  Motion<T> m{};
  J::accelerate(here.tree(), here.n, rate.x, m);
  return m;
}
template <class T, class J>
LINKWRIGHT_INLINE Force<T> apply_G(const Here<T, J>& here, const JointVector<T, J>& tau) {
  return gain_of(here).apply_G(tau.x, tau.count);
}
template <class T, class J>
LINKWRIGHT_INLINE JointVector<T, J> apply_Gt(const Here<T, J>& here, const Motion<T>& m) {
  JointVector<T, J> a(here.n);
  gain_of(here).apply_Gt(m, a.x, a.count);
  return a;
}
template <class T, class J>
LINKWRIGHT_INLINE JointVector<T, J> apply_D_inverse(const Here<T, J>& here, JointVector<T, J> tau) {
  gain_of(here).apply_D_inverse(tau.x, tau.count);
  return tau;
}
template <class T, class J>
LINKWRIGHT_INLINE JointVector<T, J> apply_R(const Here<T, J>& here, const JointVector<T, J>& a) {
  JointVector<T, J> tau(here.n);
  J::add_rotor(here.tree(), here.n, a.x, tau.x);
  return tau;
}
/// D a = H P Hᵀ a + R a
template <class T, class J>
LINKWRIGHT_INLINE JointVector<T, J> apply_D(const Here<T, J>& here, const JointVector<T, J>& a) {
  JointVector<T, J> tau = apply_H(here, P_of(here) * apply_Ht(here, a));
  J::add_rotor(here.tree(), here.n, a.x, tau.x);
  return tau;
}
/// (I − G H) f and (I − G H)ᵀ m: what passes a joint that gives way.
template <class T, class J>
LINKWRIGHT_INLINE Force<T> give_way(const Here<T, J>& here, const Force<T>& f) {
  return f - apply_G(here, apply_H(here, f));
}
template <class T, class J>
LINKWRIGHT_INLINE Motion<T> give_way(const Here<T, J>& here, const Motion<T>& m) {
  return m - apply_Ht(here, apply_Gt(here, m));
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
