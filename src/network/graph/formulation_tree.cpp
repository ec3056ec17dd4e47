#include "linkwright/network/formulation_tree.hpp"

#include <array>

#include <fmt/format.h>

#include "linkwright/error.hpp"
#include "network/graph/conflicts.hpp"
#include "network/graph/intersection.hpp"

namespace linkwright::network {
namespace {

bool groups_are_full(const LinearGraph& graph, const Intersection& search) {
  for (std::size_t g = 0; g < graph.groups().size(); ++g)
    if (search.count(static_cast<int>(g)) < graph.groups()[g].branches) return false;
  return true;
}

/// The edges in the order of a greedy start: those that alone hold a node and are in every tree, preferred ones,
/// those of groups in their own order, the others.
std::vector<int> greedy_order(const LinearGraph& graph, std::span<const int> preferred) {
  std::vector<int> held_by(graph.nodes().size(), 0), order;
  const auto ends = [&](std::size_t e) {
    return std::array{at(graph.edges()[e].from), at(graph.edges()[e].to)};
  };
  for (std::size_t e = 0; e < graph.edges().size(); ++e)
    if (graph.edges()[e].driver != Driver::through)
      for (const std::size_t node : ends(e)) ++held_by[node];
  for (std::size_t e = 0; e < graph.edges().size(); ++e)
    if (held_by[ends(e)[0]] == 1 || held_by[ends(e)[1]] == 1) order.push_back(static_cast<int>(e));
  order.insert(order.end(), preferred.begin(), preferred.end());
  for (const EdgeGroup& group : graph.groups())
    order.insert(order.end(), group.edges.begin(), group.edges.end());
  for (std::size_t e = 0; e < graph.edges().size(); ++e)
    if (graph.edges()[e].group < 0) order.push_back(static_cast<int>(e));
  return order;
}

/// Fills the groups from their own edges; edges of none are left out for it.
bool fill_groups(const LinearGraph& graph, Intersection& search) {
  const std::vector<char> usable = search.usable;
  for (std::size_t e = 0; e < usable.size(); ++e) {
    if (graph.edges()[e].group >= 0 || usable[e] == 0) continue;
    search.usable[e] = 0;
    if (search.inside[e] != 0) search.remove(static_cast<int>(e));
  }
  while (!groups_are_full(graph, search))
    if (!search.augment()) return false;
  search.usable = usable;
  return true;
}

void check(const LinearGraph& graph, std::span<const int> preferred) {
  for (const int e : preferred)
    if (e < 0 || at(e) >= graph.edges().size())
      throw Error(fmt::format("preferred edge {}: the graph has edges 0 to {}", e,
                              static_cast<int>(graph.edges().size()) - 1));
}

FormulationTree to_tree(const std::vector<char>& inside) {
  FormulationTree tree;
  tree.is_branch = inside;
  for (std::size_t e = 0; e < inside.size(); ++e)
    (inside[e] != 0 ? tree.branches : tree.chords).push_back(static_cast<int>(e));
  return tree;
}

}  // namespace

std::optional<FormulationTree> find_formulation_tree(const LinearGraph& graph,
                                                     std::vector<TreeConflict>& conflicts,
                                                     std::span<const int> preferred) {
  check(graph, preferred);
  conflicts = find_driver_conflicts(graph);
  if (!conflicts.empty()) return std::nullopt;

  Intersection search(graph);
  const std::vector<int> order = greedy_order(graph, preferred);
  search.add_greedily(order);
  if (!groups_are_full(graph, search)) {
    if (!fill_groups(graph, search)) {
      conflicts.push_back(too_many_branches(graph, search));
      return std::nullopt;
    }
    search.add_greedily(order);
  }
  const int whole = rank_of(graph, std::vector<char>(graph.edges().size(), 1));
  while (search.size() < whole) {
    if (!search.augment()) {
      conflicts.push_back(too_few_branches(graph, search));
      return std::nullopt;
    }
  }

  search.capacity[at(search.other_class())] = search.count(search.other_class());
  for (const int e : preferred)
    if (graph.edges()[at(e)].driver == Driver::none) search.require(e);
  return to_tree(search.inside);
}

FormulationTree make_formulation_tree(const LinearGraph& graph, std::span<const int> preferred) {
  std::vector<TreeConflict> conflicts;
  if (auto tree = find_formulation_tree(graph, conflicts, preferred)) return *std::move(tree);
  std::vector<Mistake> mistakes;
  for (const TreeConflict& conflict : conflicts) mistakes.emplace_back().message = conflict.text;
  throw Error(std::move(mistakes), "");
}

std::vector<LoopEntry> find_loop_entries(const LinearGraph& graph, const FormulationTree& tree) {
  const Forest forest(graph, tree.is_branch);
  std::vector<LoopEntry> entries;
  for (const int chord : tree.chords) {
    const GraphEdge& edge = graph.edges()[at(chord)];
    forest.walk(edge.from, edge.to, [&](int branch, int sign) {
      entries.push_back({chord, branch, sign});
    });
  }
  return entries;
}

}  // namespace linkwright::network
