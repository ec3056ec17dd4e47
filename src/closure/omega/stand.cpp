#include "closure/omega/stand.hpp"

#include <algorithm>
#include <set>

#include "closure/omega/hubs.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {
namespace {

/// The node on the world that all closures pass; 0: none, or more than one.
PathNode common_root(const LoopScratch& loops) {
  PathNode found{};
  for (const PathNode& candidate : loops.path) {
    if (candidate.up >= 0 || candidate.node == found.node) continue;
    const bool everywhere =
        std::all_of(loops.paths.begin(), loops.paths.end(), [&](const Path& way) {
          return std::any_of(loops.path.begin() + way.begin, loops.path.begin() + way.end,
                             [&](const PathNode& n) { return n.node == candidate.node; });
        });
    if (!everywhere) continue;
    if (found.node != 0) return {};
    found = candidate;
  }
  return found;
}

/// Whether a closure's way without the hub is one chain that ends at its frame; fills in the rest.
bool is_leg(const System& system, const LoopScratch& loops, int hub, LegChain& chain) {
  const ClosurePlace& c = system.closures()[chain.closure];
  const Path& way = loops.paths[chain.closure];
  if (!way.constant || c.acts || c.rotors > 0 || loops.carried[chain.closure].count == 0)
    return false;
  for (int i = way.begin; i < way.end; ++i)
    if (loops.path[at(i)].node != hub) chain.nodes.push_back(loops.path[at(i)]);
  if (chain.nodes.empty()) return false;
  const auto parent = [&](const PathNode& n) { return system.tree().nodes[at(n.node)].parent; };
  for (std::size_t i = 0; i + 1 < chain.nodes.size(); ++i)
    if (parent(chain.nodes[i]) != chain.nodes[i + 1].node) return false;
  const int below = parent(chain.nodes.back());
  chain.on_hub = below == hub;
  chain.tip_is_b = c.node_b == chain.nodes.front().node;
  const int tip = chain.tip_is_b ? c.node_b : c.node_a,
            other = chain.tip_is_b ? c.node_a : c.node_b;
  return tip == chain.nodes.front().node && (chain.on_hub || below == 0) &&
         other == (chain.on_hub ? 0 : hub);
}

/// The bundle and the lane whose branch has a node, and where in the branch.
struct InBundle {
  std::size_t bundle, lane;
  int node;  // −1: in none
};
InBundle find_in_bundles(const BundledTree& tree, int node) {
  for (std::size_t b = 0; b < tree.bundles.size(); ++b)
    for (std::size_t k = 2; k < tree.bundles[b].nodes.size(); ++k)
      for (std::size_t l = 0; l < at(tree.bundles[b].lanes); ++l)
        if (tree.bundles[b].nodes[k][l] == node) return {b, l, static_cast<int>(k)};
  return {0, 0, -1};
}

/// Kinds of the joints that a bundle's packs carry.
NodeKind kind_in_bundle(const Bundle& bundle, int node) {
  for (const Run& run : bundle.branch.runs)
    if (run.first <= node && node <= run.last) return run.kind;
  return NodeKind::free;
}

bool are_alike(const Leg<Bundle::Number>& a, const Leg<Bundle::Number>& b) {
  return a.tip == b.tip && a.on_hub == b.on_hub && a.tip_is_b == b.tip_is_b && a.rows == b.rows;
}

void put_lane(spatial::Force<Bundle::Number>& to, std::size_t lane, const Force& from) {
  const int l = static_cast<int>(lane);
  to.moment.x.x[l] = from.moment.x, to.moment.y.x[l] = from.moment.y;
  to.moment.z.x[l] = from.moment.z;
  to.force.x.x[l] = from.force.x, to.force.y.x[l] = from.force.y, to.force.z.x[l] = from.force.z;
}

/// One leg among the others of its bundle; false where it is not like them.
bool add_leg(const System& system, const LoopScratch& loops, const LegChain& chain, Stand& stand,
             std::set<std::pair<std::size_t, std::size_t>>& taken) {
  const BundledTree& tree = system.tree();
  const CarriedRows& carried = loops.carried[chain.closure];
  auto leg = to_leg<Bundle::Number>(
      system, chain, std::vector<int>(carried.row, carried.row + carried.count), loops.length2);
  const InBundle home = find_in_bundles(tree, leg.tip);
  if (home.node < 0 || !taken.insert({home.bundle, home.lane}).second) return false;
  const Bundle& bundle = tree.bundles[home.bundle];
  leg.tip = home.node;
  for (LegNode& n : leg.nodes) {
    const InBundle here = find_in_bundles(tree, n.node);
    if (here.node < 0 || here.bundle != home.bundle || here.lane != home.lane) return false;
    n.node = here.node, n.kind = kind_in_bundle(bundle, here.node);
  }
  auto group = std::find_if(stand.legs.begin(), stand.legs.end(),
                            [&](const BundledLegs& g) { return g.bundle == home.bundle; });
  if (group == stand.legs.end()) {
    stand.legs.push_back({home.bundle, leg, {}});
    group = stand.legs.end() - 1;
  }
  if (!are_alike(group->leg, leg)) return false;
  // Lanes without a branch repeat the last one.
  const ClosurePlace& c = system.closures()[chain.closure];
  for (std::size_t l = home.lane; l < Bundle::width; ++l) {
    if (l > home.lane && (home.lane + 1 != at(bundle.lanes))) break;
    group->closures[l] = static_cast<int>(chain.closure);
    for (int i = 0; i < carried.count; ++i)
      put_lane(group->leg.W_b[i], l, to_parent(c.at_b, c.W[carried.row[i]]));
  }
  return true;
}

}  // namespace

