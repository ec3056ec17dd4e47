#include "closure/omega/hubs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "closure/omega/counting_rows.hpp"
#include "linkwright/spatial/group.hpp"
#include "linkwright/system/lockable_system.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {
namespace {

/// Nodes of all paths at a position like any other: every joint moved by a different part of a turn, or
/// of the mechanism's length.
std::map<int, Pose> poses_anywhere(const System& system, const LoopScratch& ways) {
  const Tree<double>& tree = system.tree();
  const double length = std::sqrt(ways.length2);
  std::map<int, Pose> poses{{0, Pose{}}};
  int count = 0;
  for (const NodeOfLoops& here : ways.moving) {
    const Node<double>& n = tree.nodes[at(here.node)];
    Motion moved{};
    for (int i = 0; i < n.d; ++i) {
      const double part = 0.2 + 0.6 * std::fmod(0.618034 * ++count, 1.0);
      const Motion mode = mode_of(tree, here.kind, here.node, i);
      moved += part * (norm(mode.angular) > 0 ? mode : length * mode);
    }
    const Pose by{to_matrix(spatial::exp_rotation(moved.angular)),
                  spatial::exp_coupling(moved.angular, moved.linear)};
    poses[here.node] = poses.at(n.parent) * Pose{n.R0, n.p0} * by;
  }
  return poses;
}

/// Whether two of the closures meet nowhere but at one node.
bool meet_only_at(const LoopScratch& ways, const std::vector<HubVisit>& visits, int node) {
  std::set<int> passed;
  for (const HubVisit& visit : visits)
    for (int i = ways.paths[at(visit.closure)].begin; i < ways.paths[at(visit.closure)].end; ++i) {
      const int here = ways.path[at(i)].node;
      if (here != node && !passed.insert(here).second) return false;
    }
  return true;
}

}  // namespace

bool gives_way_without(const System& system, const LoopScratch& ways, std::size_t closure,
                       int node) {
  const std::map<int, Pose> poses = poses_anywhere(system, ways);
  const ClosurePlace& c = system.closures()[closure];
  const Path& way = ways.paths[closure];
  const CarriedRows& carried = ways.carried[closure];
  if (!way.constant || c.rotors > 0 || carried.count == 0) return false;
  const double length = std::sqrt(ways.length2);
  const Pose to_b = inverse(poses.at(c.node_b));
  std::vector<Motion> modes;
  for (int i = way.begin; i < way.end; ++i) {
    const PathNode& here = ways.path[at(i)];
    if (here.node == node) continue;
    const Node<double>& n = system.tree().nodes[at(here.node)];
    for (int j = 0; j < n.d; ++j)
      if (!LockableSystem::is_locked(system.rotor_inertia()[at(n.v + j)]))
        modes.push_back(
            to_parent(to_b * poses.at(here.node), mode_of(system.tree(), here.kind, here.node, j)));
  }
  Eigen::MatrixXd J(static_cast<Eigen::Index>(modes.size()), carried.count);
  for (int r = 0; r < carried.count; ++r) {
    const Force W = to_parent(c.at_b, c.W[carried.row[r]]);
    const double size = std::sqrt(dot(W.moment, W.moment) + ways.length2 * dot(W.force, W.force));
    for (Eigen::Index i = 0; i < J.rows(); ++i) {
      const Motion& mode = modes[static_cast<std::size_t>(i)];
      const double reach = std::sqrt(dot(mode.angular, mode.angular) +
                                     dot(mode.linear, mode.linear) / (length * length));
      J(i, r) = dot(W, mode) / (size * (reach > 0 ? reach : 1));
    }
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  constexpr double well_clear = 1e-3;
  qr.setThreshold(well_clear);
  qr.compute(J);
  return qr.rank() == carried.count;
}

std::vector<Hub> choose_hubs(const System& system, const LoopScratch& ways) {
  std::map<int, std::vector<HubVisit>> on_world;
  for (std::size_t c = 0; c < ways.paths.size(); ++c)
    for (int i = ways.paths[c].begin; i < ways.paths[c].end; ++i) {
      const PathNode& here = ways.path[at(i)];
      if (here.up < 0) on_world[here.node].push_back({static_cast<int>(c), here.first});
    }
  std::vector<Hub> hubs;
  for (const auto& [node, visits] : on_world) {
    const int freedoms = system.tree().nodes[at(node)].d;
    int rows = 0;
    for (const HubVisit& visit : visits) rows += ways.carried[at(visit.closure)].count;
    if (visits.size() < fewest_at_hub || rows < 2 * freedoms || !meet_only_at(ways, visits, node))
      continue;
    if (std::all_of(visits.begin(), visits.end(), [&, node = node](const HubVisit& visit) {
          return gives_way_without(system, ways, at(visit.closure), node);
        }))
      hubs.push_back({node, freedoms, visits});
  }
  return hubs;
}

}  // namespace linkwright::closure
