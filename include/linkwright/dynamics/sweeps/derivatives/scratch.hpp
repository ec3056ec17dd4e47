#pragma once
/// Arrays of the derivative sweeps. They run over the freedoms in tree order, a slot each: a single
/// state takes eight slots side by side, a pack of states one at a time. A joint with several freedoms
/// has as many slots; its body stands in the first of them.
///     linkwright::DerivativeScratch<double> room(system.tree());
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
/// Slots `lane` … end − 1 of a group whose entries of v are entry, entry + 1, …
struct Segment {
  int lane, end, entry;
};

/// One lane of a group, number by number: a loop over the numbers would be
/// turned into shuffles of whole groups.
template <class T, class L>
struct Lane {
  static constexpr int lanes = slots_of<T, L>;
  int lane;

  LINKWRIGHT_INLINE T read(const L& x) const { return reinterpret_cast<const T*>(&x)[lane]; }
  LINKWRIGHT_INLINE void write(L& x, const T& value) const {
    reinterpret_cast<T*>(&x)[lane] = value;
  }
  LINKWRIGHT_INLINE spatial::Vector3<T> read(const spatial::Vector3<L>& x) const {
    return {read(x.x), read(x.y), read(x.z)};
  }
  LINKWRIGHT_INLINE void write(spatial::Vector3<L>& x, const spatial::Vector3<T>& y) const {
    write(x.x, y.x), write(x.y, y.y), write(x.z, y.z);
  }
  LINKWRIGHT_INLINE spatial::Symmetric3<T> read(const spatial::Symmetric3<L>& x) const {
    return {read(x.xx), read(x.yy), read(x.zz), read(x.xy), read(x.xz), read(x.yz)};
  }
  LINKWRIGHT_INLINE spatial::Motion<T> read(const spatial::Motion<L>& x) const {
    return {read(x.angular), read(x.linear)};
  }
  LINKWRIGHT_INLINE void write(spatial::Motion<L>& x, const spatial::Motion<T>& y) const {
    write(x.angular, y.angular), write(x.linear, y.linear);
  }
  LINKWRIGHT_INLINE spatial::Force<T> read(const spatial::Force<L>& x) const {
    return {read(x.moment), read(x.force)};
  }
  LINKWRIGHT_INLINE void write(spatial::Force<L>& x, const spatial::Force<T>& y) const {
    write(x.moment, y.moment), write(x.force, y.force);
  }
  LINKWRIGHT_INLINE void write(spatial::Matrix3<L>& x, const spatial::Matrix3<T>& y) const {
    write(x.xx, y.xx), write(x.xy, y.xy), write(x.xz, y.xz);
    write(x.yx, y.yx), write(x.yy, y.yy), write(x.yz, y.yz);
    write(x.zx, y.zx), write(x.zy, y.zy), write(x.zz, y.zz);
  }
  LINKWRIGHT_INLINE void write(spatial::Inertia<L>& x, const spatial::Inertia<T>& y) const {
    const auto& J = y.rotational;
    auto& K = x.rotational;
    write(x.mass, y.mass), write(x.first_moment, y.first_moment);
    write(K.xx, J.xx), write(K.yy, J.yy), write(K.zz, J.zz);
    write(K.xy, J.xy), write(K.xz, J.xz), write(K.yz, J.yz);
  }
  LINKWRIGHT_INLINE Felt<T> read(const Felt<L>& x) const {
    return {read(x.by_q), read(x.by_v), read(x.inertial), read(x.gyric)};
  }
  LINKWRIGHT_INLINE Column<T> read(const Column<L>& x) const {
    return {read(x.S), read(x.psi_rate), read(x.psi_rate2), read(x.sum_rate)};
  }
  LINKWRIGHT_INLINE void write(Placed<L>& x, const Placed<T>& y) const {
    write(x.R, y.R), write(x.p, y.p);
  }
  LINKWRIGHT_INLINE void write(Carried<L>& x, const Carried<T>& y) const {
    write(x.V_parent, y.V_parent), write(x.V_child, y.V_child);
    write(x.alpha_parent, y.alpha_parent), write(x.alpha_child, y.alpha_child);
  }
};
/// One slot of an array of groups.
template <class T, template <class> class Quantity, class L>
LINKWRIGHT_INLINE Quantity<T> read_slot(const Quantity<L>* groups, int slot) {
  constexpr int lanes = slots_of<T, L>;
  if constexpr (lanes == 1)
    return groups[slot];
  else
    return Lane<T, L>{slot % lanes}.read(groups[slot / lanes]);
}
template <class T, template <class> class Quantity, class L>
LINKWRIGHT_INLINE void write_slot(Quantity<L>* groups, int slot, const Quantity<T>& x) {
  // Not as a whole where a group is one slot either: compilers copy large structs byte by byte.
  constexpr int lanes = slots_of<T, L>;
  Lane<T, L>{slot % lanes}.write(groups[slot / lanes], x);
}
}  // namespace sweeps

