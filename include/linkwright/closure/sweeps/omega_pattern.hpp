#pragma once
/// Where every closure's forces go through the tree, and the equations for their multipliers in blocks:
/// which there are, in which order they are eliminated and what that changes. Constant for a mechanism.
///
/// Two closures that share a joint have a block of Ω. A body that carries many of them (the plate of a
/// platform, a walking machine's trunk) would fill Ω whole; as a hub it has its freedoms as unknowns of
/// their own instead, x = D⁻¹ Σ uᵀ λ:
///     [ Ω′  U ] [λ]   [right]        Ω = Ω′ + U D⁻¹ Uᵀ, Ω′ without the hub's joint
///     [ Uᵀ −D ] [x] = [  0  ]
/// and after the multipliers only D + Uᵀ Ω′⁻¹ U is left: linear in the number of closures.

#include <cstdint>
#include <vector>

#include "linkwright/system/tree.hpp"

namespace linkwright::closure {

/// A node that feels the forces of a closure.
struct PathNode {
  int node;
  NodeKind kind;
  int up;     // where its parent stands in the same path; −1: the parent is the world
  int first;  // its freedoms start here in LoopScratch::u
  /// How what it passes on meets what its parent has already.
  enum Handing : std::uint8_t { to_world, first_there, added } handing;
};
/// One closure's way from its frames to the world.
struct Path {
  int begin, end;       // in LoopPaths::path, tips before the base
  int at_a, at_b;       // where its frames are; −1: on the world
  int terms, term_end;  // gears and shafts: in LoopPaths::terms
  bool constant;        // its rows are constant on b: LoopScratch::constant_rows
  int first, freedoms;  // what it has of LoopScratch::u
};
/// A joint that a gear or a shaft pushes on.
struct PathTerm {
  int at;    // in LoopPaths::path
  int slot;  // which freedom of its node
  double ratio;
};
struct LoopPaths {
  std::vector<Path> paths;  // one per closure
  std::vector<PathTerm> terms;
  std::vector<PathNode> path;  // of all closures
};

/// A freedom that two closures feel: Ω(row block, column block) gains uᵀ D⁻¹ u.
struct Shared {
  int row, column;  // in LoopScratch::u
};
/// Of two unknowns, in the order of elimination: rows of the first × (all rows of the second side by side).
struct Block {
  int row, column;  // positions in the order of elimination, row ≤ column
  int begin, end;   // in `shared`; none: fill, or a hub's
  int of_hub;       // closure × hub: where the hub's freedoms start in LoopScratch::u; else −1
};
/// One closure at a hub.
struct HubVisit {
  int closure, first;  // its entries for the hub's freedoms start here in LoopScratch::u
};
struct Hub {
  int node, freedoms;
  std::vector<HubVisit> visits;
};

struct OmegaPattern {
  OmegaPattern() = default;
  /// No hubs: all unknowns are multipliers.
  OmegaPattern(const Tree<double>& tree, const LoopPaths& ways, std::vector<Hub> chosen);

  std::vector<Hub> hubs;
  // Unknowns: the closures, then the hubs.
  std::vector<Shared> shared;     // of all blocks
  std::vector<Block> blocks;      // by rows; the first of each row is the diagonal one
  std::vector<int> block_begin;   // [unknowns + 1]: those of position i start here
  std::vector<int> update;        // per pair of blocks of one row, the block they change
  std::vector<int> update_begin;  // [unknowns]: those of position i start here
  std::vector<int> order;         // unknown at each position of elimination
  std::vector<int> position;      // of each unknown in that order
  std::vector<char> changed;      // per position: some that comes before has a block with it
  std::vector<char> at_hub;       // per position: a closure that has a block with a hub

  [[nodiscard]] LINKWRIGHT_INLINE bool is_hub(int unknown) const { return unknown >= closures_; }
  /// What the elimination of a block's row does to the equations of its column: −BᵀΔ⁻¹B, of a closure to
  /// a hub's + .
  [[nodiscard]] LINKWRIGHT_INLINE double sign_of_update(std::size_t block) const {
    return is_hub(order[static_cast<std::size_t>(blocks[block].column)]) &&
                   !is_hub(order[static_cast<std::size_t>(blocks[block].row)])
               ? 1
               : -1;
  }
  /// Where a closure stands at a hub.
  [[nodiscard]] int visit_of(int hub, int closure) const;

 private:
  void list_blocks(const Tree<double>& tree, const LoopPaths& ways);
  void list_updates();
  int closures_ = 0;
};

}  // namespace linkwright::closure
