#include <algorithm>

#include "manipulator/unified_room.hpp"

namespace linkwright::manipulator {

using Eigen::Index;

ReducedSystem::ReducedSystem(const Manipulator& robot, std::vector<int> rows,
                             std::vector<std::vector<int>> groups)
    : reduction(robot.system().nv(), std::move(rows), std::move(groups)), robot_(robot) {}

void ReducedSystem::make_room(Index nv) {
  const std::vector<int>& kept = reduction.independent();
  for (std::size_t j = 0; j < kept.size(); ++j) {
    const auto place = static_cast<int>(j);
    if (std::ranges::binary_search(robot_.active(), kept[j]))
      a.push_back(place), entries_a.push_back(kept[j]);
    else if (std::ranges::binary_search(robot_.passive(), kept[j]))
      p.push_back(place), entries_p.push_back(kept[j]);
    else
      o.push_back(place);
  }
  const auto n = static_cast<Index>(kept.size());
  MG.setZero(nv, n), mass.setZero(n, n);
  drift.setZero(nv), bias.setZero(n), applied.setZero(n);
}

void ReducedSystem::compute(const WholeSystem& whole) {
  reduction.compute(whole.K, whole.beta);
  if (mass.size() == 0) make_room(whole.bias.size());
  if (!reduction.binds()) {
    mass = whole.mass_matrix, bias = whole.bias, applied = whole.applied;
    return;
  }
  const Eigen::MatrixXd& G = reduction.G();
  MG = whole.mass_matrix.lazyProduct(G);
  mass = G.transpose().lazyProduct(MG);
  drift = whole.bias + whole.mass_matrix.lazyProduct(reduction.gamma());
  bias = G.transpose().lazyProduct(drift);
  applied = G.transpose().lazyProduct(whole.applied);
}

}  // namespace linkwright::manipulator
