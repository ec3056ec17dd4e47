#pragma once
/// The shafts and circuits that hang at a joint, as rows of a ladder: terminals down a rail, edges to the reference
/// as rungs, edges between terminals on the rail.

#include <vector>

#include "linkwright/network/system_graph.hpp"

namespace linkwright::network {

struct Rung {
  int edge = 0;
  bool on_rail = false;  // between two terminals
  bool begins = false;   // the first of a terminal that no edge joins to the one above
  int to = -1;           // a terminal that is drawn elsewhere, at the far end; −1: the reference
  int at = -1;           // the terminal, on its first rung
};
struct Ladder {
  std::vector<Rung> rungs{};
  /// Rungs, from above to below, that are ports of one component. −1: the joint itself.
  struct Tie {
    int upper = -1, lower = 0;
  };
  std::vector<Tie> ties{};
};

/// Where the rungs are, from 0 downwards, and behind them where the ladder ends.
std::vector<double> rows_of(const Ladder& ladder);

/// Per body: what its inboard joint turns, and the closures that begin at it.
std::vector<Ladder> make_ladders(const SystemGraph& graph);

}  // namespace linkwright::network
