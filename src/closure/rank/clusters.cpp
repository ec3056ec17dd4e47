#include "closure/rank/clusters.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "closure/rows.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {
namespace {

/// Nodes between the frames of a closure, or between the joints of a gear or a shaft; the common one left
/// out, unless it is one of these joints'.
std::vector<int> nodes_of_loop(const System& system, const ClosurePlace& c) {
  const auto& nodes = system.tree().nodes;
  std::vector<int> tips{c.node_a, c.node_b};
  if (is_among_joints(c.kind)) {
    tips.clear();
    for (const TreeTerm& term : c.terms) tips.push_back(term.node);
  }
  int common = tips.front();
  for (const int tip : tips) common = common_node(system, common, tip);
  if (is_among_joints(c.kind) && std::find(tips.begin(), tips.end(), common) != tips.end())
    common = nodes[at(common)].parent;
  std::vector<int> loop;
  for (const int tip : tips)
    for (int k = tip; k != common; k = nodes[at(k)].parent) loop.push_back(k);
  return loop;
}

/// Whether a closure binds, or something acts at its joint.
bool matters(const System& system, int i) {
  const ClosurePlace& c = system.closures()[at(i)];
  const auto& motors = system.closing_motors();
  return c.rows > 0 || c.rotors > 0 || c.acts ||
         std::any_of(motors.begin(), motors.end(),
                     [&](const ClosingMotor& motor) { return motor.closure == i; });
}

class Groups {
 public:
  explicit Groups(std::size_t count) : group_(count) { std::iota(group_.begin(), group_.end(), 0); }
  int root(int k) {
    while (group_[at(k)] != k) k = group_[at(k)] = group_[at(group_[at(k)])];
    return k;
  }
  void join(int a, int b) {
    const int x = root(a), y = root(b);
    group_[at(std::max(x, y))] = std::min(x, y);
  }

 private:
  std::vector<int> group_;
};

}  // namespace

std::vector<Cluster> find_clusters(const System& system) {
  Groups groups(system.tree().nodes.size());
  std::map<int, Cluster> found;  // by their first nodes
  std::vector<std::vector<int>> loops(system.closures().size());
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (!matters(system, static_cast<int>(i))) continue;
    loops[i] = nodes_of_loop(system, system.closures()[i]);
    for (const int k : loops[i]) groups.join(k, loops[i].front());
  }
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (loops[i].empty()) continue;
    Cluster& cluster = found[groups.root(loops[i].front())];
    cluster.closures.push_back(static_cast<int>(i));
    cluster.nodes.insert(cluster.nodes.end(), loops[i].begin(), loops[i].end());
  }
  std::vector<Cluster> clusters;
  for (auto& [first, cluster] : found) {
    std::sort(cluster.nodes.begin(), cluster.nodes.end());
    cluster.nodes.erase(std::unique(cluster.nodes.begin(), cluster.nodes.end()),
                        cluster.nodes.end());
    cluster.parent = system.tree().nodes[at(first)].parent;
    clusters.push_back(std::move(cluster));
  }
  return clusters;
}

}  // namespace linkwright::closure
