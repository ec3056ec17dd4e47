#include "network/graph/intersection.hpp"

#include <algorithm>
#include <numeric>

#include "spatial/groups.hpp"

namespace linkwright::network {

Intersection::Intersection(const LinearGraph& graph)
    : inside(graph.edges().size(), 0),
      fixed(graph.edges().size(), 0),
      usable(graph.edges().size(), 1),
      graph_(graph),
      class_(graph.edges().size(), -1),
      members_(graph.groups().size() + 1) {
  for (const EdgeGroup& group : graph.groups()) capacity.push_back(group.branches);
  capacity.push_back(unlimited);
  count_.assign(capacity.size(), 0);
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    const GraphEdge& edge = graph.edges()[e];
    usable[e] = edge.driver == Driver::none ? 1 : 0;
    if (edge.driver == Driver::none) {
      class_[e] = edge.group >= 0 ? edge.group : other_class();
      members_[at(class_[e])].push_back(static_cast<int>(e));
    } else if (edge.driver == Driver::across) {
      fixed[e] = 1;
      insert(static_cast<int>(e));
    }
  }
}

void Intersection::insert(int edge) {
  inside[at(edge)] = 1;
  ++size_;
  if (class_of(edge) >= 0) ++count_[at(class_of(edge))];
}
void Intersection::remove(int edge) {
  inside[at(edge)] = 0;
  --size_;
  if (class_of(edge) >= 0) --count_[at(class_of(edge))];
}

void Intersection::add_greedily(const std::vector<int>& edges) {
  Groups joined(graph_.nodes().size());
  const auto ends = [&](int e) {
    const GraphEdge& edge = graph_.edges()[at(e)];
    return std::pair(joined.root(at(edge.from)), joined.root(at(edge.to)));
  };
  for (std::size_t e = 0; e < inside.size(); ++e)
    if (inside[e] != 0) joined.join(at(graph_.edges()[e].from), at(graph_.edges()[e].to));
  for (const int e : edges) {
    if (inside[at(e)] != 0 || usable[at(e)] == 0 || count(class_of(e)) >= capacity[at(class_of(e))])
      continue;
    const auto [a, b] = ends(e);
    if (a == b) continue;
    joined.join(a, b);
    insert(e);
  }
}

void Intersection::reach(int edge, int next) {
  if (reached_[at(edge)] != 0) return;
  reached_[at(edge)] = 1;
  next_[at(edge)] = next;
  queue_.push_back(edge);
}

/// Backwards from the classes with room; returns the edge that closes no loop, or −1.
int Intersection::search() {
  const Forest forest(graph_, inside);
  // Nodes between which all edges of the forest are fixed or reached are passed as one.
  std::vector<int> up(graph_.nodes().size());
  std::iota(up.begin(), up.end(), 0);
  const auto top = [&](int k) {
    while (up[at(k)] != k) k = up[at(k)] = up[at(up[at(k)])];
    return k;
  };
  reached_.assign(inside.size(), 0);
  expanded_.assign(capacity.size(), 0);
  next_.assign(inside.size(), -1);
  queue_.clear();
  for (std::size_t e = 0; e < inside.size(); ++e)
    if (usable[e] != 0 && inside[e] == 0 && count(class_[e]) < capacity[at(class_[e])])
      reach(static_cast<int>(e), -1);
  for (std::size_t head = 0; head < queue_.size();) {  // it grows on the way
    const int e = queue_[head++];
    if (inside[at(e)] != 0) {
      const int c = class_of(e);
      if (expanded_[at(c)] != 0) continue;
      expanded_[at(c)] = 1;
      for (const int x : members_[at(c)])
        if (usable[at(x)] != 0 && inside[at(x)] == 0) reach(x, e);
      continue;
    }
    const GraphEdge& edge = graph_.edges()[at(e)];
    if (forest.root[at(edge.from)] != forest.root[at(edge.to)]) return e;
    for (int u = top(edge.from), v = top(edge.to); u != v;) {
      int& end = forest.depth[at(u)] >= forest.depth[at(v)] ? u : v;
      const int y = forest.edge[at(end)];
      if (fixed[at(y)] == 0) reach(y, e);
      up[at(end)] = forest.parent[at(end)];
      end = top(end);
    }
  }
  return -1;
}

bool Intersection::augment() {
  int e = search();
  if (e < 0) return false;
  for (; e >= 0; e = next_[at(e)]) {
    if (inside[at(e)] != 0)
      remove(e);
    else
      insert(e);
  }
  return true;
}

bool Intersection::require(int edge) {
  if (inside[at(edge)] != 0) {
    fixed[at(edge)] = 1;
    return true;
  }
  const Forest forest(graph_, inside);
  const GraphEdge& wanted = graph_.edges()[at(edge)];
  const int c = class_of(edge);
  int on_loop = -1, in_class = -1;
  forest.walk(wanted.from, wanted.to, [&](int y, int) {
    if (fixed[at(y)] != 0) return;
    on_loop = on_loop < 0 || class_of(y) == c ? y : on_loop;
  });
  for (const int y : members_[at(c)])
    if (inside[at(y)] != 0 && fixed[at(y)] == 0) in_class = y;
  if (on_loop < 0 || in_class < 0) return false;
  const std::vector<char> before = inside;
  const std::vector<int> counts_before = count_;
  const int size_before = size_;
  remove(on_loop);
  if (class_of(on_loop) != c) remove(in_class);
  insert(edge);
  fixed[at(edge)] = 1;
  if (size_ == size_before || augment()) return true;
  inside = before, count_ = counts_before, size_ = size_before;
  fixed[at(edge)] = 0;
  return false;
}

std::vector<char> Intersection::behind_no_loop() const {
  const Forest forest(graph_, inside);
  std::vector<std::vector<int>> closed_by(inside.size());  // edges whose loop passes an edge inside
  std::vector<char> reached(inside.size(), 0);
  std::vector<int> queue;
  const auto reach_now = [&](int e) {
    if (reached[at(e)] != 0) return;
    reached[at(e)] = 1;
    queue.push_back(e);
  };
  for (std::size_t e = 0; e < inside.size(); ++e) {
    if (usable[e] == 0 || inside[e] != 0) continue;
    const GraphEdge& edge = graph_.edges()[e];
    if (forest.root[at(edge.from)] != forest.root[at(edge.to)])
      reach_now(static_cast<int>(e));
    else
      forest.walk(edge.from, edge.to, [&](int y, int) {
        if (fixed[at(y)] == 0) closed_by[at(y)].push_back(static_cast<int>(e));
      });
  }
  for (std::size_t head = 0; head < queue.size();) {
    const int e = queue[head++];
    if (inside[at(e)] != 0) {
      for (const int x : closed_by[at(e)]) reach_now(x);
    } else {
      for (const int y : members_[at(class_of(e))])
        if (inside[at(y)] != 0 && fixed[at(y)] == 0) reach_now(y);
    }
  }
  return reached;
}

}  // namespace linkwright::network
