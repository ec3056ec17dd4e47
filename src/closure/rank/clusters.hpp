#pragma once
/// Joints whose loops share joints.

#include <vector>

#include "linkwright/system/system.hpp"

namespace linkwright::closure {

struct Cluster {
  std::vector<int> nodes;     // of the tree: the bodies that the loops move, ascending
  std::vector<int> closures;  // indices into System::closures
  /// The last node inboard of all its loops, on which all of it hangs: connected loops have one.
  int parent = 0;
};

/// Of all closures that bind or push something. The way of a gear leads from its leader to its follower,
/// both included, so that what is between them moves with the cluster.
std::vector<Cluster> find_clusters(const System& system);

}  // namespace linkwright::closure
