#include "linkwright/closure/sweeps/loop_scratch.hpp"

#include "closure/size.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace linkwright::closure {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<NodeKind> kinds_of(const Tree<double>& tree) {
  std::vector<NodeKind> kinds(tree.nodes.size());
  for (const Run& run : tree.runs)
    for (int k = run.first; k <= run.last; ++k) kinds[at(k)] = run.kind;
  return kinds;
}

/// Which of a joint's nodes carries its freedom, and where on that node.
int node_of_freedom(const Tree<double>& tree, const JointPlace& joint) {
  int node = joint.node;
  while (tree.nodes[at(node)].v > joint.v) node = tree.nodes[at(node)].parent;
  return node;
}

/// H* of freedom i.
Motion mode_of(const Tree<double>& tree, NodeKind kind, int k, int i) {
  const Node<double>& n = tree.nodes[at(k)];
  if (n.modes >= 0) return tree.modes[at(n.modes)].column[i];
  return kind == NodeKind::prismatic ? Motion{{}, {0, 0, 1}} : Motion{{0, 0, 1}, {}};
}

/// Nodes inboard of either frame, tips first.
std::vector<int> nodes_inboard(const Tree<double>& tree, int a, int b) {
  std::set<int, std::greater<>> nodes;
  for (const int tip : {a, b})
    for (int k = tip; k != 0; k = tree.nodes[at(k)].parent) nodes.insert(k);
  return {nodes.begin(), nodes.end()};
}

/// Every joint type but universal; of planar ones a rotor's row turns with a.
bool has_constant_rows(const ClosurePlace& c) {
  return c.kind == PairKind::lower_pair && (c.joint != JointType::planar || c.rotors == 0);
}
/// Its rows as forces on node b, those of rotors behind them.
spatial::Force<Rows> rows_on_b(const ClosurePlace& c) {
  spatial::Force<Rows> rows = no_force();
  for (int i = 0; i < c.rows; ++i) put(rows, i, to_parent(c.at_b, c.W[i]));
  for (int r = 0; r < c.rotors; ++r)
    put(rows, c.rows + r, to_parent(c.at_b, c.dual[c.rotor_freedom[r]]));
  return rows;
}

using Links = std::vector<std::set<int>>;

