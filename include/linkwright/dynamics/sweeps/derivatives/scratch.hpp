#pragma once
/// Arrays of the derivative sweeps. They run over the freedoms in tree order, a slot each: a single
/// state takes eight slots side by side, a pack of states one at a time. A joint with several freedoms
/// has as many slots; its body stands in the first of them.

#include "linkwright/dynamics/sweeps/scratch.hpp"

namespace linkwright {

namespace sweeps {

/// The slots that go through a sweep side by side, and the constants they meet.
template <class T>
struct SlotsOf {
  using type = T;
  using constant = spatial::Constant<T>;
};
template <class T>
requires std::is_floating_point_v<T>
struct SlotsOf<T> {
  using type = spatial::Pack<T, 8>;
  using constant = type;
};
template <class T>
using Slots = typename SlotsOf<T>::type;

/// How many numbers of type T stand in one slot group.
template <class T, class L>
inline constexpr int slots_of = spatial::lane_count<L> / spatial::lane_count<T>;

/// A square of the caller's: entry (i, j) at data[i + j·stride].
template <class T>
struct Square {
  T* data;
  std::ptrdiff_t stride;
};

/// One slot of an array of quantities that consist of nothing but numbers in a row.
template <class T, template <class> class Quantity, class L>
LINKWRIGHT_INLINE Quantity<T> read_slot(const Quantity<L>* groups, int slot) {
  constexpr int lanes = slots_of<T, L>;
  constexpr int count = sizeof(Quantity<L>) / sizeof(L);
  if constexpr (lanes == 1) {
    return groups[slot];
  } else {
    Quantity<T> out;
    const T* from = reinterpret_cast<const T*>(groups + slot / lanes) + slot % lanes;
    T* to = reinterpret_cast<T*>(&out);
    for (int i = 0; i < count; ++i) to[i] = from[i * lanes];
    return out;
  }
}
template <class T, template <class> class Quantity, class L>
LINKWRIGHT_INLINE void write_slot(Quantity<L>* groups, int slot, const Quantity<T>& x) {
  constexpr int lanes = slots_of<T, L>;
  constexpr int count = sizeof(Quantity<L>) / sizeof(L);
  if constexpr (lanes == 1) {
    groups[slot] = x;
  } else {
    T* to = reinterpret_cast<T*>(groups + slot / lanes) + slot % lanes;
    const T* from = reinterpret_cast<const T*>(&x);
    for (int i = 0; i < count; ++i) to[i * lanes] = from[i];
  }
}

/// Everything outboard of a joint as one body, about the root's origin and in the world's axes:
/// inertia I, the rate of its rotational part, momentum h = Σ I V, force F through the joint.
template <class T>
struct Outboard {
  spatial::Inertia<T> I{};
  spatial::Symmetric3<T> J_rate{};
  spatial::Force<T> h{}, F{};
};
/// What a freedom means to the joints inboard of it: forces per unit of its q and v, I S and, of the
/// torque part only, 2 Bᵀ S.
template <class T>
struct Felt {
  spatial::Force<T> by_q{}, by_v{}, inertial{};
  spatial::Vector3<T> gyric{};
};
/// What a freedom means to the joints outboard of it: its column S, the rates of it that the bodies
/// behind it see, ψ̇ = V(p) × S, ψ̈ = α(p) × S + V(p) × ψ̇, and ψ̇ + Ṡ.
template <class T>
struct Column {
  spatial::Motion<T> S{}, psi_rate{}, psi_rate2{}, sum_rate{};
};
template <class T>
struct Placed {
  spatial::Matrix3<T> R{};
  spatial::Vector3<T> p{};
};
/// Velocity and acceleration of a joint's parent, and velocity of its child.
template <class T>
struct Carried {
  spatial::Motion<T> V_parent{}, V_child{}, alpha_parent{}, alpha_child{};
};
}  // namespace sweeps

template <class T>
struct DerivativeScratch {
  using L = sweeps::Slots<T>;
  using C = typename sweeps::SlotsOf<T>::constant;
  using B = spatial::Constant<T>;
  static constexpr int lanes = sweeps::slots_of<T, L>;
  /// Up to this many freedoms the factors of 𝓜 are kept here.
  static constexpr int most_factors = 96;

