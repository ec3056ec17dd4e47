#include "network/graph/conflicts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"

namespace linkwright::network {
namespace {

using Kind = TreeConflict::Kind;

std::string edge_names(const LinearGraph& graph, const std::vector<int>& edges) {
  std::vector<std::string> names;
  for (const int e : edges) names.push_back(graph.edges()[at(e)].name);
  return list_in_quotes(names);
}
std::string node_names(const LinearGraph& graph, const std::vector<int>& nodes) {
  std::vector<std::string> names;
  for (const int k : nodes) names.push_back(graph.nodes()[at(k)].name);
  return list_in_quotes(names);
}
std::string group_names(const LinearGraph& graph, const std::vector<int>& groups) {
  std::vector<std::string> names;
  for (const int g : groups) names.push_back(graph.groups()[at(g)].name);
  return (names.size() == 1 ? "multi-port " : "multi-ports ") + list_in_quotes(names);
}
void tell(TreeConflict& conflict, std::string what, std::string_view advice) {
  conflict.text = fmt::format("{}: {}", what, advice);
  conflict.what = std::move(what);
}
const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

std::vector<char> chosen_where(const LinearGraph& graph, const auto& holds) {
  std::vector<char> chosen(graph.edges().size(), 0);
  for (std::size_t e = 0; e < chosen.size(); ++e) chosen[e] = holds(graph.edges()[e]) ? 1 : 0;
  return chosen;
}

void find_floating(const LinearGraph& graph, const std::vector<int>& part,
                   std::vector<TreeConflict>& found) {
  std::vector<std::vector<int>> nodes_of;
  std::vector<char> has_reference;
  for (std::size_t k = 0; k < part.size(); ++k) {
    if (at(part[k]) >= nodes_of.size())
      nodes_of.resize(at(part[k]) + 1), has_reference.resize(at(part[k]) + 1, 0);
    nodes_of[at(part[k])].push_back(static_cast<int>(k));
    if (graph.nodes()[k].is_reference) has_reference[at(part[k])] = 1;
  }
  for (std::size_t p = 0; p < nodes_of.size(); ++p) {
    if (has_reference[p] != 0) continue;
    TreeConflict conflict;
    conflict.kind = Kind::floating, conflict.nodes = nodes_of[p];
    const Domain domain = graph.nodes()[at(nodes_of[p].front())].domain;
    tell(conflict,
         fmt::format(
             "terminal{} {} float{}, since no edge joins {} to the reference of the {} domain",
             plural(nodes_of[p].size()), node_names(graph, nodes_of[p]),
             nodes_of[p].size() == 1 ? "s" : "", nodes_of[p].size() == 1 ? "it" : "them",
             to_string(domain)),
         "join one of them to it");
    found.push_back(std::move(conflict));
  }
}

void find_across_loops(const LinearGraph& graph, std::vector<TreeConflict>& found) {
  const Forest forest(
      graph, chosen_where(graph, [](const GraphEdge& e) { return e.driver == Driver::across; }));
  for (const int closing : forest.closing) {
    TreeConflict conflict;
    conflict.kind = Kind::across_loop;
    conflict.edges = {closing};
    forest.walk(graph.edges()[at(closing)].from, graph.edges()[at(closing)].to,
                [&](int e, int) { conflict.edges.push_back(e); });
    std::sort(conflict.edges.begin(), conflict.edges.end());
    tell(conflict,
         fmt::format(
             "across driver{} {} form{} a loop, in which the across variables must add up to "
             "zero",
             plural(conflict.edges.size()), edge_names(graph, conflict.edges),
             conflict.edges.size() == 1 ? "s" : ""),
         "make one of them a through driver or no driver");
    found.push_back(std::move(conflict));
  }
}

/// Parts that only through drivers join to the part with the reference, or, in a floating part, to its first node.
void find_through_cut_sets(const LinearGraph& graph, const std::vector<int>& whole,
                           std::vector<TreeConflict>& found) {
  const std::vector<int> part = parts_of(
      graph, chosen_where(graph, [](const GraphEdge& e) { return e.driver != Driver::through; }));
  const std::size_t parts = part.empty() ? 0 : at(*std::max_element(part.begin(), part.end())) + 1;
  std::vector<int> main(whole.size(),
                        -1);  // by the whole part: the part that the others are told from
  for (const bool reference : {true, false})
    for (std::size_t k = 0; k < part.size(); ++k)
      if (main[at(whole[k])] < 0 && (!reference || graph.nodes()[k].is_reference))
        main[at(whole[k])] = part[k];
  std::vector<TreeConflict> conflict(parts);
  std::vector<char> is_cut_off(parts, 0);
  for (std::size_t k = 0; k < part.size(); ++k) {
    is_cut_off[at(part[k])] = part[k] != main[at(whole[k])] ? 1 : 0;
    conflict[at(part[k])].nodes.push_back(static_cast<int>(k));
  }
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    const int a = part[at(graph.edges()[e].from)], b = part[at(graph.edges()[e].to)];
    if (a == b) continue;
    for (const int p : {a, b}) conflict[at(p)].edges.push_back(static_cast<int>(e));
  }
  for (std::size_t p = 0; p < parts; ++p) {
    if (is_cut_off[p] == 0) continue;
    TreeConflict& c = conflict[p];
    c.kind = Kind::through_cut_set;
    tell(c,
         fmt::format("through driver{} {} {} all that joins terminal{} {} to the rest, so that {}",
                     plural(c.edges.size()), edge_names(graph, c.edges),
                     c.edges.size() == 1 ? "is" : "are", plural(c.nodes.size()),
                     node_names(graph, c.nodes),
                     c.edges.size() == 1 ? "its through variable must be zero"
                                         : "their through variables must add up to zero"),
         "make one of them an across driver or no driver");
    found.push_back(std::move(c));
  }
}

/// Things dropped one after the other as long as the rest still conflicts: none of those that stay can go.
template <class Conflicts>
std::vector<int> keep_needed(std::vector<int> things, const Conflicts& conflicts) {
  for (std::size_t i = things.size(); i-- > 0;) {
    std::vector<int> without = things;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    if (conflicts(without)) things = std::move(without);
  }
  return things;
}

std::vector<int> drivers_of(const LinearGraph& graph, Driver driver) {
  std::vector<int> edges;
  for (std::size_t e = 0; e < graph.edges().size(); ++e)
    if (graph.edges()[e].driver == driver) edges.push_back(static_cast<int>(e));
  return edges;
}

}  // namespace

