#pragma once
/// Dense 6×6 blocks of the Coriolis matrix recursion. Internal: the layout depends on Eigen's
/// alignment.

#include <vector>

#include <Eigen/Core>

namespace linkwright {

struct CoriolisScratch {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  CoriolisScratch(std::size_t nodes, std::size_t nv)
      : V(nodes), M(nodes), B(nodes), column(nv), column_rate(nv) {}

  std::vector<Vector6> V;                    // [N + 1] velocity at the root's origin, world axes
  std::vector<Matrix6> M, B;                 // [N + 1] own, then composite
  std::vector<Vector6> column, column_rate;  // [nv]
};

}  // namespace linkwright
