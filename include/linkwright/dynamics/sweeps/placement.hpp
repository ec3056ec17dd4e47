#pragma once
/// Joint placement: the only sweep that evaluates sine and cosine.
///
/// Given    q
/// Computes place(k): R(k) and ℓ(k+1, k)
/// Cost     one sine and cosine per revolute joint. A single state evaluates eight joints at a
///          time; a pack of states evaluates one joint of all of them.

#include <type_traits>
#include <utility>

#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/spatial/pack.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

template <class T>
LINKWRIGHT_INLINE void place_one_by_one(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* q) {
  for (const auto& joint : tree.turning) {
    const auto [sine, cosine] = sin_cos(q[joint.q] + joint.offset);
    Place<T>& x = s.place[joint.node];
    x.c = cosine, x.s = sine;
  }
}
/// The first `here` of some joints of one state, as many as there are indices at most. The angles meet in a
/// register: had they met in memory, the load of all would wait for the stores of each.
template <class T, int... index>
LINKWRIGHT_INLINE void place_together(std::integer_sequence<int, index...>,
                                      const Turning<T>* turning, int here, Scratch<T>& s,
                                      const T* q) {
  constexpr int lanes = sizeof...(index);
  using P = spatial::Pack<T, lanes>;
  const auto angle = [&](int i) LINKWRIGHT_INLINE_LAMBDA {
    const auto& joint = turning[i < here ? i : 0];
    return q[joint.q] + joint.offset;
  };
  T sine[lanes], cosine[lanes];
  const auto both = sin_cos(P(typename P::Lanes{angle(index)...}));
  both.s.store(sine);
  both.c.store(cosine);
  for (int i = 0; i < here; ++i) {
    Place<T>& x = s.place[turning[i].node];
    x.c = cosine[i], x.s = sine[i];
  }
}
/// Eight joints of one state at a time, or four where no more are left.
template <class T>
LINKWRIGHT_INLINE void place_revolute_joints(const Tree<T>& tree, Scratch<T>& s, const T* q) {
  const Turning<T>* turning = tree.turning.data();
  int left = static_cast<int>(tree.turning.size());
  for (; left > 4; left -= 8, turning += 8)
    place_together(std::make_integer_sequence<int, 8>{}, turning, left < 8 ? left : 8, s, q);
  if (left > 0) place_together(std::make_integer_sequence<int, 4>{}, turning, left, s, q);
}
/// One joint of all states. Angles beyond the reach of the polynomials are looked for once for all
/// joints: a call to the standard functions inside the loop would push its constants to memory.
template <class B, int N>
LINKWRIGHT_INLINE void place_revolute_joints(const Tree<B>& tree, Scratch<spatial::Pack<B, N>>& s,
                                             const spatial::Pack<B, N>* q) {
  using T = spatial::Pack<B, N>;
  T farthest(B(0));
  for (const auto& joint : tree.turning) {
    const T angle = q[joint.q] + joint.offset;
    const auto [sine, cosine] = sin_cos_near(angle);
    farthest = larger(farthest, absolute(angle));
    Place<T>& x = s.place[joint.node];
    x.c = cosine, x.s = sine;
  }
  const typename T::Bits far = farthest.x > spatial::Trigonometry<B>::reach;
  if (!spatial::any(far)) [[likely]]
    return;
  place_one_by_one(tree, s, q);
}
/// Any other scalar (dual numbers, operation counts).
template <class T>
requires(!std::is_floating_point_v<T>) LINKWRIGHT_INLINE
    void place_revolute_joints(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* q) {
  place_one_by_one(tree, s, q);
}

template <class T>
void place_joints(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* q) {
  const auto* nodes = tree.nodes.data();
  s.stamp.place();
  place_revolute_joints(tree, s, q);
  if (tree.turning.size() + 1 == tree.nodes.size()) return;
  outward(tree, [&](auto joint, int k) {
    if constexpr (!decltype(joint)::revolute)
      joint.place(tree, nodes[k], q + nodes[k].q, s.place[k]);
  });
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
