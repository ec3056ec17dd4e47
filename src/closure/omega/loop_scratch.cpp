#include "linkwright/closure/sweeps/loop_scratch.hpp"

#include "closure/omega/counting_rows.hpp"
#include "closure/omega/hubs.hpp"
#include "closure/omega/stand.hpp"
#include "closure/rank/size.hpp"
#include "spatial/index.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace linkwright::closure {
namespace {

std::vector<NodeKind> kinds_of(const Tree<double>& tree) {
  std::vector<NodeKind> kinds(tree.nodes.size());
  for (const Run& run : tree.runs)
    for (int k = run.first; k <= run.last; ++k) kinds[at(k)] = run.kind;
  return kinds;
}

/// Where a closure's forces begin: at its frames, or at the joints of a gear or a shaft.
std::vector<int> tips_of(const ClosurePlace& c) {
  if (!is_among_joints(c.kind)) return {c.node_a, c.node_b};
  std::vector<int> tips;
  for (const TreeTerm& term : c.terms) tips.push_back(term.node);
  return tips;
}

/// Nodes inboard of any tip, tips first.
std::vector<int> nodes_inboard(const Tree<double>& tree, const std::vector<int>& tips) {
  std::set<int, std::greater<>> nodes;
  for (const int tip : tips)
    for (int k = tip; k != 0; k = tree.nodes[at(k)].parent) nodes.insert(k);
  return {nodes.begin(), nodes.end()};
}

/// Every joint type but universal; of planar ones a rotor's row turns with a.
bool has_constant_rows(const ClosurePlace& c) {
  return c.kind == PairKind::lower_pair && (c.joint != JointType::planar || c.rotors == 0);
}
/// Its carried rows as forces on node b, those of rotors behind them.
spatial::Force<Rows> rows_on_b(const ClosurePlace& c, const CarriedRows& carried) {
  spatial::Force<Rows> rows = no_force();
  for (int i = 0; i < carried.count; ++i) put(rows, i, to_parent(c.at_b, c.W[carried.row[i]]));
  for (int r = 0; r < c.rotors; ++r)
    put(rows, carried.count + r, to_parent(c.at_b, c.dual[c.rotor_freedom[r]]));
  return rows;
}

}  // namespace

LoopScratch::LoopScratch(const System& system) : length2(size_of(system) * size_of(system)) {
  const Tree<double>& tree = system.tree();
  const std::vector<NodeKind> kinds = kinds_of(tree);
  const std::vector<Pose> zero = zero_poses(tree);
  for (const ClosurePlace& c : system.closures()) {
    add_path(system, kinds, c);
    std::vector<int> rows(at(c.rows));
    std::iota(rows.begin(), rows.end(), 0);
    if (paths.back().constant) rows = counting_rows(tree, kinds, zero, c, std::sqrt(length2));
    carry_rows(c, rows);
  }
  list_moving(system);
  pattern = OmegaPattern(tree, *this, choose_hubs(system, *this));
  for (const Hub& hub : pattern.hubs) row_count.push_back(hub.freedoms);
  pivoted.list_visits(tree, *this);
  const std::size_t count = paths.size(), unknowns = pattern.order.size();
  std::size_t longest = 1;
  for (const Path& way : paths)
    longest = std::max(longest, static_cast<std::size_t>(way.end - way.begin));
  force.resize(longest);
  u.resize(at(freedoms_)), weight.resize(at(freedoms_));
  right.resize(count);
  for (auto* rows : {&most, &rounding, &lambda}) rows->resize(unknowns, Rows(0.0));
  for (std::size_t c = 0; c < count; ++c) {
    const ClosurePlace& place = system.closures()[c];
    if (place.rotors > 0) compliance.resize(count, Rows(0.0));
    for (int r = 0; r < place.rotors; ++r)
      compliance[c].x[carried[c].count + r] = 1 / place.freedom[place.rotor_freedom[r]].rotor;
  }
  effort.resize(system.closing_names().size(), 0);
  added = effort;
  omega.resize(8 * pattern.blocks.size());
  own_rows.resize(unknowns);
  constexpr int most_rows = 256;  // half a megabyte; longer chains hardly ever need it
  if (std::accumulate(row_count.begin(), row_count.end(), 0) <= most_rows)
    pivoted.make_room(*this, row_count);
  stand = make_stand(system, *this);
}
LoopScratch::~LoopScratch() = default;

void LoopScratch::add_path(const System& system, const std::vector<NodeKind>& kinds,
                           const ClosurePlace& c) {
  const Tree<double>& tree = system.tree();
  const std::vector<int> nodes = nodes_inboard(tree, tips_of(c));
  const int first_term = static_cast<int>(terms.size());
  Path way{static_cast<int>(path.size()), 0,         -1, -1, first_term, first_term,
           has_constant_rows(c),          freedoms_, 0};
  const auto step_of = [&](int node) {
    const auto found = std::find(nodes.begin(), nodes.end(), node);
    return node == 0 ? -1 : way.begin + static_cast<int>(found - nodes.begin());
  };
  for (const int k : nodes) {
    path.push_back(
        {k, kinds[at(k)], step_of(tree.nodes[at(k)].parent), freedoms_, PathNode::added});
    for (int i = 0; i < tree.nodes[at(k)].d; ++i) {
      const Motion mode = mode_of(tree, kinds[at(k)], k, i);
      reach.push_back(dot(mode.angular, mode.angular) + dot(mode.linear, mode.linear) / length2);
    }
    freedoms_ += tree.nodes[at(k)].d;
  }
  way.end = static_cast<int>(path.size());
  way.freedoms = freedoms_ - way.first;
  if (!is_among_joints(c.kind)) way.at_a = step_of(c.node_a), way.at_b = step_of(c.node_b);
  for (const TreeTerm& term : c.terms)
    terms.push_back({step_of(term.node), term.v - tree.nodes[at(term.node)].v, term.ratio});
  way.term_end = static_cast<int>(terms.size());
  choose_handing(way);
  paths.push_back(way);
}

void LoopScratch::carry_rows(const ClosurePlace& c, const std::vector<int>& rows) {
  CarriedRows& own = carried.emplace_back();
  for (const int row : rows) own.row[own.count++] = row;
  never_counting += c.rows - own.count;
  constant_rows.push_back(paths.back().constant ? rows_on_b(c, own) : no_force());
  row_count.push_back(own.count + c.rotors);
}

void LoopScratch::list_moving(const System& system) {
  std::map<int, NodeKind> passed;
  std::set<int> met;
  for (const PathNode& node : path) passed.emplace(node.node, node.kind);
  for (const ClosurePlace& c : system.closures())
    if (!is_among_joints(c.kind)) met.insert({c.node_a, c.node_b});
  std::map<int, int> where{{0, -1}};
  for (const auto& [node, kind] : passed) {
    where[node] = static_cast<int>(moving.size());
    moving.push_back(
        {node, kind, where.at(system.tree().nodes[at(node)].parent), met.contains(node)});
  }
  moved.resize(moving.size());
}

void LoopScratch::choose_handing(const Path& way) {
  std::set<int> fed{way.at_a, way.at_b};  // the tips have their rows from the start
  for (int i = way.terms; i < way.term_end; ++i) fed.insert(terms[at(i)].at);
  for (int at_node = way.begin; at_node < way.end; ++at_node) {
    PathNode& here = path[at(at_node)];
    if (here.up < 0)
      here.handing = PathNode::to_world;
    else
      here.handing = fed.insert(here.up).second ? PathNode::first_there : PathNode::added;
  }
}

}  // namespace linkwright::closure