LegsOfHub find_legs(const System& system, const LoopScratch& loops) {
  const PathNode root = common_root(loops);
  if (root.node == 0) return {};
  // As hubs of any elimination: with fewer rows than this they are quicker without.
  int rows = 0;
  for (const CarriedRows& carried : loops.carried) rows += carried.count;
  if (loops.paths.size() < fewest_at_hub || rows < 2 * system.tree().nodes[at(root.node)].d)
    return {};
  LegsOfHub found{{root.node, root.kind, system.tree().nodes[at(root.node)].d}, {}};
  std::set<int> passed;
  for (std::size_t c = 0; c < loops.paths.size(); ++c) {
    LegChain& chain = found.chains.emplace_back();
    chain.closure = c;
    if (!is_leg(system, loops, root.node, chain) || !gives_way_without(system, loops, c, root.node))
      return {};
    for (const PathNode& n : chain.nodes)
      if (!passed.insert(n.node).second) return {};
  }
  return found;
}

std::unique_ptr<Stand> make_stand(const System& system, const LoopScratch& loops) {
  const LegsOfHub legs = find_legs(system, loops);
  if (legs.chains.empty() || find_in_bundles(system.tree(), legs.plan.hub).node >= 0)
    return nullptr;
  auto stand = std::make_unique<Stand>();
  stand->plan = legs.plan;
  std::set<std::pair<std::size_t, std::size_t>> taken;
  for (const LegChain& chain : legs.chains)
    if (!add_leg(system, loops, chain, *stand, taken)) return nullptr;
  std::size_t lanes = 0;
  for (const BundledLegs& group : stand->legs) {
    const Bundle& bundle = system.tree().bundles[group.bundle];
    lanes += at(bundle.lanes);
    auto& rows = stand->rows.emplace_back(group.leg.rows, group.leg.freedoms);
    for (int l = bundle.lanes; l < Bundle::width; ++l) rows.counts.x[l] = 0;
  }
  // A branch without a closure would have none in its lane.
  return lanes == legs.chains.size() ? std::move(stand) : nullptr;
}

}  // namespace linkwright::closure
