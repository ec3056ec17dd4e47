#include "linkwright/closure/sweeps/omega_pattern.hpp"
#include "spatial/index.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace linkwright::closure {
namespace {

using Links = std::vector<std::set<int>>;

/// One by one, always the one with the fewest neighbours left, hubs behind all others; who loses it
/// becomes linked. Returns the order and leaves in `links` whom each one met when it was taken.
std::vector<int> order_of_elimination(Links& links, int closures) {
  const int count = static_cast<int>(links.size());
  Links left = links;
  std::vector<bool> done(links.size(), false);
  std::vector<int> order;
  for (int step = 0; step < count; ++step) {
    int best = -1;
    for (int i = 0; i < (step < closures ? closures : count); ++i)
      if (!done[at(i)] && (best < 0 || left[at(i)].size() < left[at(best)].size())) best = i;
    done[at(best)] = true;
    order.push_back(best);
    links[at(best)] = left[at(best)];
    for (const int i : left[at(best)]) {
      left[at(i)].erase(best);
      for (const int j : left[at(best)])
        if (i != j) left[at(i)].insert(j);
    }
  }
  return order;
}

/// Where the freedoms of the nodes on a closure's way stand in u, hubs aside.
using Slots = std::map<int, int>;

Slots slots_of(const LoopPaths& ways, const Path& way, const std::set<int>& hubs) {
  Slots slots;
  for (int i = way.begin; i < way.end; ++i) {
    const PathNode& here = ways.path[at(i)];
    if (!hubs.contains(here.node)) slots[here.node] = here.first;
  }
  return slots;
}

}  // namespace

OmegaPattern::OmegaPattern(const Tree<double>& tree, const LoopPaths& ways, std::vector<Hub> chosen)
    : hubs(std::move(chosen)), closures_(static_cast<int>(ways.paths.size())) {
  list_blocks(tree, ways);
  list_updates();
}

int OmegaPattern::visit_of(int hub, int closure) const {
  for (const HubVisit& visit : hubs[at(hub)].visits)
    if (visit.closure == closure) return visit.first;
  return -1;
}

void OmegaPattern::list_blocks(const Tree<double>& tree, const LoopPaths& ways) {
  std::set<int> at_hubs;
  for (const Hub& hub : hubs) at_hubs.insert(hub.node);
  std::vector<Slots> slots;
  std::map<int, std::vector<int>> visitors;  // closures at each node
  for (std::size_t c = 0; c < ways.paths.size(); ++c) {
    slots.push_back(slots_of(ways, ways.paths[c], at_hubs));
    for (const auto& [node, where] : slots[c]) visitors[node].push_back(static_cast<int>(c));
  }
  Links links(ways.paths.size() + hubs.size());
  for (const auto& [node, who] : visitors)
    for (const int i : who)
      for (const int j : who)
        if (i != j) links[at(i)].insert(j);
  for (std::size_t h = 0; h < hubs.size(); ++h)
    for (const HubVisit& visit : hubs[h].visits) {
      links[at(visit.closure)].insert(closures_ + static_cast<int>(h));
      links[at(closures_) + h].insert(visit.closure);
    }
  order = order_of_elimination(links, closures_);
  position.resize(order.size());
  changed.resize(order.size(), 0), at_hub.resize(order.size(), 0);
  for (std::size_t p = 0; p < order.size(); ++p) position[at(order[p])] = static_cast<int>(p);
  const auto list_shared = [&](int row, int column) {
    for (const auto& [node, where] : slots[at(row)]) {
      const auto found = slots[at(column)].find(node);
      if (found == slots[at(column)].end()) continue;
      for (int i = 0; i < tree.nodes[at(node)].d; ++i)
        shared.push_back({where + i, found->second + i});
    }
  };
  for (std::size_t p = 0; p < order.size(); ++p) {
    block_begin.push_back(static_cast<int>(blocks.size()));
    std::vector<int> columns{static_cast<int>(p)};
    for (const int other : links[at(order[p])]) columns.push_back(position[at(other)]);
    std::sort(columns.begin(), columns.end());
    for (const int column : columns) {
      const int from = order[p], to = order[at(column)];
      blocks.push_back({static_cast<int>(p), column, static_cast<int>(shared.size()), 0, -1});
      if (!is_hub(from) && !is_hub(to)) list_shared(from, to);
      if (!is_hub(from) && is_hub(to)) {
        blocks.back().of_hub = visit_of(to - closures_, from);
        at_hub[p] = 1;
      }
      blocks.back().end = static_cast<int>(shared.size());
      if (column != static_cast<int>(p)) changed[at(column)] = 1;
    }
  }
  block_begin.push_back(static_cast<int>(blocks.size()));
}

void OmegaPattern::list_updates() {
  std::map<std::pair<int, int>, int> index;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    index[{blocks[b].row, blocks[b].column}] = static_cast<int>(b);
  for (std::size_t p = 0; p < order.size(); ++p) {
    update_begin.push_back(static_cast<int>(update.size()));
    for (int b = block_begin[p] + 1; b < block_begin[p + 1]; ++b)
      for (int c = b; c < block_begin[p + 1]; ++c)
        update.push_back(index.at({blocks[at(b)].column, blocks[at(c)].column}));
  }
}

}  // namespace linkwright::closure
