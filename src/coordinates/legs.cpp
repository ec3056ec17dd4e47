#include "coordinates/legs.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright::coordinates {
namespace {

/// Nodes that hang together; the world and the platform's own joints tie nothing.
class Groups {
 public:
  Groups(const System& system, int platform)
      : leader_(system.tree().nodes.size()), apart_(leader_.size(), false) {
    std::iota(leader_.begin(), leader_.end(), 0);
    apart_[0] = true;
    for (int k = platform; k != 0; k = system.tree().nodes[at(k)].parent) apart_[at(k)] = true;
    for (int k = 1; k < system.tree().count(); ++k) tie(k, system.tree().nodes[at(k)].parent);
    for (const ClosurePlace& c : system.closures()) {
      const auto [a, b] = ends(system, c);
      tie(a, b);
    }
  }
  [[nodiscard]] bool apart(int node) const { return apart_[at(node)]; }
  [[nodiscard]] int leader(int node) const {
    while (leader_[at(node)] != node) node = leader_[at(node)];
    return node;
  }
  /// The nodes that a closure ties.
  static std::pair<int, int> ends(const System& system, const ClosurePlace& c) {
    if (!is_among_joints(c.kind)) return {c.node_a, c.node_b};
    return {system.joints()[at(c.terms.front().joint)].node,
            system.joints()[at(c.terms.back().joint)].node};
  }

 private:
  void tie(int a, int b) {
    if (!apart(a) && !apart(b))
      leader_[at(std::max(leader(a), leader(b)))] = std::min(leader(a), leader(b));
  }
  std::vector<int> leader_;
  std::vector<bool> apart_;
};

}  // namespace

Legs find_legs(const System& system, const std::string& platform) {
  const int top = system.frame(system.frame(platform)).node;
  if (top == 0)
    throw Error(fmt::format("platform {}: nothing moves it; expected the body that the legs carry",
                            in_quotes(platform)));
  const Groups groups(system, top);
  Legs out;
  std::map<int, Leg> by_leader;  // 0: of the platform alone
  for (int k = 1; k < system.tree().count(); ++k) {
    const Node<double>& node = system.tree().nodes[at(k)];
    auto& into = groups.apart(k) ? out.platform : by_leader[groups.leader(k)].freedoms;
    for (int i = 0; i < node.d; ++i) into.push_back(node.v + i);
  }
  for (const ClosurePlace& c : system.closures()) {
    const auto [a, b] = Groups::ends(system, c);
    const int leader = !groups.apart(a)   ? groups.leader(a)
                       : !groups.apart(b) ? groups.leader(b)
                                          : 0;
    for (int i = 0; i < c.rows; ++i) by_leader[leader].rows.push_back(c.row + i);
  }
  std::sort(out.platform.begin(), out.platform.end());
  for (auto& [leader, leg] : by_leader) {
    std::sort(leg.freedoms.begin(), leg.freedoms.end());
    out.legs.push_back(std::move(leg));
  }
  return out;
}

}  // namespace linkwright::coordinates