/// Closure by closure, always the one with the fewest neighbours left; who loses it becomes linked.
/// Returns the order and leaves in `links` whom each one met when it was taken.
std::vector<int> order_of_elimination(Links& links) {
  const int count = static_cast<int>(links.size());
  Links left = links;
  std::vector<bool> done(links.size(), false);
  std::vector<int> order;
  for (int step = 0; step < count; ++step) {
    int best = -1;
    for (int i = 0; i < count; ++i)
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

}  // namespace

LoopScratch::LoopScratch(const System& system) : length2(size_of(system) * size_of(system)) {
  const std::vector<NodeKind> kinds = kinds_of(system.tree());
  std::vector<Slots> slots;
  for (const ClosurePlace& c : system.closures()) slots.push_back(add_path(system, kinds, c));
  std::map<int, NodeKind> passed;
  for (const PathNode& node : path) passed.emplace(node.node, node.kind);
  for (const auto& [node, kind] : passed) moving.push_back({node, kind});
  add_blocks(system.tree(), slots);
  list_updates();
  const std::size_t count = system.closures().size();
  std::size_t longest = 0;
  for (const Path& way : paths)
    longest = std::max(longest, static_cast<std::size_t>(way.end - way.begin));
  force.resize(longest);
  u.resize(at(freedoms_)), weight.resize(at(freedoms_));
  for (auto* rows : {&right, &most, &rounding, &lambda}) rows->resize(count);
  for (std::size_t c = 0; c < count; ++c) {
    const ClosurePlace& place = system.closures()[c];
    if (place.rotors > 0) compliance.resize(count, Rows(0.0));
    for (int r = 0; r < place.rotors; ++r)
      compliance[c].x[place.rows + r] = 1 / place.freedom[place.rotor_freedom[r]].rotor;
  }
  effort.resize(system.closing_names().size(), 0);
  omega.resize(8 * blocks.size());
  own_rows.resize(count);
  constexpr int most_rows = 256;  // half a megabyte; longer chains hardly ever need it
  if (std::accumulate(row_count.begin(), row_count.end(), 0) <= most_rows)
    pivoted.make_room(row_count);
}

LoopScratch::Slots LoopScratch::add_path(const System& system, const std::vector<NodeKind>& kinds,
                                         const ClosurePlace& c) {
  const Tree<double>& tree = system.tree();
  const bool gear = c.kind == PairKind::gear;
  const int a = gear ? node_of_freedom(tree, system.joints()[at(c.leader)]) : c.node_a;
  const int b = gear ? node_of_freedom(tree, system.joints()[at(c.follower)]) : c.node_b;
  const std::vector<int> nodes = nodes_inboard(tree, a, b);
  Path way{static_cast<int>(path.size()), 0, -1, -1, 0, 0, has_constant_rows(c)};
  const auto step_of = [&](int node) {
    const auto found = std::find(nodes.begin(), nodes.end(), node);
    return node == 0 ? -1 : way.begin + static_cast<int>(found - nodes.begin());
  };
  Slots slots;
  for (const int k : nodes) {
    path.push_back(
        {k, kinds[at(k)], step_of(tree.nodes[at(k)].parent), freedoms_, PathNode::added});
    slots[k] = freedoms_;
    for (int i = 0; i < tree.nodes[at(k)].d; ++i) {
      const Motion mode = mode_of(tree, kinds[at(k)], k, i);
      reach.push_back(dot(mode.angular, mode.angular) + dot(mode.linear, mode.linear) / length2);
    }
    freedoms_ += tree.nodes[at(k)].d;
  }
  way.end = static_cast<int>(path.size());
  way.at_a = step_of(a), way.at_b = step_of(b);
  if (gear) {
    way.slot_a = system.joints()[at(c.leader)].v - tree.nodes[at(a)].v;
    way.slot_b = system.joints()[at(c.follower)].v - tree.nodes[at(b)].v;
  }
  choose_handing(way);
  constant_rows.push_back(way.constant ? rows_on_b(c) : no_force());
  paths.push_back(way);
  row_count.push_back(c.rows + c.rotors);
  return slots;
}

void LoopScratch::choose_handing(const Path& way) {
  std::set<int> fed{way.at_a, way.at_b};  // the tips have their rows from the start
  for (int at_node = way.begin; at_node < way.end; ++at_node) {
    PathNode& here = path[at(at_node)];
    if (here.up < 0)
      here.handing = PathNode::to_world;
    else
      here.handing = fed.insert(here.up).second ? PathNode::first_there : PathNode::added;
  }
}

void LoopScratch::add_blocks(const Tree<double>& tree, const std::vector<Slots>& slots) {
  Links links(slots.size());
  std::map<int, std::vector<int>> visitors;  // closures at each node
  for (std::size_t c = 0; c < slots.size(); ++c)
    for (const auto& [node, where] : slots[c]) visitors[node].push_back(static_cast<int>(c));
  for (const auto& [node, who] : visitors)
    for (const int i : who)
      for (const int j : who)
        if (i != j) links[at(i)].insert(j);
  order = order_of_elimination(links);
  position.resize(slots.size());
  for (std::size_t p = 0; p < order.size(); ++p) position[at(order[p])] = static_cast<int>(p);
  for (std::size_t p = 0; p < order.size(); ++p) {
    block_begin.push_back(static_cast<int>(blocks.size()));
    std::vector<int> columns{static_cast<int>(p)};
    for (const int other : links[at(order[p])]) columns.push_back(position[at(other)]);
    std::sort(columns.begin(), columns.end());
    for (const int column : columns) {
      blocks.push_back({static_cast<int>(p), column, static_cast<int>(shared.size()), 0});
      add_shared(tree, slots[at(order[p])], slots[at(order[at(column)])]);
      blocks.back().end = static_cast<int>(shared.size());
    }
  }
  block_begin.push_back(static_cast<int>(blocks.size()));
}

void LoopScratch::add_shared(const Tree<double>& tree, const Slots& row, const Slots& column) {
  for (const auto& [node, where] : row) {
    const auto found = column.find(node);
    if (found == column.end()) continue;
    const Node<double>& n = tree.nodes[at(node)];
    for (int i = 0; i < n.d; ++i) shared.push_back({where + i, found->second + i});
  }
}

void LoopScratch::list_updates() {
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