std::vector<TreeConflict> find_driver_conflicts(const LinearGraph& graph) {
  std::vector<TreeConflict> found;
  const std::vector<int> whole = parts_of(graph, std::vector<char>(graph.edges().size(), 1));
  find_floating(graph, whole, found);
  find_across_loops(graph, found);
  find_through_cut_sets(graph, whole, found);
  return found;
}

TreeConflict too_many_branches(const LinearGraph& graph, const Intersection& search) {
  // Of its edges outside U a group may take all; the rest of its branches must come from U, and form no loop there.
  const std::vector<char>& U = search.before_room();
  const auto need = [&](int g) {
    int outside = 0;
    for (const int e : graph.groups()[at(g)].edges) outside += U[at(e)] == 0 ? 1 : 0;
    return graph.groups()[at(g)].branches - outside;
  };
  const auto edges_of = [&](const std::vector<int>& groups) {
    std::vector<char> chosen(U.size(), 0);
    for (const int g : groups)
      for (const int e : graph.groups()[at(g)].edges) chosen[at(e)] = U[at(e)];
    return chosen;
  };
  struct Balance {
    int needed = 0, possible = 0;
  };
  const auto balance = [&](const std::vector<int>& groups, const std::vector<int>& across) {
    Balance out;
    for (const int g : groups) out.needed += need(g);
    std::vector<char> drivers(U.size(), 0), all = edges_of(groups);
    for (const int e : across) drivers[at(e)] = all[at(e)] = 1;
    out.possible = rank_of(graph, all) - rank_of(graph, drivers);
    return out;
  };
  const auto conflicts = [](const Balance& b) { return b.needed > b.possible; };
  const std::vector<int> across = drivers_of(graph, Driver::across);
  TreeConflict found;
  found.kind = Kind::multi_ports;
  for (std::size_t g = 0; g < graph.groups().size(); ++g)
    if (need(static_cast<int>(g)) > 0) found.groups.push_back(static_cast<int>(g));
  found.groups = keep_needed(
      found.groups, [&](const auto& groups) { return conflicts(balance(groups, across)); });
  found.edges = keep_needed(
      across, [&](const auto& drivers) { return conflicts(balance(found.groups, drivers)); });
  const Balance b = balance(found.groups, found.edges);
  std::vector<int> own;
  const std::vector<char> chosen = edges_of(found.groups);
  for (std::size_t e = 0; e < chosen.size(); ++e)
    if (chosen[e] != 0) own.push_back(static_cast<int>(e));
  const std::string with =
      found.edges.empty() ? ""
                          : fmt::format(" with the across driver{} {}", plural(found.edges.size()),
                                        edge_names(graph, found.edges));
  tell(found,
       fmt::format("{} need{} {} of the edges {} as branches, and {} be, since more would close a "
                   "loop{}",
                   group_names(graph, found.groups), found.groups.size() == 1 ? "s" : "", b.needed,
                   edge_names(graph, own),
                   b.possible == 0 ? "none can" : fmt::format("only {} can", b.possible), with),
       found.edges.empty() ? "join their terminals differently"
                           : "make one of these drivers a through driver or no driver");
  return found;
}

