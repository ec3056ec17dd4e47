#pragma once
/// What the sweeps of closed systems read and write.

#include <memory>
#include <utility>
#include <vector>

#include "linkwright/closure/meeting.hpp"
#include "linkwright/closure/sweeps/omega_pattern.hpp"
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

/// Behind the rows it carries a closure has one for every rotor on its joint, with multiplier −R q̈. In the
/// last lane is the force of the efforts on its joint: a row whose multiplier is known to be 1.
inline constexpr int effort_lane = Rows::size - 1;

/// A node between some closure and the world.
struct NodeOfLoops {
  int node;
  NodeKind kind;
  int from;    // where its parent stands among them; −1: the parent is the world
  bool meets;  // a closure has a frame on it
};
/// Where such a node is and how it moves, in lanes: the rows of its rotation in the world and, in its own
/// axes, ω and v. Each of them turns alike from one node to the next.
struct MovedNode {
  static constexpr int omega = 3, v = 4;  // their lanes
  spatial::Vector3<Rows> turned;
  Rows translation;  // in the lanes of the rows
};
/// The rows of a closure that say all that its rows say, whatever the position: in its lanes.
struct CarriedRows {
  int count = 0;
  int row[6]{};
};
/// L Δ Lᵀ of a closure's own rows.
struct OwnRows {
  int order[6];       // its rows, the best pivot first
  double L[6][6];     // of rows in that order; the diagonal is 1
  double inverse[6];  // 1/Δ; 0: the row is dropped
};

/// All rows in one matrix, for solve_pivoted.
struct PivotedRows {
  void list_visits(const Tree<double>& tree, const LoopPaths& ways);
  /// At its first use: most mechanisms never need it.
  void make_room(const LoopPaths& ways, const std::vector<int>& row_count);
  struct Visit {
    int closure, slot;  // in LoopScratch::u
  };
  std::vector<Visit> visits;              // of all freedoms, one after the other
  std::vector<int> visit_end;             // per freedom that some closure passes
  std::vector<int> first;                 // row of a closure's first
  std::vector<std::pair<int, int>> rows;  // closure and lane
  std::vector<double> scale, y, A;
  std::vector<int> order;
};

struct Stand;

struct LoopScratch : LoopPaths {
  explicit LoopScratch(const System& system);
  ~LoopScratch();

  // Constant.
  std::vector<NodeOfLoops> moving;  // in any path, parents first
  OmegaPattern pattern;
  std::vector<spatial::Force<Rows>> constant_rows;  // per closure, on node b
  std::vector<CarriedRows> carried;                 // per closure
  int never_counting = 0;                           // rows that are not carried, of all closures
  /// Per unknown of the pattern: of closures the carried rows and those of rotors behind them.
  std::vector<int> row_count;
  std::vector<double> reach;  // per entry of u: |ω|² + |v|²/length² of the freedom's mode
  double length2 = 1;         // the mechanism's size, squared
  std::vector<Rows>
      compliance;  // per closure: 1/rotor in the rows of its rotors; empty: none has one

  std::vector<double> added;  // efforts on the same, kept until a caller changes them
  // By closing_efforts.
  std::vector<double> effort;  // on every freedom of the closing joints, rotors aside
  bool pushed = false;         // some of them is not zero

  std::vector<MovedNode> moved;  // of each in `moving`, by move_nodes
  // By loop_columns.
  std::vector<spatial::Force<Rows>> force;  // of one closure: one per node of its path
  std::vector<double> weight;               // D⁻¹ of every freedom they pass
  std::vector<Rows> u;                      // ε of every row at every freedom it passes
  std::vector<Rows> right;                  // what J v̇ + J̇ v would be without λ
  std::vector<Rows> most;                   // per unknown: what Ω's diagonal could be; of hubs 0
  // By loop_elimination.
  std::vector<Rows> omega;        // eight per block
  std::vector<OwnRows> own_rows;  // one per unknown
  std::vector<Rows> lambda;       // one per unknown
  int dropped = 0;                // rows without a pivot
  /// The most that a dropped row demands of what the others leave it: more than rounding where the
  /// position is singular and the motion cannot be kept.
  double conflict = 0;
  std::vector<Rows> rounding;  // per unknown: what weak pivots may have left in Ω's diagonal
  bool doubtful = false;       // some pivot may be nothing else
  PivotedRows pivoted;
  std::unique_ptr<Stand> stand;  // where the mechanism is a body on equal legs

 private:
  void list_moving(const System& system);
  void add_path(const System& system, const std::vector<NodeKind>& kinds, const ClosurePlace& c);
  void carry_rows(const ClosurePlace& c, const std::vector<int>& rows);
  void choose_handing(const Path& way);
  int freedoms_ = 0;
};

}  // namespace linkwright::closure
