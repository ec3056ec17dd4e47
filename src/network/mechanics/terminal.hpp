#pragma once
/// Terminals of bodies: where they are, how they move, and which joints feel what acts there.

#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/network/recursion.hpp"
#include "spatial/index.hpp"

namespace linkwright::network::mechanics {

/// A row of a matrix.
using RowRef = Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>>;

/// A body, −1 for the world, and where it is, measured as the body's positions are.
struct Terminal {
  int body = -1;
  Vector3 P{};
};

/// Which body of a placement is on a node; −1: none.
inline std::vector<int> bodies_of_nodes(const System& system, const Placement& placement) {
  std::vector<int> bodies(system.tree().nodes.size(), -1);
  for (std::size_t j = 0; j < placement.origins.size(); ++j)
    bodies[at(placement.origins[j].node)] = static_cast<int>(j);
  return bodies;
}

/// A place in a node's frame; after place().
inline Terminal make_terminal(const Workspace& poses, const Placement& placement,
                              const std::vector<int>& body_of_node, int node,
                              const Vector3& place) {
  const int body = body_of_node[at(node)];
  if (body < 0) return {};
  const Matrix3& R = poses.scratch().pose[at(node)].rotation;
  return {body, placement.bodies[at(body)].B + R * (place - placement.origins[at(body)].B)};
}

/// The twist of the body there, and its rate where the terminal moves with velocity v_P.
inline Motion twist_at(const Placement& placement, const Terminal& terminal) {
  if (terminal.body < 0) return {};
  const Placement::Body& own = placement.bodies[at(terminal.body)];
  return spatial::shift(terminal.P - own.B, own.x_B);
}
inline Motion twist_rate_at(const Placement& placement, const Recursion& recursion,
                            const Terminal& terminal, const Vector3& v_P) {
  if (terminal.body < 0) return {};
  const Placement::Body& own = placement.bodies[at(terminal.body)];
  Motion rate = spatial::shift(terminal.P - own.B, recursion.rate_at_B(terminal.body));
  rate.linear += cross(own.x_B.angular, v_P - own.x_B.linear);
  return rate;
}

/// row += what a wrench at the terminal does at the joints inboard of it.
inline void add_cut_set(const Placement& placement, const Terminal& terminal, const Force& wrench,
                        RowRef row) {
  for (int j = terminal.body; j >= 0; j = placement.bodies[at(j)].parent) {
    const Placement::Body& body = placement.bodies[at(j)];
    const Force at_B = spatial::shift(terminal.P - body.B, wrench);
    for (int i = body.v; i < body.v + body.d; ++i) row[i] += dot(at_B, placement.Hstar[at(i)]);
  }
}

}  // namespace linkwright::network::mechanics
