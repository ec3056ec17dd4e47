#include "linkwright/network/graph.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "linkwright/error.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

constexpr std::string_view reference_name(Domain domain) {
  switch (domain) {
    case Domain::mechanical:
      return "O";
    case Domain::shaft:
      return "housing";
    case Domain::electrical:
      return "ground";
  }
  return "";
}

/// The index behind a name; throws Error with the closest one.
int find(const std::unordered_map<std::string, int>& index, std::string_view what,
         std::string_view name) {
  if (const auto found = index.find(std::string(name)); found != index.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [key, value] : index) known.push_back(key);
  std::sort(known.begin(), known.end());
  throw Error(
      fmt::format("the graph has no {} {}{}", what, in_quotes(name), did_you_mean(name, known)));
}

}  // namespace

std::string_view to_string(Domain domain) {
  switch (domain) {
    case Domain::mechanical:
      return "mechanical";
    case Domain::shaft:
      return "shaft";
    case Domain::electrical:
      return "electrical";
  }
  return "";
}

int dimension(Domain domain) { return domain == Domain::mechanical ? 6 : 1; }

int LinearGraph::reference(Domain domain) {
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].is_reference && nodes_[i].domain == domain) return static_cast<int>(i);
  const int made = add_node(std::string(reference_name(domain)), domain);
  nodes_[at(made)].is_reference = true;
  return made;
}

int LinearGraph::add_node(std::string name, Domain domain) {
  const int index = static_cast<int>(nodes_.size());
  if (!node_index_.emplace(name, index).second)
    throw Error(
        fmt::format("terminal {} is there already; expected a name of its own", in_quotes(name)));
  nodes_.push_back({std::move(name), domain, false});
  return index;
}

int LinearGraph::add_edge(std::string name, int from, int to, Driver driver) {
  for (const int node : {from, to})
    if (node < 0 || at(node) >= nodes_.size())
      throw Error(
          fmt::format("edge {}: there is no terminal with the index {}", in_quotes(name), node));
  const GraphNode &a = nodes_[at(from)], &b = nodes_[at(to)];
  if (a.domain != b.domain)
    throw Error(fmt::format(
        "edge {} joins terminal {} ({}) and terminal {} ({}); expected terminals of one domain: a "
        "component with ports in both has an edge in each, and a group of them",
        in_quotes(name), in_quotes(a.name), to_string(a.domain), in_quotes(b.name),
        to_string(b.domain)));
  const int index = static_cast<int>(edges_.size());
  if (!edge_index_.emplace(name, index).second)
    throw Error(
        fmt::format("edge {} is there already; expected a name of its own", in_quotes(name)));
  edges_.push_back({std::move(name), from, to, a.domain, driver, -1});
  return index;
}

int LinearGraph::add_group(std::string name, std::vector<int> edges, int branches) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("multi-port {}: {}", in_quotes(name), why));
  };
  if (branches < 0 || at(branches) > edges.size())
    refuse(fmt::format("{} of its {} edges cannot be in the tree; expected 0 to {}", branches,
                       edges.size(), edges.size()));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const int e = edges[i];
    if (e < 0 || at(e) >= edges_.size())
      refuse(fmt::format("there is no edge with the index {}", e));
    if (std::find(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(i), e) !=
        edges.begin() + static_cast<std::ptrdiff_t>(i))
      refuse(fmt::format("edge {} is named twice", in_quotes(edges_[at(e)].name)));
    if (edges_[at(e)].group >= 0)
      refuse(fmt::format("edge {} belongs to {} already", in_quotes(edges_[at(e)].name),
                         in_quotes(groups_[at(edges_[at(e)].group)].name)));
    if (edges_[at(e)].driver != Driver::none)
      refuse(fmt::format("edge {} is a driver; expected a driver beside the multi-port's own edge",
                         in_quotes(edges_[at(e)].name)));
  }
  const int index = static_cast<int>(groups_.size());
  for (const int e : edges) edges_[at(e)].group = index;
  groups_.push_back({std::move(name), std::move(edges), branches});
  return index;
}

int LinearGraph::node(std::string_view name) const { return find(node_index_, "terminal", name); }
int LinearGraph::edge(std::string_view name) const { return find(edge_index_, "edge", name); }

}  // namespace linkwright::network