TreeConflict too_few_branches(const LinearGraph& graph, const Intersection& search) {
  // What W must give to a tree is what the other edges leave apart; what it can give, its classes say.
  const std::vector<char> W = search.behind_no_loop();
  const int groups = static_cast<int>(graph.groups().size());
  std::vector<int> things;  // groups, and behind them single edges
  for (std::size_t e = 0; e < W.size(); ++e) {
    if (W[e] == 0) continue;
    const int g = graph.edges()[e].group;
    things.push_back(g >= 0 ? g : groups + static_cast<int>(e));
  }
  std::sort(things.begin(), things.end());
  things.erase(std::unique(things.begin(), things.end()), things.end());
  const auto without = [&](const std::vector<int>& chosen) {
    std::vector<char> rest(W.size(), 0);
    for (std::size_t e = 0; e < W.size(); ++e)
      rest[e] = graph.edges()[e].driver != Driver::through ? 1 : 0;
    for (const int t : chosen) {
      if (t >= groups) {
        rest[at(t - groups)] = 0;
        continue;
      }
      for (const int e : graph.groups()[at(t)].edges)
        if (W[at(e)] != 0) rest[at(e)] = 0;
    }
    return rest;
  };
  const int whole = rank_of(graph, without({}));
  const auto supply = [&](const std::vector<int>& chosen) {
    int sum = 0;
    for (const int t : chosen) {
      if (t >= groups) {
        ++sum;
        continue;
      }
      const EdgeGroup& group = graph.groups()[at(t)];
      int own = 0;
      for (const int e : group.edges) own += W[at(e)] != 0 ? 1 : 0;
      sum += std::min(group.branches, own);
    }
    return sum;
  };
  const auto demand = [&](const std::vector<int>& chosen) {
    return whole - rank_of(graph, without(chosen));
  };
  things = keep_needed(things, [&](const auto& chosen) { return demand(chosen) > supply(chosen); });
  TreeConflict found;
  found.kind = Kind::multi_ports;
  const std::vector<int> part = parts_of(graph, without(things));
  std::vector<int> between;
  for (const int t : things) {
    if (t < groups)
      found.groups.push_back(t);
    else
      between.push_back(t - groups);
  }
  for (const int e : drivers_of(graph, Driver::through))
    if (part[at(graph.edges()[at(e)].from)] != part[at(graph.edges()[at(e)].to)])
      found.edges.push_back(e);
  const int needed = demand(things), possible = supply(things);
  tell(found,
       fmt::format(
           "{} give{}{} {} of the {} branches that must hold their terminals{}",
           group_names(graph, found.groups), found.groups.size() == 1 && between.empty() ? "s" : "",
           between.empty() ? "" : fmt::format(" with {}", edge_names(graph, between)), possible,
           needed,
           found.edges.empty()
               ? ""
               : fmt::format(", since {} {} in no tree as through driver{}",
                             edge_names(graph, found.edges), found.edges.size() == 1 ? "is" : "are",
                             plural(found.edges.size()))),
       found.edges.empty() ? "join their terminals by another edge"
                           : "make one of these an across driver or no driver, or join their "
                             "terminals by another edge");
  return found;
}

}  // namespace linkwright::network