template <class T>
struct DerivativeScratch {
  using L = sweeps::Slots<T>;
  using C = typename sweeps::SlotsOf<T>::constant;
  using B = spatial::Constant<T>;
  static constexpr int lanes = sweeps::slots_of<T, L>;
  /// Up to this many freedoms the factors of 𝓜 are kept here.
  static constexpr int most_factors = 96;
  /// Columns of 𝓜⁻¹ that are found at a time.
  static constexpr int inverse_columns = lanes > 1 ? lanes : 4;

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
        tile(static_cast<std::size_t>(tree.nv) * inverse_columns / lanes),
        columns(4 * static_cast<std::size_t>(tree.nv)),
        stretch(static_cast<std::size_t>(tree.nv)),
        first_segment(size() + 1),
        slot_number(size()),
        slot_end(size()) {
    if (tree.nv <= most_factors) factors.resize(size() * static_cast<std::size_t>(tree.nv));
    for (auto& r : rows) r.resize(size());
    for (const Run& run : tree.runs)
      for (int k = run.first; k <= run.last; ++k) add_node(tree, k, run.kind);
    number_slots(tree);
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
  std::vector<L> tile;           // [nv · inverse_columns / lanes], columns of 𝓜⁻¹
  std::vector<T> columns;        // [4 nv], what 𝓜⁻¹ multiplies
  std::vector<int> stretch;      // the first of the freedoms inboard of it that are its neighbours
  std::vector<L> factors;        // [nv rows], by factorize_mass_matrix; empty for large systems

  // per group of slots of a single state: its segments, from first_segment[g] to before
  // first_segment[g + 1]; numbers of the slots and of their ends
  std::vector<int> first_segment;
  std::vector<sweeps::Segment> segments;
  std::vector<C> slot_number, slot_end;

  [[nodiscard]] LINKWRIGHT_INLINE T* row(int i) { return reinterpret_cast<T*>(rows[i].data()); }

 private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(groups); }

  void number_slots(const Tree<B>& tree) {
    for (int f = 0; f < groups * lanes; ++f) {
      const auto slot = static_cast<std::size_t>(f), group = slot / static_cast<std::size_t>(lanes);
      const std::size_t at = slot % static_cast<std::size_t>(lanes);
      const bool there = f < tree.nv;
      reinterpret_cast<B*>(&slot_number[group])[at] = static_cast<B>(f);
      reinterpret_cast<B*>(&slot_end[group])[at] = static_cast<B>(there ? end[slot] : 0);
      if (!there) continue;
      const int entry = tree.velocity_of[slot], lane = static_cast<int>(at);
      const bool goes_on = lane > 0 && segments.back().entry + lane - segments.back().lane == entry;
      if (goes_on)
        ++segments.back().end;
      else
        segments.push_back({lane, lane + 1, entry});
      first_segment[group + 1] = static_cast<int>(segments.size());
    }
  }

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
