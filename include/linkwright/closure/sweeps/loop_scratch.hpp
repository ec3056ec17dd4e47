#pragma once
/// What the sweeps of closed systems read and write: where every closure's forces go through the tree,
/// and Ω in blocks, one for two closures that share a joint.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "linkwright/closure/meeting.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::closure {

/// The rows of one closure side by side; those that it does not have are zero.
using Rows = spatial::Pack<double, 8>;

LINKWRIGHT_INLINE spatial::Force<Rows> no_force() {
  const Rows zero(0.0);
  return {{zero, zero, zero}, {zero, zero, zero}};
}
template <class T>
LINKWRIGHT_INLINE void put(spatial::Force<Rows>& f, int i, const spatial::Force<T>& row) {
  f.moment.x.x[i] = row.moment.x, f.moment.y.x[i] = row.moment.y, f.moment.z.x[i] = row.moment.z;
  f.force.x.x[i] = row.force.x, f.force.y.x[i] = row.force.y, f.force.z.x[i] = row.force.z;
}

/// Behind its own rows a closure has one for every rotor on its joint, with multiplier −R q̈. In the
/// last lane is the force of the efforts on its joint: a row whose multiplier is known to be 1.
inline constexpr int effort_lane = Rows::size - 1;

/// A node that feels the forces of a closure.
struct PathNode {
  int node;
  NodeKind kind;
  int up;     // where its parent stands in the same path; −1: the parent is the world
  int first;  // its freedoms start here in LoopScratch::u
  /// How what it passes on meets what its parent has already.
  enum Handing : std::uint8_t { to_world, first_there, added } handing;
};
/// A node between some closure and the world.
struct NodeOfLoops {
  int node;
  NodeKind kind;
};
/// One closure's way from its frames to the world.
struct Path {
  int begin, end;      // in LoopScratch::path, tips before the base
  int at_a, at_b;      // where its frames are; −1: on the world. Gears: leader and follower
  int slot_a, slot_b;  // gears: which freedom of these nodes
  bool constant;       // its rows are constant on b: LoopScratch::constant_rows
};
/// A freedom that two closures feel: Ω(row block, column block) gains uᵀ D⁻¹ u.
struct Shared {
  int row, column;  // in LoopScratch::u
};
/// Ω(i, j) of two closures, in the order of elimination: rows of i × (all rows of j side by side).
struct Block {
  int row, column;  // positions in the order of elimination, row ≤ column
  int begin, end;   // in LoopScratch::shared; none: fill
};

/// L Δ Lᵀ of a closure's own rows.
struct OwnRows {
  int order[6];       // its rows, the best pivot first
  double L[6][6];     // of rows in that order; the diagonal is 1
  double inverse[6];  // 1/Δ; 0: the row is dropped
};

/// All rows in one matrix, for solve_pivoted.
struct PivotedRows {
  /// At its first use: most mechanisms never need it.
  void make_room(const std::vector<int>& row_count);
  std::vector<int> first;                 // row of a closure's first
  std::vector<std::pair<int, int>> rows;  // closure and lane
  std::vector<double> scale, y, A;
  std::vector<int> order;
};

struct LoopScratch {
  explicit LoopScratch(const System& system);

  // Constant.
  std::vector<Path> paths;          // one per closure
  std::vector<PathNode> path;       // of all closures
  std::vector<NodeOfLoops> moving;  // in any of them, parents first
  std::vector<Shared> shared;       // of all blocks
  std::vector<Block> blocks;        // by rows; the first of each row is the diagonal one
  std::vector<int> block_begin;     // [closures + 1]: those of position i start here
  std::vector<int> update;          // per pair of blocks of one row, the block they change
  std::vector<int> update_begin;    // [closures]: those of position i start here
  std::vector<int> order;           // closure at each position of elimination
  std::vector<int> position;        // of each closure in that order
  std::vector<spatial::Force<Rows>> constant_rows;  // per closure, on node b
  std::vector<int> row_count;                       // per closure, those of rotors included
  std::vector<double> reach;  // per entry of u: |ω|² + |v|²/length² of the freedom's mode
  double length2 = 1;         // the mechanism's size, squared
  std::vector<Rows>
      compliance;  // per closure: 1/rotor in the rows of its rotors; empty: none has one

  // By closing_efforts.
  std::vector<double> effort;  // on every freedom of the closing joints, rotors aside
  bool pushed = false;         // some of them is not zero

  // By loop_columns.
  std::vector<spatial::Force<Rows>> force;  // of one closure: one per node of its path
  std::vector<double> weight;               // D⁻¹ of every freedom they pass
  std::vector<Rows> u;                      // ε of every row at every freedom it passes
  std::vector<Rows> right;                  // what J v̇ + J̇ v would be without λ
  std::vector<Rows> most;                   // what Ω's diagonal could be
  // By loop_elimination.
  std::vector<Rows> omega;        // eight per block
  std::vector<OwnRows> own_rows;  // one per closure
  std::vector<Rows> lambda;       // one per closure
  int dropped = 0;                // rows without a pivot
  /// The most that a dropped row demands of what the others leave it: more than rounding where the
  /// position is singular and the motion cannot be kept.
  double conflict = 0;
  std::vector<Rows> rounding;  // per closure: what weak pivots may have left in Ω's diagonal
  bool doubtful = false;       // some pivot may be nothing else
  PivotedRows pivoted;

 private:
  using Slots = std::map<int, int>;  // where the freedoms of a node stand in u
  Slots add_path(const System& system, const std::vector<NodeKind>& kinds, const ClosurePlace& c);
  void add_blocks(const Tree<double>& tree, const std::vector<Slots>& slots);
  void add_shared(const Tree<double>& tree, const Slots& row, const Slots& column);
  void choose_handing(const Path& way);
  void list_updates();
  int freedoms_ = 0;
};

}  // namespace linkwright::closure
