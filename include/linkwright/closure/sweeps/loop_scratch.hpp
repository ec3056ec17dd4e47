#pragma once
/// What the sweeps of closed systems read and write: where every closure's forces go through the tree,
/// and Ω in blocks, one for two closures that share a joint.

#include <map>
#include <vector>

#include "linkwright/closure/meeting.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::closure {

/// The rows of one closure side by side; those that it does not have are zero.
using Rows = spatial::Pack<double, 8>;

/// A node that feels the forces of a closure.
struct PathNode {
  int node;
  NodeKind kind;
  int up;     // where its parent stands in the same path; −1: the parent is the world
  int first;  // its freedoms start here in LoopScratch::u
};
/// One closure's way from its frames to the world.
struct Path {
  int begin, end;      // in LoopScratch::path, tips before the base
  int at_a, at_b;      // where its frames are; −1: on the world. Gears: leader and follower
  int slot_a, slot_b;  // gears: which freedom of these nodes
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

struct LoopScratch {
  explicit LoopScratch(const System& system);

  // Constant.
  std::vector<Path> paths;        // one per closure
  std::vector<PathNode> path;     // of all closures
  std::vector<Shared> shared;     // of all blocks
  std::vector<Block> blocks;      // by rows; the first of each row is the diagonal one
  std::vector<int> block_begin;   // [closures + 1]: those of position i start here
  std::vector<int> update;        // per pair of blocks of one row, the block they change
  std::vector<int> update_begin;  // [closures]: those of position i start here
  std::vector<int> order;         // closure at each position of elimination
  std::vector<int> row_count;     // per closure
  std::vector<double> reach;      // per entry of u: |ω|² + |v|²/length² of the freedom's mode
  double length2 = 1;             // the mechanism's size, squared

  // By loop_columns.
  std::vector<Meeting<double>> meetings;    // one per closure
  std::vector<spatial::Force<Rows>> force;  // one per path node
  std::vector<double> weight;               // D⁻¹ of every freedom they pass
  std::vector<Rows> u;                      // ε of every row at every freedom it passes
  std::vector<Rows> right;                  // what J v̇ + J̇ v would be without λ
  std::vector<Rows> most;                   // what Ω's diagonal could be
  // By loop_elimination.
  std::vector<Rows> omega;          // eight per block
  std::vector<int> pivot_order;     // eight per closure: its rows, the best pivot first
  std::vector<Rows> pivot_inverse;  // 1/d, 0 for a dropped row; one per closure
  std::vector<Rows> lambda;         // one per closure
  int dropped = 0;                  // rows without a pivot

 private:
  using Slots = std::map<int, int>;  // where the freedoms of a node stand in u
  Slots add_path(const System& system, const std::vector<NodeKind>& kinds, const ClosurePlace& c);
  void add_blocks(const Tree<double>& tree, const std::vector<Slots>& slots);
  void add_shared(const Tree<double>& tree, const Slots& row, const Slots& column);
  void list_updates();
  int freedoms_ = 0;
};

}  // namespace linkwright::closure
