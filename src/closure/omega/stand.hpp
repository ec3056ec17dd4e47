#pragma once
/// Whether a mechanism is a body on legs (sweeps/legs.hpp), found once.

#include <memory>
#include <vector>

#include "linkwright/closure/sweeps/leg_scratch.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"

namespace linkwright::closure {

/// A closure's way without the hub.
struct LegChain {
  std::size_t closure;
  std::vector<PathNode> nodes;  // tip first
  bool on_hub, tip_is_b;
};
struct LegsOfHub {
  LegPlan plan;
  std::vector<LegChain> chains;  // none: the mechanism is not of this kind
};

/// Every closure's own chain of joints between the world and one body on it, that can give way in all rows
/// the closure carries; nothing acts on the closing joints.
LegsOfHub find_legs(const System& system, const LoopScratch& loops);

/// The rows of a chain as the sweeps carry them, numbers still to come.
template <class W>
Leg<W> to_leg(const System& system, const LegChain& chain, const std::vector<int>& rows,
              double length2) {
  Leg<W> leg;
  for (const PathNode& node : chain.nodes) {
    leg.nodes.push_back({node.node, node.kind, leg.freedoms});
    leg.freedoms += system.tree().nodes[static_cast<std::size_t>(node.node)].d;
  }
  leg.tip = chain.nodes.front().node;
  leg.on_hub = chain.on_hub, leg.tip_is_b = chain.tip_is_b;
  for (const int row : rows) {
    const Force& W_c = system.closures()[chain.closure].W[row];
    leg.measure[leg.rows++] =
        1 / (dot(W_c.moment, W_c.moment) / length2 + dot(W_c.force, W_c.force));
  }
  return leg;
}

/// For a single state: where bundles carry all the legs, equal ones side by side; else none.
std::unique_ptr<Stand> make_stand(const System& system, const LoopScratch& loops);

}  // namespace linkwright::closure
