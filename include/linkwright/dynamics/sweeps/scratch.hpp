#pragma once
/// Every array the sweeps write. Allocated once; entry 0 belongs to the world.

#include <cstdint>

#include "linkwright/dynamics/sweeps/gains.hpp"
#include "linkwright/system/bundle.hpp"

namespace linkwright {

namespace sweeps {

/// The columns of the mass matrix that move through a joint at once: four of one state, or one of
/// many states.
template <class T>
struct ColumnGroupOf {
  using type = T;
};
template <class T>
requires std::is_floating_point_v<T>
struct ColumnGroupOf<T> {
  using type = spatial::Pack<T, 4>;
};

/// What a body passes on to its children.
template <class T>
struct Moving {
  spatial::Vector3<T> omega{};  // ω(k)
  spatial::Motion<T> alpha{};   // α(k): acceleration of the frame's origin, plus −gravity
};
}  // namespace sweeps

/// Results that one computation leaves in a Scratch and another function reads.
enum class Held : unsigned {
  poses = 1U << 0U,          // Scratch::pose, in the world
  velocities = 1U << 1U,     // Scratch::V
  accelerations = 1U << 2U,  // Scratch::alpha of every node, true accelerations
  gains = 1U << 3U,          // Scratch::gain and Scratch::multi_gain
  inertias = 1U << 4U,       // Scratch::P of every node
  state = 1U << 5U,          // Workspace::placed, the q and v behind poses and velocities
};
/// Which of them a Scratch holds, all at the placement of the joints that was made last. Every sweep
/// that writes or overwrites one says so here, so that no reader can meet another state's numbers.
class Stamp {
 public:
  /// The joints stand anew: nothing that was held is of their position.
  LINKWRIGHT_INLINE void place() { ++placements_, held_ = 0; }
  LINKWRIGHT_INLINE void add(Held what) { held_ |= static_cast<unsigned>(what); }
  LINKWRIGHT_INLINE void drop(Held what) { held_ &= ~static_cast<unsigned>(what); }
  [[nodiscard]] bool holds(Held what) const { return (held_ & static_cast<unsigned>(what)) != 0; }
  /// How often the joints have been placed: tells one position from the next.
  [[nodiscard]] std::uint64_t placements() const { return placements_; }

 private:
  std::uint64_t placements_ = 0;
  unsigned held_ = 0;
};

/// Size [N + 1] unless it says otherwise. Vectors are in the node's canonical axes.
template <class T>
struct Scratch {
  template <class B>
  explicit Scratch(const Tree<B>& tree)
      : place(size(tree)),
        moving(size(tree)),
        A(size(tree)),
        f(size(tree)),
        omega(size(tree)),
        alpha(size(tree)),
        a(size(tree)),
        P(size(tree)),
        z(size(tree)),
        gain(size(tree)),
        multi_gain(tree.modes.size()),
        pose(size(tree)),
        V(size(tree)),
        f_ext(size(tree)),
        composite(size(tree)),
        columns(6 * static_cast<std::size_t>(tree.nv)),
        force_columns(groups(tree.nv)),
        zero(static_cast<std::size_t>(tree.nv)) {
    for (auto& row : rows) row.resize(groups(tree.nv));
  }