  explicit DerivativeScratch(const Tree<B>& tree)
      : groups((tree.nv + lanes - 1) / lanes),
        mode(size()),
        M(size()),
        placed(size()),
        column(size()),
        carried(size()),
        outboard(size()),
        felt(size()),
        V(tree.nodes.size()),
        alpha(tree.nodes.size()),
        root_offset(tree.nodes.size()),
        root(tree.nodes.size()),
        inboard(static_cast<std::size_t>(tree.nv)),
        depth(static_cast<std::size_t>(tree.nv)),
        end(static_cast<std::size_t>(tree.nv)),
        node(static_cast<std::size_t>(tree.nv)),
        inverse_pivot(static_cast<std::size_t>(tree.nv)),
        tile(static_cast<std::size_t>(tree.nv)),
        columns(4 * static_cast<std::size_t>(tree.nv)),
        stretch(static_cast<std::size_t>(tree.nv)) {
    if (tree.nv <= most_factors) factors.resize(size() * static_cast<std::size_t>(tree.nv));
    for (auto& r : rows) r.resize(size());
    for (const Run& run : tree.runs)
      for (int k = run.first; k <= run.last; ++k) add_node(tree, k, run.kind);
  }

  int groups;
  // constants
  std::vector<spatial::Motion<C>> mode;  // column of H*, child's axes
  std::vector<spatial::Inertia<C>> M;    // of the body, own axes
  // one state
  std::vector<sweeps::Placed<L>> placed;  // of the child, about its root's origin
  std::vector<sweeps::Column<L>> column;
  std::vector<sweeps::Carried<L>> carried;
  std::vector<sweeps::Outboard<L>> outboard;
  std::vector<sweeps::Felt<L>> felt;
  std::vector<L> rows[5];  // of one freedom: dT/dq, dT/dv, its columns of the two, 𝓜
  // per node
  std::vector<spatial::Motion<T>> V, alpha;
  std::vector<spatial::Vector3<T>> root_offset;  // of roots, where springs between bodies ask
  std::vector<int> root;                         // the node that stands on the world
  // per freedom, tree order
  std::vector<int> inboard;      // the freedom before it on its way to the base; −1: none
  std::vector<int> depth;        // how many there are
  std::vector<int> end;          // one behind the last freedom outboard
  std::vector<int> node;         // whose freedom it is
  std::vector<T> inverse_pivot;  // by factorize_mass_matrix
  std::vector<L> tile;           // one group of columns of 𝓜⁻¹
  std::vector<T> columns;        // [4 nv], what 𝓜⁻¹ multiplies
  std::vector<int> stretch;      // the first of the freedoms inboard of it that are its neighbours
  std::vector<L> factors;        // [nv rows], by factorize_mass_matrix; empty for large systems

  [[nodiscard]] LINKWRIGHT_INLINE T* row(int i) { return reinterpret_cast<T*>(rows[i].data()); }

 private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(groups); }

  void add_node(const Tree<B>& tree, int k, NodeKind kind) {
    const Node<B>& n = tree.nodes[static_cast<std::size_t>(k)];
    const auto at = static_cast<std::size_t>(k), up = static_cast<std::size_t>(n.parent);
    root[at] = n.parent == 0 ? k : root[up];
    sweeps::write_slot<B>(M.data(), n.freedom, n.M);
    for (int i = 0; i < n.d; ++i) {
      const int f = n.freedom + i;
      const auto slot = static_cast<std::size_t>(f);
      const Node<B>& parent = tree.nodes[up];
      inboard[slot] = i > 0 ? f - 1 : n.parent == 0 ? -1 : parent.freedom + parent.d - 1;
      depth[slot] = inboard[slot] < 0 ? 0 : depth[static_cast<std::size_t>(inboard[slot])] + 1;
      stretch[slot] = inboard[slot] == f - 1 && f > 0 ? stretch[slot - 1] : f;
      end[slot] = n.end;
      node[slot] = k;
      spatial::Motion<B> m{};
      if (n.modes >= 0)
        m = tree.modes[static_cast<std::size_t>(n.modes)].column[i];
      else if (kind == NodeKind::prismatic)
        m.linear.z = 1;
      else
        m.angular.z = 1;
      sweeps::write_slot<B>(mode.data(), f, m);
    }
  }
};

}  // namespace linkwright
