#pragma once
/// Equal branches side by side: where a body carries several branches with the same joints in the
/// same order (a quadruped's legs, two arms, the legs of a platform), a single state sweeps them as
/// one branch whose numbers are packs, lane l of which carries branch l.
///
///     for (const Bundle& legs : system.tree().bundles) std::cout << legs.lanes << " alike\n";

#include <array>

#include "linkwright/spatial/pack.hpp"
#include "linkwright/system/tree.hpp"

namespace linkwright {

struct Bundle {
  static constexpr int width = 4;
  using Number = spatial::Pack<double, width>;
  /// The same thing in each lane. Lanes without a branch repeat the last one: they compute it again,
  /// and count in no sum.
  using Lanes = std::array<int, width>;

  /// One of the branches as a tree of its own, with the constants of all: node 0 is the world, node 1
  /// the body that carries them, the others are the branch in the order of the whole tree. Its runs
  /// begin behind node 1; its velocities are numbered from 0 and it has no positions: joints are
  /// placed in the whole tree.
  Tree<Number> branch;
  int carrier = 0;                // the whole tree's node of the body that carries them
  int lanes = 0;                  // how many branches
  std::vector<Lanes> nodes;       // [branch.count()], in the whole tree
  std::vector<Lanes> velocities;  // [branch.nv], entries of v
};

/// The spanning tree of a System: all of it for every sweep, and the same in bundles for those that
/// take equal branches side by side.
struct BundledTree : Tree<double> {
  std::vector<Bundle> bundles;
  std::vector<Run> trunk;  // the runs outside of all bundles
};

}  // namespace linkwright