  Stamp stamp;
  // by place_joints, from q
  std::vector<sweeps::Place<T>> place;
  // by inverse_dynamics
  std::vector<sweeps::Moving<T>> moving;  // at the ends of runs
  std::vector<spatial::Matrix3<T>> A;  // ω̃ ω̃ + ω̇~ : acceleration of a fixed point r is v̇ + A r
  std::vector<spatial::Force<T>> f;  // force on body k, with what hangs on the ends of runs
  // by forward_dynamics
  std::vector<spatial::Vector3<T>> omega;  // ω(k) at the ends of runs
  std::vector<spatial::Motion<T>> alpha;   // α(k) at the ends of runs (by accelerations: at all)
  std::vector<spatial::Motion<T>> a;       // bias acceleration a(k)
  std::vector<spatial::ArticulatedInertia<T>>
      P;                              // what hangs on the ends of runs; by factorize: all
  std::vector<spatial::Force<T>> z;   // bias force b(k), with what hangs on the ends of runs
  std::vector<sweeps::Gain<T>> gain;  // one-freedom joints
  std::vector<sweeps::MultiGain<T>> multi_gain;  // [number of joints with several freedoms]
  // by kinematics
  std::vector<spatial::Pose<T>> pose;  // in the world
  std::vector<spatial::Motion<T>> V;   // velocity [ω; v] of the canonical frame, own axes
  // by gather_forces
  std::vector<spatial::Force<T>> f_ext;  // external force on body k, about its canonical origin
  std::vector<spatial::Inertia<T>> composite;  // by mass_matrix: what hangs on the ends of runs
  // Motion per unit of each freedom, world axes: component c of freedom i (tree order) at [c·nv +
  // i].
  std::vector<T> columns;  // [6·nv], by motion_columns
  // by mass_matrix, one entry per group of columns, freedoms in tree order
  using ColumnGroup = typename sweeps::ColumnGroupOf<T>::type;
  std::vector<spatial::Force<ColumnGroup>> force_columns;
  std::vector<ColumnGroup> rows[6];  // of one joint
  // stays zero
  std::vector<T> zero;  // [nv]

  /// read(gain of node k), whichever kind of joint it has.
  template <class B, class Read>
  decltype(auto) at_gain(const Node<B>& n, std::size_t k, Read&& read) const {
    if (n.modes >= 0) return read(multi_gain[static_cast<std::size_t>(n.modes)]);
    return read(gain[k]);
  }
  /// Row i of the joint at hand, number by number.
  [[nodiscard]] T* row(int i) { return reinterpret_cast<T*>(rows[i].data()); }
  /// force_columns, number by number.
  LINKWRIGHT_INLINE void set_force_column(int freedom, const spatial::Force<T>& F) {
    const std::size_t at = static_cast<std::size_t>(freedom);
    T* c = reinterpret_cast<T*>(&force_columns[at / lanes]) + at % lanes;
    c[0] = F.moment.x, c[lanes] = F.moment.y, c[2 * lanes] = F.moment.z;
    c[3 * lanes] = F.force.x, c[4 * lanes] = F.force.y, c[5 * lanes] = F.force.z;
  }
  [[nodiscard]] spatial::Motion<T> column(int freedom) const {
    const T* c = columns.data() + freedom;
    const std::size_t n = columns.size() / 6;
    return {{c[0], c[n], c[2 * n]}, {c[3 * n], c[4 * n], c[5 * n]}};
  }

 private:
  /// How many columns of one state a group has.
  static constexpr std::size_t lanes = spatial::lane_count<ColumnGroup> / spatial::lane_count<T>;
  static std::size_t groups(int columns) {
    return (static_cast<std::size_t>(columns) + lanes - 1) / lanes;
  }
  template <class B>
  static std::size_t size(const Tree<B>& tree) {
    return tree.nodes.size();
  }
};

/// Of equal branches side by side: of their nodes in packs, and of what goes in and out per freedom.
struct BundleScratch {
  explicit BundleScratch(const Bundle& bundle)
      : sweep(bundle.branch), v(size(bundle)), x(size(bundle)), y(size(bundle)) {}

  Scratch<Bundle::Number> sweep;
  std::vector<Bundle::Number> v, x, y;  // [nv of a branch]: velocities, what is given, results

 private:
  static std::size_t size(const Bundle& bundle) { return bundle.velocities.size(); }
};
/// Of a single state.
struct BundledScratch : Scratch<double> {
  explicit BundledScratch(const BundledTree& tree)
      : Scratch<double>(tree), bundles(tree.bundles.begin(), tree.bundles.end()) {}

  std::vector<BundleScratch> bundles;
};

}  // namespace linkwright
